"""From a path to findings, once for the whole server: load, analyse, keep."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import curation
from curation.analysis.findings import Findings
from curation.class_names import distinct_names
from curation.core.count import Collisions, Threshold
from curation.dataset import Dataset
from curation.errors import InputError
from curation.loading.overrides import HELP
from curation.paths import find_dashboard
from curation.ui.shell.cache import identify
from curation.ui.shell.jobs import Job, all_jobs

DEMO_PREFIX = "demo:"
DEMOS = {
    "objects": "Drawn pictures of the class pairs that ImageNet confuses: missile and projectile, "
    "tub and bathtub, a class that exists twice.",
    "digits": "Handwritten digits, with the labels they came with.",
    "reviews": "Product reviews of one, three or five stars, some of them pressed by mistake.",
}
LOADING = 0.6  # the part of the progress bar that loading fills; analysing fills the rest


@dataclass(frozen=True)
class Source:
    """What to open: a path or a demo by name, and what a person decided about reading it."""

    name: str
    overrides: str = "{}"  # as JSON, so that it can be a key and stand in a link

    @property
    def path(self) -> Path:
        if self.name.startswith(DEMO_PREFIX):
            return find_dashboard() / "demo_data" / self.name.removeprefix(DEMO_PREFIX)
        return Path(self.name).expanduser()

    @property
    def options(self) -> Mapping[str, Any]:
        """What a person decided; a link may hold anything, so it is refused in words."""
        try:
            options = json.loads(self.overrides)
        except (ValueError, RecursionError):
            options = None
        if not isinstance(options, dict) or not set(options) <= set(HELP):
            raise InputError(
                "The fixes in this link cannot be read.",
                "Open the dataset anew; its fixes are offered again.",
            )
        return options

    def fixed(self, override: Mapping[str, Any]) -> Source:
        """Return the same with one more fix."""
        return Source(self.name, _write({**self.options, **override}))

    def unfixed(self, key: str) -> Source:
        """Return the same without a fix."""
        return Source(self.name, _write({k: v for k, v in self.options.items() if k != key}))


def _write(options: Mapping[str, Any]) -> str:
    return json.dumps(options, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def default_source() -> str:
    """Return what `curate PATH` or `streamlit run app.py -- --data PATH` named, else a demo."""
    return _command().data or f"{DEMO_PREFIX}{next(iter(DEMOS))}"


def named_store(source: Source) -> str | None:
    """Return the store that the command named for its dataset; others have their own."""
    return _command().store if source.name == default_source() else None


def _command() -> argparse.Namespace:
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--data")
    parser.add_argument("--store")
    return parser.parse_known_args(sys.argv[1:])[0]


def loading_job(source: Source) -> Job:
    """Return the job that loads a dataset; its result is the Dataset."""

    def work(job: Job) -> Dataset:
        def progress(stage: str, share: float) -> None:
            job.report(stage, LOADING * share)

        return curation.load(source.path, progress=progress, **source.options)

    return all_jobs().get(("load", source), work)


def analysis_job(source: Source, loaded: Job, threshold: Threshold, collisions: Collisions) -> Job:
    """Return the job that analyses what another has loaded; its result is the Findings."""
    dataset: Dataset = loaded.future.result()

    def work(job: Job) -> Findings:
        def progress(stage: str, share: float) -> None:
            job.report(stage, LOADING + (1 - LOADING) * share)

        return curation.analyze(
            dataset.labels,
            dataset.pred_probs,
            distinct_names(dataset.class_names, dataset.class_ids),
            threshold=threshold,
            collisions=collisions,
            progress=progress,
        )

    # The identity: once the files are read again, what was found in the old ones does not count.
    return all_jobs().get(("analyse", source, identify(dataset), threshold, collisions), work)


def forget_source(source: Source) -> None:
    """Forget what was read and found of a dataset, so that its files are read again."""
    all_jobs().forget(lambda key: source in key)
