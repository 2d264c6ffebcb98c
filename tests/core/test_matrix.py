import subprocess
import sys

import numpy as np
import pytest

from curation.core import matrix


def test_core_loads_neither_streamlit_nor_pandas():
    names = "count noise prune rank overlap checks matrix".split()
    code = "import sys\n" + "\n".join(f"import curation.core.{name}" for name in names)
    code += "\nprint([m for m in ('streamlit', 'pandas', 'pyarrow', 'scipy') if m in sys.modules])"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"


def test_every_row_is_covered_once():
    covered = np.zeros(1000, int)

    def work(start, stop):
        covered[start:stop] += 1

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matrix, "BLOCK_BYTES", 100)
        matrix.map_rows(work, np.empty((1000, 3)))
    assert (covered == 1).all()


def test_error_in_a_thread_is_raised():
    def work(start, stop):
        raise ValueError("from a thread")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matrix, "BLOCK_BYTES", 1)
        patch.setattr(matrix, "_count_cores", lambda: 4)
        with pytest.raises(ValueError, match="from a thread"):
            matrix.map_rows(work, np.empty((1000, 3)))


def test_blocks_are_copies_so_that_the_input_is_never_changed():
    probs = np.full((5, 2), 0.5, np.float32)
    for _, _, block in matrix.read_blocks(probs, 0, 5):
        block[...] = 0
    assert (probs == 0.5).all()
