"""Which class a text means, how classes that share a name are shown, and which ones were added.

A curator can give an example a class that the dataset lacks. Such a class exists as long as a
decision names it. Its id follows from its name, so that two people who add it mean one class.

Every page, the store and the loader use this module, so that a link means the same everywhere.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

MAX_INDEX_DIGITS = 9  # longer numbers are ids; no dataset has that many classes
ADDED = "new class: "  # before the folded name, in the id of an added class


@dataclass(frozen=True)
class AddedClass:
    """A class that curators added to those of the dataset."""

    id: str
    name: str


def tidy_name(name: str) -> str:
    """Return a typed name in one Unicode form, with single spaces.

    >>> tidy_name("  plains   zebra ")
    'plains zebra'
    """
    return " ".join(unicodedata.normalize("NFC", name).split())


@lru_cache(maxsize=10_000)
def fold_name(name: str) -> str:
    """Return a name without what makes no difference to a person: case, spaces, hidden characters.

    >>> fold_name(" Plains  ZEBRA") == fold_name("plains zebra\\u200b")
    True
    """
    shown = "".join(each for each in name if unicodedata.category(each) != "Cf")
    return tidy_name(tidy_name(shown).casefold())


def find_same_name(name: str, names: Sequence[str]) -> int | None:
    """Return the first of the names that a person would read as the same; None if there is none.

    >>> find_same_name("DOG ", ("cat", "dog")), find_same_name("zebra", ("cat", "dog"))
    (1, None)
    """
    wanted = fold_name(name)
    return next((index for index, each in enumerate(names) if fold_name(each) == wanted), None)


def make_added_id(name: str) -> str:
    """Return the id of an added class.

    >>> make_added_id("Zebra")
    'new class: zebra'
    """
    return ADDED + fold_name(name)


def is_added(class_id: str) -> bool:
    """Return whether an id that the dataset lacks is that of an added class."""
    return class_id.startswith(ADDED)


def find_class(text: str, names: Sequence[str], ids: Sequence[str]) -> int | None:
    """Return the index of the class that a text means; None if it means no class or several.

    Links contain the index, so a number is always an index and never a name or an id. Any other
    text is a class id, or a name that only one class has, or a name as `distinct_names` shows it.

    >>> find_class("1", ("5", "1"), ("a", "b")), find_class("a", ("5", "1"), ("a", "b"))
    (1, 0)
    >>> find_class("dog (n2)", ("dog", "dog"), ("n1", "n2"))
    1
    >>> find_class("dog", ("dog", "dog"), ("n1", "n2")) is None
    True
    """
    if text.isascii() and text.isdigit() and len(text) <= MAX_INDEX_DIGITS:
        return int(text) if int(text) < len(names) else None
    return find_named_class(text, names, ids)


def find_named_class(text: str, names: Sequence[str], ids: Sequence[str]) -> int | None:
    """Return the class that a text means if numbers may be names, as in a file of labels.

    >>> find_named_class("1", ("5", "1"), ("a", "b")), find_named_class("0", ("5", "1"), ("a", "b"))
    (1, None)
    """
    found = match_classes(text, names, ids)
    if len(found) == 1 or (found and ids[found[0]] == text):
        return found[0]
    return None


def match_classes(text: str, names: Sequence[str], ids: Sequence[str]) -> list[int]:
    """Return every class that a text could mean, the one with this id first.

    A name as shown on screen is tried only if no id and no name fits.

    >>> match_classes("dog", ("dog", "cat", "dog"), ("n1", "dog", "n2"))
    [1, 0, 2]
    """
    by_id = [index for index, each in enumerate(ids) if each == text]
    by_name = [index for index, each in enumerate(names) if each == text]
    found = list(dict.fromkeys((*by_id, *by_name)))
    if found:
        return found
    return [index for index, each in enumerate(distinct_names(names, ids)) if each == text]


def distinct_names(names: Sequence[str], ids: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return a name to show for each class, so that no two classes look the same.

    A name that several classes share is followed by the class id, or by the index without ids.
    Names that differ but look the same, such as an accented letter and a letter followed by an
    accent, are spelled out.

    >>> distinct_names(("tub", "maillot", "maillot"), ("n1", "n2", "n3"))
    ('tub', 'maillot (n2)', 'maillot (n3)')
    >>> distinct_names(("caf\\u00e9", "cafe\\u0301"))
    ('caf\\\\xe9', 'cafe\\\\u0301')
    """
    counts = Counter(names)
    looks = Counter(unicodedata.normalize("NFC", name) for name in counts)
    shown_ids = ids or [str(index) for index in range(len(names))]

    def show(name: str, class_id: str) -> str:
        if counts[name] > 1:
            return f"{name} ({class_id})"
        return ascii(name)[1:-1] if looks[unicodedata.normalize("NFC", name)] > 1 else name

    return tuple(show(name, class_id) for name, class_id in zip(names, shown_ids, strict=True))
