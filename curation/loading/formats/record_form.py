"""What the export of a labelling tool can do: be recognized, become plain rows, be exported."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from curation.loading.formats.id_label_table import ExportedAsTable
from curation.loading.formats.json_columns import Record

LABEL = "label"  # the column of labels, if there is one question and one annotator


@dataclass(frozen=True)
class Flattened:
    """Records as plain rows; several annotators or several questions give several columns.

    `annotators` are columns with the labels of one annotator each, `questions` columns with the
    answers to one question each.
    """

    rows: list[Record]
    annotators: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()
    class_names: tuple[str, ...] = ()  # of the column `label`, in the tool's own order


class RecordForm(ExportedAsTable):
    """Nested records of a labelling tool, in a JSON array or in JSON Lines.

    The tools do not import labels in the form that they export, so nothing is written back.
    """

    tool: ClassVar[str]  # what wrote it, in words

    @property
    def origin(self) -> str:
        return f"The labels are in an export of {self.tool}"

    @abstractmethod
    def fits(self, record: Any) -> bool:
        """Return whether a record has this form."""

    @abstractmethod
    def flatten(self, records: Sequence[Any], where: str) -> Flattened:
        """Return the records as rows; stop if they cannot be labels."""


def spread_answers(answers: Sequence[Mapping[str, Mapping[str, Any]]]) -> Flattened:
    """Return the answers of each record as columns, from {question: {annotator: label}}.

    One question and one answer per record give a column `label`. If several people answered, each
    has a column; if there are several questions, each has one.

    >>> spread_answers([{"q": {"ana": "cat"}}, {"q": {"bo": "dog"}}]).rows
    [{'label': 'cat'}, {'label': 'dog'}]
    >>> spread_answers([{"q": {"ana": "cat", "bo": "dog"}}]).annotators
    ('label of ana', 'label of bo')
    """
    said: dict[str, dict[str, None]] = {}
    for row in answers:
        for question, people in row.items():
            said.setdefault(question, {}).update(dict.fromkeys(people))
    alone = all(len(people) <= 1 for row in answers for people in row.values())
    if alone and len(said) <= 1:
        return Flattened([{LABEL: _only(next(iter(row.values()), {}))} for row in answers])
    if alone:
        rows = [{question: _only(people) for question, people in row.items()} for row in answers]
        return Flattened(rows, questions=tuple(said))
    name = LABEL if len(said) == 1 else None
    rows = [
        {f"{name or q} of {person}": label for q, people in row.items() for person, label in
         people.items()}
        for row in answers
    ]  # fmt: skip
    columns = tuple(f"{name or q} of {person}" for q, people in said.items() for person in people)
    return Flattened(rows, annotators=columns) if name else Flattened(rows, questions=columns)


def _only(people: Mapping[str, Any]) -> Any:
    return next(iter(people.values()), None)


def plain_value(value: Any) -> Any:
    """Return the only element of a list, such as a single choice; anything else as it is."""
    return value[0] if isinstance(value, list) and len(value) == 1 else value
