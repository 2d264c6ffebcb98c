from __future__ import annotations

import pandas as pd

import curation


def test_two_classes_with_the_same_name_stay_two(bench):
    bench.write("classes.csv", b"id,name\nn1,maillot\nn2,maillot\nn3,tub\n")
    bench.write(
        "labels.csv", b"id,label\n" + b"".join(b"e%d,n%d\n" % (k, k % 3 + 1) for k in range(9))
    )
    bench.probs([k % 3 for k in range(8)] + [0]).export()
    joint = pd.read_csv(bench.out / "joint.csv", index_col=0)
    assert list(joint.columns) == list(joint.index) == ["maillot (n1)", "maillot (n2)", "tub"]
    findings = curation.analyze(bench.dataset.labels, bench.dataset.pred_probs)
    assert (joint.to_numpy() == findings.joint).all()
    noise = pd.read_csv(bench.out / "noise_matrix.csv", index_col=0)
    assert (noise.to_numpy() == findings.noise_matrix).all()
    weights = pd.read_csv(bench.out / "class_weights.csv")
    assert (weights["weight"] == weights["latent_prior"] / weights["joint_diagonal"]).all()
    assert list(weights["id"]) == ["n1", "n2", "n3"]
