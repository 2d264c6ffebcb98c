"""Numbers as people read them: with a noun, as a percentage, as a size."""

from __future__ import annotations

import math
from collections.abc import Callable

MOST_DIGITS = 7  # of a percentage: one example in a billion


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


def format_bytes(size: int) -> str:
    """Return a size in words; 1 GB is 2**30 bytes, as in memory_limit_gb.

    >>> format_bytes(8 * 2**30), format_bytes(1536), format_bytes(12)
    ('8.0 GB', '1.5 kB', '12 bytes')
    """
    for unit, power in (("GB", 30), ("MB", 20), ("kB", 10)):
        if size >= 2**power:
            return f"{size / 2**power:.1f} {unit}"
    return f"{size} bytes"
