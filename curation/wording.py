"""Sentences and names that more than one page shows."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
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

ORDER_NAMES = {
    "normalized_margin": "normalized margin",
    "self_confidence": "self-confidence",
    "log_margin": "log margin",
}
QUEUE_ORDER_NAMES = ORDER_NAMES | {
    "neighbours": "neighbours and margin",
    "random": "random sample",
    "file": "as in the file",
}
ORDERS_MEASURED = (  # by benchmarks/truth.py
    "Average precision on CIFAR-10N (human labels): log margin .880, self-confidence .875, "
    "normalized margin .860; on the paper's 40 % synthetic noise: .713, .682, .747."
)

NEIGHBOURS_MEASURED = (  # by benchmarks/neighbours.py
    "The mean of the normalized margin and of the same margin among the ten nearest examples. "
    "Average precision, next to log margin: digits with 30 % noise, by pixels, .996 (.977); "
    "CIFAR-10N, by probabilities alone, .851 (.880)."
)

THRESHOLD_HELP = (
    "How sure the model must be of a class before an example is counted into it. The paper uses "
    "the mean over the examples given the class. A higher percentile counts fewer examples and "
    "usually flags fewer."
)
COLLISIONS_HELP = (
    "An example can reach the thresholds of several classes. The paper's Algorithm 1 then uses the "
    "model's likeliest class of all, and its Equation 1 the likeliest of those that were reached."
)
COLLISION_NAMES = {
    "argmax": "the likeliest of all classes",
    "confident": "the likeliest of those reached",
}

SCOPE_NAMES = {  # of a queue
    "flagged": "flagged",
    "all": "all examples",
    "audit": "the audit",
    "mixed": "flagged and audit",
    "near_duplicates": "near-duplicates",
    "outliers": "outliers",
    "picture_quality": "picture quality",
}
STATUS_NAMES = {
    "undecided": "to decide",
    "decided": "decided",
    "skipped": "skipped",
    "needs_review": "needs a second look",
    "disputed": "disputed",
    "all": "any status",
}
ACTION_NAMES = {
    "keep": "keep",
    "relabel": "relabel",
    "ambiguous": "both",
    "exclude": "exclude",
    "skip": "skip",
    "needs_review": "second look",
}
ISSUE_KIND_NAMES = {
    "error": "error",
    "ontological": "ontological",
    "multi_label": "multi-label",
}

KIND_NAMES = {  # one, several
    "image": ("image", "images"),
    "text": ("text", "texts"),
    "index": ("example", "examples"),
}

MOST_DIGITS = 7  # of a percentage: one example in a billion
ROWS_COUNTED = "Rows are counted from 0, without the header."
NOT_IN_SAMPLE = "probabilities are not predictions on the training data"  # as the doctor words it

MATRIX_NAMES = {
    "joint": "Joint",
    "confident_joint": "Confident joint",
    "noise_matrix": "Noise matrix",
    "inverse_noise_matrix": "Inverse noise matrix",
    "confusion": "Confusion",
    "difference": "Difference",
}

EXPORT_HELP = {
    "method": "which method flags an example",
    "order": "by which score issues are sorted: normalized_margin, self_confidence, log_margin, "
    "neighbours",
    "threshold": "class threshold: mean, or a percentile of self-confidence such as 90",
    "collisions": "if several thresholds are reached, use the likeliest class of all (argmax) or "
    "of those reached (confident)",
    "policy": "whose decision counts if curators disagree: latest, majority, agreed only",
    "excluded": "drop excluded rows, or flag them in a column",
    "undecided": "leave flagged but undecided examples, suggest (take the suggestion), or name a "
    "method that prunes them",
    "min_confidence": "with --undecided suggest: how probable a suggestion must be (0.9)",
    "ambiguous": "leave examples with both labels, or exclude them",
    "apply_merges": "write merged and renamed classes into the labels",
    "spreadsheet_safe": "put ' before cells that a spreadsheet would run as a formula",
    "picture_links": "how other tools find pictures: files (their paths), inline (written out), or "
    "the URL under which the dataset's folder is served",
    "copy_pictures": "write pictures.zip: the pictures that stay, with their labels, as FiftyOne "
    "and Hugging Face read them",
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


def name_estimate(threshold: str | float) -> str:
    """Return whose estimate a number of wrong labels is: the paper's, or one by a percentile.

    >>> name_estimate("mean"), name_estimate(95.0)
    ("the paper's estimate", 'the estimate at the 95th percentile')
    """
    return (
        "the paper's estimate"
        if threshold == "mean"
        else f"the estimate at {typical_for(threshold)}"
    )


def explain_percentile(threshold: float) -> str:
    """Return what a percentile as the threshold does, before anybody reads a number made by it.

    >>> explain_percentile(95.0)[:71]
    'The threshold is the 95th percentile: an example is counted into a clas'
    """
    return (
        f"The threshold is {typical_for(threshold)}: an example is counted into a class only if "
        f"the model is surer of it than of {threshold:g} % of the examples with that label. The "
        "higher it is, the fewer wrong labels are counted, down to none, however many there are. "
        "The mean is the paper's threshold, and the one to estimate by."
    )


def as_it_is(threshold: str | float) -> str:
    """Return how sure "confident" is, to follow "at least as sure of that class".

    >>> as_it_is("mean"), as_it_is(90.0)  # doctest: +NORMALIZE_WHITESPACE
    ('as it usually is of examples with that label',
     'as it is of 90 % of the examples with that label')
    """
    of = "usually is of" if threshold == "mean" else f"is of {threshold:g} % of the"
    return f"as it {of} examples with that label"


def percent(share: float, *, digits: int = 1) -> str:
    """Return a share as a percentage; 0 and 100 only if they are exact.

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


def write_share(share: float) -> str:
    """Return a share of labels as a percentage, with as many decimals as it needs.

    >>> write_share(0.143), write_share(0.0016), write_share(0.0)
    ('14.3 %', '0.16 %', '0 %')
    """
    return percent(share, digits=digits_for(share))


def percent_at_most(share: float) -> str:
    """Return a share as a percentage that is rounded up, so that "at most" stays true.

    >>> percent_at_most(0.0301), percent_at_most(0.03), percent_at_most(0.00021)
    ('3.1 %', '3 %', '0.021 %')
    """
    shown = _round_away(share, digits_for(share), math.ceil)
    return f"{shown.rstrip('0').rstrip('.') if '.' in shown else shown} %"


def percent_range(low: float, high: float) -> str:
    """Return the ends of an interval as percentages, rounded outwards.

    Both have the same number of decimals, unless an end would be shown as 0 or 100 and is not.

    >>> percent_range(0.0231, 0.03), percent_range(0.0, 0.5), percent_range(0.00081, 0.0023)
    ('2.3 to 3.0 %', '0 to 50 %', '0.08 to 0.23 %')
    >>> percent_range(0.6748, 0.9997), percent_range(0.0002, 0.5)
    ('67.4 to 99.97 %', '0.02 to 50.0 %')
    """
    digits = digits_for(high)
    shown = [_round_away(low, digits, math.floor), _round_away(high, digits, math.ceil)]
    if all(float(each).is_integer() for each in shown):
        shown = [each.partition(".")[0] for each in shown]
    return f"{' to '.join(shown)} %"


def _round_away(share: float, digits: int, towards: Callable[[float], int]) -> str:
    """Return a share in percent, rounded up or down; 0 and 100 only if they are exact."""
    while True:
        scale = 10**digits
        slack = 1e-9 if towards is math.floor else -1e-9  # 3 % is 3.0000000000000004
        units = towards(share * 100 * scale + slack)
        if units not in (0, 100 * scale) or share in (0, 1) or digits == MOST_DIGITS:
            return f"{units / scale:.{digits}f}"
        digits += 1


def digits_for(share: float) -> int:
    """Return how many decimals a share needs, as a percentage, to show more than 0.

    >>> digits_for(0.025), digits_for(0.0016), digits_for(0.00002)
    (1, 2, 3)
    """
    return 1 if share >= 0.01 else 2 if share >= 0.0005 else 3


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


def describe_fix(override: Mapping[str, Any]) -> str:
    """Return what an override does in a few words, for a button.

    >>> describe_fix({"convert": "softmax"}), describe_fix({"drop_rows": True})
    ('Apply softmax', 'Leave out these rows')
    """
    (key, value), *more = override.items() or [("", "")]
    if more:
        return "Apply this fix"
    if key == "convert":
        return CONVERSION_NAMES.get(str(value), "Convert the probabilities")
    words = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    return FIX_NAMES.get(key, "Apply this fix").format(shorten(words, 40) or "(no name)")


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
    "no_header": "Read the first line as a row",
    "sheet": "Read the labels from sheet {}",
    "prob_sheet": "Read the probabilities from sheet {}",
    "memory_limit_gb": "Allow {} GB of memory",
    "labels": "Read the labels from {}",
    "probs": "Read the probabilities from {}",
    "true_labels": "Read the true labels from {}",
    "label_column": "Read the labels from column {}",
    "majority_of": "Use what most annotators say",
    "splits": "Read the split: {}",
    "prob_array": "Read the probabilities from array {}",
    "id_column": "Read the ids from column {}",
    "text_column": "Read the texts from column {}",
    "image_column": "Read the pictures from column {}",
    "image_root": "Look for the pictures in {}",
    "features": "Read the features from {}",
    "prob_columns": "Read the probabilities from the columns {}",
    "title_column": "Call the examples by column {}",
    "name": "Call the dataset {}",
}


def format_bytes(size: int) -> str:
    """Return a size in words; 1 GB is 2**30 bytes, as in memory_limit_gb.

    >>> format_bytes(8 * 2**30), format_bytes(1536), format_bytes(12)
    ('8.0 GB', '1.5 kB', '12 bytes')
    """
    for unit, power in (("GB", 30), ("MB", 20), ("kB", 10)):
        if size >= 2**power:
            return f"{size / 2**power:.1f} {unit}"
    return f"{size} bytes"
