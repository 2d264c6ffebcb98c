"""What the chosen threshold means, in words: the mean of the paper, or a percentile."""

from __future__ import annotations


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
