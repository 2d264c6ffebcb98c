"""Parts are known by name and shape; where in doubt, the candidates and the override are said."""

import numpy as np
import pytest

import curation
from curation.errors import BlockedError


def test_two_label_files_are_ambiguous(whole):
    whole.save("labels.npy", whole.labels)
    error = whole.blocked()
    assert "several files could be the labels: 'labels.csv', 'labels.npy'" in error.problem
    assert 'labels="labels.csv"' in error.remedy
    assert whole.load(labels="labels.npy").source.format == "npy"


def test_two_files_of_probabilities_are_ambiguous(whole):
    whole.save("pred_probs.npy", whole.probs)
    assert "several files could be the probabilities" in whole.blocked().problem
    assert whole.load(probs="pred_probs.npy").settings["probs"] == "pred_probs.npy"


def test_shards_next_to_a_whole_file_are_ambiguous(whole):
    whole.save("probs-00000.npy", whole.probs)
    assert "several files could be the probabilities" in whole.blocked().problem


def test_files_with_unusual_names_are_recognised_by_shape(folder):
    folder.write("my_stuff.csv", folder.table())
    folder.save("resnet50.npy", folder.probs)
    settings = folder.load().settings
    assert (settings["labels"], settings["probs"]) == ("my_stuff.csv", "resnet50.npy")
    (folder.root / "my_stuff.csv").unlink()
    folder.save("given.npy", folder.labels)
    assert folder.load().settings["labels"] == "given.npy"


def test_hidden_files_are_ignored(whole):
    whole.write(".labels.csv", "")
    whole.write(".curation/hashes.json", "")
    assert whole.load().settings["labels"] == "labels.csv"


def test_folder_without_labels_says_what_it_holds(folder):
    folder.write("readme.md", "")
    assert "no labels found; the folder holds 'readme.md'" in folder.blocked().problem


def test_empty_folder_says_what_to_put_into_it(folder):
    error = folder.blocked()
    assert "the folder is empty" in error.problem
    assert error.remedy.startswith("Put a table of labels into the folder, such as labels.csv")


def test_folder_without_probabilities_says_so(folder):
    folder.write("labels.csv", folder.table())
    assert "no probabilities found" in folder.blocked().problem


@pytest.mark.fault(
    36,
    "BLOCK",
    says="labels.csv: no label column among 'id', 'colour'. Pass label_column=\"...\", or "
    "name the column one of label, given_label, target, y, class.",
)
def test_table_without_a_label_column_names_its_columns(whole):
    whole.write("labels.csv", "id,colour\n" + "a,b\n" * 3)
    assert "no label column among 'id', 'colour'" in whole.blocked().problem
    assert "there is no column 'nope'" in whole.blocked(label_column="nope").problem


def test_delimiter_that_is_not_known_is_asked_for(whole):
    whole.write("labels.csv", whole.table().replace(",", "|"))
    assert "there is only one column: 'id|label'" in whole.blocked().problem
    assert len(whole.load(delimiter="|")) == 30


def test_single_table_finds_its_neighbours(whole):
    dataset = curation.load(whole.root / "labels.csv")
    assert dataset.settings["probs"] == "probs.npy"
    assert dataset.name == "labels"


@pytest.mark.parametrize(
    "name",
    ["../secret.npy", "/etc/passwd", "..\\secret.npy", "C:\\x.npy", "a/../../x", "nul\0", ""],
)
def test_parts_outside_the_root_are_refused(whole, name):
    np.save(whole.root.parent / "secret.npy", whole.probs)
    problem = whole.blocked(probs=name).problem
    assert "outside" in problem or "no such file" in problem or "missing" in problem


def test_link_that_leads_outside_is_refused(whole):
    np.save(whole.root.parent / "secret.npy", whole.probs)
    (whole.root / "probs.npy").unlink()
    (whole.root / "probs.npy").symlink_to(whole.root.parent / "secret.npy")
    assert "outside the dataset's folder" in whole.blocked().problem


def test_link_that_stays_inside_is_followed(whole):
    (whole.root / "deep").mkdir()
    (whole.root / "probs.npy").rename(whole.root / "deep" / "p.npy")
    (whole.root / "probs.npy").symlink_to(whole.root / "deep" / "p.npy")
    assert len(whole.load()) == 30


def test_archive_is_a_dataset_of_its_own(folder):
    np.savez(
        folder.root / "all.npz",
        noisy_labels=folder.labels,
        pred_probs=folder.probs,
        true_labels=folder.labels[::-1],
        images=np.zeros((30, 4, 4), np.uint8),
        ids=np.array([f"x{i}" for i in range(30)]),
        class_names=np.array(["cat", "dog", "eel"]),
    )
    for path in (folder.root, folder.root / "all.npz"):
        dataset = curation.load(path)
        assert dataset.class_names == ("cat", "dog", "eel")
        assert (dataset.ids[0], dataset.kind, dataset.source.format) == ("x0", "image", "npz")
        assert dataset.true_labels.tolist() == folder.labels[::-1].tolist()


def test_archive_without_labels_says_what_it_holds(folder):
    arrays = {"other": folder.labels, "more": folder.labels[::-1]}
    np.savez(folder.root / "all.npz", pred_probs=folder.probs, **arrays)
    with pytest.raises(BlockedError, match="which array holds the labels") as caught:
        curation.load(folder.root / "all.npz")
    (found,) = caught.value.report.diagnoses
    assert found.choices == ({"label_column": "other"}, {"label_column": "more"})
    assert len(curation.load(folder.root / "all.npz", label_column="other")) == 30


def test_manifest_next_to_a_table_that_is_opened_directly_is_reported_as_unused(whole):
    report = curation.check(whole.root / "labels.csv")
    assert "manifest.not_read" not in {each.code for each in report.diagnoses}
    whole.write("curation.toml", 'name = "mine"\n')
    dataset = curation.load(whole.root / "labels.csv")
    assert dataset.name == "labels"
    assert [each.code for each in dataset.report.diagnoses] == ["manifest.not_read"]
    assert "open the folder" in dataset.report.diagnoses[0].fix
