"""Several annotators: one is chosen, or what most of them say; ties and exports tell it."""

import pytest

from tests.loading.conftest import NAMES, find_diagnosis

ANA_BO_CY = ["label_ana", "label_bo", "label_cy"]


@pytest.fixture
def people(folder):
    """Ana gives the labels of the folder; Bo differs in row 0, Bo and Cy in row 1, all in row 2."""
    given = [NAMES[k] for k in folder.labels]
    bo, cy = list(given), list(given)
    bo[0], bo[1], cy[1] = "eel", "cat", "cat"
    bo[2], cy[2] = "cat", "dog"
    rows = "".join(
        f"e{k},{','.join(row)}\n" for k, row in enumerate(zip(given, bo, cy, strict=True))
    )
    folder.write("labels.csv", "id," + ",".join(ANA_BO_CY) + "\n" + rows)
    folder.save("probs.npy", folder.probs)
    return folder


def test_question_says_how_many_rows_differ_and_offers_everybody(people):
    (found,) = people.blocked().report.diagnoses
    assert "they differ in 3 of 30 rows" in found.what
    assert found.choices == (
        {"majority_of": ANA_BO_CY}, *({"label_column": each} for each in ANA_BO_CY),
    )  # fmt: skip


def test_majority_decides_and_the_first_of_the_tied_breaks_ties(people):
    dataset = people.load(majority_of=ANA_BO_CY)
    assert [dataset.class_names[k] for k in dataset.labels[:4]] == ["cat", "cat", "eel", "cat"]
    ties = find_diagnosis(dataset, "labels.ties")
    assert (ties.count, ties.first_rows) == (1, ("row 2",))
    turned = people.load(majority_of=ANA_BO_CY[::-1])
    assert turned.class_names[turned.labels[2]] == "dog"


def test_empty_cells_are_no_votes(folder):
    folder.write("labels.csv", "id,rater1,rater2\n" + "".join(
        f"e{k},,{NAMES[label]}\n" for k, label in enumerate(folder.labels)
    ))  # fmt: skip
    folder.save("probs.npy", folder.probs)
    assert folder.load(majority_of=["rater1", "rater2"]).labels.tolist() == folder.labels.tolist()


def test_column_that_is_not_there_is_named(people):
    assert "there is no column 'label_dan'" in people.blocked(majority_of=["label_dan"]).problem


def test_columns_that_only_look_like_annotators_are_not_asked_about(folder):
    folder.write("labels.csv", "id,label,label_source,label_date\n" + "".join(
        f"e{k},{NAMES[label]},web,2026\n" for k, label in enumerate(folder.labels)
    ))  # fmt: skip
    folder.save("probs.npy", folder.probs)
    assert folder.load().settings["label_column"] == "label"


def test_export_of_the_majority_is_a_table_and_says_so(bench):
    bench.write("labels.csv", b"id,a_label,b_label\nx,cat,cat\ny,dog,cat\nz,eel,eel\n")
    bench.probs([0, 1, 2]).classes(NAMES)
    bench.overrides = {"majority_of": ["a_label", "b_label"]}
    assert bench.relabel({0: "eel"}).cleaned() == b"id,label\nx,eel\ny,dog\nz,eel\n"
    bench.export()
    assert any("what most annotators say" in note for note in bench.manifest["notes"])
