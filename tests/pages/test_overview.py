"""What the first page says."""

import json
import re
from html import unescape

import numpy as np
import pytest

from curation.ui.overview.overview_cards import FLAGGED
from tests.pages.visiting import NARROW, PETS, link, run, save, seen, width_of
from tests.small_set import write_texts


def test_the_page_says_how_bad_it_is_in_sentences(pets):
    app = run(pets)
    assert not app.exception
    words = seen(app)
    assert "300 examples · 3 classes" in words
    assert "About 43 of 300 labels look wrong" in words
    assert "14.3 %" in words and "the paper's estimate, from this model" in unescape(words)
    assert "95 %" not in words
    assert "The model agrees with" in words and "81 %" in words
    assert "of the labels · log loss 0.80, guessing 1.10" in words
    assert "A point for each tenth of how sure the model is" in words  # the reliability chart
    assert "Noisiest class" in words and "16.9 % of its labels look wrong" in words
    assert "dog ↔ eel" in words
    assert "The twelve most suspect labels" in words and "cat → eel" in words
    assert "All five agree on 33 of the 57 examples that any of them flags." in words
    assert "confused with every other" not in words  # the Noise page says so


def save_certain(root, rows):
    """Write examples as (label, likeliest class, how many), with a sure model."""
    root.mkdir()
    labels, seems = (
        np.repeat(each, [row[2] for row in rows]) for each in list(zip(*rows, strict=True))[:2]
    )
    np.save(root / "labels.npy", labels)
    np.save(root / "probs.npy", np.eye(3)[seems] * 0.85 + 0.05)
    (root / "classes.json").write_text(json.dumps(PETS))
    return root


def test_noisiest_class_says_that_small_classes_were_skipped(tmp_path):
    root = save_certain(tmp_path / "a", [(0, 0, 38), (0, 1, 2), (1, 1, 40), (2, 2, 1), (2, 1, 2)])
    app = run(root)
    words = seen(app)
    assert "5 % of its labels look wrong, among classes with at least 20 examples" in words
    table = app.dataframe[0]
    assert json.loads(table.proto.columns)["inverse_noise_rate"]["label"] == "Look wrong"
    rates = dict(zip(*(table.value[each] for each in ("name", "inverse_noise_rate")), strict=True))
    assert rates["cat"] == pytest.approx(5) and rates["eel"] > 60
    clean = save_certain(tmp_path / "b", [(0, 0, 40), (1, 1, 40), (2, 2, 1), (2, 1, 2)])
    assert "no class with at least 20 examples has labels that look wrong" in seen(run(clean))


def test_pairs_with_equal_overlap_are_not_told_apart(tmp_path):
    rows = [(0, 0, 39), (0, 1, 1), (1, 1, 39), (1, 2, 1), (2, 2, 40)]
    words = seen(run(save_certain(tmp_path / "a", rows)))
    assert "no pair stands out" in words and "at least 20 examples" not in words
    assert "2 pairs of classes are confused in 1 example each" in words and "↔" not in words


def test_a_single_example_is_described_in_the_singular(tmp_path):
    root = write_texts(tmp_path, 30, 1, rng=np.random.default_rng(0))
    words = seen(run(root))
    assert "About 1 of 30 labels looks wrong" in words
    assert "1 example of one looks like the other" in words
    assert "The most suspect label\n" in words
    assert "All five flag the same example." in words
    assert "About **1 of 30 labels** looks wrong" in seen(run(root, "pages/1_Noise.py"))


def test_confident_is_explained_by_the_threshold(pets):
    assert "as it usually is of examples with that label" in seen(run(pets))
    words = seen(run(pets, threshold="75"))
    assert "as it is of 75 % of the examples with that label" in words and "usually is" not in words


@pytest.mark.parametrize(
    ("method", "flagged"),
    [
        ("confusion", 57),
        ("confident_joint", 33),
        ("prune_by_class", 43),
        ("prune_by_noise_rate", 42),
        ("both", 41),
    ],
)
def test_how_many_are_flagged_is_explained_by_the_method(pets, method, flagged):
    words = seen(run(pets, method=method))
    assert f"The estimate is 43; the number flagged is {flagged}. " in words
    assert [each for each in FLAGGED if FLAGGED[each] in words] == [method]


def test_without_a_path_the_objects_demo_opens():
    app = run()
    assert not app.exception
    assert "1,700 images · 16 classes" in seen(app)
    assert "data" not in link(app)


def test_the_class_table_has_a_row_for_each_class_the_worst_first(pets):
    table = run(pets).dataframe[0].value
    assert sorted(table["name"]) == sorted(PETS)
    assert table["issues_out"].is_monotonic_decreasing
    assert table["issues_out"].sum() == table["issues_in"].sum() == 33


def test_problems_are_visible_in_a_narrow_window(pets):
    table = run(pets).dataframe[0]
    assert width_of(table, "noise_rate") <= NARROW
    assert list(table.value.columns)[1:4] == ["name", "issues_out", "issues_in"]


def test_classes_are_found_by_part_of_their_name(pets):
    app = run(pets)
    table = app.text_input(key="widget.find").set_value("DO").run().dataframe[0].value
    assert table["name"].tolist() == ["dog"]
    assert link(app)["find"] == "DO"
    assert run(pets, find="DO").dataframe[0].value["name"].tolist() == ["dog"]
    app.text_input(key="widget.find").set_value("[(").run()
    assert not app.exception and "No class name contains this text." in seen(app)
    app.text_input(key="widget.find").set_value("").run()
    assert len(app.dataframe[0].value) == 3 and "find" not in link(app)


def test_a_link_shows_the_issues_of_its_class(pets):
    app = run(pets, issues=1)
    assert not app.exception and link(app)["issues"] == "1"
    assert "examples labelled <b>dog</b> look like another class, most suspect first" in seen(app)
    table = app.dataframe[0].value
    assert table[table["chosen"] == "●"]["name"].tolist() == ["dog"]
    words, query = next(
        (each.proto.label, each.proto.query_string)
        for each in app.get("page_link")
        if each.proto.label.startswith("Review the")
    )
    assert words.endswith("issues of dog →") and "given=1" in query
    for nonsense in ("", "77", "dog"):
        app = run(pets, issues=nonsense)
        assert not app.exception and "like another class, most suspect first" not in seen(app)


@pytest.mark.fault(19, "HOLDS")
def test_an_empty_class_has_no_threshold_and_a_note(tmp_path):
    root = save(tmp_path / "empty")
    labels = np.load(root / "labels.npy")
    np.save(root / "labels.npy", np.where(labels == 2, 0, labels))
    app = run(root)
    assert not app.exception
    row = app.dataframe[0].value.set_index("name").loc["eel"]
    assert np.isnan(row["threshold"]) and row["note"] == "empty" and row["examples"] == 0


def test_a_class_of_few_examples_is_called_rare(tmp_path):
    root = save(tmp_path / "rare")
    labels = np.load(root / "labels.npy")
    labels[np.flatnonzero(labels == 2)[4:]] = 0  # four are left, and five would do
    np.save(root / "labels.npy", labels)
    table = run(root).dataframe[0].value.set_index("name")
    assert table["note"].to_dict() == {"cat": "", "dog": "", "eel": "rare"}
    assert table["examples"]["eel"] == 4


def test_settings_of_the_link_are_restored_and_counted(pets):
    app = run(pets, method="confusion", threshold="90", collisions="confident")
    assert app.selectbox(key="widget.method").value == "confusion"
    assert app.selectbox(key="widget.threshold").value == "90"
    assert app.selectbox(key="widget.collisions").value == "confident"
    assert "Confusion baseline — 57 flagged" in app.selectbox(key="widget.method").options
    assert "<b>57</b> flagged" in seen(app)


def test_a_setting_that_is_chosen_goes_into_the_link(pets):
    app = run(pets)
    app.selectbox(key="widget.method").set_value("both").run()
    assert link(app)["method"] == "both"
    app.selectbox(key="widget.method").set_value("confident_joint").run()
    assert "method" not in link(app)


def test_nonsense_in_the_link_is_ignored(pets):
    app = run(pets, method="all", threshold="-3", collisions="<script>")
    assert not app.exception
    assert app.selectbox(key="widget.method").value == "confident_joint"


def test_nothing_flagged_gives_a_friendly_note(tmp_path):
    root = save(tmp_path / "clean", noise=0)
    np.save(root / "probs.npy", np.eye(3)[np.load(root / "labels.npy")] * 0.7 + 0.1)
    app = run(root)
    assert not app.exception
    words = seen(app)
    assert "No label looks wrong" in words and "Nothing is flagged" in words
    assert "None of them flags anything." in words and "Other methods" not in words
    assert "None of the five methods finds a label that looks wrong." in words


def test_a_method_that_flags_nothing_says_how_many_others_flag(tmp_path):
    rows = [(0, 0, 40), (1, 1, 40), (2, 2, 40)]
    root = save_certain(tmp_path / "a", rows)
    probs = np.load(root / "probs.npy")
    probs[0] = [0.3, 0.4, 0.3]  # not sure enough of another class to be counted into it
    np.save(root / "probs.npy", probs)
    words = seen(run(root))
    assert "Confident joint finds no label that looks wrong. Other methods flag 1 example:" in words


def test_a_model_without_any_doubt_has_no_negative_loss(tmp_path):
    root = save_certain(tmp_path / "a", [(0, 0, 40), (1, 1, 40), (2, 2, 40)])
    np.save(root / "probs.npy", np.eye(3)[np.load(root / "labels.npy")])
    assert "log loss 0.00, guessing 1.10" in seen(run(root))


def test_names_that_are_cut_differ_on_the_cards(tmp_path):
    root = save_certain(tmp_path / "a", [(0, 0, 40), (0, 1, 9), (1, 1, 40), (1, 0, 3), (2, 2, 40)])
    long = "a species with a long name that was seen in the {} of Europe in summer"
    names = [long.format("north"), long.format("south"), "other"]
    (root / "classes.json").write_text(json.dumps(names))
    card = re.search(r"Strongest overlap</div>.*?>([^<>]+ ↔ [^<>]+)<", seen(run(root)), re.S)
    one, other = card[1].split(" ↔ ")
    assert one != other and max(len(one), len(other)) <= 36


def test_everything_flagged_is_shown(tmp_path):
    root = tmp_path / "upside"
    root.mkdir()
    labels = np.arange(40) % 2
    np.save(root / "labels.npy", labels)
    np.save(root / "probs.npy", np.eye(2)[1 - labels] * 0.8 + 0.1)
    app = run(root)
    assert not app.exception
    assert "About 40 of 40 labels look wrong" in seen(app)


@pytest.mark.parametrize("many", [2, 100])
def test_few_and_many_classes(tmp_path, many):
    names = tuple(f"class {each}" for each in range(many))
    app = run(save(tmp_path / "many", n=40 * many, names=names))
    assert not app.exception
    assert f"{many} classes" in seen(app)
    if many > 30:
        assert "The chart shows the 30 of 100 classes that would change most." in seen(app)


def test_texts_are_quoted(tmp_path):
    root = save(tmp_path / "texts")
    labels = np.load(root / "labels.npy")
    rows = "".join(f"r{k},note **{k}**,{PETS[label]}\n" for k, label in enumerate(labels))
    (root / "labels.csv").write_text("id,text,label\n" + rows)
    (root / "labels.npy").unlink()
    app = run(root)
    assert not app.exception
    assert "300 texts" in seen(app) and '<div class="cu-text">note **' in seen(app)


@pytest.mark.fault(
    43,
    "SKIP",
    says="img/0.png: missing. Put the file there, or correct its name in the table.",
)
def test_missing_pictures_say_so_in_their_place(tmp_path):
    root = save(tmp_path / "pictures")
    labels = np.load(root / "labels.npy")
    rows = "".join(f"r{k},img/{k}.png,{PETS[label]}\n" for k, label in enumerate(labels))
    (root / "labels.csv").write_text("id,image,label\n" + rows)
    (root / "labels.npy").unlink()
    app = run(root)
    assert not app.exception
    assert "300 of 300 pictures are missing" in seen(app) and ".png: missing." in seen(app)


HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "![x](http://evil.example/a.png)",
    ":red[boom] **bold** :smile: $x^2$",
)


def test_hostile_names_stay_text(tmp_path):
    app = run(save(tmp_path / "<b>odd", names=HOSTILE))
    assert not app.exception
    words = seen(app)
    assert "<img src=x" not in words and "&lt;img src=x onerror=alert(1)&gt;" in words
    assert '<h1 class="cu-title">&lt;b&gt;odd</h1>' in words
    markdown = "\n".join(each.value for each in [*app.markdown, *app.caption])
    assert "evil.example" not in markdown and ":red[" not in markdown


def test_a_percentile_is_explained_before_it_says_that_no_label_looks_wrong(pets):
    labels = np.arange(300) % 3
    probs = np.full((300, 3), 0.05)
    probs[np.arange(300), labels] = 0.9
    probs[:60] = np.roll(np.eye(3), 1, axis=1)[labels[:60]] * 0.7 + 0.1  # sure of the next class
    np.save(pets / "labels.npy", labels)
    np.save(pets / "probs.npy", probs)
    assert "About 60 of 300 labels look wrong" in seen(run(pets))
    words = seen(run(pets, threshold="95"))
    assert "No label looks wrong at the 95th percentile" in words
    assert "the fewer wrong labels are counted, down to none, however many there are" in words
    assert words.index("The threshold is the 95th percentile") < words.index("No label looks")
    assert "The threshold is" not in seen(run(pets))


def test_a_headline_that_depends_on_a_percentile_says_so(pets):
    words = seen(run(pets, threshold="50"))
    assert "the estimate at the 50th percentile, from this model" in words
    noise = seen(run(pets, "pages/1_Noise.py", threshold="50"))
    assert "by the estimate at the 50th percentile from this model" in noise
    assert "The threshold is the 50th percentile" in noise
