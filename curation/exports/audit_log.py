"""audit.jsonl: the whole log, from which `curate replay` writes the export again."""

from __future__ import annotations

from collections.abc import Iterator

from curation.review.cleaning_plan import Plan
from curation.store.entries import to_jsonl

BATCH = 10_000  # entries formatted at a time


def write_audit(plan: Plan) -> Iterator[bytes]:
    """Yield every entry of the log, one per line, in order."""
    log = plan.outcome.log
    for first in range(0, len(log), BATCH):
        yield to_jsonl(log[first : first + BATCH]).encode()
