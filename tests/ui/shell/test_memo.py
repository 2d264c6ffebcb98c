import gc

from curation import analyze
from curation.ui.shell import memo


def findings():
    return analyze([0, 1], [[0.9, 0.1], [0.2, 0.8]])


def test_work_is_done_once_for_each_analysis():
    calls = []
    first, second = findings(), findings()
    for each in (first, first, second):
        memo.once(each, "number", lambda: calls.append(1))
    assert len(calls) == 2


def test_two_places_that_use_one_key_do_not_get_each_others_result():
    found = findings()

    def pairs():
        return memo.once(found, "pairs", lambda: "pairs")

    def others():
        return memo.once(found, "pairs", lambda: "others")

    assert (pairs(), others(), pairs()) == ("pairs", "others", "pairs")


def test_results_go_with_their_findings():
    found = findings()
    memo.once(found, "number", lambda: 1)
    gc.collect()  # what other tests left behind
    before = len(memo._KEPT)
    del found
    gc.collect()
    assert len(memo._KEPT) == before - 1


def test_no_two_findings_share_a_name():
    first, second = findings(), findings()
    assert memo.name_of(first) == memo.name_of(first) != memo.name_of(second)
