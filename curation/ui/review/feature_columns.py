"""The values of an example that is a row of a table, for the browser: the most telling first."""

from __future__ import annotations

from dataclasses import asdict
from typing import cast

from curation.analysis.feature_ranges import (
    FeatureComparison,
    Summary,
    Typical,
    compare_features,
    summarize_columns,
)
from curation.dataset import Dataset
from curation.review.example_types import Feature, TypicalValue
from curation.ui.review.review_session import ReviewSession
from curation.ui.shell.cache import identify
from curation.ui.shell.jobs import Job, all_jobs
from curation.ui.widgets.example_titles import has_titles

MAX_FEATURES = 60  # sent with each example; the other columns follow as plain text
MAX_VALUE_CHARACTERS = 300


def find_waiting(dataset: Dataset) -> Job | None:
    """Return the job that compares the columns with each class, if it is not done yet."""
    if not has_titles(dataset):
        return None
    job = _job(dataset)
    try:
        job.wait()
    except TimeoutError:
        return job
    return None


def list_features(session: ReviewSession, row: int, columns: list[str]) -> list[Feature]:
    """Return the most telling values of an example; none if it has a picture or a text."""
    dataset = session.dataset
    if not has_titles(dataset):
        return []
    summaries: dict[str, Summary] = _job(dataset).future.result()
    shown = {name: summaries[name] for name in columns}
    compared = compare_features(dataset.cells(row), shown, *session.labels_of(row))
    return [_as_feature(each) for each in compared[:MAX_FEATURES]]


def _job(dataset: Dataset) -> Job:
    def work(job: Job) -> dict[str, Summary]:
        return summarize_columns(
            dataset.extras, dataset.labels, len(dataset.class_names), progress=job.report
        )

    return all_jobs().get(("features", identify(dataset)), work)


def _as_feature(compared: FeatureComparison) -> Feature:
    value = compared.value or ""
    return {
        "name": compared.name,
        "value": value[:MAX_VALUE_CHARACTERS] + "…" * (len(value) > MAX_VALUE_CHARACTERS),
        "number": compared.number,
        "given": _as_typical(compared.given),
        "suggested": _as_typical(compared.suggested),
        "evidence": compared.evidence,
    }


def _as_typical(typical: Typical | None) -> TypicalValue | None:
    return None if typical is None else cast(TypicalValue, asdict(typical))
