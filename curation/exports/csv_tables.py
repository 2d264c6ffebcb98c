"""The tables of an export: issues, corrections, what classes become, and the estimated noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from curation.analysis.findings import METHODS
from curation.core.matrix import FloatArray
from curation.dataset import Dataset
from curation.exports.spreadsheet import csv_lines
from curation.review.plan import Plan
from curation.wording import tell_apart

# What cleanlab calls label quality, by its default: low is bad. (Cleanlab Studio's
# `label_issue_score` goes the other way.)
QUALITY = "label_quality = self_confidence, the probability of the given label; low is bad"
ISSUE_COLUMNS = (
    *("id", "given_label", "suggested_label", "predicted_label"),
    *("self_confidence", "normalized_margin", "label_quality", "is_label_issue"),
    *METHODS,
    *("action", "corrected_label", "curator", "note"),
)


def axis_names(dataset: Dataset) -> tuple[str, ...]:
    """Return one name for each class that no other has: its own, or with its id behind it."""
    names = tell_apart(dataset.class_names, dataset.class_ids)
    return names if len(set(names)) == len(names) else tuple(dataset.class_ids)


def issues(plan: Plan) -> Iterator[bytes]:
    """Yield issues.csv: every flagged example, the most suspect first.

    Labels are written as the label file writes them. An empty `corrected_label` keeps the
    original; the action `exclude` drops the row, also where a method pruned it unseen, which
    has no curator.
    """
    yield from csv_lines(_issue_rows(plan), safe=plan.settings.spreadsheet_safe)


def _issue_rows(plan: Plan) -> Iterator[Sequence[Any]]:
    findings, values, rows = plan.findings, plan.dataset.label_values, plan.issues
    yield ISSUE_COLUMNS
    # Columns first: taken out of an array one by one, a million numbers are slow.
    labels = (findings.labels, findings.suggested_labels, findings.predicted_labels)
    quality = findings.self_confidence[rows].tolist()
    columns = [
        map(str, plan.dataset.ids[rows].tolist()),
        *([values[label] for label in each[rows].tolist()] for each in labels),
        *(quality, findings.normalized_margin[rows].tolist(), quality),
        findings.mask(plan.settings.method)[rows].tolist(),
        *(findings.masks[method][rows].tolist() for method in METHODS),
    ]
    for row, *cells in zip(rows.tolist(), *columns, strict=True):
        yield *cells, *_verdict(plan, row)


def _verdict(plan: Plan, row: int) -> tuple[str, str, str, str]:
    """Return action, corrected label, curator and note of an example."""
    decision = plan.decision(row)
    curator, note = (decision.curator, decision.note) if decision else ("", "")
    if plan.out[row]:
        return "exclude", "", curator, note
    given = plan.dataset.label_values[plan.dataset.labels[row]]
    corrected = plan.text(row)
    return decision.action if decision else "", corrected * (corrected != given), curator, note


def corrections(plan: Plan) -> Iterator[bytes]:
    """Yield corrections.csv: every example of which something was decided, flagged or not."""

    def rows() -> Iterator[Sequence[Any]]:
        yield "id", "given_label", "action", "corrected_label", "curator", "note", "kind", "time"
        for row, decision in sorted(plan.standing.by_row.items()):
            given = plan.dataset.label_values[plan.dataset.labels[row]]
            more = decision.kind or "", decision.time
            yield str(plan.dataset.ids[row]), given, *_verdict(plan, row), *more

    yield from csv_lines(rows(), safe=plan.settings.spreadsheet_safe)


def class_map(plan: Plan) -> Iterator[bytes]:
    """Yield class_map.csv: what curators made of each class, and whether the labels say so."""

    def rows() -> Iterator[Sequence[Any]]:
        yield (
            *("index", "id", "name", "label"),
            *("becomes_index", "becomes_id", "becomes_name", "becomes_label", "applied", "why"),
        )
        dataset, classes = plan.dataset, plan.classes
        for label, becomes in enumerate(classes.becomes):
            yield (
                *(label, dataset.class_ids[label], dataset.class_names[label]),
                dataset.label_values[label],
                *(becomes, dataset.class_ids[becomes], classes.names[label], classes.texts[label]),
                bool(plan.settings.apply_merges and classes.why[label]),
                classes.why[label],
            )

    yield from csv_lines(rows(), safe=plan.settings.spreadsheet_safe)


def class_weights(plan: Plan) -> Iterator[bytes]:
    """Yield class_weights.csv: by how much to weigh each class when training without errors."""

    def rows() -> Iterator[Sequence[Any]]:
        yield "index", "id", "name", "weight", "latent_prior", "joint_diagonal"
        findings, dataset = plan.findings, plan.dataset
        for label, name in enumerate(dataset.class_names):
            yield (
                *(label, dataset.class_ids[label], name),
                float(findings.class_weights[label]),
                float(findings.latent_prior[label]),
                float(findings.joint[label, label]),
            )

    yield from csv_lines(rows(), safe=plan.settings.spreadsheet_safe)


def matrix(plan: Plan, values: FloatArray) -> Iterator[bytes]:
    """Yield a matrix `[given, true]` with the classes on both axes; numbers read back the same."""

    def rows() -> Iterator[Sequence[Any]]:
        names = axis_names(plan.dataset)
        yield "given \\ true", *names
        for name, numbers in zip(names, values.tolist(), strict=True):
            yield name, *numbers

    yield from csv_lines(rows(), safe=plan.settings.spreadsheet_safe)
