"""The ledger holds what the store would say, without asking it again."""

from __future__ import annotations

import numpy as np

from curation.review.ledger import Ledger
from tests.review.page_operations import do, keep


def test_a_ledger_agrees_with_the_store_after_any_operations(ledger):
    rng = np.random.default_rng(3)
    done: list[str] = []
    for step in range(80):
        curator = ("ana", "ben")[int(rng.integers(2))]
        if rng.random() < 0.3:
            latest = [unit[0].op_id for unit in ledger.latest_units(curator, 1)]
            operation = {"op_id": f"u{step}", "do": "undo", "expect": (latest or [None])[0]}
        else:
            action = ("keep", "exclude", "skip", "needs_review")[int(rng.integers(4))]
            operation = keep(f"d{step}", f"e{rng.integers(8)}") | {"action": action}
            operation["do"] = "resolve" if rng.random() < 0.1 else "decide"
        do(ledger, operation, curator=curator)
        done.append(operation["op_id"])
    fresh = Ledger(ledger.store)
    in_force = {each.example_id: each for each in ledger.store.current()}
    for each in range(8):
        standing = ledger.current_decision(f"e{each}")
        assert standing == in_force.get(f"e{each}") == fresh.current_decision(f"e{each}")
    disputed = {each.example_id for each in ledger.store.disagreements()}
    assert {f"e{each}" for each in range(8) if ledger.find_differing(f"e{each}")} == disputed
    for curator in (None, "ana", "ben"):
        assert ledger.codes(curator).tolist() == fresh.codes(curator).tolist()
