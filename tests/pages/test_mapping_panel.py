"""Where nothing can be decided, a person says what is what, and is not asked again."""

import json
import tomllib

import numpy as np
import pytest

from curation.roles import Actor, Role
from curation.ui.server import tickets
from curation.ui.shell import opening, visitor
from tests.folders import CHOSEN, TREES, write_unclear
from tests.pages.visiting import link, run, save, seen


@pytest.fixture
def unclear(tmp_path):
    return write_unclear(tmp_path / "forest")


def choose(app):
    app.selectbox(key="map-labels").select("survey.csv")
    app.run()
    assert app.selectbox(key="map-label_column").options == ["tag", "wood", "height", "side <b>"]
    app.selectbox(key="map-label_column").select("wood")
    app.selectbox(key="map-id_column").select("tag")
    app.multiselect(key="map-probs").select("output.csv")
    app.run()
    for column in ("m1", "m2", "m3"):
        app.multiselect(key="map-prob_columns").select(column)
    return app.button(key="map-open").click().run()


def test_a_path_that_is_not_there_shows_no_files_of_the_folder_it_would_be_in(unclear):
    words = seen(run(unclear / "nowhere"))
    assert "there is no such file or folder" in words
    assert "survey.csv" not in words and "Say what each file is" not in words


def test_every_file_is_shown_with_its_columns_and_first_rows(unclear):
    words = seen(run(unclear))
    assert "needs a decision before it can be opened" in words
    assert (
        "Found: output.csv (tag, m1, m2, m3), survey.csv (tag, wood, height, side &lt;b&gt;)"
        in words
    )
    assert "<b>survey.csv</b>" in words and "240 rows · 4 columns" in words
    assert "<th>wood<small>text</small></th>" in words and "<th>m1<small>number" in words
    assert "<td>t0</td>" in words and "240 x 4 · float64" in words


def test_every_candidate_is_a_button(unclear):
    app = run(unclear)
    for name in ("x1", "x2"):
        assert f"Read the probabilities from {name}\\.npy" in [b.label for b in app.button]
    app = app.button(key="fix-0-folder.ambiguous_probs-1").click().run()
    assert json.loads(link(app)["fix"]) == {"probs": "x2.npy"}


def test_answers_open_the_dataset_and_are_remembered_after_a_restart(unclear):
    app = choose(run(unclear))
    assert not app.exception
    assert json.loads(link(app)["fix"]) == CHOSEN
    assert "240 examples · 3 classes" in seen(app)
    assert app.button(key="undo-label_column").label == "Read the labels from column wood · Undo"
    again = run(unclear)  # another session, with nothing in the link
    assert "240 examples · 3 classes" in seen(again) and json.loads(link(again)["fix"]) == CHOSEN
    again = again.button(key="undo-probs").click().run()
    assert "needs a decision" in seen(again)
    assert "probs" not in json.loads(link(run(unclear))["fix"])  # undone for good


def test_answers_stand_while_another_page_is_open(unclear):
    app = run(unclear)
    app.selectbox(key="map-labels").select("survey.csv")
    app.multiselect(key="map-probs").select("x1.npy")
    app.text_area(key="map-typed-classes").set_value("oak\nash")
    app.run()
    app.switch_page("pages/1_Noise.py").run()
    assert app.selectbox(key="map-labels").value == "survey.csv"
    app.switch_page("overview.py").run()
    assert app.selectbox(key="map-labels").value == "survey.csv"
    assert app.multiselect(key="map-probs").value == ["x1.npy"]
    assert app.text_area(key="map-typed-classes").value == "oak\nash"
    app.button(key="map-open").click().run()
    assert json.loads(link(app)["fix"]) == {
        "labels": "survey.csv", "probs": "x1.npy", "classes": ["oak", "ash"],
    }  # fmt: skip


def test_what_nothing_could_answer_is_not_asked(unclear):
    asked = {each.key for each in run(unclear).selectbox}
    assert {"map-labels", "map-label_column", "map-classes"} <= asked
    assert not asked & {"map-prob_array", "map-image_root", "map-splits"}


def test_answers_are_saved_as_a_manifest_that_opens_without_a_question(unclear):
    app = choose(run(unclear))
    app = app.button(key="save-manifest").click().run()
    assert "It opens like this from now on" in seen(app) and "fix" not in link(app)
    assert "It opens like this from now on" in seen(app.run())  # as a page that polls runs again
    saved = tomllib.loads((unclear / "curation.toml").read_text())
    assert CHOSEN.items() <= saved.items()
    again = run(unclear)
    assert "240 examples · 3 classes" in seen(again) and "You chose" not in seen(again)


def test_a_curator_reads_it_differently_for_themselves_alone(unclear, monkeypatch):
    role = Role.CURATOR
    monkeypatch.setattr(visitor, "find_ticket", lambda: tickets.issue(Actor(role, "ana")))
    app = choose(run(unclear))
    assert json.loads(link(app)["fix"]) == CHOSEN and "240 examples" in seen(app)
    assert app.button(key="save-manifest").disabled
    role = Role.LEAD
    app.run()
    role = Role.CURATOR  # from now on; a browser could also click what is off
    app.button(key="save-manifest").click().run()
    assert "change how everybody reads a dataset; you are a curator" in seen(app)
    assert not (unclear / "curation.toml").exists()
    assert "needs a decision" in seen(run(unclear))  # whoever opens it next is asked


def test_a_manifest_that_is_replaced_is_kept(unclear):
    choose(run(unclear)).button(key="save-manifest").click().run()
    first = (unclear / "curation.toml").read_text()
    app = run(unclear, fix='{"name":"woods"}').button(key="save-manifest").click().run()
    assert not app.exception and 'name = "woods"' in (unclear / "curation.toml").read_text()
    assert (unclear / "curation.toml.old").read_text() == first


def test_a_manifest_that_cannot_be_written_says_so(unclear):
    (unclear / "curation.toml").symlink_to(unclear / "elsewhere.toml")
    app = choose(run(unclear)).button(key="save-manifest").click().run()
    words = seen(app).replace("\\", "")
    assert "cannot be written: it is a link to another file" in words
    assert "Your choices are still remembered here" in words
    assert not (unclear / "elsewhere.toml").exists()
    assert "240 examples · 3 classes" in words


def test_a_dataset_that_opened_can_be_read_differently(tmp_path):
    root = save(tmp_path / "pets")
    probs = np.load(root / "probs.npy")
    np.save(root / "other.npy", probs[:, ::-1])
    app = run(root)
    assert "map-probs" not in [each.key for each in app.multiselect]
    app.session_state[f"mapping-{root}"] = True
    app.run()
    assert app.selectbox(key="map-labels").proto.placeholder == "automatic: labels.npy"
    app.multiselect(key="map-probs").select("other.npy")
    app = app.button(key="map-open").click().run()
    assert json.loads(link(app)["fix"]) == {"probs": "other.npy"} and not app.exception


def test_flags_of_the_command_are_the_first_answers(unclear, monkeypatch):
    command = ["app.py", "--data", str(unclear), "--fix", json.dumps(CHOSEN)]
    monkeypatch.setattr("sys.argv", command)
    assert "240 examples · 3 classes" in seen(run())
    assert opening.usual_fixes("demo:digits") == "{}"


@pytest.mark.parametrize(
    "fix",
    [
        {"image_root": "/etc"},
        {"features": "../x.npy"},
        {"labels": "../x.csv"},
        {"probs": ["a.npy", "C:\\x.npy"]},
    ],
)
def test_a_link_cannot_name_files_outside_the_folder(unclear, fix):
    words = seen(run(unclear, fix=json.dumps(fix)))
    assert "name a file outside the dataset's folder" in words.replace("\\", "")


def test_a_link_is_followed_but_not_remembered(unclear):
    run(unclear, fix=json.dumps(CHOSEN))
    assert "needs a decision" in seen(run(unclear))


def test_typed_class_names_are_a_list(unclear):
    app = run(unclear)
    app.text_area(key="map-typed-classes").input("ash\nbeech\n\ncedar")
    app = app.button(key="map-open").click().run()
    assert json.loads(link(app)["fix"]) == {"classes": list(TREES)}
    assert app.text_area(key="map-typed-classes").value == "ash\nbeech\ncedar"
