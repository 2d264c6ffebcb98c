"""`curate` on a dataset in object storage: what it opens, prints, refuses and backs up."""

from __future__ import annotations

import json
import uuid

import numpy as np
import pytest

import curation
from curation.cli import main
from curation.cli import open as open_command
from tests import small_set
from tests.object_storage import KEY, SECRET


@pytest.fixture
def address(storage, tmp_path):
    rng = np.random.default_rng(1)
    folder = small_set.write_texts(tmp_path / "set", 30, 6, rng=rng)
    return storage.put_folder(folder, f"b{uuid.uuid4().hex[:12]}", "set")


def test_an_address_is_passed_on_to_the_dashboard_as_it_is():
    assert open_command._find_data("s3://bucket/set/") == "s3://bucket/set"


def test_other_addresses_are_refused_before_the_dashboard_starts(capsys):
    assert main(["http://169.254.169.254/set", "--no-browser"]) == 2
    assert "http:// addresses are not read." in capsys.readouterr().err


def test_check_understands_a_dataset_in_storage_and_prints_no_credentials(address, capsys):
    assert main(["check", address, "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["understood"]["examples"] == 30
    assert KEY not in printed.out + printed.err and SECRET not in printed.out + printed.err


def test_settings_are_not_written_to_storage(address, capsys):
    assert main(["check", address, "--write-manifest"]) == 2
    assert f"curation.toml was not saved: {address} is only read." in capsys.readouterr().err


def test_decisions_are_backed_up_by_the_address_even_without_the_cache(
    address, tmp_path, monkeypatch, capsys
):
    with curation.open_store(curation.load(address)) as store:
        store.decide("t00001", "exclude", curator="ana")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another cache"))
    assert main(["backup", address, "--out", str(tmp_path / "copy.db")]) == 0
    assert "1 log entries, checked." in capsys.readouterr().out
