"""Sentences and names that more than one page shows."""

from __future__ import annotations

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
    "prune_by_class": "The least self-confident of each class, as many as its errors (method 3).",
    "prune_by_noise_rate": "The widest margins of each pair of classes (method 4).",
    "both": "Flagged by prune by class and by prune by noise rate (method 5).",
}

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
    "threshold": "of a class: mean, or a percentile of self-confidence such as 90",
    "collisions": "whose arg-max settles what is confident in several classes: argmax, confident",
    "policy": "whose word counts where curators differ: latest, majority, agreed only",
    "excluded": "drop excluded rows, or flag them in a column",
    "undecided": "leave flagged examples that nobody decided, or name a method to prune them by",
    "ambiguous": "leave examples that were called ambiguous, or exclude them",
    "apply_merges": "write merged and renamed classes into the labels",
    "spreadsheet_safe": "put ' before cells that a spreadsheet would run as a formula",
}


def count_of(number: float, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun.

    >>> count_of(1, "example"), count_of(12_400, "example"), count_of(2, "class", "classes")
    ('1 example', '12,400 examples', '2 classes')
    """
    return f"{number:,.0f} {noun if round(number) == 1 else plural or noun + 's'}"


def percent(share: float, *, digits: int = 1) -> str:
    """Return a share in words of a hundred; never a bare 0 for what is merely small.

    >>> percent(0.0247), percent(0.0), percent(0.00001), percent(1.0)
    ('2.5 %', '0 %', 'under 0.1 %', '100 %')
    """
    if share == 0:
        return "0 %"
    smallest = 10.0**-digits
    if 0 < share * 100 < smallest:
        return f"under {smallest:.{digits}f} %"
    shown = f"{100 * share:.{digits}f}"
    return (shown.rstrip("0").rstrip(".") if "." in shown else shown) + " %"


def shorten(text: str, length: int) -> str:
    """Return a text of at most `length` characters, cut in the middle so both ends can be told.

    >>> shorten("a very long class name", 12)
    'a very …name'
    """
    if len(text) <= length:
        return text
    tail = (length - 2) // 2 - 1
    return text[: length - 1 - tail] + "…" + text[len(text) - tail :]


def tell_apart(names: tuple[str, ...], ids: tuple[str, ...]) -> tuple[str, ...]:
    """Return class names for the screen: with the id behind those that several classes share.

    >>> tell_apart(("tub", "maillot", "maillot"), ("n1", "n2", "n3"))
    ('tub', 'maillot (n2)', 'maillot (n3)')
    """
    return tuple(
        f"{name} ({ids[label]})" if names.count(name) > 1 else name
        for label, name in enumerate(names)
    )
