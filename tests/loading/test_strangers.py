"""Folders as people really have them: what is understood, and what is said where it is not."""

import gzip
import json

import numpy as np
import pytest
from PIL import Image

from tests.loading.conftest import find_diagnosis

NAMES = ["cat", "dog", "eel"]


def table(folder, names=NAMES, *, ids=None, order=range(30)) -> str:
    rows = ([*([ids[k]] if ids else []), *folder.probs[k].tolist()] for k in order)
    header = ([*(["path"] if ids else []), *names],)
    return "".join(",".join(map(str, row)) + "\n" for row in (*header, *rows))


def class_folders(folder, split: str) -> list[str]:
    names = [f"{split}/{NAMES[k]}/{row:02}.png" for row, k in enumerate(folder.labels)]
    for name in names:
        (folder.root / name).parent.mkdir(parents=True, exist_ok=True)
        Image.new("L", (2, 2)).save(folder.root / name)
    return names


@pytest.mark.parametrize("name", ["train_pred_proba.csv", "oof.csv", "resnet-preds.csv"])
def test_predictions_are_recognised_by_a_word_in_their_name(folder, name):
    folder.write("train.csv", folder.table())
    folder.write(name, table(folder))
    folder.write("sample_submission.csv", "id,cat,dog,eel\nx,0.3,0.3,0.4\n")
    assert folder.load().settings["probs"] == name


def test_predicted_labels_are_not_probabilities(folder):
    folder.write("labels.csv", folder.table())
    folder.write("preds.csv", "id,prediction\n" + "".join(f"{k},2\n" for k in range(30)))
    folder.save("y_pred.npy", folder.labels)
    assert "no probabilities found" in folder.blocked().problem
    folder.save("y_pred_proba.npy", folder.probs)
    assert folder.load().settings["probs"] == "y_pred_proba.npy"


def test_files_of_the_label_errors_repository_are_understood(folder):
    folder.save("cifar10_test_set_original_labels.npy", folder.labels)
    folder.save("cifar10_test_set_pyx.npy", folder.probs)
    folder.write("cifar10_test_set_index_to_label.json", json.dumps(NAMES))
    dataset = folder.load()
    assert dataset.class_names == ("cat", "dog", "eel")
    assert dataset.settings["probs"] == "cifar10_test_set_pyx.npy"


def test_class_folders_in_two_splits_are_distinguished_or_ambiguous(folder):
    names = class_folders(folder, "train")
    class_folders(folder, "val")
    folder.save("probs.npy", folder.probs)
    error = folder.blocked()
    assert "several files could be the labels: 'train', 'val'" in error.problem
    assert folder.load(labels="val").ids[0] == "val/cat/00.png"
    (folder.root / "probs.npy").unlink()
    order = np.random.default_rng(0).permutation(30)
    folder.write("train_preds.csv", table(folder, ids=names, order=order))
    dataset = folder.load()
    assert dataset.settings["labels"] == "train"
    assert "instead of 'val'" in find_diagnosis(dataset, "folder.split_chosen").what
    for row, name in enumerate(dataset.ids):
        np.testing.assert_allclose(
            dataset.pred_probs[row], folder.probs[names.index(name)], rtol=1e-6
        )


def test_class_folders_with_as_many_pictures_as_probabilities_are_taken(folder):
    class_folders(folder, "train")
    class_folders(folder, "val")
    (folder.root / "val/cat/00.png").unlink()
    folder.save("probs.npy", folder.probs)
    assert folder.load().settings["labels"] == "train"


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("labels.xls", "save it as .xlsx, or the sheet as CSV UTF-8"),
        ("labels.parquet.gz", "unpack it"),
        ("labels.pkl", "Pickles are refused"),
        ("labels.sav", 'pd.read_spss("labels.sav").to_csv("labels.csv"'),
        ("labels.dta", 'pd.read_stata("labels.dta").to_csv("labels.csv"'),
        ("labels.rds", 'readRDS("labels.rds")'),
        ("labels.h5", 'h5py.File("labels.h5")'),
        ("labels.sqlite", 'sqlite3.connect("labels.sqlite")'),
        ("labels.duckdb", 'duckdb.connect("labels.duckdb")'),
        ("labels.safetensors", 'load_file("labels.safetensors")'),
        ("archive.zip", "unpack it"),
    ],
)
def test_labels_in_a_format_that_is_not_read_say_what_to_save(folder, name, advice):
    folder.write(name, b"anything")
    folder.save("probs.npy", folder.probs)
    error = folder.blocked()
    assert "no labels found" in error.problem
    assert name in error.remedy and advice in error.remedy


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(
            "probs.pt",
            marks=pytest.mark.fault(
                53,
                "BLOCK",
                says="probs.pt: Pickles are refused, because loading one runs the code in it. If "
                "you trust the file: data = torch.load(",
            ),
        ),
        "preds.pkl",
        "probs.joblib",
        "oof_preds.h5",
        "preds.safetensors",
        "outputs.pt",
    ],
)
def test_probabilities_in_a_format_that_is_not_read_say_what_to_save(folder, name):
    folder.write("labels.csv", folder.table())
    folder.write(name, b"anything")
    error = folder.blocked()
    assert "no probabilities found" in error.problem
    assert name in error.remedy and "np.save" in error.remedy
    assert "np.save" in folder.blocked(probs=name).remedy


def test_a_gzipped_table_that_can_be_read_needs_no_advice_to_unpack_it(folder):
    folder.write("labels.csv", folder.table())
    folder.write("oof_preds.csv.gz", gzip.compress(b"id,note\ne0,good\n"))
    error = folder.blocked()
    assert "no probabilities found" in error.problem
    assert "name the file probs.npy" in error.remedy and "unpack" not in error.remedy


def test_column_that_could_be_the_labels_is_suggested_but_not_used(folder):
    rows = "".join(f"x{row},{NAMES[k]},t {row}\n" for row, k in enumerate(folder.labels))
    folder.write("labels.csv", "id,breed,text\n" + rows)
    folder.save("probs.npy", folder.probs)
    error = folder.blocked()
    assert "no label column among 'id', 'breed', 'text'. 'breed' could be it." in error.problem
    offer = error.report.diagnoses[0].override
    assert offer == {"label_column": "breed"}
    assert folder.load(**offer).labels.tolist() == folder.labels.tolist()


def test_if_two_columns_could_be_the_labels_both_are_offered_and_neither_is_used(folder):
    rows = "".join(f"{NAMES[k]},{NAMES[k - 1]}\n" for k in folder.labels)
    folder.write("labels.csv", "breed,sort\n" + rows)
    folder.save("probs.npy", folder.probs)
    error = folder.blocked()
    assert "could be it" not in error.problem
    offers = error.report.diagnoses[0].offers
    assert offers == ({"label_column": "breed"}, {"label_column": "sort"})
    assert folder.load(**offers[0]).labels.tolist() == folder.labels.tolist()


@pytest.mark.parametrize(("column", "written"), [("image_id", "{}.jpg"), ("photo", "{}.jpg")])
def test_column_of_file_names_shows_pictures_under_any_name(folder, column, written):
    picture(folder, "train_images/x0.jpg")
    rows = "".join(f"{written.format(f'x{r}')},{NAMES[k]}\n" for r, k in enumerate(folder.labels))
    folder.write("train.csv", f"{column},label\n" + rows)
    folder.save("oof_probs.npy", folder.probs)
    dataset = folder.load()
    assert (dataset.kind, dataset.settings["image_root"]) == ("image", "train_images")
    assert dataset.content.image(0).image.size == (3, 2)


@pytest.mark.parametrize("ending", [".jpg", ".PNG"])
def test_pictures_named_by_the_ids_are_found_without_their_ending(folder, ending):
    """As in Kaggle's dog breeds: labels.csv says 000bec, and train/ holds 000bec.jpg."""
    for row in range(30):
        picture(folder, f"train/e{row}{ending}")
    folder.whole()
    dataset = folder.load()
    assert dataset.content.image(7).image.size == (3, 2)
    assert dataset.settings["image_column"] == "id"
    again = folder.load(image_column="id", image_root="train")
    assert again.content.names.tolist() == dataset.content.names.tolist()
    (folder.root / f"train/e3{ending}").unlink()
    assert folder.load().kind == "index"  # one of the first few is none: perhaps chance


def picture(folder, name: str) -> None:
    (folder.root / name).parent.mkdir(parents=True, exist_ok=True)
    Image.new("L", (3, 2)).save(folder.root / name)


def test_labels_rejected_in_prodigy_give_a_warning(folder):
    rows = [
        {"text": f"t {row}", "label": NAMES[k], "answer": "reject" if row == 4 else "accept"}
        for row, k in enumerate(folder.labels)
    ]
    folder.write("annotations.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    folder.save("probs.npy", folder.probs)
    warning = find_diagnosis(folder.load(), "labels.rejected")
    assert "1 of 30 rows were answered reject or ignore" in warning.what
    assert warning.first_rows == ("row 4",)
    rows[4]["answer"] = "accept"
    folder.write("annotations.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    assert "labels.rejected" not in folder.codes()


@pytest.mark.parametrize(("taken", "other"), [("test", "train"), ("train", "test")])
def test_table_next_to_the_pictures_of_a_split_is_found(folder, taken, other):
    """As Hugging Face's ImageFolder has it: train/metadata.jsonl names the files next to it."""
    for split in ("train", "test"):
        rows = [{"file_name": f"{r}.png", "label": NAMES[k]} for r, k in enumerate(folder.labels)]
        folder.write(f"{split}/metadata.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
        picture(folder, f"{split}/0.png")
    folder.save(f"{taken}_probs.npy", folder.probs)
    dataset = folder.load()
    assert dataset.settings["labels"] == f"{taken}/metadata.jsonl"
    assert (
        f"instead of '{other}/metadata.jsonl'"
        in find_diagnosis(dataset, "folder.split_chosen").what
    )
    assert dataset.content.names[0] == f"{taken}/0.png"


def with_commas(rows) -> str:
    return "".join(";".join(str(x).replace(".", ",") for x in row) + "\n" for row in rows)


def test_decimal_commas_in_the_label_table_are_read_and_reported(folder):
    rows = ([f"{r:03}", NAMES[k], *folder.probs[r]] for r, k in enumerate(folder.labels))
    folder.write("data.csv", "id;label;p_cat;p_dog;p_eel\n" + with_commas(rows))
    dataset = folder.load()
    np.testing.assert_allclose(dataset.pred_probs[:], folder.probs, rtol=1e-6)
    assert dataset.ids[1] == "001"
    assert find_diagnosis(dataset, "probs.decimal_comma").where == "data.csv"


def test_decimal_commas_that_begin_further_down_are_read_and_reported(folder):
    folder.probs[0] = [1, 0, 0]
    folder.write("labels.csv", folder.table())
    rows = [[f"e{row}", *probs] for row, probs in enumerate(folder.probs.tolist())]
    rows[0] = ["e0", 1, 0, 0]
    folder.write("probs.csv", "id;cat;dog;eel\n" + with_commas(rows))
    dataset = folder.load()
    np.testing.assert_allclose(dataset.pred_probs[:], folder.probs, rtol=1e-6)
    assert find_diagnosis(dataset, "probs.decimal_comma").where == "probs.csv"


def test_ids_with_a_comma_stay_ids_where_numbers_have_decimal_commas(folder):
    folder.probs[0] = [1, 0, 0]
    ids = [f"{row},5" for row in range(30)]
    rows = [[name, NAMES[k]] for name, k in zip(ids, folder.labels, strict=True)]
    folder.write("labels.csv", "id;label\n" + with_commas(rows))
    rows = [[name, *p] for name, p in zip(ids, folder.probs.tolist(), strict=True)]
    rows[0] = [ids[0], 1, 0, 0]
    folder.write("probs.csv", "id;cat;dog;eel\n" + with_commas(rows[::-1]))
    dataset = folder.load()
    assert dataset.ids[1] == "1,5"
    np.testing.assert_allclose(dataset.pred_probs[:], folder.probs, rtol=1e-6)


def test_numbers_with_decimal_commas_and_no_header_are_a_matrix(folder):
    folder.write("labels.csv", folder.table())
    folder.write("probs.csv", with_commas(folder.probs.tolist()))
    dataset = folder.load()
    np.testing.assert_allclose(dataset.pred_probs[:], folder.probs, rtol=1e-6)
    assert find_diagnosis(dataset, "probs.decimal_comma").where == "probs.csv"


def test_labels_without_a_header_are_refused(folder):
    folder.write("labels.csv", "".join(f"{r},{NAMES[k]}\n" for r, k in enumerate(folder.labels)))
    folder.save("probs.npy", folder.probs[1:])
    error = folder.blocked()
    assert (
        "the header seems to be missing: the first line is '0', 'cat', and 'cat' occurs again"
        in error.problem
    )
    assert "such as id,label" in error.remedy


def test_mark_that_numpy_writes_before_the_names_is_removed_and_reported(folder):
    folder.write("labels.csv", folder.table())
    np.savetxt(folder.root / "probs.csv", folder.probs, delimiter=",", header="cat,dog,eel")
    dataset = folder.load()
    assert dataset.class_names == ("cat", "dog", "eel")
    np.testing.assert_allclose(dataset.pred_probs[:], folder.probs, rtol=1e-6)
    assert "'cat', without the '#'" in find_diagnosis(dataset, "table.comment_mark").what


def test_word_among_decimal_commas_is_the_cell_that_is_named(folder):
    rows = [[f"e{r}", NAMES[k], *folder.probs[r].tolist()] for r, k in enumerate(folder.labels)]
    rows[4][3] = "none"
    folder.write("data.csv", "id;label;p_cat;p_dog;p_eel\n" + with_commas(rows))
    assert "row 4: 'none' in column 'p_dog' is not a number" in folder.blocked().problem


def test_table_of_probabilities_that_holds_only_blank_lines_says_so(folder):
    folder.write("labels.csv", folder.table())
    folder.write("probs.csv", "\n\n")
    assert "only blank lines" in folder.blocked().problem
