"""An export is whole or not there; nothing that is not ours is ever replaced."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import random
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from curation.errors import InputError
from curation.exports import atomic_folder as folder_module
from curation.exports.atomic_folder import replacing, swap_folders
from curation.exports.run import export_log
from curation.review.outcome_settings import OutcomeSettings
from tests.repetitions import repeat

KILLS = repeat(15, 200)
# Loads once, then starts a writer for each line it is sent: a program that starts from nothing
# spends seconds on its imports, and would be killed there. A writer exports in two ways in turn,
# and is killed when it has made a given share of the function calls of three exports.
SCRIPT = """
import os, signal, sys, curation
from curation.exports import replay_log

dataset = curation.load(sys.argv[1])
calls = limit = 0

def count(frame, event, argument):
    global calls
    calls += 1
    if calls == limit:
        os.kill(os.getpid(), signal.SIGKILL)

def export(excluded):
    sys.setprofile(count)
    replay_log(sys.argv[2], dataset, sys.argv[3], excluded=excluded)
    sys.setprofile(None)

export("drop")
each, calls = calls, 0
for line in sys.stdin:
    limit = 1 + int(float(line) * 3 * each)
    writer = os.fork()
    while writer == 0:
        export("flag")
        export("drop")
    os.waitpid(writer, 0)
    print("killed", flush=True)
"""


def is_whole(folder: Path) -> bool:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    found = {each.name for each in folder.iterdir()} - {"manifest.json"}
    hashes = {n: hashlib.sha256((folder / n).read_bytes()).hexdigest() for n in found}
    return hashes == {name: each["sha256"] for name, each in manifest["files"].items()}


@pytest.mark.fault(78, "HOLDS")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
def test_a_kill_at_any_moment_leaves_the_old_export_or_the_new(small, tmp_path):
    small.decide(1, "exclude").export()
    audit = small.out / "audit.jsonl"
    log = tmp_path / "audit.jsonl"
    log.write_bytes(audit.read_bytes())
    rng, seen = random.Random(0), set()
    command = [sys.executable, "-c", SCRIPT, str(small.root), str(log), str(small.out)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, **pipes) as process:
        for kill in range(KILLS):
            process.stdin.write(f"{(kill + rng.random()) / KILLS}\n")
            process.stdin.flush()
            assert process.stdout.readline() == "killed\n"
            assert is_whole(small.out)
            seen.add((small.out / "cleaned_labels.csv").read_bytes())
    assert len(seen) == 2  # both exports were found: the kills fell on both sides of a change
    small.export()
    assert is_whole(small.out)
    assert [each.name for each in tmp_path.iterdir() if each.name.startswith(".")] == []


def test_progress_names_each_file_and_only_grows_and_stopping_leaves_nothing(small, tmp_path):
    said = []
    dataset = small.dataset
    exported = export_log(
        dataset, [], tmp_path / "out", OutcomeSettings(), progress=lambda *each: said.append(each)
    )
    stages, shares = zip(*said, strict=True)
    assert [f"Writing {name}" for name in exported.files if name != "manifest.json"] == [*stages]
    assert shares[0] == 0 and all(a < b < 1 for a, b in pairwise(shares))

    def stop(stage, share):
        if share > 0.5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        export_log(dataset, [], tmp_path / "stopped", OutcomeSettings(), progress=stop)
    assert not list(tmp_path.glob("*stopped*"))


def test_two_folders_are_swapped(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "who").write_text(name)
    if swap_folders(tmp_path / "a", tmp_path / "b"):
        assert (tmp_path / "a" / "who").read_text() == "b"


def test_without_a_swap_the_old_export_is_moved_aside(small, monkeypatch):
    small.export()
    monkeypatch.setattr(folder_module, "swap_folders", lambda one, two: False)
    small.decide(1, "exclude").export()
    assert is_whole(small.out) and b"e1" not in (small.out / "cleaned_labels.csv").read_bytes()
    assert not list(small.out.parent.glob(".out*"))


def test_an_export_that_was_moved_aside_by_a_killed_one_is_put_back(small, monkeypatch):
    small.export()
    before = (small.out / "manifest.json").read_bytes()
    os.rename(small.out, small.out.with_name(".out.old-abc"))
    with pytest.raises(RuntimeError), replacing(small.out, [], small.root):
        raise RuntimeError("stopped right after the start")
    assert (small.out / "manifest.json").read_bytes() == before


@pytest.mark.fault(
    73,
    "BLOCK",
    says="NOT exported: the disk is full, or a quota is reached (… MB are free). The earlier "
    "export is unchanged. Free some space, or choose another folder, then export again.",
)
def test_a_full_disk_leaves_the_old_export_and_says_so(small, monkeypatch):
    small.export()
    before = (small.out / "manifest.json").read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    small.decide(1, "exclude")
    with monkeypatch.context() as patched:
        patched.setattr(folder_module.os, "fsync", full)
        with pytest.raises(
            InputError, match="NOT exported: the disk is full.*MB are free.*unchanged"
        ):
            small.export()
    assert (small.out / "manifest.json").read_bytes() == before and is_whole(small.out)
    assert not list(small.out.parent.glob(".out*"))
    small.export()
    assert (small.out / "manifest.json").read_bytes() != before


@pytest.mark.fault(
    73,
    "BLOCK",
    says="NOT exported: the disk is full, or a quota is reached",
)
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
def test_a_limit_on_the_size_of_files_is_a_full_disk(small):
    import resource

    small.export()
    before = (small.out / "manifest.json").read_bytes()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
    try:
        with pytest.raises(InputError, match="the disk is full, or a quota is reached"):
            small.decide(1, "exclude").export()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert (small.out / "manifest.json").read_bytes() == before


@pytest.mark.fault(
    78,
    "BLOCK",
    says="… exists and holds files that no export wrote: thesis.txt. Choose a folder that "
    "does not exist yet. Nothing was changed.",
)
def test_a_folder_of_other_files_is_refused_and_untouched(small):
    small.out.mkdir()
    (small.out / "thesis.txt").write_text("years of work")
    with pytest.raises(InputError, match="no export wrote: thesis.txt"):
        small.export()
    assert [each.name for each in small.out.iterdir()] == ["thesis.txt"]


def test_an_export_to_which_a_file_was_added_is_not_replaced(small):
    small.export()
    (small.out / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match="no export wrote: notes.txt"):
        small.export()


@pytest.mark.parametrize(
    "place",
    [
        "..",
        pytest.param(
            ".",
            marks=pytest.mark.fault(
                78, "BLOCK", says="The export would replace …, which holds the dataset itself."
            ),
        ),
        "labels.csv",
        "images",
    ],
)
def test_an_input_is_never_replaced(small, place):
    (small.root / "images").mkdir()
    (small.root / "images" / "1.png").write_bytes(b"x")
    before = {p: p.read_bytes() for p in small.root.rglob("*") if p.is_file()}
    small.dataset  # noqa: B018 - loaded before the place is tried
    small.out = (small.root / place).resolve()
    with pytest.raises(InputError, match="dataset itself|is a file|no export wrote"):
        small.export()
    assert {p: p.read_bytes() for p in before} == before


def test_a_folder_inside_the_dataset_leaves_the_inputs_and_loads_again(small):
    small.out = small.root / "cleaned"
    before = {p.name: p.read_bytes() for p in small.root.iterdir() if p.is_file()}
    fingerprint = small.dataset.fingerprint
    small.export()
    small.close()
    assert {p.name: p.read_bytes() for p in small.root.iterdir() if p.is_file()} == before
    assert small.dataset.fingerprint == fingerprint


@pytest.mark.fault(
    74,
    "BLOCK",
    says="NOT exported: … cannot be written: … is read-only. Choose another folder that you can "
    "write to.",
)
def test_a_place_that_cannot_be_written_is_refused_before_anything_is_computed(small, monkeypatch):
    monkeypatch.setattr("curation.exports.destination.writable", lambda path: False)
    monkeypatch.setattr(
        "curation.exports.run.analyze_dataset", lambda *a, **k: pytest.fail("computed")
    )
    with pytest.raises(InputError, match="NOT exported: .* cannot be written: .*read-only"):
        small.export()
    assert not small.out.exists()


def test_an_empty_folder_and_a_link_to_one_are_filled(small):
    small.out.mkdir()
    small.export()
    assert is_whole(small.out)
    link = small.out.with_name("link")
    link.symlink_to(small.out)
    small.out = link
    small.decide(1, "exclude").export()
    assert link.is_symlink() and is_whole(link)
