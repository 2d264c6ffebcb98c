"""What the Noise page says."""

import csv
import io
import json
import re

import numpy as np
import pytest

import curation
from curation.analysis import matrices
from curation.analysis.class_order import CLASS_ORDERS
from curation.analysis.matrices import MATRICES
from curation.analysis.matrix_sentences import READINGS
from curation.ui.noise.map_choice import focus_classes
from curation.ui.noise.matrix_guide import write_csv
from tests.folders import HOSTILE, write_folder
from tests.pages import visiting

PAGE = "pages/1_Noise.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_folder(tmp_path_factory.mktemp("noise") / "ten", 10, 1000, true_labels=True)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    return write_folder(tmp_path_factory.mktemp("noise") / "many", 130, 6000)


def open_page(data, **parameters):
    test = visiting.run(data, PAGE, **parameters)
    assert not test.exception
    assert not test.error, test.error
    return test


def heading(test):
    return next(each.proto.body for each in test.get("html") if "cu-cell" in each.proto.body)


def words(test):
    return " ".join(each.value for each in [*test.markdown, *test.caption])


@pytest.mark.parametrize("matrix", MATRICES)
def test_every_matrix_says_how_to_read_it_and_its_equation(folder, matrix):
    test = open_page(folder, matrix=matrix)
    assert READINGS[matrix].sentence in words(test)
    assert READINGS[matrix].equation in test.latex[0].value
    assert "given labels in rows" in test.get("plotly_chart")[0].proto.alt


def test_a_percentile_is_not_called_usual(folder):
    test = open_page(folder, matrix="confident_joint", threshold="90", given="0", true="0")
    said = words(test)
    assert said.count("as it is of 90 % of the examples with that label") == 2  # the map, the cell
    assert "with the 90th percentile in place of the mean of Equation 2" in said
    assert "usual" not in said and "frac" not in test.latex[0].value


@pytest.mark.parametrize("order", CLASS_ORDERS)
@pytest.mark.parametrize("scale", ["linear", "log"])
def test_every_order_and_scale_is_drawn(folder, order, scale):
    open_page(folder, classes=order, scale=scale, diagonal="on", matrix="difference")


def test_heading_gives_the_estimate_and_how_strong_the_model_is(folder):
    said = words(open_page(folder))
    found = re.search(
        r"About \*\*([\d,]+) of 1,000 labels\*\* look wrong \(([\d.]+) %\) by the paper's estimate "
        r"from this model\.", said,
    )  # fmt: skip
    assert found, said
    errors, share = (float(each) for each in found.groups())
    assert share == pytest.approx(errors / 10, abs=0.06)
    assert "95 %" not in said and "The model finds the given label likeliest for" in said


def test_a_small_share_has_the_digits_it_has_on_overview(tmp_path):
    data = write_folder(tmp_path / "three", 3, 2000)
    labels = np.arange(2000) % 3
    np.save(data / "probs.npy", np.eye(3)[labels] * 0.85 + 0.05)
    labels[:3] = (labels[:3] + 1) % 3
    lines = "".join(f"example-{row},class {label}\n" for row, label in enumerate(labels))
    (data / "labels.csv").write_text("id,label\n" + lines)
    assert "About **3 of 2,000 labels** look wrong (0.15 %)" in words(open_page(data))
    assert "0.15 %" in visiting.seen(visiting.run(data))


def test_cell_with_the_most_examples_is_open_at_first(folder):
    test = open_page(folder)
    assert "Labelled class 0, probably class 1: " in heading(test)
    assert "given" not in test.query_params


def test_link_opens_a_cell_by_number_or_name(folder):
    for given, true in (("3", "4"), ("class 3", "class 4")):
        test = open_page(folder, given=given, true=true)
        assert "Labelled class 3, probably class 4: " in heading(test)
        assert test.query_params["given"] == given


def test_diagonal_cell_has_its_own_words(folder):
    test = open_page(folder, given="2", true="2")
    assert "Labelled and confidently class 2: " in heading(test)


@pytest.mark.parametrize("given", ["99", "-1", "nobody", "other", "²", "9" * 30])
def test_link_to_an_unknown_class_opens_the_largest_cell(folder, given):
    assert "Labelled class 0, probably class 1" in heading(open_page(folder, given=given, true="1"))


def test_link_with_unknown_choices_is_ignored(folder):
    open_page(folder, matrix="x", classes="y", scale="z", diagonal="w", shown="v")


def test_choosing_another_matrix_changes_the_link(folder):
    test = open_page(folder)
    test.segmented_control(key="widget.matrix").set_value("inverse_noise_matrix").run()
    assert test.query_params["matrix"] == "inverse_noise_matrix"
    assert READINGS["inverse_noise_matrix"].sentence in words(test)


def test_true_labels_are_compared_with_the_estimate(folder):
    test = open_page(folder)
    assert "Compared with the true labels" in [each.value for each in test.subheader]
    assert "RMSE over all 100 entries" in words(test)


def test_true_labels_are_compared_in_the_order_and_for_the_classes_of_the_map(tmp_path):
    data = write_folder(tmp_path / "fifty", 50, 2500, true_labels=True)
    test = open_page(data, classes="noise")
    charts = [json.loads(each.proto.spec) for each in test.get("plotly_chart")]
    rows = [chart["layout"]["yaxis"] for chart in charts]
    names = dict(zip(rows[0]["tickvals"], rows[0]["ticktext"], strict=True))
    assert len(names) == 50 and list(names.values())[0] == "class 0"
    for place, name in zip(rows[1]["tickvals"], rows[1]["ticktext"], strict=True):
        assert names[place] == name
    assert rows[1]["range"] == [49.5, -0.5] and "most confused" not in words(test)


def test_many_classes_open_on_the_most_confused_with_all_others_together(many):
    test = open_page(many)
    assert "The 30 classes of the most confused pairs, and the other 100" in words(test)
    assert "Labelled any other class, probably class 1: " in heading(
        open_page(many, given="other", true="1")
    )


def figure_of(test):
    return json.loads(test.get("plotly_chart")[0].proto.spec)


def test_others_among_themselves_say_what_they_sum_and_set_no_colour(many):
    findings = findings_of(many)
    others = np.delete(np.arange(130), focus_classes(findings))
    pairs = [(i, j) for i in others for j in others]
    whole = sum(6000 * findings.joint[i, j] for i, j in pairs)
    among = sum(6000 * findings.joint[i, j] for i, j in pairs if i != j)
    for diagonal, total, end in (
        (None, among, "another of them"), ("on", whole, "that or another of them"),
    ):  # fmt: skip
        ink, *_, targets = figure_of(open_page(many, diagonal=diagonal))["data"]
        sentence = targets["hovertext"][-1]
        assert sentence == (
            f"{total:,.0f} examples labelled one of the other classes are probably {end}"
        )
        assert ink["zmax"] < total


def findings_of(folder):
    dataset = curation.load(folder)
    return curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)


def review_links(test):
    links = {each.proto.label: each.proto.query_string for each in test.get("page_link")}
    return {words: link for words, link in links.items() if words.startswith("Review ")}


def test_a_cell_of_other_classes_leads_on_by_the_class_that_is_known(tmp_path):
    mixed = visiting.save(tmp_path / "mixed", n=4000, names=tuple(f"c{k}" for k in range(70)))
    findings = findings_of(mixed)
    label = int(focus_classes(findings)[0])
    moved = findings.confident_joint - np.diag(findings.confident_joint.diagonal())
    for given, true, words, asked, left in (
        (label, "other", f"Review all {moved[label].sum()} labelled", "given=", "true="),
        ("other", label, f"Review all {moved[:, label].sum()} that look like", "true=", "given="),
    ):
        test = open_page(mixed, given=given, true=true)
        (target,) = (link for each, link in review_links(test).items() if words in each)
        assert f"{asked}{label}" in target and left not in target
        assert "Compare classes" not in [each.proto.label for each in test.get("page_link")]


def test_a_cell_of_other_classes_that_holds_all_is_reviewed_as_it_is(many):
    # class 2 is on the map, and taken for class 3 alone, which is among the others
    test = open_page(many, given="2", true="other")
    assert "Labelled class 2, probably any other class: 5 examples" in heading(test)
    assert list(review_links(test)) == ["Review these 5 →"]


def test_cell_of_the_confusion_shows_what_it_counts_and_leads_there(tmp_path):
    pets = visiting.save(tmp_path / "pets", n=1000, names=tuple("abcdef"))
    findings = findings_of(pets)
    more = findings.confusion - findings.confident_joint
    np.fill_diagonal(more, 0)
    given, true = np.unravel_index(more.argmax(), more.shape)
    count = findings.confusion[given, true]
    assert count > findings.confident_joint[given, true]
    test = open_page(pets, matrix="confusion", given=given, true=true)
    assert f"likeliest class {'abcdef'[true]}: {count} examples" in heading(test)
    assert "whether or not they are flagged." in words(test)
    assert "Review will then flag by the confusion baseline" in words(test)
    (target,) = review_links(test).values()
    assert "method=confusion" in target and f"given={given}&true={true}" in target
    # a click on the same place of the joint shows what the method flags, as ever
    joint = open_page(pets, given=given, true=true)
    assert f": {findings.confident_joint[given, true]} example" in heading(joint)


def test_review_of_a_confusion_cell_says_if_it_leads_to_others(tmp_path):
    # Class 0 is likeliest of the last row, but below its threshold; class 1 is at its own.
    root = tmp_path / "odd"
    root.mkdir()
    probs = [[0.9, 0.1, 0], [0.9, 0.1, 0], [0.7, 0.3, 0], [0, 0.1, 0.9], [0.5, 0.3, 0.2]]
    np.save(root / "labels.npy", [0, 0, 1, 2, 2])
    np.save(root / "probs.npy", probs)
    findings = findings_of(root)
    assert (findings.predicted_labels[4], findings.suggested_labels[4]) == (0, 1)
    test = open_page(root, matrix="confusion", given=2, true=0)
    assert ": 1 example" in heading(test) and not review_links(test)


def test_cell_of_the_confident_joint_shows_what_it_counts_by_any_method(tmp_path):
    pets = visiting.save(tmp_path / "pets", n=1000, names=tuple("abcdef"))
    findings = findings_of(pets)
    counts = findings.confident_joint
    flagged = np.zeros_like(counts)
    mask = findings.mask("both")
    np.add.at(flagged, (findings.labels[mask], findings.suggested_labels[mask]), 1)
    given, true = next(zip(*np.nonzero((flagged != counts) & ~np.eye(6, dtype=bool)), strict=True))
    test = open_page(pets, matrix="confident_joint", method="both", given=given, true=true)
    assert f": {counts[given, true]} example" in heading(test)
    (target,) = review_links(test).values()
    assert "method=confident_joint" in target


@pytest.mark.parametrize("given", range(3))
def test_difference_says_whose_examples_it_shows(tmp_path, given):
    pets = visiting.save(tmp_path / "pets", n=1000, noise=0.3)
    findings = findings_of(pets)
    true = (given + 1) % 3
    test = open_page(pets, matrix="difference", given=given, true=true)
    if matrices.read_matrix(findings, "difference")[given, true] < 0:
        assert "Confusion estimates more here" in words(test)
        assert f": {findings.confusion[given, true]} example" in heading(test)
    else:
        assert "Thresholds estimate at least as much as confusion" in words(test)
        assert f": {findings.confident_joint[given, true]} example" in heading(test)


def test_a_cell_of_other_classes_alone_leads_nowhere(many):
    test = open_page(many, given="other", true="other")
    labels = [each.proto.label for each in test.get("page_link")]
    assert not any(label.startswith("Review ") for label in labels)


def test_overview_says_that_each_square_is_the_largest_of_a_block(many):
    test = open_page(many, shown="all")
    assert "Each square shows the largest of 2 × 2 pairs of classes" in words(test)


def test_region_is_opened_around_two_classes(many):
    around = {"around_given": "100", "around_true": "101"}
    test = open_page(many, shown="region", matrix="noise_matrix", **around)
    assert "A region of 40 × 40 of 130 classes" in words(test)
    assert test.selectbox(key="widget.around_given").value == "100"
    drawn = [int(each) for each in re.findall(r"class (\d+)", heading(test))]
    assert len(drawn) == 2 and all(80 <= each < 120 for each in drawn)  # the cell is on the map


def test_region_survives_a_visit_to_overlap(many):
    test = open_page(many, shown="region", around_given="100", around_true="101")
    before = figure_of(test)["layout"]["yaxis"]["ticktext"]
    test.switch_page("pages/2_Overlap.py").run()
    test.segmented_control(key="widget.rows").set_value("each").run()
    test.query_params.clear()
    test.query_params["data"] = str(many)
    test.switch_page(PAGE).run()
    assert not test.exception
    assert figure_of(test)["layout"]["yaxis"]["ticktext"] == before
    test.switch_page("pages/2_Overlap.py").run()
    assert test.segmented_control(key="widget.rows").value == "each"


def test_names_are_shown_as_they_are(tmp_path):
    data = write_folder(tmp_path / "hostile", len(HOSTILE), 400, HOSTILE)
    test = open_page(data, given="0", true="1")
    assert "Labelled &lt;script&gt;alert(1)&lt;/script&gt;, probably :red[x] **b**" in heading(test)
    assert not any("<script>alert" in each.proto.body for each in test.get("html"))


def test_clean_labels_say_so(tmp_path):
    data = write_folder(tmp_path / "clean", 3, 90)
    text = (data / "labels.csv").read_text().splitlines()
    labels = np.array([int(line.rsplit(" ", 1)[1]) for line in text[1:]])
    np.save(data / "probs.npy", np.eye(3)[labels] * 0.98 + 0.02 / 3)
    test = open_page(data)
    assert "No example is confidently of a class other than its label" in test.success[0].value
    said = words(test)
    assert "**None** of 90 labels looks wrong. The map shows" in said
    assert "No class on this map is confused with another." in said and "Click a cell" not in said
    assert not figure_of(test)["data"][0]["showscale"]


def test_table_of_pairs_says_what_share_of_each_class_a_pair_is(folder):
    table = open_page(folder).dataframe[0].value
    dataset = curation.load(folder)
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    errors = findings.joint.copy()
    np.fill_diagonal(errors, 0)
    for _, row in table.iterrows():
        given, true = (dataset.class_names.index(row[name]) for name in ("labelled", "probably"))
        both = 100 * errors[given, true]
        assert row["share of given"] == pytest.approx(both / findings.joint[given].sum())
        assert row["share of true"] == pytest.approx(both / findings.joint[:, true].sum())
    assert list(table["counted"]) == sorted(table["counted"], reverse=True)


def test_missing_dataset_is_a_friendly_note():
    test = visiting.run("/nowhere/at/all", PAGE)
    assert not test.exception
    assert "/nowhere/at/all" in visiting.seen(test).replace("\\", "")
    assert not test.get("plotly_chart")


def test_examples_of_a_cell_are_one_link_from_review_and_from_comparing(folder):
    test = open_page(folder, given="3", true="4")
    targets = {each.proto.label: each.proto.query_string for each in test.get("page_link")}
    review = next(query for label, query in targets.items() if label.startswith("Review these"))
    assert "given=3&true=4" in review
    assert "a=3&b=4" in targets["Compare classes"]


def test_right_to_left_names_do_not_reorder_other_words(tmp_path):
    data = visiting.save(tmp_path / "turned", names=("قطة", "a\u202eb", "eel"))
    test = open_page(data, given="1", true="0")
    words = visiting.seen(test)
    assert "Labelled \u2068a\u202eb\u2069, probably \u2068قطة\u2069: " in words
    hover = json.loads(test.get("plotly_chart")[0].proto.spec)["data"][-1]["hovertext"][1]
    assert "labelled <b>\u2068قطة\u2069</b>" in hover


def test_csv_holds_every_class_even_two_with_the_same_name(bench):
    dataset = write_three(bench)
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    rows = list(csv.reader(io.StringIO(write_csv(dataset, findings, "confident_joint").decode())))
    assert rows[0] == ["given \\ true", "tub", "x (n2)", "x (n3)"]
    assert rows[1] == ["tub", "1", "1", "0"]
    assert len(rows) == 4


@pytest.mark.parametrize("matrix", ["joint", "noise_matrix"])
def test_a_matrix_saved_here_is_the_file_of_that_name_in_an_export(bench, matrix):
    dataset = write_three(bench)
    bench.export()
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    assert write_csv(dataset, findings, matrix) == (bench.out / f"{matrix}.csv").read_bytes()


def write_three(bench):
    """Two classes share a name; one tub is surely the first x."""
    bench.write("classes.csv", b"id,name\nn1,tub\nn2,x\nn3,x\n")
    bench.write("labels.csv", b"id,label\na,n1\nb,n1\nc,n2\nd,n3\n")
    np.save(bench.root / "probs.npy", [[0.9, 0.1, 0], [0.1, 0.9, 0], [0.2, 0.8, 0], [0, 0, 1]])
    return bench.dataset


def test_the_pairs_say_whether_the_noise_is_in_few_or_many_of_them(folder):
    assert re.search(
        r"pairs of classes are never confused: the noise is|Every class is",
        words(open_page(folder)),
    )


def test_a_link_of_version_0_1_to_the_mixing_matrix_opens_the_inverse_noise_matrix(folder):
    page = open_page(folder, matrix="mixing")
    assert "the share that truly belongs to the column's class" in words(page)
    assert visiting.link(page)["matrix"] == "inverse_noise_matrix"
