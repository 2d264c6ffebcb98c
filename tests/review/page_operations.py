"""Operations as the review page sends them."""

from __future__ import annotations

from curation.review.operations import carry_out


def do(ledger, *operations, curator="ana", known=None, blind=False):
    return carry_out(
        ledger, operations, curator=curator, match=lambda operation: operation["asked"],
        known=known or {}, blind=blind,
    )  # fmt: skip


def keep(op_id, example_id, **more):
    return {"op_id": op_id, "do": "decide", "id": example_id, "action": "keep"} | more
