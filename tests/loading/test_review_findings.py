"""Layouts that a stranger tried, and that once were read wrongly."""

import json

import numpy as np
import pandas as pd
import pytest
from PIL import Image

import curation
from curation.cli import main
from curation.errors import CurationError


@pytest.fixture
def pets(tmp_path):
    """A folder with labels of three classes by number, and no probabilities yet."""
    labels = np.arange(303) % 3
    (tmp_path / "labels.csv").write_text("label\n" + "".join(f"{k}\n" for k in labels))
    probs = np.random.default_rng(0).dirichlet([1, 1, 1], 303) * 0.3
    probs[np.arange(303), labels] += 0.7
    return tmp_path, probs


@pytest.mark.parametrize("width", [1, 2, 5])
def test_shards_are_put_in_the_order_of_their_numbers(pets, width):
    folder, probs = pets
    for k, part in enumerate(np.split(probs, 101)):
        np.save(folder / f"probs-{k:0{width}d}.npy", part)
    assert np.array_equal(np.asarray(curation.load(folder).pred_probs), probs)


@pytest.mark.parametrize("form", ["csv", "json"])
def test_classes_that_are_numbered_come_in_the_order_of_their_numbers(pets, form):
    folder, probs = pets
    np.save(folder / "probs.npy", probs)
    rows = [(2, "eel"), (0, "cat"), (1, "dog")]
    if form == "csv":
        lines = "".join(f"{k},{name}\n" for k, name in rows)
        (folder / "classes.csv").write_text("index,name\n" + lines)
    else:
        listed = [{"id": k, "name": name} for k, name in rows]
        (folder / "classes.json").write_text(json.dumps(listed))
    assert curation.load(folder).class_names == ("cat", "dog", "eel")


@pytest.mark.parametrize("name", ["", None, ["x"]])
def test_class_without_a_name_is_refused(pets, name):
    folder, probs = pets
    np.save(folder / "probs.npy", probs)
    classes = [{"id": k, "name": each} for k, each in enumerate(["cat", "dog", name])]
    (folder / "classes.json").write_text(json.dumps(classes))
    with pytest.raises(CurationError):
        curation.load(folder)


@pytest.mark.parametrize(
    "line", ['class_order = [["a"], ["b"], ["c"]]', 'encoding = "a\\u0000b"', "class_order = [{}]"]
)
def test_manifest_that_says_nonsense_is_refused_in_words(pets, line):
    folder, probs = pets
    np.save(folder / "probs.npy", probs)
    (folder / "curation.toml").write_text(line + "\n")
    with pytest.raises(CurationError, match="cannot be (used|read)"):
        curation.load(folder)


def test_nothing_is_written_through_a_link_that_leads_out_of_the_folder(pets, tmp_path_factory):
    folder, probs = pets
    outside = tmp_path_factory.mktemp("outside")
    np.save(folder / "probs.npy", probs)
    (folder / "curation.toml").symlink_to(outside / "new.toml")
    assert main(["check", str(folder / "labels.csv"), "--write-manifest"]) == 2
    (folder / "curation.toml").unlink()
    (folder / ".curation").symlink_to(outside)
    assert curation.load(folder).fingerprint
    assert list(outside.iterdir()) == []


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_folders_are_the_labels_next_to_a_table_of_probabilities(tmp_path, form):
    names = []
    for label in ("cat", "dog"):
        (tmp_path / label).mkdir()
        for k in range(6):
            Image.new("RGB", (4, 4), (k * 40, 0, 0)).save(tmp_path / label / f"{k}.png")
            names.append(f"{label}/{k}.png")
    chance = [0.9 if name.startswith("cat") else 0.2 for name in names]
    table = pd.DataFrame({"id": names, "cat": chance, "dog": [1 - each for each in chance]})
    shuffled = table.sample(frac=1, random_state=0)
    if form == "csv":
        shuffled.to_csv(tmp_path / "probs.csv", index=False)
    else:
        shuffled.to_parquet(tmp_path / "probs.parquet", index=False)
    (tmp_path / "metrics.csv").write_text("epoch,loss\n1,0.5\n")
    dataset = curation.load(tmp_path)
    assert dataset.class_names == ("cat", "dog") and len(dataset) == 12
    by_id = dict(zip(names, chance, strict=True))
    found = np.asarray(dataset.pred_probs)[:, 0]
    assert found == pytest.approx([by_id[str(each)] for each in dataset.ids])
