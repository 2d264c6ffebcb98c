"""A label never meets another example's probabilities in silence."""

import numpy as np
import pytest

from curation.report import Severity
from tests.loading.join.two_files import (
    COUNT,
    NAMES,
    SWAPPED,
    TURNED,
    assert_joined,
    labels,
    probs,
    write,
)


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
