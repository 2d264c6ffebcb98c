"""Tables with the scores of the likeliest classes alone: the predicted class, and how sure it is.

Of two classes, the score of one tells that of the other. Of more, the rest of the probability could
belong to any of them, so that nothing is filled in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from curation.core.matrix import FloatArray
from curation.loading.formats.number_columns import as_number
from curation.loading.formats.table import Table
from curation.loading.report_builder import ReportBuilder, list_few, stop

PREDICTED_NAMES = frozenset(
    "prediction predictions predicted predicted_label predicted_class pred pred_label pred_class "
    "y_pred predict name class_name top1 top1_class top1_label top_class".split()
)
SCORE_NAMES = frozenset(
    "confidence conf score scores prob proba probability max_prob max_proba top1_prob top1_score "
    "top1_conf top_prob pred_prob pred_score pred_conf prediction_score prediction_confidence "
    "prediction_probability predicted_prob".split()
)
_RANKED_CLASS = re.compile(r"(?:top|rank)_?\d+_?(?:class|label|name|pred|index)")
_RANKED_SCORE = re.compile(r"(?:top|rank)_?\d+_?(?:prob|proba|probability|score|conf|confidence)")
LEAST = 0.5  # the score of the likelier of two classes; rounding may take a little from it
ROUNDING = 0.005
ALL_SCORES = (
    "Save the scores of all classes, with a column for each: what predict_proba returns, "
    "top_k=None in a Hugging Face pipeline, result.probs.data of Ultralytics."
)


@dataclass(frozen=True)
class TopScores:
    """The columns of the likeliest classes and of their scores, the likeliest first."""

    classes: tuple[str, ...]
    scores: tuple[str, ...]

    def describe(self) -> str:
        """Return what the columns hold, in words."""
        most = "likeliest class" if len(self.scores) == 1 else f"{len(self.scores)} likeliest"
        return f"the columns {list_few([*self.classes, *self.scores])} hold only the {most}"


def find_top_scores(columns: Sequence[str]) -> TopScores | None:
    """Return the columns of the likeliest classes and their scores, by their names.

    >>> find_top_scores(["id", "label", "prediction", "confidence"])
    TopScores(classes=('prediction',), scores=('confidence',))
    >>> find_top_scores(["id", "top1_class", "top1_prob", "top2_class", "top2_prob"]).scores
    ('top1_prob', 'top2_prob')
    """
    plain = {column: _plain(column) for column in columns}
    classes = tuple(c for c, name in plain.items() if _RANKED_CLASS.fullmatch(name))
    scores = tuple(c for c, name in plain.items() if _RANKED_SCORE.fullmatch(name))
    if len(classes) != len(scores) or not classes:
        classes = tuple(c for c, name in plain.items() if name in PREDICTED_NAMES)
        scores = tuple(c for c, name in plain.items() if name in SCORE_NAMES)
    return TopScores(classes, scores) if len(classes) == len(scores) >= 1 else None


def _plain(column: str) -> str:
    return column.strip().lower().replace(" ", "_")


def complete_top_scores(
    table: Table, classes: Sequence[str], report: ReportBuilder
) -> tuple[str, Table] | None:
    """Return both scores of each example, from that of the likelier of two classes.

    None for any other table: also if a score is below a half, which cannot be the likelier class's.
    """
    found = find_top_scores(table.data.column_names)
    if found is None or len(found.scores) != 1 or len(classes) != 2:
        return None
    predicted = table.text(found.classes[0]).to_pylist()
    scores = _read_scores(table, found.scores[0])
    if set(predicted) != set(classes) or scores is None or (scores < LEAST - ROUNDING).any():
        return None
    is_second = np.array([each == classes[1] for each in predicted])
    second = np.where(is_second, scores, 1 - scores)
    report.add_auto_fix(
        code="probs.predicted_class",
        where=table.name,
        what=f"{found.scores[0]!r} is read as the probability of the class in "
        f"{found.classes[0]!r}, and the rest as that of the other one.",
        fix="If it is the probability of one class in all rows, pass positive_class, and leave "
        f"{found.classes[0]!r} out of the table.",
        why="It is never below a half, whichever of the two classes is predicted.",
        count=len(table),
    )
    data = pa.table({classes[0]: pa.array(1 - second), classes[1]: pa.array(second)})
    return found.scores[0], replace(table, data=data, kinds={})


def _read_scores(table: Table, column: str) -> FloatArray | None:
    """Return a column of numbers from 0 to 1; None for any other."""
    if table.kind(column) in ("list", "other"):
        return None
    found = (as_number(cell or "") for cell in table.text(column).to_pylist())
    values = np.array([np.nan if number is None else number for number in found])
    return values if ((values >= 0) & (values <= 1)).all() else None


def refuse_predictions(table: Table, classes: Sequence[str]) -> None:
    """Stop at a table of probabilities that holds predicted classes, and no scores."""
    named = [c for c in table.data.column_names if _plain(c) in PREDICTED_NAMES]
    if len(named) != 1 or not set(table.text(named[0]).to_pylist()) <= set(classes):
        return
    raise stop(
        code="probs.top_one",
        where=table.name,
        what=f"column {named[0]!r} holds only the predicted class, without its probability.",
        fix="Save the scores of all classes, with a column for each: what predict_proba returns, "
        "or the logits in trainer.predict(test).predictions of Hugging Face's Trainer.",
        why="How sure the model is of each class decides which labels are suspect.",
        count=len(table),
    )


def refuse_top_scores(table: Table, classes: Sequence[str]) -> None:
    """Stop at a table that holds the scores of the likeliest classes, and no others."""
    found = find_top_scores(table.data.column_names)
    if found is None or len(found.scores) >= len(classes) or len(classes) < 2:
        return
    predicted = set(table.text(found.classes[0]).to_pylist())
    if not predicted & set(classes) or _read_scores(table, found.scores[0]) is None:
        return
    raise stop(
        code="probs.top_one",
        where=table.name,
        what=f"{found.describe()}, of {len(classes)} classes.",
        fix=ALL_SCORES,
        why="The rest of the probability could belong to any other class.",
        count=len(table),
    )
