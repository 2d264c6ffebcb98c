"""The screen asks for every setting of the loader, and offers what is in the files."""

import pytest

from curation.loading.discovery.file_survey import FoundFile
from curation.loading.discovery.mapping_choices import (
    QUESTIONS,
    ask_plainly,
    list_choices,
    read_answers,
    write_answer,
)
from curation.loading.overrides import HELP, parse_options

FILES = (
    FoundFile("a.csv", columns=("id", "kind")),
    FoundFile("b.csv", columns=("id", "m1", "m2")),
    FoundFile("c.npy", shape=(3, 2)),
    FoundFile("names.txt"),
    FoundFile("photos/", folders=("cat", "dog")),
    FoundFile("more/", pictures=7),
)


def test_every_setting_of_the_loader_is_asked_for():
    assert sorted(each.option for each in QUESTIONS) == sorted(HELP)


def test_files_and_folders_are_offered_for_what_they_can_be():
    assert list_choices("labels", FILES, {}) == ("a.csv", "b.csv", "c.npy", "photos")
    assert list_choices("probs", FILES, {}) == ("a.csv", "b.csv", "c.npy")
    assert list_choices("classes", FILES, {}) == ("a.csv", "b.csv", "c.npy", "names.txt")
    assert list_choices("image_root", FILES, {}) == ("photos", "more")


def test_columns_are_those_of_the_chosen_file_or_of_all():
    assert list_choices("label_column", FILES, {}) == ("id", "kind", "m1", "m2")
    assert list_choices("label_column", FILES, {"labels": "a.csv"}) == ("id", "kind")
    assert list_choices("prob_columns", FILES, {"labels": "a.csv", "probs": ["b.csv"]}) == (
        "id", "m1", "m2",
    )  # fmt: skip


def test_shards_of_one_table_can_be_chosen_together():
    names = [f"train-0000{k}-of-00002.parquet" for k in range(2)]
    files = [FoundFile(name, columns=("label",)) for name in names]
    assert list_choices("labels", files, {}) == (*names, "train-*.parquet")


@pytest.mark.parametrize(
    "override",
    [
        {"labels": "a.csv", "probs": "b.npy", "label_column": "kind", "drop_rows": True},
        {"probs": ["b1.npy", "b2.npy"], "prob_columns": ["m1", "m2"], "shift_labels": -1},
        {"class_order": ["cat", "dog"], "memory_limit_gb": 8.0, "convert": "softmax"},
    ],
)
def test_what_the_screen_shows_is_read_back_as_the_same_override(override):
    shown = {option: write_answer(option, value) for option, value in override.items()}
    assert read_answers(shown) == override
    assert parse_options(override, "test").given() == override


@pytest.mark.parametrize(
    ("option", "kind"),
    [("class_order", "lines"), ("probs", "lines"), ("drop_rows", "yes"), ("name", "text"),
     ("memory_limit_gb", "number"), ("shift_labels", "whole number"), ("positive_class", "text")],
)  # fmt: skip
def test_a_setting_without_words_of_its_own_is_asked_for_by_its_type(option, kind):
    assert (ask_plainly(option).kind, ask_plainly(option).is_rare) == (kind, True)


def test_questions_without_an_answer_are_left_out():
    nothing = {each.option: write_answer(each.option, None) for each in QUESTIONS}
    assert read_answers(nothing) == {}
    assert read_answers({"shift_labels": "two"}) == {"shift_labels": "two"}  # refused on load


def test_splits_are_named_by_files_and_folders_and_all_stands_for_every_one():
    files = [FoundFile(name, columns=("label",)) for name in ("train.csv", "fold_2.csv", "a.csv")]
    assert list_choices("splits", files, {}) == ("train", "fold2", "all")
    assert list_choices("splits", files[2:], {}) == ()


def test_arrays_of_archives_are_offered_as_probabilities():
    files = [FoundFile("a.npz", columns=("x", "p")), FoundFile("a.csv", columns=("label",))]
    assert list_choices("prob_array", files, {}) == ("x", "p")
    assert list_choices("majority_of", files, {"labels": "a.csv"}) == ("label",)


def test_one_class_name_that_was_typed_is_not_the_name_of_a_file():
    assert read_answers({"classes": ["spam"]}) == {"classes": ["spam"]}
    assert read_answers({"classes": "classes.txt"}) == {"classes": "classes.txt"}
