"""How many decisions are made, shown on every page without creating or waiting for a store."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import streamlit as st

from curation import wording
from curation.errors import StoreError
from curation.review.example_status import DatasetCounts, count_dataset
from curation.review.ledger import Ledger
from curation.store import Store, has_store
from curation.store.location import default_path
from curation.ui.shell import cache, page_store
from curation.ui.shell.frame import Frame
from curation.ui.shell.jobs import all_jobs
from curation.ui.shell.opening import named_store
from curation.ui.shell.polling import wait
from curation.ui.widgets.literal_text import in_markdown

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


def find_merges(frame: Frame) -> tuple[int, ...] | None:
    """Return what each class becomes, or None if no classes were merged, or it cannot be read."""
    try:
        ledger = find_ledger(frame)
        return ledger.class_map().merges if ledger else None
    except StoreError:
        return None  # the page says so where it needs the store


def count_decisions(frame: Frame) -> DatasetCounts:
    """Return how many examples are decided, left and disputed; if none can be read, none are."""
    try:
        ledger = find_ledger(frame)
    except StoreError:
        ledger = None
    return _count(frame, ledger)


def show_place(frame: Frame) -> None:
    """Say where decisions are kept, if that is not next to the dataset: storage is only read."""
    remote = frame.dataset.remote
    if remote is None or remote.address is None:
        return
    if named_store(frame.source) is None:
        said, where = "on this machine", str(default_path(frame.dataset.root))
    else:
        said = where = "in the store that the command names"
    st.caption(
        f"Decisions are kept {said}.",
        help=f"{in_markdown(remote.address)} is only read. Decisions: {in_markdown(where)}",
    )


def _count(frame: Frame, ledger: Ledger | None) -> DatasetCounts:
    if ledger is None:
        nothing = np.zeros(len(frame.dataset), np.int8)
        return count_dataset(nothing, frame.issues(), nothing.astype(bool))
    return count_dataset(ledger.codes(), frame.issues(), ledger.disputed())


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
    counts = _count(frame, ledger)
    done, flagged = counts.flagged.decided, counts.flagged.total
    words = f"{done:,} of {wording.count_of(flagged, 'flagged label')} decided"
    share = 100 * done / flagged if flagged else 0
    st.html(
        f'<div class="cu-bar" role="img" aria-label="{words}" title="{words}">'
        f'<i style="width:{share:.1f}%"></i></div>'
        f'<div class="cu-flagged" style="margin-top:0">{_describe_decided(counts, of_classes)} '
        f'<span class="cu-quiet">· saved {_format_time(ledger.time)}</span></div>'
    )


def _describe_decided(counts: DatasetCounts, of_classes: int) -> str:
    """Return how many examples and classes are decided, as HTML.

    The number is that of the flagged examples, as on the Review page; others are counted apart.
    """
    done, others = counts.flagged.decided, counts.everything.decided - counts.flagged.decided
    more = [f"{counts.left:,} left"]
    if others:
        more.append(f"{others:,} decided that {wording.verb_of(others, 'is', 'are')} not flagged")
    if of_classes:
        more.append(wording.count_of(of_classes, "class decision"))
    return f'<b>{done:,}</b> decided <span class="cu-quiet">· {" · ".join(more)}</span>'


def _format_time(time: str, now: datetime | None = None) -> str:
    """Return the time of something that happened today, otherwise the date.

    >>> _format_time("2026-03-01T09:05:00+00:00", datetime(2026, 3, 1, 23, 0, tzinfo=UTC))
    '09:05 UTC'
    >>> _format_time("2026-03-01T09:05:00+00:00", datetime(2026, 3, 2, 1, 0, tzinfo=UTC))
    '1 March 2026'
    """
    then = datetime.fromisoformat(time).astimezone(UTC)
    if then.date() == (now or datetime.now(UTC)).date():
        return then.strftime("%H:%M UTC")
    return f"{then.day} {then:%B %Y}"
