"""Which tests run in the same worker: those that would otherwise start the same server twice.

`--dist loadgroup` is for this, but with pytest 9.2 and pytest-xdist 3.8 it groups nothing, because
the name that it gives to a test is ignored. The scheduler here goes by the test's own name.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

TOGETHER = ("tests/browser/", "tests/cli/test_safety.py")  # a file's tests share its servers


def name_group(nodeid: str) -> str:
    """Return the group of a test; most are alone in theirs.

    >>> name_group("tests/browser/test_map.py::test_a")
    'tests/browser/test_map.py'
    >>> name_group("tests/core/test_rank.py::test_b")
    'tests/core/test_rank.py::test_b'
    >>> name_group("tests/store/test_backup.py::test_c[postgresql]")
    'PostgreSQL'
    """
    file = nodeid.partition("::")[0]
    if file.startswith(TOGETHER):
        return file
    if file.startswith("tests/store/") and "postgres" in nodeid:
        return "PostgreSQL"  # which takes seconds to set up
    return nodeid


class GroupScheduling(LoadScopeScheduling):
    """Sends each group to one worker, as soon as that has nothing left to do."""

    def _split_scope(self, nodeid: str) -> str:
        return name_group(nodeid)
