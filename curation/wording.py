"""Sentences and names that more than one page shows."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from os.path import commonprefix
from typing import Any

METHOD_NAMES = {
    "confusion": "Confusion baseline",
    "confident_joint": "Confident joint",
    "prune_by_class": "Prune by class",
    "prune_by_noise_rate": "Prune by noise rate",
    "both": "Both prunings",
}

METHOD_HELP = {
    "confusion": "The model's likeliest class is not the given one (the paper's baseline).",
    "confident_joint": "Counted into another class, above that class's threshold (method 2).",
    "prune_by_class": "The lowest self-confidence in each class, as many as its errors (method 3).",
    "prune_by_noise_rate": "The widest margins in each pair of classes, as many as its errors "
    "(method 4).",
    "both": "Flagged by prune by class and by prune by noise rate (method 5).",
}

THRESHOLD_HELP = (
    "How sure the model must be of a class before an example is counted into it. The mean over "
    "the examples given the class is the paper's choice. A higher percentile counts fewer "
    "examples and usually flags fewer."
)
COLLISIONS_HELP = (
    "An example can reach the thresholds of several classes. The paper's Algorithm 1 then takes "
    "the model's likeliest class of all, its Equation 1 the likeliest of those that were reached."
)
COLLISION_NAMES = {
    "argmax": "the likeliest of all classes",
    "confident": "the likeliest of those reached",
}

KIND_NAMES = {  # one, several
    "image": ("image", "images"),
    "text": ("text", "texts"),
    "index": ("example", "examples"),
}

ROWS_COUNTED = "Rows are counted from 0, without the header."
NOT_IN_SAMPLE = "probabilities are not of the training data"  # as the doctor words it

MATRIX_NAMES = {
    "joint": "Joint",
    "confident_joint": "Confident joint",
    "noise_matrix": "Noise matrix",
    "mixing": "Mixing matrix",
    "confusion": "Confusion",
    "difference": "Difference",
}

EXPORT_HELP = {
    "method": "which method flags an example",
    "threshold": "class threshold: mean, or a percentile of self-confidence such as 90",
    "collisions": "where several thresholds are reached, take the likeliest class of all "
    "(argmax) or of those reached (confident)",
    "policy": "whose decision counts where curators disagree: latest, majority, agreed only",
    "excluded": "drop excluded rows, or flag them in a column",
    "undecided": "leave flagged but undecided examples, or name a method that prunes them",
    "ambiguous": "leave ambiguous examples, or exclude them",
    "apply_merges": "write merged and renamed classes into the labels",
    "spreadsheet_safe": "put ' before cells that a spreadsheet would run as a formula",
}

CLASS_ORDER_NAMES = {
    "given": "as given",
    "noise": "noisiest first",
    "similar": "confusable together",
}


def count_of(number: float, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun.

    >>> count_of(1, "example"), count_of(12_400, "example"), count_of(2, "class", "classes")
    ('1 example', '12,400 examples', '2 classes')
    """
    return f"{number:,.0f} {verb_of(number, noun, plural or noun + 's')}"


def verb_of(number: float, one: str, several: str) -> str:
    """Return the verb that goes with a number as `count_of` writes it.

    >>> verb_of(1, "looks", "look"), verb_of(0.2, "looks", "look"), verb_of(1.4, "is", "are")
    ('looks', 'look', 'is')
    """
    return one if round(number) == 1 else several


def typical_for(threshold: str | float) -> str:
    """Return what a class's threshold is, to be followed by "for cat is 0.81".

    >>> typical_for("mean"), typical_for(90.0)
    ('typical', 'the 90th percentile')
    """
    return "typical" if threshold == "mean" else f"the {threshold:g}th percentile"


def as_it_is(threshold: str | float) -> str:
    """Return how sure "confident" is, to follow "at least as sure of that class".

    >>> as_it_is("mean"), as_it_is(90.0)  # doctest: +NORMALIZE_WHITESPACE
    ('as it usually is of examples with that label',
     'as it is of 90 % of the examples with that label')
    """
    of = "usually is of" if threshold == "mean" else f"is of {threshold:g} % of the"
    return f"as it {of} examples with that label"


def percent(share: float, *, digits: int = 1) -> str:
    """Return a share as a percentage; never a bare 0 or 100 for what is only close to it.

    >>> percent(0.0247), percent(0.0), percent(0.00001), percent(0.9997), percent(1.0)
    ('2.5 %', '0 %', 'under 0.1 %', 'over 99.9 %', '100 %')
    """
    if share == 0:
        return "0 %"
    smallest = 10.0**-digits
    if 0 < share * 100 < smallest:
        return f"under {smallest:.{digits}f} %"
    if 100 - smallest < share * 100 < 100:
        return f"over {100 - smallest:.{digits}f} %"
    shown = f"{100 * share:.{digits}f}"
    return (shown.rstrip("0").rstrip(".") if "." in shown else shown) + " %"


def percent_range(low: float, high: float) -> str:
    """Return two shares as percentages, both with the same number of decimals.

    >>> percent_range(0.0231, 0.03), percent_range(0.0, 0.5), percent_range(0.00081, 0.0023)
    ('2.3 to 3.0 %', '0 to 50 %', '0.08 to 0.23 %')
    """
    digits = digits_for(high)
    shown = [f"{100 * share:.{digits}f}" for share in (low, high)]
    if all(float(each).is_integer() for each in shown):
        shown = [each.partition(".")[0] for each in shown]
    return f"{' to '.join(shown)} %"


def digits_for(share: float) -> int:
    """Return how many decimals a share needs, as a percentage, to show more than 0.

    >>> digits_for(0.025), digits_for(0.0016), digits_for(0.00002)
    (1, 2, 3)
    """
    return 1 if share >= 0.01 else 2 if share >= 0.0005 else 3


def shorten(text: str, length: int) -> str:
    """Return a text of at most `length` characters, cut in the middle so that both ends show.

    >>> shorten("a very long class name", 12)
    'a very …name'
    """
    if len(text) <= length:
        return text
    tail = (length - 2) // 2 - 1
    return text[: length - 1 - tail] + "…" + text[len(text) - tail :]


def shorten_apart(names: Sequence[str], length: int) -> list[str]:
    """Return names of about `length` characters that differ wherever the whole names do.

    One or two characters are not worth a cut. What would look alike is cut around the place where
    it differs, and numbered where even that does not help.

    >>> shorten_apart(["class 102", "class 202"], 8)
    ['class 102', 'class 202']
    >>> shorten_apart(["number 17 of the long list", "number 18 of the long list"], 14)
    ['number 17…list', 'number 18…list']
    """
    cut = {name: name if len(name) <= length + 2 else shorten(name, length) for name in names}
    for _ in range(3):  # what still looks alike begins alike for longer
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
    """Return names cut in the place that keeps the most of them distinct."""
    tails = sorted(range(length - 1), key=lambda tail: abs(tail - length // 3))
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
    """
    return f"{isolate(shorten(given, length))} → {isolate(shorten(suggested, length))}"


def isolate(name: str) -> str:
    r"""Return a name that leaves the order of what stands beside it alone.

    Right-to-left letters, and the marks that turn text around, would turn the arrow too. They
    are put between U+2068 and U+2069; all other names stay as they are. What a name itself opens
    is closed with it, and what it would close of ours is left out.

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


def describe_fix(override: Mapping[str, Any]) -> str:
    """Return in a few words what an override does, for a button.

    >>> describe_fix({"convert": "softmax"}), describe_fix({"drop_rows": True})
    ('Apply softmax', 'Leave out these rows')
    """
    (key, value), *more = override.items() or [("", "")]
    if more:
        return "Apply this fix"
    if key == "convert":
        return CONVERSION_NAMES.get(str(value), "Convert the probabilities")
    return FIX_NAMES.get(key, "Apply this fix").format(shorten(str(value), 40))


CONVERSION_NAMES = {
    "softmax": "Apply softmax",
    "percent": "Divide by 100",
    "rescale": "Rescale every row to 1",
}
FIX_NAMES = {
    "shift_labels": "Add {} to every label",
    "drop_rows": "Leave out these rows",
    "labels_are": "Read labels as {}",
    "positive_class": "The column holds the probability of {}",
    "class_order": "Use the suggested order",
    "classes": "Use these classes",
    "encoding": "Read the file as {}",
    "delimiter": "Split the cells at {}",
    "memory_limit_gb": "Allow {} GB of memory",
    "labels": "Take the labels from {}",
    "probs": "Take the probabilities from {}",
    "true_labels": "Take the true labels from {}",
    "label_column": "Take the labels from column {}",
    "id_column": "Take the ids from column {}",
}
