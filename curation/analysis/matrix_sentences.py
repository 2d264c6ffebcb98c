"""What a cell of each matrix means, as a sentence, and how to read each matrix."""

from __future__ import annotations

from dataclasses import dataclass

from curation import wording
from curation.analysis.matrices import SHARES, Cell, Matrix
from curation.core.count import Threshold

ANY_OTHER = "any other class"


@dataclass(frozen=True)
class Reading:
    """How to read a matrix: in a sentence, and as the equation behind it."""

    sentence: str
    equation: str
    source: str


_JOINT = r"\hat{Q}_{\tilde{y},y^*}[i][j]"
_COUNT = r"C_{\tilde{y},y^*}[i][j]"
_MEAN = r"\frac{1}{|X_{\tilde{y}=j}|} \sum_{x \in X_{\tilde{y}=j}} \hat{p}(\tilde{y}=j; x)"

READINGS: dict[Matrix, Reading] = {
    "joint": Reading(
        "About how many examples have the row's given label and the column's true label: the "
        "confident counts, scaled so that each row adds up to the examples with its label.",
        rf"{_JOINT} = \frac{{\frac{{{_COUNT}}}{{\sum_j {_COUNT}}} \cdot |X_{{\tilde{{y}}=i}}|}}"
        rf"{{\sum_{{i,j}} \left( \frac{{{_COUNT}}}{{\sum_j {_COUNT}}} \cdot "
        r"|X_{\tilde{y}=i}| \right)}",
        "Equation 3 of the paper; the map shows it times the number of examples.",
    ),
    "confident_joint": Reading(
        "How many examples have the row's label while the model is at least as sure of the "
        f"column's class {wording.as_it_is('mean')}.",
        rf"{_COUNT} = |\hat{{X}}_{{\tilde{{y}}=i,\,y^*=j}}|, \quad "
        r"\hat{X}_{\tilde{y}=i,\,y^*=j} = \{ x \in X_{\tilde{y}=i} : "
        r"\hat{p}(\tilde{y}=j; x) \ge t_j \}, \quad "
        rf"t_j = {_MEAN}",
        "Equations 1 and 2 of the paper, without the rule for examples confident in two or more "
        "classes.",
    ),
    "noise_matrix": Reading(
        "Of the examples with the column's true label, the share that has the row's given label. "
        "Each column adds up to 100 %.",
        rf"\hat{{Q}}_{{\tilde{{y}}|y^*}}[i][j] = \frac{{{_JOINT}}}{{\sum_i {_JOINT}}}",
        "Follows from Equation 3: the joint, divided by the sum of each column.",
    ),
    "inverse_noise_matrix": Reading(
        "Of the examples with the row's given label, the share that truly belongs to the column's "
        "class. Each row adds up to 100 %.",
        rf"\hat{{Q}}_{{y^*|\tilde{{y}}}}[j][i] = \frac{{{_JOINT}}}{{\sum_j {_JOINT}}}",
        "Follows from Equation 3: the joint, divided by the sum of each row. "
        "Drawn with the given label in rows, like the other maps.",
    ),
    "confusion": Reading(
        "How many examples have the row's label while the model finds the column's class "
        "likeliest, however unsure it is. This is the paper's baseline, without thresholds.",
        r"C_{\text{confusion}}[i][j] = |\{ x \in X_{\tilde{y}=i} : "
        r"j = \arg\max_l \hat{p}(\tilde{y}=l; x) \}|",
        "The baseline of the paper's Section 3.",
    ),
    "difference": Reading(
        "By how many examples the joint of the confident counts differs from the joint of the "
        "confusion counts. Blue: thresholds find more. Orange: confusion finds more.",
        r"n \left( \hat{Q}_{\tilde{y},y^*}[i][j] - "
        r"\hat{Q}_{\text{confusion}}[i][j] \right)",
        "Equation 3 of the paper, applied to both counts.",
    ),
}


def find_reading(matrix: Matrix, threshold: Threshold) -> Reading:
    """Return how to read a matrix when the thresholds are means or percentiles.

    >>> "t_j = P_{90}" in find_reading("confident_joint", 90.0).equation
    True
    """
    reading = READINGS[matrix]
    if matrix != "confident_joint" or threshold == "mean":
        return reading
    percentile = r"\{ \hat{p}(\tilde{y}=j; x) : x \in X_{\tilde{y}=j} \}"
    return Reading(
        reading.sentence.replace(wording.as_it_is("mean"), wording.as_it_is(threshold)),
        reading.equation.replace(_MEAN, f"P_{{{threshold:g}}}{percentile}"),
        f"Equation 1 of the paper, with the {threshold:g}th percentile in place of the mean of "
        "Equation 2, and without the rule for examples confident in two or more classes.",
    )


def describe(matrix: Matrix, value: float, given: str, true: str, *, same: bool) -> str:
    """Return what a cell means. `same`: it is on the diagonal, so both are the same class.

    >>> describe("confident_joint", 83, "cat", "dog", same=False)
    '83 examples labelled cat are confidently dog'
    >>> describe("noise_matrix", .12, "cat", "dog", same=False)
    '12 % of what is truly dog is labelled cat'
    >>> describe("inverse_noise_matrix", .12, "cat", "dog", same=False)
    'of those labelled cat, 12 % are truly dog'
    """
    if matrix == "difference":
        return _describe_difference(value, given, true)
    if matrix in SHARES:
        share = wording.percent(value)
        if matrix == "noise_matrix":
            return f"{share} of what is truly {true} is labelled {given}"
        return f"of those labelled {given}, {share} are truly {true}"
    many = "no example" if value == 0 else count_examples(value)
    one = value == 0 or many == "1 example"
    verb = "is" if one else "are"
    if matrix == "confusion":
        look = "looks" if one else "look"
        return f"{many} labelled {given} {look} most like {true} to the model"
    if same and matrix == "joint":
        return f"{many} {verb} rightly labelled {given}"
    surely = "probably" if matrix == "joint" else "confidently"
    return f"{many} labelled {given} {verb} {surely} {true}"


def describe_others(matrix: Matrix, value: float, *, diagonal: bool) -> str:
    """Return what the cell for pairs within the other classes means.

    With the `diagonal`, it also counts examples with correct labels.

    >>> describe_others("joint", 2632, diagonal=False)
    '2,632 examples labelled one of the other classes are probably another of them'
    >>> describe_others("noise_matrix", 0.08, diagonal=False)
    '8 % of what is truly one of the other classes is labelled another of them'
    """
    names = "one of the other classes", "that or another of them" if diagonal else "another of them"
    given, true = names[::-1] if matrix == "noise_matrix" else names
    return describe(matrix, value, given, true, same=False)


def describe_change(matrix: Matrix, difference: float) -> str:
    """Return by how much a cell differs from the labels as given.

    >>> describe_change("joint", -12.2), describe_change("inverse_noise_matrix", 0.031)
    ('12 fewer than as given', '3.1 points more than as given')
    """
    if matrix in SHARES:
        points = f"{100 * abs(difference):.1f}".removesuffix(".0")
        noun = "point" if points == "1" else "points"
        return f"{points} {noun} {'more' if difference > 0 else 'less'} than as given"
    more = "more" if difference > 0 else "fewer"
    return f"{format_examples(abs(difference))} {more} than as given"


def write_change(matrix: Matrix, difference: float) -> str:
    """Return a difference as a cell shows it; the arrow says more or fewer.

    >>> write_change("joint", -12.2), write_change("noise_matrix", 0.031)
    ('▼ 12', '▲ 3')
    """
    size = 100 * abs(difference) if matrix in SHARES else abs(difference)
    written = f"{size:.0f}" if size >= 0.95 else f"{size:.1f}"
    return f"{'▲' if difference > 0 else '▼'} {written}"


def count_examples(value: float) -> str:
    """Return a number of examples; estimates below ten have one decimal.

    >>> count_examples(83.4), count_examples(1), count_examples(0.31), count_examples(0.004)
    ('83 examples', '1 example', '0.3 examples', 'under 0.1 examples')
    """
    number = format_examples(value)
    return f"{number} example" if number == "1" else f"{number} examples"


def format_examples(value: float) -> str:
    """Return a number as `count_examples` writes it."""
    if abs(value) >= 9.95 or value == round(value):
        return f"{value:,.0f}"
    if abs(value) < 0.05:
        return "under 0.1"
    shown = f"{value:.1f}"
    return shown.removesuffix(".0")


def write_number(matrix: Matrix, value: float) -> str:
    """Return a number as a cell or a colour bar shows it.

    >>> write_number("noise_matrix", .123), write_number("difference", -12.)
    ('12 %', '−12')
    """
    if matrix in SHARES:
        return wording.percent(value, digits=0 if value >= 0.095 else 1).replace("under ", "<")
    shown = format_examples(abs(value)).replace("under ", "<")
    if matrix != "difference" or value == 0:
        return shown
    return "≈0" if shown.startswith("<") else ("+" if value > 0 else "−") + shown


def _describe_difference(value: float, given: str, true: str) -> str:
    if value == 0:
        return f"labelled {given}, truly {true}: both estimate the same"
    more = "more" if value > 0 else "fewer"
    number = count_examples(abs(value))
    return f"labelled {given}, truly {true}: {number} {more} than by confusion"


def head_cell(cell: Cell, given: str, true: str, number: int, *, likeliest: bool = False) -> str:
    """Return the heading for the examples of a cell; `likeliest`: counted without thresholds.

    >>> head_cell(Cell(0, 1), "cat", "dog", 83), head_cell(Cell(0, 0), "cat", "cat", 1)
    ('Labelled cat, probably dog: 83 examples', 'Labelled and confidently cat: 1 example')
    """
    many = wording.count_of(number, "example")
    given, true = wording.isolate(given), wording.isolate(true)
    if cell.is_diagonal:
        return f"Labelled and {'likeliest' if likeliest else 'confidently'} {given}: {many}"
    if likeliest:
        return f"Labelled {given}, likeliest class {true}: {many}"
    return f"Labelled {given}, probably {true}: {many}"
