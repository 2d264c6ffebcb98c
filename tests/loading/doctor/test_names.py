"""Classes and ids: how many examples there are, and names that are the same or nearly."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.loading.doctor import diagnose_ids
from curation.loading.doctor.names import diagnose_class_names, diagnose_class_sizes, fold_name
from curation.report import Severity
from tests.loading.doctor.examining import NAMES, examine


@pytest.mark.fault(
    19,
    "WARN",
    says="labels: 1 of 4 classes has no examples: 'fox'. Add examples of it, or leave the "
    "class out.",
)
@pytest.mark.fault(
    20,
    "WARN",
    says="labels: 1 of 4 classes has fewer than 5 examples: dog (4). Add examples, and be "
    "careful with what is flagged in these classes.",
)
def test_classes_without_examples_and_with_few_are_named() -> None:
    empty, rare = diagnose_class_sizes(np.array([0] * 9 + [1] * 4 + [3] * 5), NAMES[:4])
    assert (empty.severity, empty.code, empty.first_rows) == ("WARN", "classes.empty", ("fox",))
    assert empty.what == "1 of 4 classes has no examples: 'fox'."
    assert "threshold of such a class is undefined" in empty.why
    assert (rare.severity, rare.code) == (Severity.WARN, "classes.rare")
    assert rare.what == "1 of 4 classes has fewer than 5 examples: dog (4)."


def test_many_empty_classes_are_counted_and_the_first_named() -> None:
    (empty,) = diagnose_class_sizes(np.repeat([0, 1], 9), [f"c{k}" for k in range(1000)])
    assert empty.count == 998 and "'c6' and 993 more" in empty.what


def test_labels_of_one_class_block_and_one_row_does_not() -> None:
    (one,) = diagnose_class_sizes(np.zeros(5, np.int64), NAMES[:3])
    assert (one.severity, one.what) == ("BLOCK", "All 5 examples have the label 'cat'.")
    found = examine(np.array([1]), np.array([[0.2, 0.8]]))
    assert {code: each.severity for code, each in found.items()} == {
        "rows.one": Severity.WARN,
        "classes.empty": Severity.WARN,
    }


@pytest.mark.fault(
    39,
    "WARN",
    says="2 classes have nearly the same name: … If they mean the same, use one spelling in the "
    "label file.",
)
@pytest.mark.parametrize(
    "pair",
    [
        ("cat", "cat "),
        ("cat", "Cat"),
        ("caf\u00e9", "cafe\u0301"),
        ("hot dog", "hot_dog"),
        ("hot-dog", "hotdog"),
        ("STRASSE", "straße"),
        ("cat", "cat\u200b"),
    ],
)
def test_class_names_that_differ_only_in_spelling_are_named(pair: tuple[str, str]) -> None:
    (found,) = diagnose_class_names([*pair, "owl"])
    assert (found.severity, found.code, found.count) == ("WARN", "classes.near_duplicate", 2)
    assert "2 classes have nearly the same name" in found.what
    assert found.first_rows[0] != found.first_rows[1]
    assert "use one spelling" in found.fix


@pytest.mark.parametrize(
    "names", [["1", "-1", "10", "1 0", "1.0"], ["C", "C++", "C#"], ["😀", "😃", "?"], ["", " x"]]
)
def test_class_names_that_mean_different_things_are_left_alone(names: list[str]) -> None:
    assert diagnose_class_names(names) == []


@given(st.text())
def test_folding_a_name_twice_changes_nothing_more_in_case_or_spaces(name: str) -> None:
    assert fold_name(name) == fold_name(f" {name}\t")


def test_classes_with_the_same_name_need_different_ids() -> None:
    (warning,) = diagnose_class_names(["maillot", "maillot", "tub"], ["n1", "n2", "n3"])
    assert (warning.severity, warning.code) == (Severity.WARN, "classes.same_name")
    assert "maillot (n1, n2)" in warning.what and "overlap" in warning.fix
    (block,) = diagnose_class_names(["maillot", "maillot", "tub"])
    assert (block.severity, block.code) == (Severity.BLOCK, "classes.duplicate")
    assert "1 class is listed more than once: 'maillot'" in block.what


def test_ids_that_repeat_block_and_ids_that_nearly_repeat_warn() -> None:
    (block,) = diagnose_ids(["a", "b", "a", "c", "b"])
    assert (block.severity, block.count) == (Severity.BLOCK, 2)
    assert block.what == "2 ids occur more than once: 'a', 'b'."
    (warning,) = diagnose_ids(
        ["img1", "IMG1", "img2 ", "img2", "caf\u00e9", "cafe\u0301", "x-1", "x1"]
    )
    assert (warning.severity, warning.count) == (Severity.WARN, 3)
    assert warning.first_rows[:2] == ("'img1' = 'IMG1'", "'img2 ' = 'img2'")
    assert diagnose_ids([1, 2, 3]) == []
