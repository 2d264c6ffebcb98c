"""From a path to findings: load and analyse once for the whole server, and keep the result."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curation.analysis.findings import Findings
from curation.analysis.saved_findings import (
    analyze_dataset,
    reopen_findings,
    save_findings,
    worth_saving,
)
from curation.core.count import Collisions, Threshold
from curation.dataset import Dataset, LabelledData
from curation.errors import InputError, StorageError
from curation.loading import load_before_checks
from curation.loading.overrides import HELP
from curation.loading.remote_place import local_path
from curation.paths import find_dashboard, leads_outside
from curation.storage.remote_address import Address, find_address, is_address, parse_address
from curation.ui.server.command_line import read_command
from curation.ui.shell import allowed_folders, storage_consent
from curation.ui.shell.cache import identify
from curation.ui.shell.fix_memory import NO_FIXES, recall_fixes
from curation.ui.shell.jobs import Job, all_jobs

DEMO_PREFIX = "demo:"
DEMOS = {
    "objects": "Drawn pictures of the class pairs that ImageNet confuses: missile and projectile, "
    "tub and bathtub, a class that exists twice.",
    "digits": "Handwritten digits, with the labels they came with.",
    "reviews": "Product reviews with one, three or five stars, some of them given by mistake.",
}
ELSEWHERE = ("image_root", "features")  # may be outside the dataset's folder
PLACES = ("labels", "probs", "classes", "true_labels", "image_root", "features")  # of files
LOADING = 0.6  # the part of the progress bar that loading fills; analysing fills the rest


@dataclass(frozen=True)
class Source:
    """What to open: a path, an address or the name of a demo, and the fixes to apply on load."""

    name: str
    overrides: str = "{}"  # as JSON, so that it can be a key and part of a link

    @property
    def path(self) -> Path:
        if self.name.startswith(DEMO_PREFIX):
            return _find_demo(self.name.removeprefix(DEMO_PREFIX))
        if (address := self.address) is not None:
            storage_consent.check_open(address)
            return local_path(address)
        path = find_typed_path(self.name)
        if self.name != default_source():  # which whoever started the server has chosen
            allowed_folders.check_open(path)
        return path

    @property
    def address(self) -> Address | None:
        """Return the address of a dataset in object storage; None for any other."""
        return None if self.name.startswith(DEMO_PREFIX) else find_address(self.name)

    @property
    def place(self) -> Path | str:
        """Return what to load: the path, or the address if that is what is open."""
        path, address = self.path, self.address  # in this order: the path is checked
        return path if address is None else str(address)

    @property
    def options(self) -> Mapping[str, Any]:
        """Return the fixes to apply; raise an InputError if the link's fixes cannot be read."""
        try:
            options = json.loads(self.overrides)
        except (ValueError, RecursionError):
            options = None
        if not isinstance(options, dict) or not set(options) <= set(HELP):
            raise InputError(
                "The fixes in this link cannot be read.",
                "Open the dataset again; it will offer its fixes again.",
            )
        self._refuse_outside(options)
        return options

    def _refuse_outside(self, options: Mapping[str, Any]) -> None:
        """Stop if a link names a file outside the dataset's folder; only a command may."""
        named = _command_options() if self.name == default_source() else {}
        root = self.path if self.path.is_dir() else self.path.parent
        for key in PLACES:
            value = options.get(key)
            names = value if isinstance(value, list) else [value]
            if value != named.get(key) and any(
                isinstance(each, str) and (is_address(each) or leads_outside(root, each))
                for each in names
            ):
                raise InputError(
                    f"The fixes in this link name a file outside the dataset's folder: {key}.",
                    "A link may come from anyone, so it can only name files inside. Name others "
                    "when you start `curate`, or in curation.toml.",
                )

    def check_elsewhere(self, data: LabelledData) -> None:
        """Refuse data whose own curation.toml leads a team to folders that it may not open."""
        if self.name == default_source():  # which whoever started the server has chosen
            return
        for key in ELSEWHERE:
            value = data.settings.get(key)
            if not isinstance(value, str) or is_address(value):  # which was granted before
                continue
            place = data.root / Path(value).expanduser()
            if leads_outside(data.root, value) and not allowed_folders.may_open(place):
                allowed_folders.log_refusal(f"read the {key}", place)
                raise InputError(
                    f"{key} in curation.toml is outside the folders that may be opened here.",
                    "Copy it into the dataset's folder, or have an admin open that folder.",
                )

    def fixed(self, override: Mapping[str, Any]) -> Source:
        """Return this source with one more fix."""
        return Source(self.name, _write({**self.options, **override}))

    def unfixed(self, key: str) -> Source:
        """Return this source without a fix."""
        return Source(self.name, _write({k: v for k, v in self.options.items() if k != key}))


def _find_demo(name: str) -> Path:
    """Return the folder of a demo; a link must not lead elsewhere under the name of one."""
    if name not in DEMOS:
        raise InputError(f"There is no demo {name!r}.", f"The demos are {', '.join(DEMOS)}.")
    return find_dashboard() / "demo_data" / name


def find_typed_path(text: str) -> Path:
    """Return the path that a person typed; relative ones begin where `curate` was started."""
    try:
        return Path(read_command().folder, Path(text).expanduser())
    except RuntimeError:  # such as ~nobody
        raise InputError(
            f"There is no home folder for {Path(text).parts[0]}.", "Write the whole path."
        ) from None


def _write(options: Mapping[str, Any]) -> str:
    return json.dumps(options, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def default_source() -> str:
    """Return the path from `curate PATH` or `streamlit run app.py -- --data PATH`, or a demo."""
    return read_command().data or f"{DEMO_PREFIX}{next(iter(DEMOS))}"


def named_store(source: Source) -> str | None:
    """Return the store named on the command line; it belongs to that command's dataset only."""
    return read_command().store if source.name == default_source() else None


def usual_fixes(name: str) -> str:
    """Return the fixes to open a dataset with: the command's flags, or what was chosen before."""
    if name == default_source() and (flags := _command_options()):
        return _write(flags)
    try:
        if name.startswith(DEMO_PREFIX):
            return NO_FIXES
        address = find_address(name)
        return recall_fixes(find_typed_path(name) if address is None else local_path(address))
    except (InputError, OSError, ValueError):  # a path that cannot exist; opening it says so
        return NO_FIXES


def _command_options() -> dict[str, Any]:
    found = json.loads(read_command().fix or NO_FIXES)
    return found if isinstance(found, dict) else {}


def loading_job(source: Source) -> Job:
    """Return the job that loads a dataset; its result is the Dataset.

    An address that may not be opened is refused here, and not by the job, which would remember it:
    a person may name it a moment later.
    """
    if is_address(source.name):
        storage_consent.check_open(parse_address(source.name))

    def work(job: Job) -> Dataset:
        def progress(stage: str, share: float) -> None:
            job.report(stage, LOADING * share)

        dataset = load_before_checks(source.place, progress=progress, **source.options)
        source.check_elsewhere(dataset)
        return dataset

    return all_jobs().get(("load", source), work)


def analysis_job(source: Source, loaded: Job, threshold: Threshold, collisions: Collisions) -> Job:
    """Return the job that analyses a loaded dataset; its result is the Findings."""
    dataset: Dataset = loaded.future.result()

    def work(job: Job) -> Findings:
        def progress(stage: str, share: float) -> None:
            job.report(stage, LOADING + (1 - LOADING) * share)

        findings = reopen_findings(dataset, threshold, collisions)
        if findings is None:
            findings = analyze_dataset(dataset, threshold, collisions, progress=progress)
            _save_later(dataset, findings, collisions)
        return findings

    # Keyed by identity: once the files are read again, the old findings no longer apply.
    return all_jobs().get(("analyse", source, identify(dataset), threshold, collisions), work)


def fingerprint_job(dataset: Dataset) -> Job:
    """Return the job that hashes a dataset, so that the first decision does not wait for it."""
    return all_jobs().get(("fingerprint", identify(dataset)), lambda job: dataset.fingerprint)


def _save_later(dataset: Dataset, findings: Findings, collisions: Collisions) -> None:
    """Save findings for the next time, once the dataset is hashed and without anyone waiting."""
    if not worth_saving(dataset):
        return

    def work(job: Job) -> None:
        fingerprint_job(dataset).future.result()
        save_findings(dataset, findings, collisions)

    all_jobs().get(("save", identify(findings)), work)


def begin_analysis() -> None:
    """Load and analyse the command's dataset with the usual settings, before a page asks for it.

    What goes wrong is kept with the job, and shown by the page that asks for its result.
    """
    name = default_source()
    source = Source(name, usual_fixes(name))
    try:
        loaded = loading_job(source)
    except StorageError:  # an address that cannot be read; the page says so
        return
    if loaded.future.exception() is None:
        analysis_job(source, loaded, "mean", "argmax")


def forget_source(source: Source) -> None:
    """Forget a loaded dataset and its findings, so that its files are read again."""
    all_jobs().forget(lambda key: source in key)
