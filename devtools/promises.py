"""The table that benchmarks print: what is promised, what was measured, and whether it was kept."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Row(NamedTuple):
    """One promise, what was measured, and whether it was kept."""

    what: str
    promised: str
    measured: str
    kept: bool


def print_rows(rows: Iterable[Row]) -> bool:
    """Print each row as soon as it is measured, and return whether all promises were kept."""
    kept = True
    print("| what | promised | measured | kept |\n|---|---|---|---|", flush=True)
    for row in rows:
        answer = "yes" if row.kept else "**NO**"
        print(f"| {row.what} | {row.promised} | {row.measured} | {answer} |", flush=True)
        kept = kept and row.kept
    return kept
