"""issues.csv and corrections.csv: flagged and decided examples, one row per example.

A picture is named by its path from the dataset's folder in the column `image`; a text is in the
column `text`. Labels are written as in the cleaned labels. An empty `corrected_label` keeps the
original. If a curator says that an example shows both classes, the label stays, and `both_labels`
lists the two as JSON. The action `exclude` drops the row; the curator is empty if a method pruned
the row without a decision.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from curation.analysis.findings import METHODS
from curation.errors import ContentError
from curation.exports.picture_addresses import name_picture
from curation.loading.formats.csv_writing import csv_lines
from curation.review.cleaning_plan import Plan
from curation.store.actions import Action

# Low is bad, as in cleanlab. (In Cleanlab Studio's `label_issue_score`, high is bad.)
QUALITY = "label_quality = self_confidence, the probability of the given label; low is bad"
LOG_DIGITS = 12  # logarithms of two machines may differ in the last digit; the files must not
ISSUE_COLUMNS = (  # after the id and the content
    *("given_label", "suggested_label", "predicted_label"),
    *("self_confidence", "normalized_margin", "log_margin", "label_quality", "is_label_issue"),
    *METHODS,
    *("action", "corrected_label", "both_labels", "curator", "note"),
)
CORRECTION_COLUMNS = (  # after the id and the content
    *("given_label", "action", "corrected_label", "both_labels"),
    *("curator", "note", "kind", "time"),
)


def write_issues(plan: Plan) -> Iterator[bytes]:
    """Yield every flagged example with its scores, the most suspect first."""
    yield from csv_lines(_list_issues(plan), safe=plan.settings.spreadsheet_safe)


def _list_issues(plan: Plan) -> Iterator[Sequence[Any]]:
    findings, values, rows = plan.findings, plan.dataset.label_values, plan.issues
    yield *_content_columns(plan), *ISSUE_COLUMNS
    # Whole columns at once: reading a million numbers from an array one by one is slow.
    labels = (findings.labels, findings.suggested_labels, findings.predicted_labels)
    quality = findings.self_confidence[rows].tolist()
    log_margin = findings.log_margin[rows].round(LOG_DIGITS).tolist()
    columns = [
        *([values[label] for label in each[rows].tolist()] for each in labels),
        *(quality, findings.normalized_margin[rows].tolist(), log_margin, quality),
        findings.mask(plan.settings.method)[rows].tolist(),
        *(findings.masks[method][rows].tolist() for method in METHODS),
    ]
    for row, *cells in zip(rows.tolist(), *columns, strict=True):
        yield *_name_content(plan, row), *cells, *_describe_outcome(plan, row)


def write_corrections(plan: Plan) -> Iterator[bytes]:
    """Yield every decided example, flagged or not, in the order of the dataset."""
    yield from csv_lines(list_corrections(plan), safe=plan.settings.spreadsheet_safe)


def list_corrections(plan: Plan) -> Iterator[Sequence[Any]]:
    yield *_content_columns(plan), *CORRECTION_COLUMNS
    for row, decision in sorted(plan.outcome.by_row.items()):
        given = plan.dataset.label_values[plan.dataset.labels[row]]
        more = decision.kind or "", decision.time
        yield *_name_content(plan, row), given, *_describe_outcome(plan, row), *more


def _content_columns(plan: Plan) -> tuple[str, ...]:
    kind = plan.dataset.kind
    return ("id",) if kind == "index" else ("id", kind)


def _name_content(plan: Plan, row: int) -> tuple[str, ...]:
    """Return the id of an example, and where its picture is or what its text says."""
    dataset = plan.dataset
    named = str(dataset.ids[row])
    if dataset.kind == "index":
        return (named,)
    if dataset.kind == "image":
        return named, name_picture(dataset, row)
    try:
        return named, dataset.content.text(row)
    except ContentError:
        return named, ""


def _describe_outcome(plan: Plan, row: int) -> tuple[str, str, str, str, str]:
    """Return the action, corrected label, both labels, curator and note of an example."""
    decision = plan.decision(row)
    curator, note = (decision.curator, decision.note) if decision else ("", "")
    both = plan.both_texts(row)
    both_labels = json.dumps(both, ensure_ascii=False) if both else ""
    if plan.out[row]:
        return Action.EXCLUDE, "", both_labels, curator, note
    given = plan.dataset.label_values[plan.dataset.labels[row]]
    corrected = plan.text(row)
    action = Action.RELABEL if plan.taken[row] else decision.action if decision else None
    return (
        action.word if action else "",
        corrected * (corrected != given),
        both_labels,
        curator,
        note,
    )
