"""What the Export page says will change, and what it writes."""

from __future__ import annotations

import csv
import json
import shutil

import numpy as np
import pytest

import curation
from curation.cli import main
from curation.exports.file_registry import FILES
from curation.review.cleaning_plan import make_plan
from curation.review.outcome import find_outcome
from curation.review.outcome_settings import OutcomeSettings
from curation.ui.export import export_files
from tests import small_set
from tests.folders import write_folder
from tests.pages.visiting import link, run, save, seen

PAGE = "pages/4_Export.py"


@pytest.fixture
def decided(pets):
    """Three issues relabelled, one kept, one excluded."""
    dataset = curation.load(pets)
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    rows = findings.issues()[:5]
    with curation.open_store(dataset) as store:
        for row in rows[:3]:
            label = int(findings.suggested_labels[row])
            store.decide(str(dataset.ids[row]), "relabel", label=label, curator="ana")
        store.decide(str(dataset.ids[rows[3]]), "keep", curator="ana")
        store.decide(str(dataset.ids[rows[4]]), "exclude", curator="ana", note="blurred")
    return pets, rows, findings


def test_nothing_decided_is_reported_with_a_link_to_review(pets):
    page = run(pets, PAGE)
    assert not page.exception
    assert (
        "Nothing is decided yet, so the cleaned labels are the same as the given labels."
        in seen(page)
    )
    assert "0 of 300 rows change" in seen(page)
    assert "Review the issues →" in [each.proto.label for each in page.get("page_link")]


def test_without_issues_nobody_is_sent_to_review_them(tmp_path):
    page = run(small_set.write_texts(tmp_path, 30, 0, rng=np.random.default_rng(0)), PAGE)
    assert "Nothing is decided yet" in seen(page) and "0 issues undecided" in seen(page)
    assert "Review the issues →" not in [each.proto.label for each in page.get("page_link")]


def test_rows_left_out_at_loading_are_said_to_stay_in_the_file(tmp_path):
    pets = save(tmp_path / "pets")
    probs = np.load(pets / "probs.npy")
    probs[[3, 7]] = np.nan
    np.save(pets / "probs.npy", probs)
    page = run(pets, PAGE, fix='{"drop_rows": true}')
    assert "0 of 298 rows change" in seen(page)
    said = "2 more rows were left out when the labels were loaded. They stay in the file, unchanged"
    assert said in seen(page)
    write(page, tmp_path / "out")
    cleaned = np.load(tmp_path / "out" / "cleaned_labels.npy")
    assert cleaned.tolist() == np.load(pets / "labels.npy").tolist()


def test_what_changes_is_counted_and_listed_before_it_does(decided):
    pets, rows, findings = decided
    page = run(pets, PAGE)
    assert not page.exception
    assert "3 of 300 rows change" in seen(page) and "1 row is removed" in seen(page)
    assert "5 decided: 3 relabelled, 1 kept as labelled, 1 excluded" in seen(page)
    table = page.dataframe[0].value
    assert table["id"].tolist() == [*sorted(map(str, rows[:3]), key=int), str(rows[4])]
    assert table["after"].tolist()[-1] == "(row removed)" and set(table["by"]) == {"ana"}


def test_restored_decisions_are_exported_though_there_are_as_many_as_before(pets, tmp_path):
    dataset = curation.load(pets)
    with curation.open_store(dataset) as store:
        store.decide("7", "exclude", curator="ana")
    page = run(pets, PAGE)
    assert "1 row is removed" in seen(page)
    with curation.open_store(dataset, tmp_path / "other.db") as store:
        store.decide("7", "keep", curator="ana")
    assert main(["backup", str(tmp_path / "other.db"), "--out", str(tmp_path / "copy.db")]) == 0
    assert main(["restore", str(tmp_path / "copy.db"), str(pets), "--force"]) == 0
    page.run()
    page = run(pets, PAGE)
    assert "1 decided: 1 kept as labelled" in seen(page) and "is removed" not in seen(page)
    write(page, tmp_path / "out")
    assert len(np.load(tmp_path / "out" / "cleaned_labels.npy")) == 300


def test_excluded_rows_can_be_flagged_instead(decided):
    page = run(decided[0], PAGE, excluded="flag")
    assert page.dataframe[0].value["after"].tolist()[-1] == "(marked)"


def test_issues_can_be_written_by_log_margin(decided, tmp_path):
    pets, _, findings = decided
    page = run(pets, PAGE, issue_order="log_margin")
    write(page, tmp_path / "out")
    with (tmp_path / "out" / "issues.csv").open(newline="") as file:
        written = [each["id"] for each in csv.DictReader(file)]
    assert written == [str(row) for row in findings.issues(order="log_margin")]
    assert written != [str(row) for row in findings.issues()]


def test_undecided_issues_can_be_pruned_by_a_method(decided):
    pets, _, findings = decided
    page = run(pets, PAGE, undecided="both")
    flagged = int(findings.mask("both").sum())
    pruned = page.dataframe[0].value["by"].str.startswith("pruned").sum()
    assert 0 < pruned <= flagged


def test_sure_suggestions_can_be_accepted_and_their_precision_is_shown(decided):
    pets, rows, findings = decided
    page = run(pets, PAGE)
    assert "Too few like them are decided to say how often the suggestion is right" in seen(page)
    assert "3 of 300 rows change" in seen(page)  # nothing is taken unasked
    page = run(pets, PAGE, undecided="suggest", confidence="0.5")
    sources = page.dataframe[0].value["by"].tolist()
    assert sources[:4] == ["ana"] * 4
    assert set(sources[4:]) == {"suggestion taken without a decision"}
    issues = findings.issues()[5:]
    probs = np.load(pets / "probs.npy")[issues, findings.suggested_labels[issues]]
    assert len(sources) == 4 + int((probs >= 0.5).sum())


def test_single_decisions_come_before_a_renamed_class_and_nobody_is_credited_with_it(tmp_path):
    data = small_set.write_texts(tmp_path / "texts", 40, 5, rng=np.random.default_rng(1))
    with curation.open_store(curation.load(data)) as store:
        store.decide("t00030", "relabel", label="eel", curator="ana")
        store.decide("t00031", "keep", curator="ana")
        for name in ("cat", "dog", "eel"):
            store.decide_classes("rename", name, into=f"a {name}", curator="bo")
    table = run(data, PAGE, merges="yes").dataframe[0].value
    assert table["id"][0] == "t00030" and table["by"][0] == "ana" and len(table) == 40
    assert set(table["by"][1:]) == {"its class was merged or renamed"}
    kept = table[table["id"] == "t00031"].iloc[0]  # ana kept it, and did not rename it
    assert (kept["by"], kept["when (UTC)"]) == ("its class was merged or renamed", "")


def write(page, folder):
    """Write all files into a folder, and wait until that is done."""
    page.text_input(key="export-folder").set_value(str(folder))
    page.button(key="export-write").click().run()
    while page.get("progress"):
        page.run()
    return page


def test_files_are_written_where_asked_and_the_path_is_shown(decided, tmp_path):
    pets, rows, findings = decided
    page = write(run(pets, PAGE), tmp_path / "out")
    assert not page.exception
    assert str(tmp_path / "out") in page.code[0].value
    cleaned = np.load(tmp_path / "out" / "cleaned_labels.npy")
    assert len(cleaned) == 299
    counts = json.loads((tmp_path / "out" / "manifest.json").read_text())["counts"]
    assert counts["labels_changed"] == 3 and counts["excluded"] == 1


def test_folder_typed_just_before_the_click_is_the_one_written_to(decided, tmp_path):
    write(run(decided[0], PAGE), tmp_path / "typed")  # both arrive at once
    assert (tmp_path / "typed" / "manifest.json").is_file()


def test_typed_folder_is_still_there_after_another_page_and_not_in_the_link(pets, tmp_path):
    page = run(pets, PAGE)
    page.text_input(key="export-folder").set_value(str(tmp_path / "typed")).run()
    page.switch_page("pages/1_Noise.py").run()
    page.switch_page(PAGE).run()
    assert page.text_input(key="export-folder").value == str(tmp_path / "typed")
    assert set(link(page)) == {"data"}
    page.button(key="export-write").click().run()
    while page.get("progress"):
        page.run()
    assert (tmp_path / "typed" / "manifest.json").is_file()


def test_folder_that_holds_something_else_is_refused_in_words(decided, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("my work")
    page = write(run(decided[0], PAGE), tmp_path / "mine")
    assert not page.exception and page.error
    assert (tmp_path / "mine" / "thesis.tex").read_text() == "my work"


def test_written_files_stay_listed_when_their_folder_is_gone(decided, tmp_path):
    page = write(run(decided[0], PAGE), tmp_path / "out")
    shutil.rmtree(tmp_path / "out")
    page.run()
    count = len(FILES) - 1  # without pictures.zip: these are indices
    assert not page.exception and f"{count} files were written to" in seen(page)
    assert "every decided example, flagged or not · " in seen(page)  # and its size


def test_written_files_are_not_listed_for_another_dataset(decided, tmp_path):
    page = write(run(decided[0], PAGE), tmp_path / "out")
    page.query_params["data"] = str(write_folder(tmp_path / "other", 3, 60))
    page.run()
    assert not page.exception
    assert "files were written to" not in seen(page) and "0 of 60 rows change" in seen(page)


def test_decisions_since_the_files_were_written_are_reported(decided, tmp_path):
    pets, rows, _ = decided
    page = write(run(pets, PAGE), tmp_path / "out")
    assert "Decisions or settings have changed since" not in seen(page)
    with curation.open_store(curation.load(pets)) as store:
        store.decide(str(rows[3]), "exclude", curator="ana")
    assert "Decisions or settings have changed since" in seen(page.run())


def test_the_export_writes_what_the_page_showed(decided, tmp_path):
    pets, rows, _ = decided
    page = run(pets, PAGE)
    with curation.open_store(curation.load(pets)) as store:
        store.decide(str(rows[3]), "exclude", curator="ben")
    write(page, tmp_path / "out")  # drawn before ben spoke
    assert len(np.load(tmp_path / "out" / "cleaned_labels.npy")) == 299
    assert "Decisions or settings have changed since" in seen(page)
    write(page, tmp_path / "out")
    assert len(np.load(tmp_path / "out" / "cleaned_labels.npy")) == 298
    assert "Decisions or settings have changed since" not in seen(page)


def test_each_file_at_a_click_is_the_one_that_is_written(decided, tmp_path):
    pets, _, findings = decided
    dataset = curation.load(pets)
    with curation.open_store(dataset) as store:
        log = store.log()
        exported = curation.export(dataset, store, tmp_path / "out", findings=findings)
    plan = make_plan(dataset, findings, find_outcome(dataset, log, "latest"), OutcomeSettings())
    made = export_files._list_downloads(plan)
    made["cleaned_labels.npy"] = made.pop("cleaned_labels")
    assert {*made, "manifest.json"} == {*exported.files}
    for name, make in made.items():
        assert make() == (tmp_path / "out" / name).read_bytes(), name
        assert exported.files[name] == len(make())


@pytest.mark.parametrize("name", ["pets_test", "PETS-10 test", "test.v2", "test2017"])
def test_losing_rows_of_a_test_set_gives_a_warning(decided, tmp_path, name):
    data = decided[0].rename(tmp_path / name)
    assert any("test set" in each.value for each in run(data, PAGE).warning)
    assert not run(data, PAGE, excluded="flag").warning  # then no row leaves


@pytest.mark.parametrize(
    ("column", "split", "warned"),
    [("split", "test", True), ("Set", "Testing ", True), ("split", "train", False)],
)
def test_a_column_tells_whether_rows_that_leave_are_of_the_test_split(
    tmp_path, column, split, warned
):
    data = save(tmp_path / "test_and_train")
    labels = np.load(data / "labels.npy")
    (data / "labels.npy").unlink()
    other = "train" if warned else "test"
    rows = [f"{row},{label},{other if row else split}" for row, label in enumerate(labels)]
    (data / "labels.csv").write_text(f"id,label,{column}\n" + "\n".join(rows) + "\n")
    with curation.open_store(curation.load(data)) as store:
        store.decide("0", "exclude", curator="ana")
    page = run(data, PAGE)
    assert any("test set" in each.value for each in page.warning) == warned


def test_merged_classes_are_reported_and_written_on_request(decided):
    pets, _, _ = decided
    with curation.open_store(curation.load(pets)) as store:
        store.decide_classes("merge", 0, 1, into=1, curator="ana")
    page = run(pets, PAGE)
    assert "cat → dog" in seen(page) and "not written into the labels unless you choose so" in seen(
        page
    )
    cats = int((np.load(pets / "labels.npy") == 0).sum())
    asked = seen(run(pets, PAGE, merges="yes"))
    assert "not written into the labels unless you choose so" not in asked
    changed = int(asked.split(" of 300 rows change")[0].rsplit("*", 1)[-1])
    assert cats - 5 <= changed <= cats + 5  # all of them, but for what was decided one by one


def test_decisions_that_no_longer_fit_are_named(decided):
    pets, rows, _ = decided
    labels = np.load(pets / "labels.npy")
    labels[rows[0]] = (labels[rows[0]] + 1) % 3
    np.save(pets / "labels.npy", labels)
    page = run(pets, PAGE)
    (warning,) = [each.value for each in page.warning if "no longer" in each.value]
    assert warning.startswith("5 decisions no longer fit the dataset and are not applied: ")
    assert "Reason for the first: only its row number is known" in warning


def test_curators_who_differ_are_named_with_what_counts(decided):
    pets, rows, _ = decided
    with curation.open_store(curation.load(pets)) as store:
        store.decide(str(rows[0]), "keep", curator="ben")
    page = run(pets, PAGE)
    assert any("Curators disagree on 1 example" in each.value for each in page.warning)
    agreed = run(pets, PAGE, policy="agreed only")
    assert "2 of 300 rows change" in seen(agreed)
    assert any("only where all agree: 1 left as given" in each.value for each in agreed.warning)


def test_store_that_the_command_named_is_the_one_read(pets, tmp_path, monkeypatch):
    elsewhere = tmp_path / "elsewhere.db"
    dataset = curation.load(pets)
    with curation.open_store(dataset, elsewhere) as store:
        store.decide(str(dataset.ids[0]), "exclude", curator="ana")
    monkeypatch.setattr("sys.argv", ["app.py", "--data", str(pets), "--store", str(elsewhere)])
    assert "1 row is removed" in seen(run(None, PAGE))


def test_pictures_are_written_for_other_tools_in_the_way_that_was_chosen(tmp_path):
    pictures = small_set.write_images(tmp_path / "p", 30, 4, rng=np.random.default_rng(0))
    page = run(pictures, PAGE, picture_links="inline", copies="yes")
    page = write(page, tmp_path / "out")
    assert not page.exception and "Hugging Face; on request" in seen(page)
    assert (tmp_path / "out" / "pictures.zip").is_file()
    tasks = json.loads((tmp_path / "out" / "label_studio.json").read_text())
    assert all(each["data"]["image"].startswith("data:image/png;base64,") for each in tasks)
    plain = run(pictures, PAGE)
    assert "Hugging Face; on request" not in seen(plain)


def test_choices_about_pictures_are_shown_for_pictures_alone(pets):
    assert "pictures.zip" not in str([each.label for each in run(pets, PAGE).selectbox])
