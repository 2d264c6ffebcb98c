"""What decisions say, in short."""

from __future__ import annotations

from typing import Any


def says(decisions: list[Any]) -> list[tuple[str, str, str | None]]:
    return [(each.example_id, each.action, each.label) for each in decisions]
