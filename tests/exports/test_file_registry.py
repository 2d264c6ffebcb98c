"""One list of files: what is written, what the manifest names and what the words promise."""

from __future__ import annotations

import re

from curation.exports import file_registry
from curation.exports.file_registry import (
    CLEANED_LABELS,
    FILES,
    ExportFile,
    describe_files,
    list_files,
)


def test_every_file_of_the_list_is_written_and_no_other(small):
    files = list_files(small.plan())
    assert {f.name for f in FILES} - {f.name for f in files} == {"pictures.zip"}  # on request
    listed = {"cleaned_labels.csv" if f.name == CLEANED_LABELS else f.name for f in files}
    exported = small.export()
    assert {path.name for path in exported.folder.iterdir()} == set(exported.files) == listed
    assert {*small.manifest["files"], "manifest.json"} == listed


def test_a_new_file_may_stand_anywhere_in_the_list(small, monkeypatch):
    new = ExportFile("ids.txt", "every id", lambda plan: iter([b"e0\n"]))
    monkeypatch.setattr(file_registry, "FILES", (*FILES, new))
    small.export()
    assert (small.out / "ids.txt").read_bytes() == b"e0\n"
    assert small.manifest["files"]["ids.txt"]["bytes"] == 3


def test_the_table_of_files_names_each_one_and_keeps_bars_inside_their_cells():
    lines = describe_files().splitlines()[2:]
    assert len(lines) == len(FILES)
    assert all(len(re.split(r"(?<!\\)[|]", line)) == 4 for line in lines)


def test_no_name_is_used_twice_and_each_file_says_what_it_holds():
    assert len({file.name for file in FILES}) == len(FILES)
    assert all(file.holds for file in FILES)
