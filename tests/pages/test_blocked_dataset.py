"""What a person can mend: a dataset that cannot be opened as it is, and the fixes it offers."""

import json

import numpy as np
import pytest

from curation.ui.widgets.literal_text import in_markdown
from tests.pages.visiting import click, link, open_path, run, save, seen


def test_a_blocked_dataset_shows_the_report_and_its_fix_as_a_button(pets):
    probs = np.load(pets / "probs.npy")
    probs[5:20, 1] = np.nan
    np.save(pets / "probs.npy", probs)
    app = run(pets)
    assert not app.exception
    words = seen(app)
    assert "needs a decision before it can be opened" in words
    assert "15 of 300 rows hold NaN" in words and "row 5" in words and "(15 in all)" in words
    assert "A NaN hides some of the label errors without any notice." in words
    assert "Rows are counted from 0, without the header." in words
    app = click(app, "fix-0-probs.nan")
    assert not app.exception
    assert json.loads(link(app)["fix"]) == {"drop_rows": True}
    assert "285 examples" in seen(app) and "You chose" in seen(app)


def test_a_fix_can_be_undone(pets):
    np.save(pets / "probs.npy", np.log(np.load(pets / "probs.npy")) + 3)
    app = click(run(pets), "fix-0-probs.logits")
    assert "About 43 of 300 labels look wrong" in seen(app)
    app = click(app, "undo-convert")
    assert "needs a decision" in seen(app) and "fix" not in link(app)


def test_fixes_add_up(pets):
    probs = np.load(pets / "probs.npy")
    logits = np.log(probs) + 3
    logits[7] = np.nan
    np.save(pets / "probs.npy", logits)
    app = run(pets, fix='{"convert":"softmax"}')
    app = click(app, "fix-0-probs.nan")
    assert json.loads(link(app)["fix"]) == {"convert": "softmax", "drop_rows": True}
    assert "299 examples" in seen(app)


def test_a_warning_stays_and_its_fix_is_offered(pets):
    np.save(pets / "probs.npy", np.load(pets / "probs.npy")[:, [1, 2, 0]])
    app = run(pets)
    assert not app.exception and "1 warning, see below" in seen(app)
    app = click(app, "fix-0-columns.permuted")
    assert "About 43 of 300 labels look wrong" in seen(app)


@pytest.mark.parametrize("fix", ["{", "[]", '{"progress": 1}', '{"path": "x"}', '{"convert": 3}'])
def test_fixes_in_a_broken_link_are_refused_with_a_message(pets, fix):
    app = run(pets, fix=fix)
    assert not app.exception
    assert "cannot be opened" in seen(app) or "cannot be used" in seen(app)


def test_a_missing_path_is_reported_and_another_can_be_chosen(tmp_path, pets):
    app = run(tmp_path / "nowhere")
    assert not app.exception
    assert "there is no such file or folder" in seen(app)
    app = open_path(app, pets)
    assert "About 43 of 300 labels look wrong" in seen(app)


def test_reading_again_reads_the_files_again(tmp_path):
    root = tmp_path / "late"
    app = run(root)
    assert "there is no such file or folder" in seen(app)
    save(root)
    assert "there is no such file" in seen(app.run())
    assert "About 43 of 300 labels look wrong" in seen(click(app, "look-again"))


@pytest.mark.fault(
    63,
    "BLOCK",
    says="Something went wrong on our side … The dataset could not be opened, and it is not your "
    "fault. The details are in the server's log under number …",
)
def test_an_internal_error_shows_a_number_and_no_traceback(pets, monkeypatch, messages):
    def fail(*given, **more):
        raise ZeroDivisionError("secret")

    monkeypatch.setattr("curation.ui.shell.opening.analyze_dataset", fail)
    app = run(pets)
    assert not app.exception
    messages.add("BLOCK", seen(app))
    assert "Something went wrong on our side" in seen(app)
    assert "secret" not in seen(app)


def test_home_of_nobody_is_not_called_a_fault_of_ours(pets):
    words = seen(run("~nosuchuser/pets"))
    assert in_markdown("There is no home folder for ~nosuchuser.") in words
    assert "our side" not in words


def test_a_problem_that_cannot_be_fixed_here_asks_for_no_decision(tmp_path):
    (tmp_path / "empty").mkdir()
    for path in (tmp_path / "nowhere", tmp_path / "empty"):
        words = seen(run(path))
        assert "This dataset cannot be opened as it is" in words
        assert "needs a decision" not in words and "=..." not in words
    assert "Put a table of labels" in words
