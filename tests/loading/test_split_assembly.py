"""Splits as one dataset: rows, ids, classes, content and reports are joined, and exports say so."""

import numpy as np
import pytest

import curation
from curation.loading import content_checks, load_before_checks
from tests.loading.conftest import NAMES, find_diagnosis

HEADER = "id,label,text,p_cat,p_dog,p_eel\n"


def rows(folder, part, first=0):
    return HEADER + "".join(
        f"{k - first},{NAMES[folder.labels[k]]},text {k},{','.join(map(str, folder.probs[k]))}\n"
        for k in range(30)[part]
    )


@pytest.fixture
def splits(folder):
    folder.write("train.csv", rows(folder, slice(0, 20)))
    folder.write("test.csv", rows(folder, slice(20, 30)))
    return folder


def test_rows_follow_one_another_and_know_their_split(splits):
    dataset = splits.load(splits=["train", "test"])
    assert dataset.labels.tolist() == splits.labels.tolist()
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), splits.probs, rtol=1e-6)
    assert dataset.extras["split"].tolist() == ["train"] * 20 + ["test"] * 10
    assert dataset.content.text(25) == "text 25"
    assert dataset.ids[25] == "25"
    assert dataset.settings["splits"] == ["train", "test"]


def test_ids_that_two_splits_share_get_the_split_in_front(folder):
    folder.write("train.csv", rows(folder, slice(0, 20)))
    folder.write("test.csv", rows(folder, slice(20, 30), first=20))
    dataset = folder.load(splits="all")
    assert set(dataset.ids[:1]) | set(dataset.ids[-1:]) == {"test/0", "train/19"}


def test_splits_with_their_columns_in_another_order_are_joined_by_class(splits):
    lines = rows(splits, slice(20, 30)).splitlines()
    turned = [",".join([*cells[:3], cells[5], cells[4], cells[3]])
              for cells in (line.split(",") for line in lines)]  # fmt: skip
    splits.write("test.csv", "\n".join(turned) + "\n")
    dataset = splits.load(splits=["train", "test"])
    np.testing.assert_allclose(np.asarray(dataset.pred_probs), splits.probs, rtol=1e-6)


def test_splits_with_other_classes_have_the_classes_of_both(splits):
    text = rows(splits, slice(20, 30)).replace("eel", "fox")
    splits.write("test.csv", text)
    dataset = splits.load(splits=["train", "test"])
    assert dataset.class_names == dataset.label_values == ("cat", "dog", "eel", "fox")
    probs = np.asarray(dataset.pred_probs)
    np.testing.assert_allclose(probs[:20, :3], splits.probs[:20], rtol=1e-6)
    np.testing.assert_allclose(probs[20:][:, [0, 1, 3]], splits.probs[20:], rtol=1e-6)
    assert not probs[:20, 3].any() and not probs[20:, 2].any()
    cells = dataset.pred_probs[np.arange(30), np.full(30, 2)]
    assert cells[:20].all() and not cells[20:].any()
    assert (dataset.labels[20:] == np.where(splits.labels[20:] == 2, 3, splits.labels[20:])).all()
    said = [each for each in dataset.report.diagnoses if each.code == "classes.absent"]
    assert {each.where for each in said} == {"train", "test"}
    assert any("no probabilities for 'fox'" in each.what for each in said)


def test_fault_of_one_split_is_reported_with_its_name(splits):
    splits.write("test.csv", rows(splits, slice(20, 30)).replace("21,", "20,", 1))
    found = splits.blocked(splits="all").report.diagnoses
    assert found[0].where.startswith("test: ")


def test_one_split_is_read_as_if_it_were_alone(splits):
    alone = splits.load(splits="test")
    assert (len(alone), alone.source.format) == (10, "csv")
    assert alone.fingerprint == splits.load(labels="test.csv").fingerprint


def test_probabilities_of_joined_splits_have_a_fingerprint_that_changes(splits):
    before = splits.load(splits="all").fingerprint_parts
    assert before == splits.load(splits="all").fingerprint_parts
    splits.write("test.csv", rows(splits, slice(20, 30)).replace("text 25", "another"))
    after = splits.load(splits="all").fingerprint_parts
    assert [part for part in before if before[part] != after[part]] == ["content"]


def test_decisions_on_joined_splits_are_exported_as_a_table(bench):
    line = "{id},{label},{p}\n"
    for name, ids in (("train", "ab"), ("test", "cd")):
        text = "id,label,p_cat,p_dog\n" + "".join(
            line.format(id=each, label=label, p=p)
            for each, label, p in zip(ids, ("cat", "dog"), ("0.9,0.1", "0.2,0.8"), strict=True)
        )
        bench.write(f"{name}.csv", text.encode())
    bench.overrides = {"splits": ["train", "test"]}
    assert bench.relabel({3: "cat"}).cleaned() == b"id,label\na,cat\nb,dog\nc,cat\nd,cat\n"
    bench.export()
    assert any("several splits" in note for note in bench.manifest["notes"])


def test_labelled_data_of_all_splits_can_be_learned_from(splits):
    import curation

    data = curation.load_labelled(splits.root, splits=["train", "test"])
    assert len(data) == 30


def test_changed_file_of_any_split_is_noticed(splits):
    dataset = splits.load(splits="all")
    assert dataset.source.is_unchanged
    splits.write("test.csv", "id,label\n")
    assert not dataset.source.is_unchanged


def test_report_says_that_splits_were_joined(splits):
    said = find_diagnosis(splits.load(splits=["train", "test"]), "folder.splits").what
    assert "2 splits are read as one dataset" in said


def test_content_of_joined_splits_is_checked_late_and_completely(splits, monkeypatch):
    monkeypatch.setattr(content_checks, "CHECKED_AT_ONCE", 0)
    late = load_before_checks(splits.root, splits=["train", "test"])
    assert not late.checks.done
    assert late.report == curation.load(splits.root, splits=["train", "test"]).report
