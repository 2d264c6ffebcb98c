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
from curation import wording
from curation.analysis import Findings
from curation.cli.open import find_dashboard
from curation.core.count import Collisions, Threshold
from curation.dataset import Dataset
from curation.ui.jobs import Job, all_jobs

DEMO_PREFIX = "demo:"
DEMOS = {
    "objects": "Drawn pictures of the class pairs that ImageNet confuses: missile and projectile, "
    "tub and bathtub, a class that exists twice.",
    "digits": "Handwritten digits, with the labels they came with.",
    "reviews": "Product reviews of one, three or five stars, some of them pressed by mistake.",
}


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
        options: Mapping[str, Any] = json.loads(self.overrides)
        return options


def default_source() -> str:
    """Return what `curate PATH` or `streamlit run app.py -- --data PATH` named, else a demo."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--data")
    path = parser.parse_known_args(sys.argv[1:])[0].data
    return path or f"{DEMO_PREFIX}{next(iter(DEMOS))}"


def loading_job(source: Source) -> Job:
    """Return the job that loads a dataset; its result is the Dataset."""

    def work(job: Job) -> Dataset:
        job.report("Reading the labels and checking the probabilities", 0.1)
        dataset = curation.load(source.path, **source.options)
        job.report("Loaded", 1.0)
        return dataset

    return all_jobs().get(("load", source), work)


def analysis_job(
    source: Source, dataset: Dataset, threshold: Threshold, collisions: Collisions
) -> Job:
    """Return the job that analyses a loaded dataset; its result is the Findings."""

    def work(job: Job) -> Findings:
        job.report("Counting the confident joint", 0.5)
        findings = curation.analyze(
            dataset.labels,
            dataset.pred_probs,
            wording.tell_apart(dataset.class_names, dataset.class_ids),
            threshold=threshold,
            collisions=collisions,
        )
        job.report("Analysed", 1.0)
        return findings

    return all_jobs().get(("analyse", source, threshold, collisions), work)
