"""Long work says how far it is, and stops when it is told to."""

import threading

import numpy as np
import pytest

import curation
from curation.core.matrix import map_threads
from tests.problems import noisy_problem


class Enough(Exception):
    pass


def listen(told):
    return lambda stage, share: told.append((stage, share, threading.get_ident()))


def stop_at(limit):
    def progress(stage, share):
        if share >= limit:
            raise Enough

    return progress


def save(folder, n=20_000, m=300):
    """Enough cells for several blocks: 6 million."""
    labels, pred_probs, _ = noisy_problem(np.random.default_rng(0), n=n, m=m)
    np.save(folder / "labels.npy", labels)
    np.save(folder / "probs.npy", pred_probs.astype(np.float32))
    return labels, pred_probs


def test_analysis_reports_a_share_that_grows_to_one(tmp_path):
    labels, pred_probs = save(tmp_path)
    told = []
    curation.analyze(labels, pred_probs, progress=listen(told))
    shares = [share for _, share, _ in told]
    assert shares == sorted(shares) and shares[-1] == 1 and len(shares) > 3
    assert {thread for *_, thread in told} == {threading.get_ident()}


def test_loading_names_its_stages_in_order(tmp_path):
    save(tmp_path)
    told = []
    curation.load(tmp_path, progress=listen(told))
    assert list(dict.fromkeys(stage for stage, *_ in told)) == [
        "Finding the files",
        "Reading labels and probabilities",
        "Checking the probabilities",
        "Looking at the pictures or texts",
    ]
    shares = [share for _, share, _ in told]
    assert shares == sorted(shares)


def test_progress_that_raises_stops_loading_and_analysis(tmp_path):
    labels, pred_probs = save(tmp_path)
    with pytest.raises(Enough):
        curation.load(tmp_path, progress=stop_at(0.3))
    with pytest.raises(Enough):
        curation.analyze(labels, pred_probs, progress=stop_at(0.3))


def test_stopping_leaves_most_tasks_undone():
    begun = []

    def progress(share):
        raise Enough

    with pytest.raises(Enough):
        map_threads(lambda task: begun.append(threading.Event().wait(0.002)), range(500), progress)
    assert len(begun) < 100


def test_reporting_changes_no_result(tmp_path):
    labels, pred_probs = save(tmp_path, n=500, m=20)
    quiet = curation.analyze(labels, pred_probs)
    loud = curation.analyze(labels, pred_probs, progress=lambda stage, share: None)
    assert (quiet.joint == loud.joint).all()
    assert quiet.issues("both").tolist() == loud.issues("both").tolist()
