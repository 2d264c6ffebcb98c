"""A dataset in object storage on the pages: opened by its address, waiting if it is silent."""

from __future__ import annotations

import uuid

import numpy as np
import pytest

from curation.storage import mirror, storage_health
from curation.ui.shell import storage_consent
from curation.ui.shell.recent_datasets import list_recent
from tests import small_set
from tests.pages.visiting import link, run, seen


@pytest.fixture
def address(storage, tmp_path):
    rng = np.random.default_rng(1)
    folder = small_set.write_images(tmp_path / "set", 60, 12, size=8, rng=rng)
    return storage.put_folder(folder, f"b{uuid.uuid4().hex[:12]}", "set")


def test_the_field_opens_an_address_which_is_then_among_the_recent_ones(storage, address, tmp_path):
    app = run("/nowhere")
    app.text_input(key="path-to-open").set_value(f"{address}/")
    next(each for each in app.button if each.label == "Open this path").click().run()
    words = seen(app).replace("\\", "")
    assert "60 images" in words
    assert link(app)["data"] == f"{address}/"
    assert "Decisions are kept on this machine." in words
    told = next(each for each in app.sidebar.caption if "kept on this machine" in each.value)
    assert f"{address} is only read. Decisions: {tmp_path}" in told.help.replace("\\", "")
    assert list_recent() == [address]
    assert "recent-" + address in [each.key for each in run("/nowhere").button]


def test_a_link_to_storage_that_nobody_opened_says_what_to_do(storage, address):
    app = run(address)
    assert "a link cannot choose which storage is read" in seen(app)
    assert storage.asked == [] and not app.exception
    app.text_input(key="path-to-open").set_value(address)
    next(each for each in app.button if each.label == "Open this path").click().run()
    assert "60 images" in seen(app)


def test_a_bucket_that_denies_access_is_said_on_the_page(storage, address):
    storage_consent.note_typed(address)
    storage.denies = "/"
    app = run(address)
    assert "does not let you read" in seen(app)
    assert "Check the credentials in the environment" in seen(app) and not app.exception


@pytest.mark.fault(64, "SKIP", says="waiting for storage. It does not answer, and is asked again")
def test_pages_are_shown_while_storage_is_silent(storage, address, monkeypatch):
    monkeypatch.setattr(mirror, "PICTURE_SECONDS", 0.5)
    monkeypatch.setattr(storage_health, "FIRST_PAUSE", 600.0)
    storage_consent.note_typed(address)
    app = run(address, "pages/4_Export.py")  # shows no picture
    assert "60 images" in seen(app)
    storage.silent = True
    app = run(address)
    assert "waiting for storage" in seen(app)
    assert "The twelve most suspect labels" in seen(app) and not app.exception
