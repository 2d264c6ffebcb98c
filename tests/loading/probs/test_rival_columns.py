"""Where two sets of probabilities are found, neither is taken in silence."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

NAMES = ["cat", "dog", "eel"]


def one_table(folder, *sets: tuple[str, np.ndarray]) -> str:
    """Return labels with a set of columns for each pattern of names, such as p_{}."""
    header = ["id", "label", *(way.format(name) for way, _ in sets for name in NAMES)]
    lines = [header] + [
        [f"e{row}", NAMES[label], *(str(x) for _, probs in sets for x in probs[row])]
        for row, label in enumerate(folder.labels)
    ]
    return "".join(",".join(line) + "\n" for line in lines)


def other_model(folder) -> np.ndarray:
    """Return probabilities that differ in the first three rows alone."""
    other = folder.probs.copy()
    other[:3] = 1 / 3
    return other


def parquet(folder, **columns) -> None:
    cells = {"id": [f"e{row}" for row in range(30)], "label": [NAMES[k] for k in folder.labels]}
    pq.write_table(pa.table(cells | columns), folder.root / "data.parquet")


def p_columns(folder) -> dict[str, np.ndarray]:
    return {f"p_{name}": folder.probs[:, place] for place, name in enumerate(NAMES)}


@pytest.mark.parametrize("way", ["prob_{}", "{}_prob", "{}"])
def test_two_models_in_one_table_are_refused_with_the_rows_that_differ(folder, way):
    folder.write("data.csv", one_table(folder, ("p_{}", folder.probs), (way, other_model(folder))))
    found = folder.blocked().report.diagnoses[0]
    assert (found.code, found.count) == ("probs.two_sets", 3)
    assert "'p_cat', 'p_dog', 'p_eel', and " in found.what and repr(way.format("cat")) in found.what
    assert found.first_rows == ("row 0", "row 1", "row 2")


def test_second_set_that_says_the_same_is_named(folder):
    rounded = folder.probs.round(2)
    folder.write("data.csv", one_table(folder, ("p_{}", folder.probs), ("prob_{}", rounded)))
    found = folder.load().report.diagnoses[0]
    assert (found.code, found.severity) == ("probs.two_sets", "AUTO")
    assert "'prob_cat', 'prob_dog', 'prob_eel'" in found.what


def test_columns_of_zeros_and_ones_next_to_probabilities_are_labels(folder):
    one_hot = np.eye(3, dtype=int)[folder.labels]
    folder.write("data.csv", one_table(folder, ("p_{}", folder.probs), ("{}", one_hot)))
    dataset = folder.load()
    np.testing.assert_allclose(dataset.pred_probs[:], folder.probs, rtol=1e-6)
    assert "probs.two_sets" not in folder.codes()


def test_columns_in_the_label_table_that_contradict_a_file_ask_which_is_meant(folder):
    folder.write("labels.csv", one_table(folder, ("p_{}", other_model(folder))))
    folder.save("probs.npy", folder.probs)
    found = folder.blocked().report.diagnoses[0]
    assert (found.code, found.count) == ("probs.two_sets", 3)
    assert "'p_cat', 'p_dog', 'p_eel', and 'probs.npy'; they differ in 3 of 30 rows" in found.what
    assert found.first_rows == ("e0", "e1", "e2")
    assert found.offers == ({"probs": "probs.npy"}, {"probs": "labels.csv"})
    np.testing.assert_array_equal(folder.load(**found.override).pred_probs[:], folder.probs)
    inside = folder.load(probs="labels.csv")
    np.testing.assert_allclose(inside.pred_probs[0], 1 / 3, rtol=1e-6)


def test_file_whose_columns_are_in_another_order_than_the_table_says_is_refused(folder):
    folder.write("labels.csv", one_table(folder, ("p_{}", folder.probs)))
    folder.save("probs.npy", folder.probs[:, [1, 2, 0]])
    assert folder.blocked().report.diagnoses[0].code == "probs.two_sets"


@pytest.mark.parametrize("way", ["p_{}", "{}"])
def test_columns_in_the_label_table_that_are_not_read_are_named(folder, way):
    folder.write("labels.csv", one_table(folder, (way, folder.probs)))
    folder.save("probs.npy", folder.probs)
    found = {each.code: each for each in folder.load().report.diagnoses}
    assert repr(way.format("cat")) in found["probs.inside_unused"].what


@pytest.mark.parametrize(
    "values",
    [[0.2, 0.3, 0.5], [10.0, 20.0, 30.0, 40.0], [0.5] * 16],
    ids=["adds up to 1", "box", "embedding"],
)
def test_columns_that_name_classes_are_read_and_not_a_list_of_something_else(folder, values):
    parquet(folder, **p_columns(folder), bbox=[values] * 30)
    np.testing.assert_array_equal(folder.load().pred_probs[:], folder.probs)


def test_only_list_is_read_as_probabilities_and_reported(folder):
    parquet(folder, softmax=folder.probs.tolist())
    dataset = folder.load()
    np.testing.assert_allclose(dataset.pred_probs[:], folder.probs, rtol=1e-6)
    found = {each.code: each for each in dataset.report.diagnoses}
    assert found["probs.list_column"].where == "data.parquet, column 'softmax'"


def test_list_called_probabilities_that_contradicts_the_columns_is_refused(folder):
    parquet(folder, **p_columns(folder), probs=other_model(folder).tolist())
    found = folder.blocked().report.diagnoses[0]
    assert (found.code, found.count) == ("probs.two_sets", 3)
    assert found.what.startswith("there are two sets of probabilities: 'probs', and 'p_cat'")
    parquet(folder, **p_columns(folder), probs=folder.probs.tolist())
    assert folder.load().report.diagnoses[0].code == "probs.two_sets"


def test_each_of_two_sets_can_be_chosen(folder):
    parquet(folder, **p_columns(folder), probs=other_model(folder).tolist())
    offers = folder.blocked().report.diagnoses[0].offers
    assert offers == ({"prob_columns": ["probs"]}, {"prob_columns": ["p_cat", "p_dog", "p_eel"]})
    np.testing.assert_allclose(folder.load(**offers[0]).pred_probs[:], other_model(folder))
    np.testing.assert_allclose(folder.load(**offers[1]).pred_probs[:], folder.probs)
