"""Which cells of a label file change and which rows are dropped, in any format."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from curation.core.matrix import IntArray
from curation.errors import InputError

FLAG = "excluded"  # the column that marks excluded rows if they are kept
_LISTED = re.compile(r"""\[\s*(['"])(?P<label>.+)\1\s*\]""", re.DOTALL)  # of one label


@dataclass(frozen=True)
class Edits:
    """The changes to a label file; rows are counted from 0, without the header.

    `rows` are in ascending order. `old` is the text of each of these cells when the file was read,
    and `new` is the text to write. The rows in `out` are dropped, or marked if `flag` is set.
    """

    rows: IntArray
    old: Sequence[str]
    new: Sequence[str]
    out: IntArray
    flag: bool = False

    @property
    def nothing(self) -> bool:
        """Return whether nothing changes, so that the bytes of the file can be copied."""
        return not len(self.rows) and not len(self.out) and not self.flag


def check_old(found: str, expected: str, row: int, name: str) -> None:
    """Stop if a cell has changed since the file was read.

    A class may be written in several ways in one file: as 1 and 1.0, with spaces around it, or in
    the brackets of a list.
    """
    if found != expected and _number(_bare(found)) != _number(_bare(expected)):
        raise InputError(
            f"{name}, row {row}: the label is {found[:60]!r}, but was {expected[:60]!r} when the "
            "dataset was loaded.",
            "The file has changed since then. Load the dataset again, then export.",
        )


def _bare(text: str) -> str:
    """Return a label without spaces and brackets around it.

    >>> _bare(" cat"), _bare("['cat']"), _bare('["cat"]'), _bare("[cat]")
    ('cat', 'cat', 'cat', '[cat]')
    """
    plain = text.strip()
    listed = _LISTED.fullmatch(plain)
    return plain if listed is None else listed["label"]


def _number(text: str) -> float | str:
    """Return a text as a number if it is one, otherwise unchanged.

    >>> _number("1.0") == _number("1"), _number("nan")
    (True, 'nan')
    """
    try:
        number = float(text)
    except ValueError:
        return text
    return number if number == number else text


def check_rows(edits: Edits, count: int, name: str) -> None:
    """Stop if the file has fewer rows than the edits need."""
    last = max((int(rows[-1]) for rows in (edits.rows, edits.out) if len(rows)), default=-1)
    if last >= count:
        raise InputError(
            f"{name} now has {count} rows, but had at least {last + 1} when it was loaded.",
            "Load the dataset again, then export.",
        )


def flag_name(taken: Sequence[str]) -> str:
    """Return a name for the flag column that no other column has.

    >>> flag_name(["id", "excluded"])
    'excluded_2'
    """
    name, number = FLAG, 1
    while name in taken:
        number += 1
        name = f"{FLAG}_{number}"
    return name
