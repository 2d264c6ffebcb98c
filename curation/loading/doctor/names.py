"""Finds classes that are too rare to judge, and names and ids that are nearly the same."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from curation.class_names import distinct_names
from curation.core.matrix import IntArray
from curation.core.overlap import drop_marks
from curation.report import FIRST_ROWS, Diagnosis, Severity

RARE = 5  # examples; below this a class's usual confidence is a guess

ASCII_SPACES = " \t\r\x0b\x0c\x1c\x1d\x1e\x1f"  # what strip() removes, except the line end


def diagnose_class_sizes(
    labels: IntArray,
    class_names: Sequence[str],
    class_ids: Sequence[str] | None = None,
    *,
    where: str = "labels",
) -> list[Diagnosis]:
    """Return warnings about classes with no examples, or too few for a threshold."""
    names = distinct_names(class_names, class_ids)
    sizes = np.bincount(labels, minlength=len(names))
    if len(labels) > 1 and (sizes > 0).sum() == 1 and len(names) > 1:
        return [_one_class(names[int(sizes.argmax())], len(labels), where)]
    empty = [name for name, size in zip(names, sizes, strict=True) if size == 0]
    rare = [(name, size) for name, size in zip(names, sizes, strict=True) if 0 < size < RARE]
    found = [_no_examples(empty, len(names), where)] if empty else []
    if rare and len(labels) > 1:
        found.append(_few_examples(rare, len(names), where))
    return found


def diagnose_class_names(
    class_names: Sequence[str], class_ids: Sequence[str] | None = None
) -> list[Diagnosis]:
    """Return diagnoses of classes whose names or ids are the same or nearly the same."""
    ids = list(class_ids or class_names)
    repeated = [each for each, count in Counter(ids).items() if count > 1]
    if repeated:
        return [_same_class(repeated)]
    found = []
    same = [name for name, count in Counter(class_names).items() if count > 1]
    if same:
        found.append(_same_name(same, class_names, ids))
    for group in _group_alike(dict.fromkeys(class_names), fold_name):
        found.append(_near_duplicate_classes(group))
    return found


def diagnose_ids(ids: Sequence[Any] | NDArray[Any], *, where: str = "labels") -> list[Diagnosis]:
    """Return diagnoses of ids that repeat, or differ only in case, spaces or Unicode form."""
    texts = [str(each) for each in ids]
    if len(set(texts)) < len(texts):
        return [_duplicate_ids([each for each, n in Counter(texts).items() if n > 1], where)]
    if len(set(_fold_all(texts))) == len(texts):
        return []
    groups = _group_alike(texts, fold_id)
    return [
        Diagnosis(
            severity=Severity.WARN,
            code="ids.near_duplicate",
            what=f"{len(groups):,} {'ids are' if len(groups) > 1 else 'id is'} the same as "
            "another except for case, spaces or Unicode form.",
            where=where,
            why="They may be copies of one example, or get mixed up when files are joined.",
            fix="Look at these examples; give each a clearly different id, or remove the copies.",
            count=len(groups),
            first_rows=tuple(" = ".join(map(repr, group)) for group in groups[:FIRST_ROWS]),
        )
    ]


def fold_name(name: str) -> str:
    """Return a class name without the differences in spelling that carry no meaning.

    >>> {fold_name(each) for each in ["Hot dog", "hot_dog ", "hot-dog", "HOTDOG"]}
    {'hotdog'}
    >>> fold_name("-1") == fold_name("1"), fold_name("C++") == fold_name("C")
    (False, False)
    """
    return drop_marks(fold_id(name))


def fold_id(text: str) -> str:
    """Return a text in one Unicode form, in one case, and without spaces around it."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = "".join(each for each in text if unicodedata.category(each) != "Cf")
        text = unicodedata.normalize("NFKC", text.casefold())
    return text.strip().casefold()


def _fold_all(texts: Sequence[str]) -> Iterable[str]:
    """Return every text folded; plain ASCII is folded in one call, which is ten times faster."""
    joined = "\n".join(texts)
    plain = joined.isascii() and joined.count("\n") == len(texts) - 1
    if plain and not any(space in joined for space in ASCII_SPACES):
        return joined.casefold().split("\n")
    return map(fold_id, texts)


def _group_alike(texts: Iterable[str], fold: Any) -> list[list[str]]:
    groups: dict[str, list[str]] = defaultdict(list)
    for text in texts:
        groups[fold(text)].append(text)
    return [group for group in groups.values() if len(group) > 1]


def _one_class(name: str, count: int, where: str) -> Diagnosis:
    return Diagnosis(
        severity=Severity.BLOCK,
        code="classes.one",
        what=f"All {count:,} examples have the label '{name}'.",
        where=where,
        why="A label can only be wrong if another class could be right.",
        fix="Add examples of a second class.",
    )


def _no_examples(empty: list[str], num_classes: int, where: str) -> Diagnosis:
    return Diagnosis(
        severity=Severity.WARN,
        code="classes.empty",
        what=f"{len(empty):,} of {num_classes:,} classes {_have(empty)} no examples: "
        f"{_list(empty)}.",
        where=where,
        why="The threshold of such a class is undefined, so no example is counted into it.",
        fix="Add examples of it, or leave the class out.",
        count=len(empty),
        first_rows=tuple(empty[:FIRST_ROWS]),
    )


def _few_examples(rare: list[tuple[str, int]], num_classes: int, where: str) -> Diagnosis:
    return Diagnosis(
        severity=Severity.WARN,
        code="classes.rare",
        what=f"{len(rare):,} of {num_classes:,} classes {_have(rare)} fewer than {RARE} "
        f"examples: {_list([f'{name} ({size})' for name, size in rare], quote=False)}.",
        where=where,
        why="A threshold from so few examples is a guess.",
        fix="Add examples, and be careful with what is flagged in these classes.",
        count=len(rare),
        first_rows=tuple(name for name, _ in rare[:FIRST_ROWS]),
    )


def _same_class(repeated: list[str]) -> Diagnosis:
    return Diagnosis(
        severity=Severity.BLOCK,
        code="classes.duplicate",
        what=f"{len(repeated):,} {_class(repeated)} listed more than once: {_list(repeated)}.",
        where="classes",
        why="Two classes that cannot be distinguished would share their labels.",
        fix="Remove the copy, or give each class its own id in addition to its name.",
        count=len(repeated),
        first_rows=tuple(repeated[:FIRST_ROWS]),
    )


def _same_name(same: list[str], class_names: Sequence[str], ids: Sequence[str]) -> Diagnosis:
    pairs = list(zip(class_names, ids, strict=True))
    lines = [f"{each} ({', '.join(id for name, id in pairs if name == each)})" for each in same]
    return Diagnosis(
        severity=Severity.WARN,
        code="classes.same_name",
        what=f"Different classes have the same name: {_list(lines, quote=False)}.",
        where="classes",
        why="People who label by name cannot tell them apart, so their labels probably overlap.",
        fix="Look at the overlap of these classes first; merge them if they mean the same.",
        count=len(same),
        first_rows=tuple(lines[:FIRST_ROWS]),
    )


def _near_duplicate_classes(group: list[str]) -> Diagnosis:
    spelled = tuple(repr(name) for name in group)
    if len({unicodedata.normalize("NFC", name) for name in group}) == 1:
        spelled = tuple(ascii(name) for name in group)  # otherwise they would look the same
    return Diagnosis(
        severity=Severity.WARN,
        code="classes.near_duplicate",
        what=f"{len(group)} classes have nearly the same name: {', '.join(spelled[:FIRST_ROWS])}.",
        where="classes",
        why="If they are one class, using both names looks like label errors.",
        fix="If they mean the same, use one spelling in the label file.",
        count=len(group),
        first_rows=spelled[:FIRST_ROWS],
    )


def _duplicate_ids(repeated: list[str], where: str) -> Diagnosis:
    return Diagnosis(
        severity=Severity.BLOCK,
        code="ids.duplicate",
        what=f"{len(repeated):,} {'ids occur' if len(repeated) > 1 else 'id occurs'} more than "
        f"once: {_list(repeated)}.",
        where=where,
        why="Decisions are stored by id, so two examples with the same id would share them.",
        fix="Give each example its own id, or remove the copies.",
        count=len(repeated),
        first_rows=tuple(repeated[:FIRST_ROWS]),
    )


def _list(names: Sequence[str], *, quote: bool = True) -> str:
    shown = [f"'{name}'" if quote else name for name in names[:FIRST_ROWS]]
    more = len(names) - len(shown)
    return ", ".join(shown) + (f" and {more:,} more" if more else "")


def _have(things: Sequence[Any]) -> str:
    return "has" if len(things) == 1 else "have"


def _class(things: Sequence[Any]) -> str:
    return "class is" if len(things) == 1 else "classes are"
