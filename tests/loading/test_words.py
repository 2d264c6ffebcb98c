"""What a person reads when something is wrong: of the right thing, once, and of the right row."""

import os
import socket

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import curation
from curation.loading.labels.label_cells import Cells
from tests.loading.labels.reading import refused


def only(folder, code, **overrides):
    """Return the one diagnosis of a code."""
    [found] = [each for each in curation.check(folder.root, **overrides).diagnoses
               if each.code == code]  # fmt: skip
    return found


def test_names_declared_to_be_indices_are_refused(whole):
    found = only(whole, "labels.style", labels_are="index")
    assert "labels_are is 'index', but 'cat', 'dog', 'eel' are not indices" in found.what
    assert found.what.endswith("all labels are class names.")
    assert found.fix == "Pass labels_are='name', or leave it out."
    assert (found.count, found.first_rows[0]) == (30, "row 0")
    assert not curation.check(whole.root, **found.override).blocked


def test_mixed_ids_and_names_are_not_reported_as_a_shared_name():
    found = refused(["n1", "dog", "n1"], ["cat", "dog"], ids=["n1", "n2"])
    assert found.what == "some labels are class ids and others are class names."


def test_unknown_labels_are_counted_and_placed_by_row():
    found = refused(["cat", "ox", "dog", "ox"], ["cat", "dog"])
    assert (found.count, found.first_rows) == (2, ("row 1", "row 3"))
    found = refused(["0", "7", "1", "7"], num_columns=2)
    assert (found.code, found.count, found.first_rows) == ("labels.outside", 2, ("row 1", "row 3"))
    found = refused(["0", "1.5", "1"], num_columns=2)
    assert (found.code, found.count, found.first_rows) == ("labels.fraction", 1, ("row 1",))


def test_missing_cells_do_not_match_a_text():
    cells = Cells(pa.chunked_array([["a", None, "b", "a"]]), "text", "x")
    assert cells.rows_of(["a"]).tolist() == [0, 3]
    assert cells.rows_of([]).tolist() == []


def test_refused_part_is_named_once(whole):
    found = only(whole, "part.refused", probs="../out.npy")
    assert (found.where, found.what) == ("../out.npy", "outside the dataset's folder.")


@pytest.mark.parametrize("place", [0, 3])
def test_missing_list_of_probabilities_is_reported_for_its_own_row(whole, place):
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


def test_pipes_sockets_and_devices_are_named_without_waiting(whole, tmp_path):
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
    assert "a broken link" in curation.check(tmp_path / "link").diagnoses[0].what


def test_pipe_next_to_the_files_does_not_matter(whole):
    os.mkfifo(whole.root / "probabilities.npy")
    assert len(whole.load()) == 30


def test_pipe_in_place_of_the_manifest_is_reported(whole):
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


@pytest.mark.parametrize("convert", ["softmax", "percent"])
def test_conversion_of_probabilities_gives_a_warning(whole, convert):
    found = only(whole, "probs.conversion", convert=convert)
    assert found.severity == "WARN"
    assert found.what == f"convert='{convert}' was asked for, but these are probabilities already."
    assert found.fix == "Leave convert out."


def test_softmax_of_percentages_gives_a_warning_with_the_right_conversion(whole):
    whole.save("probs.npy", whole.probs * 100)
    found = only(whole, "probs.conversion", convert="softmax")
    assert "rows add up to 100" in found.what and found.override == {"convert": "percent"}
    assert "probs.conversion" not in whole.codes(convert="percent")


@pytest.mark.parametrize("convert", ["softmax", "rescale"])
def test_conversion_that_fits_gives_no_warning(whole, convert):
    whole.save("probs.npy", np.log(whole.probs) + 7 if convert == "softmax" else whole.probs * 3)
    assert "probs.conversion" not in whole.codes(convert=convert)


def write_many(folder, count):
    """Write labels and probabilities of more examples, and return the probabilities."""
    labels = np.arange(count) % 3
    probs = np.full((count, 3), 0.1)
    probs[np.arange(count), labels] = 0.8
    folder.write("labels.csv", "label\n" + "".join(f"{label}\n" for label in labels))
    folder.save("probs.npy", probs)
    return probs


def test_one_row_of_thirty_that_does_not_add_up_blocks(whole):
    probs = whole.probs.copy()
    probs[7] *= 0.3
    whole.save("probs.npy", probs)
    found = only(whole, "probs.sums")
    assert found.severity == "BLOCK"  # 3 %: more than the 1 % that may be rounding
    assert found.first_rows == ("e7",) and "adds up to 0.3" in found.what


def test_few_rows_a_little_off_are_divided_and_need_nothing(folder):
    probs = write_many(folder, 300)
    probs[7] *= 1.01
    folder.save("probs.npy", probs)
    found = only(folder, "probs.sums")
    assert found.severity == "WARN" and found.fix.startswith("Nothing needs to be done")
    assert np.asarray(folder.load().pred_probs)[7].sum() == pytest.approx(1)


def test_row_far_off_among_many_is_not_called_harmless(folder):
    probs = write_many(folder, 300)
    probs[7] *= 1.01
    probs[9] *= 0.3
    folder.save("probs.npy", probs)
    found = only(folder, "probs.sums")
    assert found.severity == "WARN" and found.count == 2
    assert "1 is off by more than 0.05, which is more than rounding" in found.what
    assert found.first_rows == ("row 9 (adds up to 0.3)",)
    assert "predict them again" in found.fix and "Nothing" not in found.fix


def test_nearly_uniform_predictions_are_not_reported_as_shuffled_rows(whole):
    noise = np.random.default_rng(0).normal(0, 1e-4, (30, 3))
    whole.save("probs.npy", np.full((30, 3), 1 / 3) + noise - noise.mean(axis=1, keepdims=True))
    found = only(whole, "probs.constant")
    assert "the 3 classes are about equally likely (within 5 % of 1/3)" in found.what
    assert "rows.misaligned" not in whole.codes()


def test_flat_predictions_that_agree_with_the_labels_are_not_suspected(whole):
    probs = np.full((30, 3), 0.33)
    probs[np.arange(30), whole.labels] = 0.34
    whole.save("probs.npy", probs)
    assert "probs.constant" not in whole.codes()


def test_shuffled_row_numbers_next_to_the_labels_are_reported_once(whole):
    order = np.random.default_rng(0).permutation(30)
    names = np.array(["cat", "dog", "eel"])[whole.labels]
    rows = (f"{k},{names[k]},{','.join(map(str, whole.probs[k]))}\n" for k in order)
    whole.write("labels.csv", ",label,p_cat,p_dog,p_eel\n" + "".join(rows))
    (whole.root / "probs.npy").unlink()
    found = only(whole, "rows.index")
    assert found.severity == "WARN" and "not in order" in found.what


def test_row_numbers_next_to_ids_and_words_named_index_are_not_mentioned(whole):
    rows = "".join(f"{29 - k},{row}\n" for k, row in enumerate(whole.table().split("\n")[1:31]))
    whole.write("labels.csv", "index,id,label\n" + rows)
    assert "rows.index" not in whole.codes()
    rows = "".join(f"word,{'cat dog eel'.split()[k]}\n" for k in whole.labels)
    whole.write("labels.csv", "index,label\n" + rows)
    assert "rows.index" not in whole.codes()


@pytest.mark.fault(
    34,
    "BLOCK",
    says="labels.csv: there is only one column: 'id|label'. Pass delimiter='|' if that "
    "separates the cells.",
)
def test_delimiter_that_was_not_expected_is_offered(whole):
    whole.write("labels.csv", whole.table().replace(",", "|"))
    found = only(whole, "table.one_column")
    assert found.override == {"delimiter": "|"}
    assert not curation.check(whole.root, **found.override).blocked


def test_cut_archive_and_cut_list_of_classes_are_called_cut(whole):
    np.savez(whole.root / "x.npz", pred_probs=whole.probs)
    raw = (whole.root / "x.npz").read_bytes()
    whole.write("x.npz", raw[:-100])
    found = only(whole, "file.cut", probs="x.npz")
    assert (
        found.what
        == f"the file is cut off: its {len(raw) - 100} bytes do not end as an archive must."
    )
    (whole.root / "x.npz").unlink()
    whole.write("classes.json", '["cat", "dog')
    assert "The file is cut" in only(whole, "classes.broken").what


@pytest.mark.fault(
    28,
    "BLOCK",
    says="labels.csv, column 'label': the matrices of 3 classes need about 504 bytes of "
    "memory; the limit is 429 bytes. Merge or leave out classes, or raise "
    "memory_limit_gb if the machine has that much.",
)
def test_so_many_classes_that_their_matrices_do_not_fit_are_refused_with_numbers(whole):
    found = only(whole, "memory.limit", memory_limit_gb=4e-7)  # 429 bytes; 7 * 8 * 3 ** 2 = 504
    assert (
        "the matrices of 3 classes need about 504 bytes of memory; the limit is 429" in found.what
    )
    assert not curation.check(whole.root, memory_limit_gb=5e-7).blocked


def test_ids_that_nearly_repeat_are_reported_for_their_own_column(whole):
    whole.write("labels.csv", whole.table().replace("e7,", "E8,"))
    assert only(whole, "ids.near_duplicate").where == "labels.csv, column 'id'"


@pytest.mark.parametrize("sum_of_one_row", [1.0, 1.02])
def test_more_than_half_flagged_is_suspect_even_above_chance(folder, sum_of_one_row):
    """Ten classes; the model is sure, and contradicts 60 % of the labels: chance is 10 %."""
    labels = np.arange(600) % 10
    rng = np.random.default_rng(0)
    sure_of = np.where(rng.random(600) < 0.6, rng.integers(0, 10, 600), labels)
    probs = np.full((600, 10), 0.02)
    probs[np.arange(600), sure_of] = 0.82
    folder.save("labels.npy", labels)
    folder.save("probs.npy", probs * np.where(np.arange(600) == 5, sum_of_one_row, 1)[:, None])
    found = only(folder, "rows.misaligned")
    flagged = len(curation.analyze(labels, probs).issues())
    assert flagged > 300 and f"{flagged} of 600 labels are flagged" in found.what
    assert "only" not in found.what  # 46 % is far above chance
