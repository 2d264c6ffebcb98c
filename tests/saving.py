"""What tests of saved results share: a user's folder of their own, and no waiting for the clock."""

from __future__ import annotations

from pathlib import Path

import pytest

from curation import fingerprint, saved_results
from curation.analysis import saved_findings
from curation.loading.join import saved_check


def save_everything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Save the results of small and of newly written files too, as if they were large and old."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for module in (fingerprint, saved_results):
        monkeypatch.setattr(module, "STILL_WARM_NS", 0)
    for module in (saved_check, saved_findings):
        monkeypatch.setattr(module, "SAVED_FROM", 0)
