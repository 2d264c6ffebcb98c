"""Links that ask for certain filters; what has its default is left out."""

from __future__ import annotations

from collections.abc import Sequence

from curation.review.example_status import Status
from curation.review.filter_link import default_scope
from curation.review.queue_filters import Filters


def write_filters(filters: Filters, status: Status = "undecided") -> dict[str, str]:
    """Return the parameters of a link that ask for these filters; defaults are left out."""
    plain = Filters()
    values: dict[str, object] = {
        "status": status if status != "undecided" else None,
        "scope": filters.scope if filters.scope != default_scope(status) else None,
        "order": filters.order if filters.order != plain.order else None,
        "seed": filters.seed or None,
        "given": _join(filters.given),
        "true": _join(filters.suggested),
        "pair": _join(filters.pair or ()),
        "margin": _join(filters.margin or ()),
        "column": filters.column,
        "value": filters.value,
        "cell": filters.cell or None,
        "search": filters.search or None,
        "action": _join(filters.actions),
        "kind": _join(filters.kinds),
        "to": filters.new_label,
        "by": filters.curator,
        "note": filters.note or None,
        "tag": _join(filters.tags),
        "area": filters.area or None,
    }
    return {name: str(value) for name, value in values.items() if value is not None}


def _join(values: Sequence[object]) -> str | None:
    return ",".join(map(str, values)) or None
