"""A dataset is analysed at the first visit; a later server opens what that one saved."""

from __future__ import annotations

import numpy as np
import pytest
import streamlit as st

import curation
from curation.analysis import saved_findings
from curation.ui.shell.jobs import all_jobs
from tests.analysis.cluster.problems_in_shards import make_problem, save_shards
from tests.pages.visiting import run, seen
from tests.saving import save_everything


@pytest.fixture
def analyses(tmp_path, monkeypatch):
    """How often a dataset was analysed."""
    save_everything(tmp_path, monkeypatch)
    made, analyze = [], saved_findings.analyze

    def count(*args, **options):
        made.append(1)
        return analyze(*args, **options)

    monkeypatch.setattr(saved_findings, "analyze", count)
    return made


def restart():
    """Wait until everything is saved, and start a server that knows nothing."""
    for job in all_jobs()._jobs["save"].values():
        job.future.result()
    st.cache_resource.clear()


def test_second_server_shows_the_same_page_without_an_analysis(pets, analyses):
    first = seen(run(pets))
    restart()
    assert seen(run(pets)) == first
    assert len(analyses) == 1


def test_changed_probabilities_are_analysed_and_never_shown_beside_old_flags(pets, analyses):
    run(pets)
    restart()
    np.save(pets / "probs.npy", np.load(pets / "probs.npy")[:, [1, 2, 0]])
    changed = seen(run(pets))
    assert len(analyses) == 2
    restart()
    assert seen(run(pets)) == changed
    assert len(analyses) == 2


def test_folder_that_a_cluster_analysed_is_shown_and_reviewed_from_its_results(tmp_path, analyses):
    folder = save_shards(tmp_path / "shards", *make_problem(0, 200, 3), 3)
    written = curation.analyze(folder)
    page = seen(run(folder))
    assert f"<b>{written.flagged['confident_joint']:,}</b> flagged" in page
    assert not run(folder, "pages/3_Review.py").exception
    assert analyses == []
