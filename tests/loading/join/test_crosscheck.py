"""Columns that both files share are compared, and a join that they contradict is refused."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from curation.loading.formats.table import Table
from curation.loading.join.crosscheck import check_join
from curation.loading.join.row_matching import match_rows
from curation.loading.report_builder import ReportBuilder
from curation.loading.row_keys import Keys, table_keys
from curation.report import Severity
from tests.loading.join.two_files import (
    COUNT,
    FILES,
    NAMES,
    SWAPPED,
    TURNED,
    assert_joined,
    labels,
    probs,
)


def contradicted(folder):
    """Write tables whose ids count the rows of each, and whose file names tell another order."""
    labels(folder, "id,filename", COUNT, FILES)
    probs(folder, "id,filename", COUNT, [FILES[k] for k in SWAPPED])
    return folder


def test_ids_that_the_file_names_contradict_are_refused(folder):
    block = contradicted(folder).found("rows.contradicted")
    assert block.severity is Severity.BLOCK
    assert "joined by id, 2 of 30 rows belong to other examples according to column 'filename'" in (
        block.what
    )
    assert block.count == 2
    assert block.first_rows == ("row 3: 'd.png' and 'e.png'", "row 4: 'e.png' and 'd.png'")
    assert block.override == {"id_column": "filename"}
    dataset = assert_joined(folder, **block.override)
    assert "rows.contradicted" not in {each.code for each in dataset.report.diagnoses}


def test_person_who_insists_on_the_ids_is_warned(folder):
    contradicted(folder)
    assert folder.found("rows.contradicted", id_column="id").severity is Severity.WARN
    dataset = folder.load(id_column="id")
    np.testing.assert_allclose(dataset.pred_probs[3], folder.probs[4], rtol=1e-6)
    assert "rows of labels and probabilities belong together" not in dataset.report.passed


def test_files_of_several_rows_contradict_ids_too(folder):
    # Ten files of three rows each; rows 4 and 3 are of files b and b, rows 12 and 20 are not.
    files = [f"{FILES[k // 3]}" for k in COUNT]
    swapped = [20 if k == 12 else 12 if k == 20 else k for k in SWAPPED]
    labels(folder, "id,filename", COUNT, files)
    probs(folder, "id,filename", COUNT, [files[k] for k in swapped], order=swapped)
    block = folder.found("rows.contradicted")
    assert block.first_rows == ("row 12: 'e.png' and 'g.png'", "row 20: 'g.png' and 'e.png'")
    assert block.override == {"id_column": "id"}
    assert folder.found("rows.contradicted", **block.override).severity is Severity.WARN


def test_few_repeated_words_that_changed_contradict_nothing(folder):
    labels(folder, "id,town", COUNT, ["Ulm", "Bonn"] * 15)
    probs(folder, "id,town", SWAPPED, ["Ulm", "Bonn"] * 15)
    assert_joined(folder)
    assert "rows.contradicted" not in folder.codes()


def test_files_spelled_differently_contradict_nothing(folder):
    labels(folder, "id,filename", COUNT, [f"train\\{k}.png" for k in COUNT])
    probs(folder, "id,filename", SWAPPED, [f"{k}.jpg" for k in SWAPPED])
    assert_joined(folder)
    assert "rows.contradicted" not in folder.codes()


def test_texts_that_were_rewritten_contradict_nothing(folder):
    labels(folder, "id,text", COUNT, [f"Text {k}!" for k in COUNT])
    probs(folder, "id,text", SWAPPED, [f"text {k}" for k in SWAPPED])
    assert_joined(folder)
    assert "rows.contradicted" not in folder.codes()


def test_texts_of_other_rows_are_refused(folder):
    labels(folder, "id,text", COUNT, [f"text {k}" for k in COUNT])
    probs(folder, "id,text", COUNT, [f"text {k}" for k in SWAPPED])
    assert folder.found("rows.contradicted").count == 2


def test_texts_in_both_files_join_them_if_there_is_nothing_else(folder):
    texts = [f"text {k}" for k in COUNT]
    labels(folder, "text", texts)
    probs(folder, "text", [texts[k] for k in SWAPPED])
    assert_joined(folder)
    assert "by column 'text'" in folder.found("probs.joined").what


def test_texts_that_repeat_and_contradict_the_position_are_refused(folder):
    texts = ["again", "again", *(f"text {k}" for k in COUNT[2:])]
    labels(folder, "text", texts)
    probs(folder, "text", [texts[k] for k in SWAPPED])
    block = folder.found("rows.contradicted")
    assert "joined by position, 2 of 30 rows" in block.what
    probs(folder, "text", texts, order=COUNT)
    assert_joined(folder)
    assert not {"rows.contradicted", "probs.joined"} & folder.codes()


def test_labels_next_to_shuffled_probabilities_are_refused(folder):
    folder.labels[6] = 1  # the model says 0, so that the labels are not what it predicts
    labels(folder, "text", [f"text {k}" for k in COUNT])
    probs(folder, "label", [NAMES[folder.labels[k]] for k in SWAPPED])
    block = folder.found("rows.contradicted")
    assert block.severity is Severity.BLOCK
    assert block.first_rows == ("row 3: 'cat' and 'dog'", "row 4: 'dog' and 'cat'")
    probs(folder, "label", [NAMES[k] for k in folder.labels], order=COUNT)
    assert_joined(folder)
    assert "rows.contradicted" not in folder.codes()


def test_labels_that_were_corrected_since_give_a_warning(folder):
    labels(folder, "id", COUNT)
    probs(folder, "id,label", SWAPPED, ["eel", *(NAMES[k % 3] for k in SWAPPED[1:])])
    assert_joined(folder)
    warning = folder.found("rows.labels_differ")
    assert warning.severity is Severity.WARN
    assert "differs from the labels in 1 of 30 rows" in warning.what
    assert warning.first_rows == ("row 0: 'cat' and 'eel'",)


def test_predictions_named_label_are_reported(folder):
    # Examples 3 and 4, a cat and a dog, are predicted as the other: as many of each as before.
    folder.probs[[3, 4]] = folder.probs[[4, 3]]
    predicted = [NAMES[k] for k in folder.probs.argmax(axis=1)]
    labels(folder, "text", [f"text {k}" for k in COUNT])
    probs(folder, "label", predicted, order=COUNT)
    assert_joined(folder)
    assert not {"rows.contradicted", "rows.labels_differ"} & folder.codes()
    assert "column 'label' is treated as predictions" in folder.found("rows.predicted").what


def test_number_columns_that_differ_are_not_evidence(folder):
    labels(folder, "id,rank", COUNT, COUNT)
    probs(folder, "id,rank", SWAPPED, TURNED)
    assert_joined(folder)
    assert "rows.contradicted" not in folder.codes()


def test_comparing_the_columns_of_a_joined_table_agrees_with_a_loop(tmp_path):
    rng = np.random.default_rng(5)
    for _ in range(20):
        texts = [f"t{k}" for k in rng.permutation(12)]
        told = [f"t{k}" if rng.random() < 0.7 else f"new {k}" for k in rng.permutation(15)]
        ids = rng.permutation(12)
        mine = pa.table({"id": np.arange(12), "text": texts, "label": ["a", "b"] * 6})
        theirs = pa.table({"id": np.append(ids, [12, 13, 14]), "text": told})
        one, two = (table_keys(Table(tmp_path, "t", "parquet", each)) for each in (mine, theirs))
        report = ReportBuilder()
        check_join(one, two, match_rows(one, two), report)
        said = {int(i): text for i, text in zip(theirs["id"].to_pylist(), told, strict=True)}
        known = set(said[k] for k in range(12))
        moved = [k for k in range(12) if said[k] != texts[k] and said[k] in texts]
        moved = [k for k in moved if texts[k] in known]
        assert sum(each.count for each in report.diagnoses) == len(moved)


def test_parquet_numbers_and_text_of_one_column_are_compared_as_text(folder):
    labels(folder, "id,image_id", COUNT, [k + 5 for k in COUNT])
    columns = {name: folder.probs[:, k] for k, name in enumerate(NAMES)}
    turned = pa.array([float(k + 5) for k in SWAPPED])
    pq.write_table(pa.table({"id": COUNT, "image_id": turned, **columns}), folder.root / "probs.pq")
    assert folder.found("rows.contradicted").count == 2


def test_keys_of_arrays_share_no_columns():
    ids = pa.chunked_array([["a", "b"]])
    assert match_rows(Keys(ids), Keys()) is None
