"""What the Benefit page offers, shows and keeps."""

from __future__ import annotations

import threading

import pytest

import curation
from curation.ui.benefit import benefit_run
from curation.ui.shell import jobs
from tests.modelling.conftest import write_known
from tests.pages.visiting import run, seen

PAGE = "pages/7_Benefit.py"


@pytest.fixture
def known(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return write_known(tmp_path / "texts")


def finish(app):
    """Wait until everything is measured or refused, then show the page again."""
    for found in jobs.all_jobs()._jobs["benefit"].values():
        found.future.exception(60)
    return app.run()


def test_a_click_measures_and_a_later_visit_shows_it_at_once(known):
    app = run(known, PAGE, runs=5)
    assert not app.exception and "This trains 175 models" in seen(app)
    app = finish(app.button(key="benefit-start").click().run())
    said = seen(app)
    assert not app.exception and "Removing the " in said
    assert "their true labels are known" in said and "The noisiest class" in said
    table = app.dataframe[0].value
    assert table["trained on"].tolist() == [
        "Labels as given", "Confusion baseline", "Confident joint", "Prune by class",
        "Prune by noise rate", "Both prunings", "Random examples",
    ]  # fmt: skip
    assert table["accuracy"].str.fullmatch(r"\d+\.\d ± \d+\.\d %").all()
    jobs.all_jobs().forget(lambda key: key[0] == "benefit")  # as after a restart of the server
    again = run(known, PAGE, runs=5)
    assert "Removing the " in seen(again) and again.dataframe[0].value.equals(table)
    assert run(known, PAGE, runs=10).button(key="benefit-start")  # not measured yet


def test_decisions_are_measured_and_a_new_one_asks_again(known):
    data = curation.load(known)
    with curation.open_store(data) as store:
        for row in range(84):
            label = data.class_ids[data.true_labels[row]]
            store.decide(f"e{row}", "relabel", label=label, curator="ana")
    app = finish(run(known, PAGE, runs=5).button(key="benefit-start").click().run())
    assert "Applying the " in seen(app) and "Your decisions" in seen(app)
    assert app.selectbox(key="widget.against").options == [
        "the true labels", "labels that people confirmed", "the labels as given",
    ]  # fmt: skip
    with curation.open_store(data) as store:
        store.decide("e100", "exclude", curator="ana")
    assert app.run().button(key="benefit-start")


def test_noisy_labels_are_said_to_be_noisy(known):
    (known / "true_labels.csv").unlink()
    app = finish(run(known, PAGE, runs=5).button(key="benefit-start").click().run())
    assert "as noisy as the others" in seen(app)


def test_progress_is_shown_and_can_be_cancelled(known, monkeypatch):
    begun, ended, never = threading.Event(), threading.Event(), threading.Event()

    def work(data, *, progress, **options):
        try:
            while not never.wait(0.01):
                progress("Run 2 of 5 (about 3 minutes left)", 0.4)
                begun.set()
        finally:
            ended.set()

    monkeypatch.setattr(benefit_run, "measure_benefit", work)
    monkeypatch.setattr("curation.ui.shell.polling.POLL_SECONDS", 0)
    shown = []
    monkeypatch.setattr(benefit_run, "show_progress", lambda job: shown.append(job.stage))
    app = run(known, PAGE, runs=5)
    app.button(key="benefit-start").click().run()
    assert begun.wait(30)
    app.run()
    assert "about 3 minutes left" in shown[-1]
    app.button(key="benefit-cancel").click().run()
    assert ended.wait(30)
    assert not app.button(key="benefit-start").disabled


def test_data_without_anything_to_learn_from_is_told_so(pets, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    app = finish(run(pets, PAGE).button(key="benefit-start").click().run())
    assert not app.exception
    assert "There is nothing to learn from" in seen(app) and app.button(key="benefit-start")
