"""Label cells to class indices, and back to how the file writes them."""

from tests.loading.labels.reading import read, refused


def test_class_that_never_occurs_is_written_like_the_others():
    assert read(["n01"], ["cat", "dog"], ids=["n01", "n02"]).values == ("n01", "n02")
    assert read(["0"], ["cat", "dog"]).values == ("0", "1")
    assert read(["2", "3"], num_columns=3, shift=-1).values == ("1", "2", "3")


def test_only_missing_labels_are_refused():
    assert refused(["", ""], num_columns=2).what == "none of the 2 rows has a label."
