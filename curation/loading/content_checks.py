"""The checks of pictures and texts; if there are many, they wait until the report is read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from curation.class_names import distinct_names
from curation.core.matrix import IntArray
from curation.dataset import Content
from curation.loading.content.example_content import look_at_content
from curation.loading.content.sources import NoContent
from curation.loading.doctor.copies import diagnose_copies
from curation.loading.labels.label_classes import Labels
from curation.loading.labels.labelled_examples import Examples
from curation.loading.report_builder import ReportBuilder
from curation.report import Checks, Report

CHECKED_AT_ONCE = 2_000  # pictures: reading them takes about 0.1 s; more are checked after loading


def plan_content_check(
    content: Content, examples: Examples, labels: Labels, rows: IntArray, ids: Any
) -> Callable[[], ReportBuilder]:
    """Return a function that looks at the content and reports what it finds."""
    names = distinct_names(labels.classes.names, labels.classes.ids)
    where = examples.table.name if examples.table is not None else "content"
    has_ids, codes = examples.ids is not None, labels.codes[rows]

    def check() -> ReportBuilder:
        report = ReportBuilder()
        if isinstance(content, NoContent):
            return report
        called = ids if has_ids else [f"row {each}" for each in ids]
        found, compared = diagnose_copies(content, codes, called, names, where=where)
        report.diagnoses += look_at_content(content, ids) + found
        if compared and not found:
            report.add_passed(f"no two examples show the same (compared: {compared})")
        return report

    return check


def make_checks(
    report: ReportBuilder,
    content_check: Callable[[], ReportBuilder],
    place: tuple[int, int],
    content: Content,
) -> Checks:
    """Return the checks: all of them if that is quick, otherwise with those of the content to come.

    What is found in the content goes to its place among the diagnoses and the passed checks.
    """

    def complete() -> Report:
        found, whole = content_check(), ReportBuilder()
        known, passed = report.diagnoses, report.passed
        whole.diagnoses = [*known[: place[0]], *found.diagnoses, *known[place[0] :]]
        whole.passed = [*passed[: place[1]], *found.passed, *passed[place[1] :]]
        return whole.build()

    checks = Checks(report.build(), complete)
    if isinstance(content, NoContent) or len(content) <= CHECKED_AT_ONCE:
        checks.finish()
    return checks
