"""Whole datasets: parts found, joined and judged, with their pictures and texts."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

import curation
from curation.errors import BlockedError, InputError
from curation.loading import content_checks, load_before_checks
from curation.loading.formats.disk_array import DiskArray
from tests.loading.conftest import find_diagnosis
from tests.small_set import write_images


def test_parts_of_a_folder_are_found(whole):
    dataset = whole.load()
    assert dataset.ids[:3].tolist() == ["e0", "e1", "e2"]
    assert dataset.labels.tolist() == whole.labels.tolist()
    assert dataset.class_names == dataset.class_ids == dataset.label_values == ("cat", "dog", "eel")
    assert isinstance(dataset.pred_probs, DiskArray)
    assert (dataset.kind, dataset.name, len(dataset)) == ("index", "data", 30)
    assert dataset.settings["labels"] == "labels.csv"
    assert dataset.settings["label_column"] == "label"
    assert not dataset.report.blocked
    assert "every row has a label" in dataset.report.passed


def test_loaded_dataset_goes_straight_into_the_analysis(whole):
    dataset = whole.load()
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    assert findings.labels.tolist() == whole.labels.tolist()


def test_blocked_error_carries_the_whole_report(whole):
    whole.write("labels.csv", "")
    whole.write("probs.npy", b"no")
    error = whole.blocked()
    assert isinstance(error, InputError)
    assert {each.code for each in error.report.diagnoses} == {"table.empty", "npy.broken"}
    assert "1 more fault" in error.remedy
    assert curation.check(whole.root).blocked


@pytest.mark.fault(
    26,
    "WARN",
    says="labels.csv: 9 examples show the same as another, under the same label (compared: "
    "texts, letter by letter). Delete the copies if they are not intended.",
)
def test_identical_rows_give_a_warning(whole):
    rows = "".join(
        f"same text,{k}\n" if k == 1 else f"text {i},{k}\n" for i, k in enumerate(whole.labels)
    )
    whole.write("labels.csv", "text,label\n" + rows)
    warning = find_diagnosis(whole.load(), "rows.identical")
    assert "9 examples show the same as another, under the same label" in warning.what
    assert warning.first_rows[0] == "row 4 = row 1"


@pytest.mark.fault(
    22,
    "WARN",
    says="probs.npy: There is only one row. Add more labelled examples.",
)
def test_one_row_is_enough(folder):
    folder.write("labels.csv", "id,label\na,0\n")
    folder.save("probs.npy", np.array([[0.5, 0.5]]))
    assert len(folder.load()) == 1


def test_other_columns_are_kept(whole):
    whole.write(
        "labels.csv",
        "label,note,id\n" + "".join(f"{k},n{k},{i}\n" for i, k in enumerate(whole.labels)),
    )
    dataset = whole.load()
    assert dict(dataset.extras)["note"][:2].tolist() == ["n0", "n1"]
    with pytest.raises(KeyError):
        dataset.extras["label"]


def test_pictures_are_found_next_to_the_table(whole):
    cells = "".join(f"{i}.png,{k}\n" for i, k in enumerate(whole.labels))
    whole.write("labels.csv", "file_name,label\n" + cells)
    (whole.root / "images").mkdir()
    for i in range(30):
        Image.new("RGB", (4, 4), (i, 0, 0)).save(whole.root / "images" / f"{i}.png")
    dataset = whole.load()
    assert dataset.kind == "image"
    assert dataset.settings["image_root"] == "images"
    assert dataset.content.image(7).image.getpixel((0, 0)) == (7, 0, 0)
    (whole.root / "images" / "3.png").write_bytes(b"")
    (whole.root / "images" / "5.png").unlink()
    codes = whole.codes()
    assert {"content.empty", "content.missing"} <= codes


def test_embedded_pictures_are_read_from_the_table(whole):
    import io

    (whole.root / "labels.csv").unlink()
    pictures = []
    for i in range(30):
        Image.new("RGB", (4, 4), (i, 0, 0)).save(buffer := io.BytesIO(), "png")
        pictures.append({"bytes": buffer.getvalue(), "path": None})
    table = pa.table({"image": pa.array(pictures), "label": pa.array(whole.labels)})
    pq.write_table(table, whole.root / "train.parquet")
    dataset = whole.load()
    assert dataset.content.image(9).image.getpixel((0, 0)) == (9, 0, 0)
    assert len(dataset.fingerprint) == 64


def test_folder_per_class_is_a_dataset(folder):
    for name in ("cat", "dog"):
        for i in range(5):
            path = folder.write(f"{name}/{i}.png", b"")
            Image.new("RGB", (2, 2)).save(path)
    folder.save("probs.npy", np.tile([[0.9, 0.1], [0.2, 0.8]], (5, 1)))
    dataset = folder.load()
    assert dataset.class_names == ("cat", "dog")
    assert dataset.ids[[0, 9]].tolist() == ["cat/0.png", "dog/4.png"]
    assert dataset.labels.tolist() == [0] * 5 + [1] * 5
    assert dataset.source.format == "folders"


def test_class_folder_that_leads_outside_is_left_out(folder, tmp_path):
    for name in ("cat", "dog"):
        Image.new("RGB", (2, 2)).save(folder.write(f"{name}/0.png", b""))
    (tmp_path / "secret").mkdir()
    Image.new("RGB", (2, 2)).save(tmp_path / "secret" / "0.png")
    (folder.root / "fox").symlink_to(tmp_path / "secret")
    folder.save("probs.npy", np.array([[0.9, 0.1], [0.2, 0.8]]))
    dataset = folder.load()
    assert dataset.class_names == ("cat", "dog")
    assert "folder.skipped" in {each.code for each in dataset.report.diagnoses}


@pytest.mark.fault(
    28,
    "BLOCK",
    says="probs.csv: reading it needs about 372 bytes of memory; the limit is 107 bytes.",
)
def test_file_too_large_for_memory_is_refused_with_numbers(whole):
    whole.write("probs.csv", "cat,dog,eel\n" + "0.2,0.3,0.5\n" * 30)
    error = whole.blocked(probs="probs.csv", memory_limit_gb=1e-7)
    assert "needs about 372 bytes of memory; the limit is 107 bytes." in error.problem


def test_missing_path_is_reported(tmp_path):
    with pytest.raises(BlockedError, match="there is no such file or folder"):
        curation.load(tmp_path / "nowhere")
    with pytest.raises(BlockedError, match="there is no such file or folder"):
        curation.load("nul\0byte")


@pytest.mark.fault(
    33,
    "BLOCK",
    says="labels.csv: the text is not UTF-8; it looks like latin-1. Save it as UTF-8, or "
    'pass encoding="latin-1" if that is right.',
)
def test_encoding_agreed_on_helps_only_the_files_that_need_it(whole):
    names = ["café", "dog", "eel"]
    whole.write("labels.csv", whole.table([names[k] for k in whole.labels]).encode("latin-1"))
    whole.write("classes.txt", "café\ndog\neel\n")
    assert whole.blocked().report.diagnoses[0].override == {"encoding": "latin-1"}
    assert whole.load(encoding="latin-1").class_names == ("café", "dog", "eel")


@pytest.mark.parametrize("column", ["text", "sentence", "review", "content"])
def test_text_columns_of_the_usual_names_are_known(whole, column):
    rows = "".join(f"{k},words {i}\n" for i, k in enumerate(whole.labels))
    whole.write("labels.csv", f"label,{column}\n" + rows)
    dataset = whole.load()
    assert dataset.content.text(3) == "words 3"


def test_pictures_are_checked_after_loading_if_that_is_asked_for(folder, monkeypatch):
    monkeypatch.setattr(content_checks, "CHECKED_AT_ONCE", 0)
    write_images(folder.root, 30, 3, rng=np.random.default_rng(1))
    (folder.root / "images/00003.png").unlink()
    (folder.root / "images/00009.png").write_bytes((folder.root / "images/00008.png").read_bytes())
    dataset = load_before_checks(folder.root)
    early = dataset.checks.latest
    assert not dataset.checks.done and "content.missing" not in {e.code for e in early.diagnoses}
    complete = curation.load(folder.root)
    assert complete.checks.done and complete.report == dataset.report
    codes = {each.code for each in complete.report.diagnoses}
    assert codes - {each.code for each in early.diagnoses} == {"content.missing", "rows.two_labels"}
    assert curation.check(folder.root) == complete.report
