"""Reviewing pictures from object storage that stops answering: pictures wait, decisions do not."""

from __future__ import annotations

import numpy as np
import pytest

import curation
from devtools.serving import name_curator
from tests import small_set
from tests.browser.watching import painted, saved

NOTE = "The picture is not here yet"


@pytest.mark.fault(64, "SKIP", says="The picture is not here yet…waiting for storage.")
def test_decisions_go_on_while_storage_is_silent_and_pictures_come_back(
    storage, serve_cold, chromium, tmp_path, messages
):
    folder = small_set.write_images(
        tmp_path / "set", 120, 90, size=16, rng=np.random.default_rng(2)
    )
    address = storage.put_folder(folder, "browser-test", "set")
    server = serve_cold(address)
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    name_curator(context, "tess")
    page = context.new_page()
    page.set_default_timeout(90_000)
    page.goto(server.url("Review"))
    page.wait_for_selector(".stage[data-painted] img")
    storage.silent = True
    decided = []
    note = page.get_by_text(NOTE)
    while len(decided) < 80 and not note.is_visible():
        decided.append(painted(page))
        page.keyboard.press("x")
        page.wait_for_selector(f".stage[data-painted]:not([data-painted='{decided[-1]}'])")
    note.wait_for()
    messages.add("SKIP", page.locator(".stage").inner_text())
    for _ in range(3):  # without seeing them
        decided.append(painted(page))
        page.keyboard.press("x")
        page.wait_for_selector(f".stage[data-painted]:not([data-painted='{decided[-1]}'])")
    saved(page)
    assert storage.silent
    shown = painted(page)
    storage.silent = False
    page.wait_for_selector(".stage[data-painted] img")
    assert painted(page) == shown  # the same example, now with its picture
    with curation.open_store(curation.load(address)) as store:
        assert [entry.example_id for entry in store.log()] == decided
    context.close()
    log = server.log.read_text()
    assert "Traceback" not in log and "tests-secret" not in log
