"""The fingerprint stays when the folder moves, and changes when anything else does."""

import os
import shutil

import numpy as np
import pytest
from PIL import Image

import curation
from curation import fingerprint

# As version 0.1.0 computed them.
IMAGES = "79e7d3631c90132318d741fa28fe0fff10da454a901118d1187ba7a90200ed50"
TEXTS = "5cf946eaa1f8013665026803dd4b41805dbafeb46cd1120e65259d26e1ac9d50"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(fingerprint, "STILL_WARM_NS", -1)


@pytest.fixture
def pictures(whole):
    cells = "".join(f"e{i},{i}.png,{k}\n" for i, k in enumerate(whole.labels))
    whole.write("labels.csv", "id,image,label\n" + cells)
    whole.write("classes.txt", "cat\ndog\neel\n")
    for i in range(30):
        Image.new("RGB", (4, 4), (i, 0, 0)).save(whole.root / f"{i}.png")
    return whole


def changed(before, folder, **overrides):
    after = curation.load(folder.root, **overrides)
    assert (after.fingerprint != before.fingerprint) == (
        after.fingerprint_parts != before.fingerprint_parts
    )
    return {
        part
        for part, value in after.fingerprint_parts.items()
        if value != before.fingerprint_parts[part]
    }


def test_moving_the_folder_changes_nothing(pictures, tmp_path):
    before = pictures.load()
    assert len(before.fingerprint) == 64
    shutil.move(pictures.root, tmp_path / "elsewhere")
    assert curation.load(tmp_path / "elsewhere").fingerprint == before.fingerprint
    shutil.copytree(tmp_path / "elsewhere", tmp_path / "copy")
    assert curation.load(tmp_path / "copy").fingerprint == before.fingerprint


@pytest.mark.fault(77, "HOLDS")
def test_each_part_has_its_own_hash(pictures):
    before = pictures.load()
    assert before.fingerprint
    table = pictures.root / "labels.csv"
    text = table.read_text()
    table.write_text(text.replace("e3,3.png,0", "e3,3.png,1"))
    assert changed(before, pictures) == {"labels"}
    table.write_text(text.replace("e3,", "e003,"))
    assert changed(before, pictures) == {"ids"}
    table.write_text(text)
    pictures.write("classes.txt", "cat\ndog\nEel\n")
    assert changed(before, pictures) == {"classes"}
    pictures.write("classes.txt", "cat\ndog\neel\n")
    Image.new("RGB", (4, 4), (255, 0, 0)).save(pictures.root / "5.png")
    assert changed(before, pictures) == {"content"}
    Image.new("RGB", (4, 4), (5, 0, 0)).save(pictures.root / "5.png")
    assert changed(before, pictures) == set()
    probs = pictures.probs.copy()
    probs[7, :2] += [1e-5, -1e-5]
    pictures.save("probs.npy", probs)
    assert changed(before, pictures) == {"probabilities"}


def test_order_of_rows_counts(pictures):
    before = pictures.load()
    lines = (pictures.root / "labels.csv").read_text().splitlines()
    lines[1], lines[4] = lines[4], lines[1]
    pictures.write("labels.csv", "\n".join(lines) + "\n")
    assert changed(before, pictures) == {"ids", "content"}


def test_what_is_done_to_the_probabilities_counts(whole):
    before = whole.load()
    assert changed(before, whole, class_order=[0, 2, 1]) == {"probabilities"}
    assert changed(before, whole, convert="rescale") == {"probabilities"}


def test_texts_count_to_the_last_letter_and_border(whole):
    def write(first, second):
        cells = [f"text {i},{k}" for i, k in enumerate(whole.labels)]
        cells[:2] = [f"{first},0", f"{second},1"]
        whole.write("labels.csv", "text,label\n" + "\n".join(cells) + "\n")

    write("ab", "c")
    before = whole.load()
    assert before.kind == "text" and before.fingerprint
    write("a", "bc")
    assert changed(before, whole) == {"content"}


def test_missing_picture_changes_the_fingerprint(pictures):
    before = pictures.load()
    assert before.fingerprint
    (pictures.root / "9.png").unlink()
    assert changed(before, pictures) == {"content"}


def test_untouched_files_are_not_read_again(pictures, monkeypatch):
    before = pictures.load().fingerprint
    assert (pictures.root / ".curation" / "hashes.json").exists()

    def refuse(*_):
        raise AssertionError("read again")

    monkeypatch.setattr(fingerprint, "hash_stream", refuse)
    assert pictures.load().fingerprint == before


def test_file_written_just_now_is_read_again_the_next_time(pictures, monkeypatch):
    monkeypatch.setattr(fingerprint, "STILL_WARM_NS", 10**12)
    assert pictures.load().fingerprint
    assert not (pictures.root / ".curation").exists()


def test_same_size_and_time_do_not_deceive(pictures):
    before = pictures.load()
    assert before.fingerprint
    path = pictures.root / "5.png"
    times = path.stat()
    raw = bytearray(path.read_bytes())
    raw[-20] ^= 1
    path.write_bytes(raw)
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert changed(before, pictures) == {"content"}


@pytest.mark.parametrize("junk", [b"", b"{", b"[]", b'{"version": 1, "files": {"5.png": 3}}'])
def test_broken_cache_is_ignored(pictures, junk):
    before = pictures.load().fingerprint
    (pictures.root / ".curation" / "hashes.json").write_bytes(junk)
    assert pictures.load().fingerprint == before


def test_cache_is_kept_elsewhere_if_the_folder_cannot_be_written(pictures, tmp_path):
    (pictures.root / ".curation").write_text("a file where the folder would be")
    before = pictures.load().fingerprint
    assert list((tmp_path / "cache" / "curation").iterdir())
    assert pictures.load().fingerprint == before


def test_large_files_are_hashed_in_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(fingerprint, "PIECE_BYTES", 1000)
    monkeypatch.setattr(fingerprint, "READ_BYTES", 300)
    raw = np.random.default_rng(0).bytes(5500)
    seen = set()
    for place in (None, 0, 999, 1000, 5499):
        changed = bytearray(raw)
        if place is not None:
            changed[place] ^= 1
        (tmp_path / "a").write_bytes(changed)
        with (tmp_path / "a").open("rb") as file:
            seen.add(fingerprint.hash_stream(file, 5500))
    assert len(seen) == 5


def test_pictures_with_windows_paths_count(pictures):
    (pictures.root / "deep").mkdir()
    (pictures.root / "3.png").rename(pictures.root / "deep" / "3.png")
    text = (pictures.root / "labels.csv").read_text()
    pictures.write("labels.csv", text.replace(",3.png", ",deep\\3.png"))
    before = pictures.load()
    assert before.fingerprint
    Image.new("RGB", (4, 4), (99, 0, 0)).save(pictures.root / "deep" / "3.png")
    assert changed(before, pictures) == {"content"}


def test_names_that_lead_outside_are_never_read(pictures):
    Image.new("RGB", (4, 4)).save(pictures.root.parent / "secret.png")
    text = (pictures.root / "labels.csv").read_text()
    pictures.write("labels.csv", text.replace(",3.png", ",../secret.png"))
    before = pictures.load()
    assert before.fingerprint
    Image.new("RGB", (4, 4), (9, 9, 9)).save(pictures.root.parent / "secret.png")
    assert changed(before, pictures) == set()


def test_fingerprints_are_those_of_earlier_versions(folder):
    """Decisions are stored with the fingerprint, so its values must never change."""
    labels, probs = np.arange(4) % 2, np.array([[0.75, 0.25], [0.25, 0.75]] * 2)
    pixels = np.arange(4 * 2 * 2 * 3, dtype=np.uint8).reshape(4, 2, 2, 3)
    np.savez(folder.root / "data.npz", labels=labels, pred_probs=probs, images=pixels)
    assert folder.load().fingerprint == IMAGES
    (folder.root / "data.npz").unlink()
    cells = "".join(f"e{i},{'ab'[k]},t\u00ebxt {i},{1 - k},{k}\n" for i, k in enumerate(labels))
    folder.write("labels.csv", "id,label,text,p_a,p_b\n" + cells)
    assert folder.load(convert="rescale").fingerprint == TEXTS
