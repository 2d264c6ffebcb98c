"""Names that fit: cut to a length but still told apart, and safe next to other text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from os.path import commonprefix


def list_first(
    texts: Sequence[str], most: int, *, show: Callable[[str], str] = str, between: str = ", "
) -> str:
    """Return the first texts of a list, each as `show` writes it, and how many more there are.

    >>> list_first(["cat", "dog"], 2, show=repr), list_first(["cat", "dog", "eel"], 2)
    ("'cat', 'dog'", 'cat, dog and 1 more')
    """
    shown = between.join(map(show, texts[:most]))
    return shown if len(texts) <= most else f"{shown} and {len(texts) - most:,} more"


def shorten(text: str, length: int) -> str:
    """Return a text of at most `length` characters, cut in the middle so that both ends stay.

    >>> shorten("a very long class name", 12)
    'a very …name'
    """
    if len(text) <= length:
        return text
    tail = (length - 2) // 2 - 1
    return text[: length - 1 - tail] + "…" + text[len(text) - tail :]


def shorten_apart(names: Sequence[str], length: int) -> list[str]:
    """Return names of about `length` characters that differ wherever the whole names do.

    A name that is only one or two characters too long is not cut. Names that would look alike are
    cut around the place where they differ, and numbered if even that does not help.

    >>> shorten_apart(["class 102", "class 202"], 8)
    ['class 102', 'class 202']
    >>> shorten_apart(["number 17 of the long list", "number 18 of the long list"], 14)
    ['number 17…list', 'number 18…list']
    """
    cut = {name: name if len(name) <= length + 2 else shorten(name, length) for name in names}
    for _ in range(3):  # names that still look alike share a longer beginning
        for alike in _find_alike(cut):
            cut |= _cut_apart(alike, length)
    while groups := _find_alike(cut):
        for alike in groups:
            cut |= {name: f"{cut[name]} ({place})" for place, name in enumerate(alike, start=1)}
    return [cut[name] for name in names]


def _find_alike(cut: Mapping[str, str]) -> list[list[str]]:
    groups: dict[str, list[str]] = {}
    for name, short in cut.items():
        groups.setdefault(short, []).append(name)
    return [names for names in groups.values() if len(names) > 1]


def _cut_apart(names: Sequence[str], length: int) -> dict[str, str]:
    """Return names cut in the place that keeps the most of them distinct, if possible at a word."""

    def splits_word(tail: int) -> bool:
        return any(tail and name[len(name) - tail - 1].isalnum() for name in names)

    tails = sorted(range(length - 1), key=lambda tail: (splits_word(tail), abs(tail - length // 3)))
    cuts = [[f"{name[: length - 1 - tail]}…{name[len(name) - tail :]}" for name in names]
            for tail in tails]  # fmt: skip
    head = length // 4
    word = re.search(r"\w*$", commonprefix(names)[-length // 2 :])  # it may differ within a word
    start = max(head, len(commonprefix(names)) - len(word[0] if word else ""))
    rest = length - head - 2
    cuts.append([
        f"{name[:head]}…{name[start : start + rest]}" + "…" * (len(name) > start + rest)
        for name in names
    ])  # fmt: skip
    return dict(zip(names, max(cuts, key=lambda cut: len(set(cut))), strict=True))


def from_to(given: str, suggested: str, *, length: int = 40) -> str:
    """Return two class names with an arrow between them, each cut to a length.

    >>> from_to("cat", "dog")
    'cat → dog'
    >>> from_to("seen in the north of Europe", "seen in the south of Europe", length=18)
    'seen in the north… → seen in the south…'
    """
    before, after = shorten_apart((given, suggested), length)
    return f"{isolate(before)} → {isolate(after)}"


def isolate(name: str) -> str:
    r"""Return a name that does not change the order of the text around it.

    Right-to-left letters and direction marks would also reverse an arrow next to the name. Such a
    name is put between U+2068 and U+2069; all other names stay as they are. Isolates that the name
    opens are closed, and extra closing marks in it are removed.

    >>> isolate("cat"), ascii(isolate("a\u202eb")), ascii(isolate("\u2069a\u2067"))
    ('cat', "'\\u2068a\\u202eb\\u2069'", "'\\u2068a\\u2067\\u2069\\u2069'")
    """
    if not any(unicodedata.bidirectional(character) in _TURNING for character in name):
        return name
    kept, depth = "", 0
    for character in name:
        depth += (character in _OPENING) - (character == "\u2069")
        kept += character if depth >= 0 else ""
        depth = max(depth, 0)
    return f"\u2068{kept}\u2069" + depth * "\u2069"


_OPENING = "\u2066\u2067\u2068"
_TURNING = {"R", "AL", "AN", "RLE", "RLO", "RLI", "LRE", "LRO", "LRI", "FSI", "PDF", "PDI"}
