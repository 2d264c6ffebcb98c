"""The tests, in the layout of the package.

This runs before numpy is loaded. Every worker of pytest has a core, and threads of its own would
only wait for one another: models of a few hundred examples take two to fifteen times as long with
them.
"""

import os

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
