"""How many decisions are made, shown on every page without creating or waiting for a store."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import streamlit as st

from curation import wording
from curation.core.matrix import IntArray
from curation.errors import StoreError
from curation.review.example_status import FINAL
from curation.review.ledger import Ledger
from curation.store import Store, has_store
from curation.ui.shell import cache, page_store
from curation.ui.shell.frame import Frame
from curation.ui.shell.jobs import all_jobs
from curation.ui.shell.opening import named_store
from curation.ui.shell.polling import wait

LEDGERS_KEPT = 8  # in memory


def ledger_of(store: Store) -> Ledger:
    """Return the status of a store's examples; one ledger for the whole server."""
    name = cache.identify(store)
    return cache.of_server(("ledger", name), lambda: Ledger(store), limit=LEDGERS_KEPT)


def find_ledger(frame: Frame) -> Ledger | None:
    """Return the status of the examples; None if nothing is decided, or nothing is read yet.

    Opening a store checks it and reads its whole log; a job does that while the page is shown.
    May raise a StoreError.
    """
    if not has_store(frame.dataset, named_store(frame.source)):
        return None
    key = ("ledger", frame.source, cache.identify(frame.dataset))
    open_now = page_store.opener(frame)
    job = all_jobs().get(key, lambda job: ledger_of(open_now()))
    try:
        job.wait()
        ledger = ledger_of(open_now())
        ledger.catch_up()
    except TimeoutError:
        wait()
        return None
    except StoreError:
        all_jobs().cancel(key)  # so that the next visit tries again
        raise
    return ledger


def count_left(frame: Frame) -> int:
    """Return how many flagged examples are undecided; all of them if no decision can be read."""
    flagged = frame.issues()
    try:
        ledger = find_ledger(frame)
    except StoreError:
        ledger = None
    return len(flagged) - (_count_settled(ledger, flagged) if ledger else 0)


def _count_settled(ledger: Ledger, rows: IntArray | slice) -> int:
    return int(np.isin(ledger.codes()[rows], FINAL).sum())


def show_decided(frame: Frame) -> None:
    """Show how many examples and flagged examples are decided, and when the last was saved."""
    try:
        ledger = find_ledger(frame)
        of_classes = len(ledger.store.class_decisions()) if ledger else 0
    except StoreError:
        st.caption("The decisions cannot be opened. The Review page says why.")
        return
    if ledger is None or not ledger.last:
        return
    flagged = frame.issues()
    decided, done = (_count_settled(ledger, rows) for rows in (slice(None), flagged))
    words = f"{done:,} of {wording.count_of(len(flagged), 'flagged label')} decided"
    share = 100 * done / len(flagged) if len(flagged) else 0
    st.html(
        f'<div class="cu-bar" role="img" aria-label="{words}" title="{words}">'
        f'<i style="width:{share:.1f}%"></i></div>'
        f'<div class="cu-flagged" style="margin-top:0">{_say_decided(decided, of_classes)} '
        f'<span class="cu-quiet">· saved {_say_when(ledger.time)}</span></div>'
    )


def _say_decided(decided: int, of_classes: int) -> str:
    """Return how many examples and classes are decided, as HTML.

    >>> _say_decided(61, 0), _say_decided(0, 1)
    ('<b>61</b> decided', '<b>1</b> class decision')
    >>> _say_decided(61, 2)
    '<b>61</b> decided <span class="cu-quiet">· 2 class decisions</span>'
    """
    number, noun = wording.count_of(of_classes, "class decision").split(" ", 1)
    if of_classes and not decided:
        return f"<b>{number}</b> {noun}"
    more = f' <span class="cu-quiet">· {number} {noun}</span>' if of_classes else ""
    return f"<b>{decided:,}</b> decided{more}"


def _say_when(time: str, now: datetime | None = None) -> str:
    """Return the time of something that happened today, else the date.

    >>> _say_when("2026-03-01T09:05:00+00:00", datetime(2026, 3, 1, 23, 0, tzinfo=UTC))
    '09:05 UTC'
    >>> _say_when("2026-03-01T09:05:00+00:00", datetime(2026, 3, 2, 1, 0, tzinfo=UTC))
    '1 March 2026'
    """
    then = datetime.fromisoformat(time).astimezone(UTC)
    if then.date() == (now or datetime.now(UTC)).date():
        return then.strftime("%H:%M UTC")
    return f"{then.day} {then:%B %Y}"
