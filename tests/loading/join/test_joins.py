"""A label never meets another example's probabilities in silence."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from curation.loading.formats.table import Table
from curation.loading.join.crosscheck import check_join
from curation.loading.join.row_matching import match_rows
from curation.loading.report_builder import ReportBuilder
from curation.loading.row_keys import Keys, table_keys
from curation.report import Severity

NAMES = ["cat", "dog", "eel"]
SWAPPED = [0, 1, 2, 4, 3, *range(5, 30)]  # which example each row of the probabilities is


def write(folder, name: str, header: str, rows) -> None:
    folder.write(name, header + "\n" + "".join(",".join(map(str, row)) + "\n" for row in rows))


def labels(folder, header: str, *columns) -> None:
    """Write the given columns and then the labels."""
    rows = zip(*columns, (NAMES[k] for k in folder.labels), strict=True)
    write(folder, "labels.csv", f"{header},label", rows)


def probs(folder, header: str, *columns, order=SWAPPED) -> None:
    """Write the given columns, row by row as they are, beside the examples in an order."""
    numbers = (folder.probs[k].tolist() for k in order)
    rows = ([*keys, *row] for *keys, row in zip(*columns, numbers, strict=True))
    write(folder, "probs.csv", f"{header},cat,dog,eel", rows)


def assert_joined(folder, **overrides):
    """Check that each example has its own probabilities; return the dataset."""
    dataset = folder.load(**overrides)
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), folder.probs, rtol=1e-6)
    return dataset


COUNT = list(range(30))
TURNED = COUNT[::-1]


def test_ids_with_the_same_name_in_both_files_come_first(folder):
    # Row 0 is image 29; the ids 0 to 29 count the rows and would fit the images, wrongly.
    labels(folder, "id,image_id", COUNT, TURNED)
    probs(folder, "image_id", [29 - k for k in SWAPPED])
    dataset = assert_joined(folder)
    assert dataset.ids[:2].tolist() == ["0", "1"]
    what = folder.found("probs.joined").what
    assert what == "30 rows were joined to the labels by column 'image_id'."


def test_settings_that_were_found_join_the_same_rows_again(folder):
    labels(folder, "id,image_id", COUNT, TURNED)
    probs(folder, "image_id", [29 - k for k in SWAPPED])
    settings = folder.load().settings
    assert settings["id_column"] == "id"
    assert_joined(folder, **settings)


def test_several_examples_may_show_one_image(folder):
    folder.probs[1::2] = folder.probs[::2]
    labels(folder, "id,image_id", COUNT, [k // 2 for k in COUNT])
    probs(folder, "image_id", COUNT[:15], order=range(0, 30, 2))
    assert_joined(folder)


def test_ids_with_different_names_are_joined_and_both_are_named(folder):
    labels(folder, "id", COUNT)
    probs(folder, "image_id", SWAPPED)
    assert_joined(folder)
    note = folder.found("rows.key_columns")
    assert note.severity is Severity.AUTO
    assert "'image_id' is treated as the same column as 'id' of the labels" in note.what
    probs(folder, "id", SWAPPED)
    assert "rows.key_columns" not in folder.codes()


def test_true_labels_are_joined_by_ids_with_the_same_or_another_name(folder):
    folder.save("probs.npy", folder.probs)
    labels(folder, "id,image_id", COUNT, TURNED)
    right = [NAMES[k] for k in folder.labels]
    write(folder, "true_labels.csv", "image_id,true_label", zip(TURNED, right, strict=True))
    assert folder.load().true_labels.tolist() == folder.labels.tolist()
    write(folder, "true_labels.csv", "uid,true_label", zip(COUNT, right, strict=True))
    assert "'uid' is treated as the same column as 'id'" in folder.found("rows.key_columns").what


def test_file_columns_with_the_same_name_come_before_ids_with_different_names(folder):
    files = [f"{k}.png" for k in COUNT]
    labels(folder, "id,file", COUNT, files)
    probs(folder, "uid,file", COUNT, [files[k] for k in SWAPPED])
    assert_joined(folder)
    assert "by file name" in folder.found("probs.joined").what


FILES = [f"{letter}.png" for letter in "abcdefghijklmnopqrstuvwxyzABCD"]


def contradicted(folder):
    """Write tables whose ids count the rows of each, and whose file names tell another order."""
    labels(folder, "id,filename", COUNT, FILES)
    probs(folder, "id,filename", COUNT, [FILES[k] for k in SWAPPED])
    return folder


def test_ids_that_the_file_names_contradict_are_refused(folder):
    block = contradicted(folder).found("rows.contradicted")
    assert block.severity is Severity.BLOCK
    assert "joined by id, 2 of 30 rows belong to other examples according to column 'filename'" in (
        block.what
    )
    assert block.count == 2
    assert block.first_rows == ("row 3: 'd.png' and 'e.png'", "row 4: 'e.png' and 'd.png'")
    assert block.override == {"id_column": "filename"}
    dataset = assert_joined(folder, **block.override)
    assert "rows.contradicted" not in {each.code for each in dataset.report.diagnoses}


def test_person_who_insists_on_the_ids_is_warned(folder):
    contradicted(folder)
    assert folder.found("rows.contradicted", id_column="id").severity is Severity.WARN
    dataset = folder.load(id_column="id")
    np.testing.assert_allclose(dataset.pred_probs[3], folder.probs[4], rtol=1e-6)
    assert "rows of labels and probabilities belong together" not in dataset.report.passed


def test_files_of_several_rows_contradict_ids_too(folder):
    # Ten files of three rows each; rows 4 and 3 are of files b and b, rows 12 and 20 are not.
    files = [f"{FILES[k // 3]}" for k in COUNT]
    swapped = [20 if k == 12 else 12 if k == 20 else k for k in SWAPPED]
    labels(folder, "id,filename", COUNT, files)
    probs(folder, "id,filename", COUNT, [files[k] for k in swapped], order=swapped)
    block = folder.found("rows.contradicted")
    assert block.first_rows == ("row 12: 'e.png' and 'g.png'", "row 20: 'g.png' and 'e.png'")
    assert block.override == {"id_column": "id"}
    assert folder.found("rows.contradicted", **block.override).severity is Severity.WARN


def test_few_repeated_words_that_changed_contradict_nothing(folder):
    labels(folder, "id,town", COUNT, ["Ulm", "Bonn"] * 15)
    probs(folder, "id,town", SWAPPED, ["Ulm", "Bonn"] * 15)
    assert_joined(folder)
    assert "rows.contradicted" not in folder.codes()


def test_files_spelled_differently_contradict_nothing(folder):
    labels(folder, "id,filename", COUNT, [f"train\\{k}.png" for k in COUNT])
    probs(folder, "id,filename", SWAPPED, [f"{k}.jpg" for k in SWAPPED])
    assert_joined(folder)
    assert "rows.contradicted" not in folder.codes()


def test_texts_that_were_rewritten_contradict_nothing(folder):
    labels(folder, "id,text", COUNT, [f"Text {k}!" for k in COUNT])
    probs(folder, "id,text", SWAPPED, [f"text {k}" for k in SWAPPED])
    assert_joined(folder)
    assert "rows.contradicted" not in folder.codes()


def test_texts_of_other_rows_are_refused(folder):
    labels(folder, "id,text", COUNT, [f"text {k}" for k in COUNT])
    probs(folder, "id,text", COUNT, [f"text {k}" for k in SWAPPED])
    assert folder.found("rows.contradicted").count == 2


def test_texts_in_both_files_join_them_if_there_is_nothing_else(folder):
    texts = [f"text {k}" for k in COUNT]
    labels(folder, "text", texts)
    probs(folder, "text", [texts[k] for k in SWAPPED])
    assert_joined(folder)
    assert "by column 'text'" in folder.found("probs.joined").what


def test_texts_that_repeat_and_contradict_the_position_are_refused(folder):
    texts = ["again", "again", *(f"text {k}" for k in COUNT[2:])]
    labels(folder, "text", texts)
    probs(folder, "text", [texts[k] for k in SWAPPED])
    block = folder.found("rows.contradicted")
    assert "joined by position, 2 of 30 rows" in block.what
    probs(folder, "text", texts, order=COUNT)
    assert_joined(folder)
    assert not {"rows.contradicted", "probs.joined"} & folder.codes()


def test_labels_next_to_shuffled_probabilities_are_refused(folder):
    folder.labels[6] = 1  # the model says 0, so that the labels are not what it predicts
    labels(folder, "text", [f"text {k}" for k in COUNT])
    probs(folder, "label", [NAMES[folder.labels[k]] for k in SWAPPED])
    block = folder.found("rows.contradicted")
    assert block.severity is Severity.BLOCK
    assert block.first_rows == ("row 3: 'cat' and 'dog'", "row 4: 'dog' and 'cat'")
    probs(folder, "label", [NAMES[k] for k in folder.labels], order=COUNT)
    assert_joined(folder)
    assert "rows.contradicted" not in folder.codes()


def test_labels_that_were_corrected_since_give_a_warning(folder):
    labels(folder, "id", COUNT)
    probs(folder, "id,label", SWAPPED, ["eel", *(NAMES[k % 3] for k in SWAPPED[1:])])
    assert_joined(folder)
    warning = folder.found("rows.labels_differ")
    assert warning.severity is Severity.WARN
    assert "differs from the labels in 1 of 30 rows" in warning.what
    assert warning.first_rows == ("row 0: 'cat' and 'eel'",)


def test_predictions_named_label_are_reported(folder):
    # Examples 3 and 4, a cat and a dog, are predicted as the other: as many of each as before.
    folder.probs[[3, 4]] = folder.probs[[4, 3]]
    predicted = [NAMES[k] for k in folder.probs.argmax(axis=1)]
    labels(folder, "text", [f"text {k}" for k in COUNT])
    probs(folder, "label", predicted, order=COUNT)
    assert_joined(folder)
    assert not {"rows.contradicted", "rows.labels_differ"} & folder.codes()
    assert "column 'label' is treated as predictions" in folder.found("rows.predicted").what


def test_number_columns_that_differ_are_not_evidence(folder):
    labels(folder, "id,rank", COUNT, COUNT)
    probs(folder, "id,rank", SWAPPED, TURNED)
    assert_joined(folder)
    assert "rows.contradicted" not in folder.codes()


@pytest.mark.parametrize("start", [0, 1])
def test_row_numbers_only_in_the_probabilities_warn_when_shuffled(folder, start):
    labels(folder, "text", [f"text {k}" for k in COUNT])
    probs(folder, "id", [k + start for k in SWAPPED])
    warning = folder.found("rows.order")
    assert warning.severity is Severity.WARN
    assert warning.where == "probs.csv"
    assert "'id' holds row numbers that are not in order" in warning.what
    probs(folder, "id", [k + start for k in COUNT], order=COUNT)
    assert not {"rows.order", "rows.by_position"} & folder.codes()


def test_row_numbers_only_in_the_labels_warn_when_shuffled(folder):
    folder.save("probs.npy", folder.probs)
    labels(folder, "id", SWAPPED)
    assert folder.found("rows.order").where == "labels.csv"
    for quiet in (COUNT, [k + 1 for k in COUNT], [7 * k % 31 for k in COUNT]):
        labels(folder, "id", quiet)  # the last are ids, not all the numbers from 0 on
        assert "rows.order" not in folder.codes()


def test_row_numbers_next_to_probabilities_of_the_same_table_do_not_matter(folder):
    rows = ((k, NAMES[k % 3], *folder.probs[k].tolist()) for k in SWAPPED)
    write(folder, "data.csv", "id,label,p_cat,p_dog,p_eel", rows)
    assert "rows.order" not in folder.codes()


def test_ids_of_the_probabilities_that_join_nothing_are_reported(folder):
    labels(folder, "text", [f"text {k}" for k in COUNT])
    probs(folder, "id", [f"e{k}" for k in COUNT], order=COUNT)
    note = folder.found("rows.by_position")
    assert note.severity is Severity.AUTO
    assert "the values of 'id' do not occur in the labels" in note.what


@pytest.mark.parametrize("keys", [[f"s{k}" for k in COUNT], [k + 900 for k in COUNT]])
def test_column_named_like_ids_joins_both_files(folder, keys):
    labels(folder, "sample_id", keys)
    probs(folder, "sample_id", [keys[k] for k in SWAPPED])
    assert_joined(folder)


def test_long_numbers_in_a_column_named_like_ids_stay_exact(folder):
    keys = [2**53 + k for k in COUNT]  # more than a float can tell apart
    labels(folder, "sampleId", keys)
    probs(folder, "sampleId", [keys[k] for k in SWAPPED])
    assert_joined(folder)


def test_numbers_that_would_join_both_files_are_ambiguous(folder):
    labels(folder, "sample", [k + 900 for k in COUNT])
    probs(folder, "sample", [k + 900 for k in SWAPPED])
    block = folder.found("rows.shared_column")
    assert "column 'sample' is in both files, but differs in 2 of 30 rows" in block.what
    assert block.first_rows == ("row 3: '903'", "row 4: '904'")
    assert_joined(folder, **block.override)
    probs(folder, "sample", [k + 900 for k in COUNT], order=COUNT)
    assert_joined(folder)


def test_column_that_finds_nearly_all_rows_is_ambiguous(folder):
    keys = [f"s{k}" for k in COUNT]
    labels(folder, "sample_id", keys)
    probs(folder, "sample_id", [keys[k] for k in SWAPPED[:-1]] + ["other"])
    block = folder.found("rows.shared_column")
    assert block.override == {"id_column": "sample_id"}
    assert "1 of 30 labelled ids have no probabilities" in folder.blocked(**block.override).problem


def test_spaces_in_the_header_and_around_ids_are_ignored(folder):
    rows = ((NAMES[k], f" {row}") for row, k in enumerate(folder.labels))
    write(folder, "labels.csv", "label, id", rows)
    probs(folder, "id", SWAPPED)
    assert_joined(folder)
    assert "by id, ignoring spaces around it" in folder.found("probs.joined").what


@pytest.mark.parametrize(
    ("member", "column", "keys"),
    [("id", "id", COUNT), ("ids", "id", COUNT), ("image_id", "image_id", COUNT)]
    + [("filename", "filename", FILES), ("path", "image", FILES)],
)
def test_archive_of_probabilities_is_joined_by_its_ids_or_file_names(folder, member, column, keys):
    labels(folder, column, keys)
    arrays = {member: np.array([keys[k] for k in SWAPPED]), "pred_probs": folder.probs[SWAPPED]}
    np.savez(folder.root / "probs.npz", **arrays)
    assert_joined(folder)


def test_archive_of_labels_is_joined_by_its_file_names(folder):
    words = np.array(NAMES)[folder.labels]
    np.savez(folder.root / "labels.npz", labels=words, filename=np.array(FILES))
    probs(folder, "filename", [FILES[k] for k in SWAPPED])
    assert_joined(folder, labels="labels.npz")


def test_separate_array_of_ids_names_the_examples(folder):
    folder.save("labels.npy", folder.labels)
    folder.save("probs.npy", folder.probs)
    folder.save("ids.npy", np.array(TURNED))
    dataset = assert_joined(folder)
    assert dataset.ids[:2].tolist() == ["29", "28"]
    note = folder.found("ids.array")
    assert note.severity is Severity.AUTO
    assert note.what == ("it is read as the ids for the labels and the probabilities, row by row.")


def test_array_of_ids_joins_probabilities_to_a_table_with_ids(folder):
    labels(folder, "id", COUNT)
    folder.save("probs.npy", folder.probs[SWAPPED])
    folder.save("ids.npy", np.array(SWAPPED))
    assert_joined(folder)
    assert "the ids for the probabilities," in folder.found("ids.array").what


def test_array_of_ids_of_another_length_is_reported_as_unused(folder):
    folder.save("labels.npy", folder.labels)
    folder.save("probs.npy", folder.probs)
    folder.save("ids.npy", np.arange(29))
    warning = folder.found("ids.array")
    assert warning.severity is Severity.WARN
    folder.save("ids.npy", np.zeros(30, int))
    assert "ids.npy: 1 id occurs more than once: '0'" in folder.blocked().problem
    assert "its 29 ids are not used: there are 30 labels and 30 rows" in warning.what


def test_form_of_ids_that_finds_nearly_all_of_them_is_used(folder):
    labels(folder, "id", [f"a{k}.png" for k in COUNT])
    probs(folder, "id", [f"a{k}" for k in SWAPPED[:-1]], order=SWAPPED[:-1])
    block = folder.found("probs.missing_ids")
    assert "1 of 30 labelled ids have no probabilities" in block.what
    assert block.first_rows == ("a29.png",)
    dataset = folder.load(**block.override)
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), folder.probs[:-1], rtol=1e-6)


def test_form_of_ids_that_finds_only_a_few_is_not_used(folder):
    labels(folder, "id", [f"a{k}.png" for k in COUNT])
    probs(folder, "id", [f"a{k}" for k in COUNT[:14]] + [f"b{k}" for k in COUNT[14:]])
    assert "30 of 30 labelled ids have no probabilities" in folder.found("probs.missing_ids").what


def test_comparing_the_columns_of_a_joined_table_agrees_with_a_loop(tmp_path):
    rng = np.random.default_rng(5)
    for _ in range(20):
        texts = [f"t{k}" for k in rng.permutation(12)]
        told = [f"t{k}" if rng.random() < 0.7 else f"new {k}" for k in rng.permutation(15)]
        ids = rng.permutation(12)
        mine = pa.table({"id": np.arange(12), "text": texts, "label": ["a", "b"] * 6})
        theirs = pa.table({"id": np.append(ids, [12, 13, 14]), "text": told})
        one, two = (table_keys(Table(tmp_path, "t", "parquet", each)) for each in (mine, theirs))
        report = ReportBuilder()
        check_join(one, two, match_rows(one, two), report)
        said = {int(i): text for i, text in zip(theirs["id"].to_pylist(), told, strict=True)}
        known = set(said[k] for k in range(12))
        moved = [k for k in range(12) if said[k] != texts[k] and said[k] in texts]
        moved = [k for k in moved if texts[k] in known]
        assert sum(each.count for each in report.diagnoses) == len(moved)


def test_parquet_numbers_and_text_of_one_column_are_compared_as_text(folder):
    labels(folder, "id,image_id", COUNT, [k + 5 for k in COUNT])
    columns = {name: folder.probs[:, k] for k, name in enumerate(NAMES)}
    turned = pa.array([float(k + 5) for k in SWAPPED])
    pq.write_table(pa.table({"id": COUNT, "image_id": turned, **columns}), folder.root / "probs.pq")
    assert folder.found("rows.contradicted").count == 2


def test_keys_of_arrays_share_no_columns():
    ids = pa.chunked_array([["a", "b"]])
    assert match_rows(Keys(ids), Keys()) is None
