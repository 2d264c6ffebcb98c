"""What is claimed on screen and in the docs, measured on data whose true labels are known."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score

from curation.wording import ORDERS_MEASURED
from devtools.truth import measure_average_precision, read_truth
from tests import shared_data

ROOT = Path(__file__).parents[2]


@given(st.lists(st.tuples(st.booleans(), st.integers(0, 3)), min_size=1))
def test_average_precision_is_scikit_learns(pairs):
    wrong, scores = (np.array(each) for each in zip(*pairs, strict=True))
    expected = average_precision_score(wrong, -scores) if wrong.any() else 0
    assert measure_average_precision(scores.astype(float), wrong) == pytest.approx(expected)


def test_log_margin_orders_human_errors_better_by_as_much_as_the_choice_says():
    truth = read_truth(shared_data.find("real/cifar10n_agg__resnet18.npz"))
    assert truth.errors == 4505 and round(truth.findings.estimated_errors) == 2784
    assert (round(truth.precision, 2), round(truth.recall, 2)) == (0.92, 0.41)
    found = {order: f"{share:.3f}"[1:] for order, share in truth.average_precision.items()}
    assert found == {
        "normalized_margin": ".860", "self_confidence": ".875", "log_margin": ".880",
    }  # fmt: skip
    human = ORDERS_MEASURED.partition(";")[0]
    assert human.endswith("log margin .880, self-confidence .875, normalized margin .860")


def test_the_choice_also_says_where_log_margin_is_the_worse_order():
    truth = read_truth(shared_data.find("paper/noise4_sparsity6.npz"))
    found = [f"{truth.average_precision[order]:.3f}"[1:] for order in
             ("log_margin", "self_confidence", "normalized_margin")]  # fmt: skip
    assert ORDERS_MEASURED.endswith(f"{', '.join(found)}.")


def test_command_prints_a_row_per_file(tmp_path):
    rng = np.random.default_rng(0)
    true = rng.integers(0, 3, 200)
    noisy = np.where(rng.random(200) < 0.1, (true + 1) % 3, true)
    probs = np.full((200, 3), 0.1)
    probs[np.arange(200), true] = 0.8
    np.savez(tmp_path / "made_up.npz", pred_probs=probs, noisy_labels=noisy, true_labels=true)
    run = subprocess.run(
        [sys.executable, "benchmarks/truth.py", str(tmp_path)],
        capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    heads, _, row = (line.split(" | ") for line in run.stdout.strip().splitlines())
    cells = dict(zip(heads, row, strict=True))
    assert cells["| dataset"] == "| made_up"
    assert cells["wrong"] == str((noisy != true).sum())
    assert (cells["precision"], cells["recall"]) == ("1.00", "1.00")
    assert cells["AP, normalized margin"] == "1.000"
