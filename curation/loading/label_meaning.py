"""Which class each label of a dataset means, and whether the probabilities fit the classes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from curation.loading.labels.class_list import Classes, make_classes
from curation.loading.labels.label_cells import is_whole
from curation.loading.labels.label_classes import Labels, distinct_labels, read_labels
from curation.loading.labels.labelled_examples import Examples
from curation.loading.overrides import Options
from curation.loading.probs.stored_probs import StoredProbs
from curation.loading.report_builder import ReportBuilder, stop
from curation.wording import format_bytes

MATRICES_AT_ONCE = 7  # m by m matrices that an analysis holds at its peak; measured as 6.2


def understand_labels(
    examples: Examples,
    probs: StoredProbs,
    classes: Classes | None,
    options: Options,
    report: ReportBuilder,
) -> Labels:
    """Return the class of each label, from the list of classes or the names of the columns."""
    if classes is None and probs.columns is not None:
        classes = make_classes(probs.columns, f"the columns of {probs.where}")
        classes = replace(classes, by_header=True)
    labels = read_codes(examples, classes, options, report, wide=probs.num_classes)
    check_two_classes(labels, examples)
    _check_columns(labels, probs)
    _check_memory(labels, options)
    return labels


def read_codes(
    examples: Examples,
    classes: Classes | None,
    options: Options,
    report: ReportBuilder,
    *,
    wide: int | None,
) -> Labels:
    """Return the class of each label; `wide` is the number of columns, if that is known."""
    return read_labels(
        examples.cells,
        report,
        classes=classes,
        num_columns=wide,
        style=None if options.labels_are == "onehot" else options.labels_are,
        shift=options.shift_labels or 0,
    )


def list_numbers(examples: Examples) -> Classes | None:
    """Return the classes if all labels are numbers: those that occur, in order."""
    written = distinct_labels(examples.cells)
    if not all(map(is_whole, written)):
        return None
    return make_classes([str(each) for each in sorted(map(int, written))], examples.cells.where)


def check_two_classes(labels: Labels, examples: Examples) -> None:
    """Stop if there is only one class, or all labels are of one."""
    classes = labels.classes
    present = np.unique(labels.codes[labels.codes >= 0])
    if len(classes) < 2 or (len(present) == 1 and len(examples) > 1):
        only = labels.classes.names[int(present[0])]
        raise stop(
            code="classes.one",
            where=examples.cells.where,
            what=f"only one class, {only!r}: finding label errors needs ≥2 classes.",
            fix="Add examples of another class.",
            why="A label can only be wrong if another class could be right.",
        )


def _check_columns(labels: Labels, probs: StoredProbs) -> None:
    classes, wide = labels.classes, probs.num_classes
    if len(classes) != wide and probs.columns is None:
        raise stop(
            code="probs.column_count",
            where=probs.where,
            what=f"{wide} columns for the {len(classes)} classes of {classes.where}.",
            fix="Save one column for each class, in the order of the classes.",
            why="It is unclear which column belongs to which class.",
        )


def _check_memory(labels: Labels, options: Options) -> None:
    """Stop if the matrices of so many classes would not fit into memory."""
    count = len(labels.classes)
    needed = MATRICES_AT_ONCE * 8 * count**2
    if needed > options.memory_limit:
        raise stop(
            code="memory.limit",
            where=labels.classes.where,
            what=f"the matrices of {count:,} classes need about {format_bytes(needed)} of memory; "
            f"the limit is {format_bytes(options.memory_limit)}.",
            fix="Merge or leave out classes, or raise memory_limit_gb if the machine has that "
            "much.",
            why="A machine that runs out of memory stops responding.",
            override={"memory_limit_gb": -(-needed // 2**30)},
        )
