"""The rows of a queue are one array for all tabs, unless a decision could change them."""

from __future__ import annotations

import gc

import pytest

from curation.review.queue_filters import Filters


def rows_of(tab):
    return tab.opened._queue.find_rows()


@pytest.mark.parametrize("filters", [Filters(), Filters(scope="all", given=(0, 1))])
def test_tabs_of_the_same_list_share_its_rows(open_tab, filters):
    ana, ben = (open_tab(name, filters=filters) for name in ("ana", "ben"))
    assert rows_of(ana) is rows_of(ben) and len(rows_of(ana)) > 0
    other = open_tab("ana", filters=Filters(scope="all", order="random"))
    assert rows_of(other) is not rows_of(ana)


def test_lists_that_decisions_change_are_their_tabs_own(open_tab):
    for changed in (Filters(search="t0000"), Filters(scope="all", actions=("keep",))):
        assert rows_of(open_tab(filters=changed)) is not rows_of(open_tab(filters=changed))
    assert rows_of(open_tab(status="skipped")) is not rows_of(open_tab(status="skipped"))


def test_rows_go_with_the_last_tab_that_shows_them(open_tab):
    from curation.ui.review.shared_rows import SharedRows
    from curation.ui.shell.cache import of_server

    one, two = open_tab(), open_tab()
    kept = of_server(("queue rows",), SharedRows)._rows
    assert len(kept) == 1
    del one.opened
    gc.collect()
    assert len(kept) == 1
    del two.opened
    gc.collect()
    assert len(kept) == 0
