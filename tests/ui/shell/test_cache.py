"""Values kept between runs: made once, told apart by their keys, and gone with their owner."""

import ast
import gc
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import streamlit as st

import curation
from curation import analyze
from curation.ui.shell import cache
from tests.pages.visiting import save


@pytest.fixture(autouse=True)
def empty_server():
    st.cache_resource.clear()
    yield
    st.cache_resource.clear()


def findings():
    return analyze([0, 1], [[0.9, 0.1], [0.2, 0.8]])


def test_work_is_done_once_for_each_analysis():
    calls = []
    first, second = findings(), findings()
    for each in (first, first, second):
        cache.of_analysis(each, ("number",), lambda: calls.append(1))
    assert len(calls) == 2


def test_work_is_done_once_for_each_reading_of_a_dataset(tmp_path):
    calls, path = [], save(tmp_path / "pets")
    first, second = curation.load(path), curation.load(path)
    for each in (first, first, second):
        cache.of_dataset(each, ("number",), lambda: calls.append(1))
    assert len(calls) == 2


def test_results_are_freed_with_their_findings():
    found = findings()
    cache.of_analysis(found, ("number",), lambda: 1)
    gc.collect()  # what other tests left behind
    before = len(cache._KEPT)
    del found
    gc.collect()
    assert len(cache._KEPT) == before - 1


def test_threads_that_ask_at_the_same_moment_get_the_same_identity(monkeypatch):
    found, both, make = findings(), threading.Barrier(2), cache._Kept

    def make_together():
        both.wait(timeout=10)
        return make()

    monkeypatch.setattr(cache, "_Kept", make_together)
    with ThreadPoolExecutor(2) as pool:
        names = list(pool.map(lambda _: cache.identify(found), range(2)))
    assert names[0] == names[1] == cache.identify(found)


def test_no_two_findings_or_datasets_share_an_identity(tmp_path):
    first, second = findings(), findings()
    assert cache.identify(first) == cache.identify(first) != cache.identify(second)
    path = save(tmp_path / "pets")
    readings = [curation.load(path), curation.load(path)]
    assert len({cache.identify(each) for each in readings}) == 2


def test_visitors_share_what_belongs_to_the_server():
    made = [cache.of_server(("thing",), object) for _ in range(2)]
    assert made[0] is made[1] is not cache.of_server(("another",), object)


def test_second_visitor_waits_for_a_value_that_is_being_made():
    begun, go, got = threading.Event(), threading.Event(), []

    def make():
        begun.set()
        go.wait(10)
        return object()

    visitors = [
        threading.Thread(target=lambda: got.append(cache.of_server(("slow",), make)))
        for _ in range(2)
    ]
    for each in visitors:
        each.start()
    begun.wait(10)
    assert cache.of_server(("another",), lambda: "at once") == "at once"
    go.set()
    for each in visitors:
        each.join(10)
    assert len(got) == 2 and got[0] is got[1]


def test_failure_is_not_kept():
    def fail():
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        cache.of_server(("thing",), fail)
    assert cache.of_server(("thing",), lambda: "made") == "made"


def test_value_used_longest_ago_goes_first_and_other_names_stay():
    other = cache.of_server(("other",), object)
    kept = [cache.of_server(("plan", place), object, limit=2) for place in range(2)]
    assert cache.of_server(("plan", 0), object, limit=2) is kept[0]
    cache.of_server(("plan", 2), object, limit=2)
    assert cache.of_server(("plan", 0), object, limit=2) is kept[0]
    assert cache.of_server(("plan", 1), object, limit=2) is not kept[1]
    assert cache.of_server(("other",), object) is other


def test_clearing_the_server_closes_what_can_be_closed():
    class Closing:
        closed = False

        def close(self):
            self.closed = True

    made = cache.of_server(("store",), Closing)
    cache.of_server(("number",), lambda: 1)
    st.cache_resource.clear()
    assert made.closed and cache.of_server(("store",), Closing) is not made


def test_every_key_begins_with_a_name_that_no_other_place_uses():
    names = []
    for path in Path(cache.__file__).parents[1].rglob("*.py"):
        if path.name != "cache.py":
            names += [f"{kind} {_read_name(call, path)}" for kind, call in _find_calls(path)]
    assert len(names) > 20
    assert [name for name, times in Counter(names).items() if times > 1] == []


def test_nothing_else_in_the_pages_keeps_values_by_itself():
    for path in Path(cache.__file__).parents[1].rglob("*.py"):
        if path.name != "cache.py":
            text = path.read_text(encoding="utf-8")
            assert not any(each in text for each in ("cache_resource", "cache_data", "lru_cache"))


def _find_calls(path):
    """Yield each call that keeps a value, with the function that it calls."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            called = node.func.id if isinstance(node.func, ast.Name) else called
            if called in ("of_analysis", "of_dataset", "of_server"):
                yield called, node


def _read_name(call, path):
    key = call.args[0 if len(call.args) == 2 else 1]
    assert isinstance(key, ast.Tuple), f"{path}:{call.lineno} does not write its key as a tuple"
    assert isinstance(key.elts[0], ast.Constant), f"{path}:{call.lineno} has no name first"
    return key.elts[0].value
