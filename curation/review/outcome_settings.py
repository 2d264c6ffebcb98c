"""The settings that decide what an export writes, checked once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, get_args

from curation.analysis.findings import METHODS, ORDERS, Method, Order
from curation.core.count import Collisions, Threshold
from curation.errors import InputError
from curation.neighbours.neighbour_order import NEIGHBOUR_ORDER
from curation.store.replay import POLICIES, Policy

Excluded = Literal["drop", "flag"]
Ambiguous = Literal["leave", "exclude"]
Undecided = Literal["leave", "suggest"] | Method
FILES, INLINE = "files", "inline"  # how other tools find a picture: by its path, or written out
UNDECIDED: tuple[Undecided, ...] = ("leave", "suggest", *METHODS)


@dataclass(frozen=True, kw_only=True)
class OutcomeSettings:
    """How a dataset is analysed, whose decisions count, and how they change its labels."""

    method: Method = "confident_joint"
    order: Order | Literal["neighbours"] = "normalized_margin"
    threshold: Threshold = "mean"
    collisions: Collisions = "argmax"
    policy: Policy = "latest"
    excluded: Excluded = "drop"
    undecided: Undecided = "leave"
    min_confidence: float = 0.9  # of suggestions that are accepted with undecided="suggest"
    ambiguous: Ambiguous = "leave"
    apply_merges: bool = False
    spreadsheet_safe: bool = False
    picture_links: str = FILES  # or INLINE, or the URL that the dataset's folder is served under
    copy_pictures: bool = False

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


CHOICES: Mapping[str, tuple[Any, ...]] = {
    "method": METHODS,
    "order": (*ORDERS, NEIGHBOUR_ORDER),
    "collisions": get_args(Collisions),
    "policy": POLICIES,
    "excluded": get_args(Excluded),
    "undecided": UNDECIDED,
    "ambiguous": get_args(Ambiguous),
    "apply_merges": (False, True),
    "spreadsheet_safe": (False, True),
    "copy_pictures": (False, True),
}


def parse_settings(values: Mapping[str, Any]) -> OutcomeSettings:
    """Return the settings from keys and values; refuse a key or value that does not exist.

    >>> parse_settings({"excluded": "flag"}).excluded
    'flag'
    """
    known = [field.name for field in fields(OutcomeSettings)]
    for key, value in values.items():
        if key not in known:
            raise InputError(
                f"There is no export option {key!r}.", f"The options are {', '.join(known)}."
            )
        if key in CHOICES and value not in CHOICES[key]:
            choices = ", ".join(repr(each) for each in CHOICES[key])
            raise InputError(f"{key}={value!r} cannot be used.", f"Choose one of {choices}.")
    confidence = values.get("min_confidence", 0.9)
    if not isinstance(confidence, int | float) or not 0 < confidence <= 1:
        raise InputError(
            f"min_confidence={confidence!r} cannot be used.",
            "Choose a probability: a number above 0, and at most 1.",
        )
    links = values.get("picture_links", FILES)
    if links not in (FILES, INLINE) and not str(links).startswith(("http://", "https://")):
        raise InputError(
            f"picture_links={links!r} cannot be used.",
            f"Choose {FILES!r}, {INLINE!r}, or the http:// or https:// address under which the "
            "dataset's folder is served.",
        )
    return OutcomeSettings(**values)
