"""The status of every example as one small integer, so that a queue can check all of them fast.

The number is 0 for an example without a decision; every action has a number of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from curation.store.actions import Action

Status = Literal["undecided", "decided", "skipped", "needs_review", "all"]
STATUSES: tuple[Status, ...] = get_args(Status)
Codes = NDArray[np.int8]  # one entry per example

UNDECIDED = 0
CODE_OF: Mapping[Action, int] = {action: code for code, action in enumerate(Action, start=1)}
FINAL = tuple(code for action, code in CODE_OF.items() if action.is_final)
CODES: Mapping[Status, tuple[int, ...]] = {
    "undecided": (UNDECIDED,),
    "decided": FINAL,
    "skipped": (CODE_OF[Action.SKIP],),
    "needs_review": (CODE_OF[Action.NEEDS_REVIEW],),
    "all": (UNDECIDED, *CODE_OF.values()),
}
