"""What a person reads when something is wrong: of the right thing, once, and of the right row."""

import os
import socket

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import curation
from curation.loading.labels import Cells
from tests.loading.test_labels import refused


def only(folder, code, **overrides):
    """Return the one diagnosis of a code."""
    [found] = [each for each in curation.check(folder.root, **overrides).diagnoses
               if each.code == code]  # fmt: skip
    return found


def test_labels_said_to_be_indices_that_are_names_are_told_so(whole):
    found = only(whole, "labels.style", labels_are="index")
    assert "labels_are='index' was said, but 'cat', 'dog', 'eel' are no indices" in found.what
    assert found.what.endswith("all labels are class names.")
    assert found.fix == "Pass labels_are='name', or leave it out."
    assert (found.count, found.first_rows[0]) == (30, "row 0")
    assert not curation.check(whole.root, **found.override).blocked


def test_ids_and_names_mixed_are_not_said_to_be_a_shared_name():
    found = refused(["n1", "dog", "n1"], ["cat", "dog"], ids=["n1", "n2"])
    assert found.what == "some labels are class ids and others are class names."


def test_unknown_labels_are_counted_and_placed_by_row():
    found = refused(["cat", "ox", "dog", "ox"], ["cat", "dog"])
    assert (found.count, found.first_rows) == (2, ("row 1", "row 3"))
    found = refused(["0", "7", "1", "7"], num_columns=2)
    assert (found.code, found.count, found.first_rows) == ("labels.outside", 2, ("row 1", "row 3"))
    found = refused(["0", "1.5", "1"], num_columns=2)
    assert (found.code, found.count, found.first_rows) == ("labels.fraction", 1, ("row 1",))


def test_rows_of_missing_cells_are_no_rows_of_a_text():
    cells = Cells(pa.chunked_array([["a", None, "b", "a"]]), "text", "x")
    assert cells.rows_of(["a"]).tolist() == [0, 3]
    assert cells.rows_of([]).tolist() == []


def test_refused_part_is_named_once(whole):
    found = only(whole, "part.refused", probs="../out.npy")
    assert (found.where, found.what) == ("../out.npy", "outside the data root.")


@pytest.mark.parametrize("place", [0, 3])
def test_missing_list_of_probabilities_is_told_of_its_own_row(whole, place):
    lists = whole.probs.tolist()
    lists[place] = None
    pq.write_table(pa.table({"probs": lists}), whole.root / "probs.parquet")
    (whole.root / "probs.npy").unlink()
    found = only(whole, "probs.nan")
    assert found.what == "1 of 30 rows holds NaN."
    assert found.first_rows == (f"e{place}",)
    assert len(whole.load(drop_rows=True)) == 29


def test_short_first_list_is_blamed_and_not_all_the_others(whole):
    lists = [[1.0], *whole.probs[1:].tolist()]
    pq.write_table(pa.table({"probs": lists}), whole.root / "x.parquet")
    found = only(whole, "probs.ragged", probs="x.parquet")
    assert (found.count, found.first_rows) == (1, ("row 0",))


def test_word_among_the_numbers_is_counted_in_its_column(whole):
    rows = ["0.2,0.3,0.5"] * 28 + ["0.2,x,0.5", "0.2,y,0.5"]
    whole.write("probs.csv", "cat,dog,eel\n" + "\n".join(rows) + "\n")
    found = only(whole, "probs.not_a_number", probs="probs.csv")
    assert (found.count, found.first_rows) == (2, ("row 28", "row 29"))


def test_pipes_sockets_and_devices_are_called_what_they_are_without_waiting(whole, tmp_path):
    os.mkfifo(whole.root / "pipe.csv")
    os.mkfifo(tmp_path / "pipe")
    found = only(whole, "part.missing", labels="pipe.csv")
    assert found.what == "it is a named pipe (FIFO), not a file."
    [found] = curation.check(tmp_path / "pipe").diagnoses
    assert (found.code, found.what) == ("path.missing", "it is a named pipe (FIFO), not a file.")
    assert "a device, not a file" in curation.check("/dev/zero").diagnoses[0].what
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "s"))
        assert "a socket, not a file" in curation.check(tmp_path / "s").diagnoses[0].what
    (whole.root / "more").mkdir()
    assert "a folder, not a file" in only(whole, "part.missing", probs="more").what
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    assert "a link that leads nowhere" in curation.check(tmp_path / "link").diagnoses[0].what


def test_pipe_beside_the_files_does_not_matter(whole):
    os.mkfifo(whole.root / "probabilities.npy")
    assert len(whole.load()) == 30


def test_pipe_in_the_place_of_the_manifest_is_told(whole):
    os.mkfifo(whole.root / "curation.toml")
    assert "named pipe" in only(whole, "part.missing").what


def test_part_without_a_name_is_refused_in_words(whole):
    assert only(whole, "part.refused", probs=" ").what == "missing (no file is named)."


def test_extra_ids_are_named(whole):
    header = "id,cat,dog,eel\n"
    rows = [f"e{k},{a:.4f},{b:.4f},{1 - round(a, 4) - round(b, 4):.4f}\n"
            for k, (a, b, _) in enumerate(whole.probs.astype(np.float64))]  # fmt: skip
    whole.write("probs.csv", header + "".join(rows) + "zz,0.1,0.2,0.7\n")
    found = only(whole, "probs.extra_ids", probs="probs.csv")
    assert (found.count, found.first_rows) == (1, ("zz",))
    assert found.why
