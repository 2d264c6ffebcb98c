from __future__ import annotations

import numpy as np


def test_the_mask_has_a_place_for_every_row_of_the_file(bench):
    bench.write("labels.csv", b"id,label\na,x\nb,\nc,y\nd,x\n")
    bench.probs([0, 0, 1, 0], 2).decide(1, "exclude").export()
    mask = np.load(bench.out / "keep_mask.npy")
    assert mask.dtype == bool and mask.tolist() == [True, True, False, True]
