"""`curate check` says what was understood and what is wrong, and exits 0 or 2."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from curation.cli import CLOSED_PIPE, main

RUN = "import sys; from curation.cli import main; sys.exit(main())"


@pytest.fixture
def data(tmp_path):
    labels = np.arange(30) % 3
    probs = np.random.default_rng(0).dirichlet([1, 1, 1], 30) * 0.4
    probs[np.arange(30), labels] += 0.6
    np.save(tmp_path / "probs.npy", probs)
    rows = "".join(f"e{row},{'abc'[k]}\n" for row, k in enumerate(labels))
    (tmp_path / "labels.csv").write_text("id,label\n" + rows)
    return tmp_path


def test_good_data_exits_with_0_and_prints_the_settings(data, capsys):
    assert main(["check", str(data)]) == 0
    said = capsys.readouterr().out
    assert "labels         labels.csv" in said
    assert "checks passed." in said
    assert "This dataset can be opened." in said


def test_bad_data_exits_with_2_and_says_what_where_why_and_how_to_fix_it(data, capsys):
    probs = np.load(data / "probs.npy")
    probs[3, 0] = np.nan
    np.save(data / "probs.npy", probs)
    assert main(["check", str(data)]) == 2
    said = capsys.readouterr().out
    assert "BLOCK probs.npy: 1 of 30 rows holds NaN." in said
    assert "first: e3" in said
    assert "why:" in said and "fix:" in said
    assert main(["check", str(data), "--drop-rows"]) == 0


def test_json_is_the_report(data, capsys):
    assert main(["check", str(data), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["blocked"] is False
    assert report["understood"]["labels"] == "labels.csv"
    assert main(["check", str(data / "no"), "--json"]) == 2
    report = json.loads(capsys.readouterr().out)
    assert report["diagnoses"][0]["code"] == "path.missing"


def test_every_override_is_a_flag(data, capsys):
    (data / "labels.csv").rename(data / "x.csv")
    flags = ["--labels", "x.csv", "--probs", "probs.npy", "--classes", "a", "b", "c"]
    flags += ["--class-order", "b", "a", "c", "--label-column", "label", "--memory-limit-gb", "2"]
    assert main(["check", str(data), *flags]) == 0
    assert "class_order    ['b', 'a', 'c']" in capsys.readouterr().out


def test_features_are_named_as_in_the_shell_or_relative_to_the_dataset(
    data, capsys, tmp_path_factory, monkeypatch
):
    here = tmp_path_factory.mktemp("here")
    monkeypatch.chdir(here)
    np.save(here / "clip.npy", np.ones((30, 2)))
    assert main(["check", str(data), "--features", "clip.npy"]) == 0
    assert f"features       {here / 'clip.npy'}" in capsys.readouterr().out
    (here / "clip.npy").rename(data / "clip.npy")
    assert main(["check", str(data), "--features", "clip.npy"]) == 0
    assert "features       clip.npy" in capsys.readouterr().out


def test_manifest_is_written_and_read(data, capsys):
    assert main(["check", str(data), "--write-manifest"]) == 0
    assert 'labels = "labels.csv"' in (data / "curation.toml").read_text()
    assert main(["check", str(data / "curation.toml")]) == 0


def test_manifest_with_other_settings_is_never_written_over(data, capsys):
    mine = b'# mine\nlabels = "labels.csv"\r\n'
    (data / "curation.toml").write_bytes(mine)
    for path in (data, data / "labels.csv", data / "curation.toml"):
        assert main(["check", str(path), "--write-manifest"]) == 2
        said = capsys.readouterr()
        assert "Saved" not in said.out
        assert "curation.toml already exists with other settings" in said.err
        assert f"Rename or delete {(data / 'curation.toml').resolve()}" in said.err
        assert (data / "curation.toml").read_bytes() == mine


def test_manifest_with_equal_settings_is_left_alone_and_reported_as_saved(data, capsys):
    assert main(["check", str(data), "--write-manifest"]) == 0
    before = (data / "curation.toml").stat()
    assert main(["check", str(data), "--write-manifest"]) == 0
    assert "Saved as curation.toml." in capsys.readouterr().out
    assert (data / "curation.toml").stat().st_mtime_ns == before.st_mtime_ns


def test_control_characters_do_not_reach_the_terminal(data, capsys):
    (data / "labels.csv").write_text("id,label\n" + "x,\x1b[31mred\n" + "y,b\n" * 29)
    assert main(["check", str(data)]) == 2
    assert "\x1b" not in capsys.readouterr().out


def test_manifest_that_cannot_be_written_is_reported(data, capsys):
    (data / "curation.toml").mkdir()
    assert main(["check", str(data / "labels.csv"), "--write-manifest"]) == 2
    assert "curation.toml cannot be written" in capsys.readouterr().err


def test_rows_are_reported_as_counted_from_0(data, capsys):
    (data / "labels.csv").write_text("label\n" + "a\nb\nc\n" * 9 + "a\nb\n\n")
    assert main(["check", str(data)]) == 0
    said = capsys.readouterr().out
    assert "first: row 29" in said
    assert "Rows are counted from 0, without the header." in said


def test_offered_fix_is_printed_as_the_flag_that_applies_it(tmp_path, capsys):
    logits = np.random.default_rng(0).normal(0, 5, (40, 2))
    np.save(tmp_path / "probs.npy", logits)
    labels = "".join(f"{'ab'[k % 2]}\n" for k in range(40))
    (tmp_path / "labels.csv").write_text("label\n" + labels)
    assert main(["check", str(tmp_path)]) == 2
    assert "flag:  --convert softmax" in capsys.readouterr().out
    assert main(["check", str(tmp_path), "--convert", "softmax"]) == 0


def test_report_that_nobody_reads_to_the_end_ends_quietly(data):
    rows = "".join(f"e{row},{'abc'[row % 3]}\n" for row in range(30))
    (data / "labels.csv").write_text("id,label\n" + rows)
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-c", RUN, "check", str(data)]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (CLOSED_PIPE, b"")


def test_every_candidate_is_printed_with_its_flag_and_every_file_with_its_columns(data, capsys):
    (data / "probs.npy").rename(data / "a.npy")
    np.save(data / "b.npy", np.load(data / "a.npy"))
    assert main(["check", str(data)]) == 2
    said = capsys.readouterr().out
    assert "flag:  --probs a.npy\n      or:    --probs b.npy\n" in said
    assert "Found\n  a.npy (30 x 3)\n  b.npy (30 x 3)\n  labels.csv (id, label)\n" in said
    assert main(["export", str(data), "--out", str(data / "out")]) == 2
    assert "Found: a.npy (30 x 3), b.npy (30 x 3), labels.csv" in capsys.readouterr().err
