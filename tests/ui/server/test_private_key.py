"""The key that signs cookies and tickets: kept for this user, and read by nobody else."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor

import pytest

from curation.ui.server import private_key
from curation.ui.server.private_key import LENGTH, read_or_make_key


@pytest.fixture
def path(tmp_path):
    return tmp_path / "new" / "server.key"


@pytest.mark.fault(62, "HOLDS")
def test_the_key_is_kept_in_a_file_that_only_its_user_can_open(path):
    key = read_or_make_key(path)
    assert len(key) == LENGTH and read_or_make_key(path) == key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["server.key"]


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_that_others_could_have_read_is_replaced(path, mode):
    key = read_or_make_key(path)
    path.chmod(mode)
    assert read_or_make_key(path) != key
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_or_a_cut_off_file_is_not_taken_for_a_key(path, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_bytes(b"x" * LENGTH)
    path.parent.mkdir()
    path.symlink_to(elsewhere)
    assert read_or_make_key(path) != b"x" * LENGTH
    assert not path.is_symlink() and elsewhere.read_bytes() == b"x" * LENGTH
    path.write_bytes(b"short")
    assert len(read_or_make_key(path)) == LENGTH


def test_servers_that_start_at_once_share_one_key(path):
    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(lambda _: read_or_make_key(path), range(8)))) == 1


def test_a_signature_holds_for_its_purpose_and_text_only(monkeypatch):
    monkeypatch.setattr(private_key, "find_key", lambda: b"k" * LENGTH)
    signature = private_key.sign("cookie", "text")
    assert private_key.is_signed("cookie", "text", signature)
    assert not private_key.is_signed("ticket", "text", signature)
    assert not private_key.is_signed("cookie", "texts", signature)
    assert not private_key.is_signed("cookie", "text", signature[:-1])
    assert not private_key.is_signed("cookie", "text", "é☃")


def test_signatures_are_compared_in_constant_time(monkeypatch):
    compared = []

    def compare(one, two):
        compared.append((one, two))
        return False

    monkeypatch.setattr(private_key.hmac, "compare_digest", compare)
    assert not private_key.is_signed("cookie", "text", private_key.sign("cookie", "text"))
    assert len(compared) == 1
