"""Which of my labels are wrong? Confident learning, with a person in the loop.

dataset = curation.load("my_data")
findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
with curation.open_store(dataset) as store:
    store.decide(dataset.ids[findings.issues()[0]], "exclude", curator="ana")
    curation.export(dataset, store, "cleaned")
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from curation.analysis.findings import Findings, analyze, estimate_joint
from curation.dataset import Dataset
from curation.errors import CurationError
from curation.report import Diagnosis, Report

if TYPE_CHECKING:
    from curation.exports import export
    from curation.loading import check, load
    from curation.quality import estimate_quality, plan_audit
    from curation.store import Decision, Store, open_store

__all__ = [
    "load",
    "check",
    "analyze",
    "estimate_joint",
    "plan_audit",
    "estimate_quality",
    "open_store",
    "export",
    "Dataset",
    "Report",
    "Diagnosis",
    "Findings",
    "Store",
    "Decision",
    "CurationError",
]

# Imported when first used: these need pandas or SQLAlchemy, the mathematics numpy alone.
_LAZY = {
    "Decision": "curation.store",
    "Store": "curation.store",
    "check": "curation.loading",
    "estimate_quality": "curation.quality",
    "export": "curation.exports",
    "load": "curation.loading",
    "open_store": "curation.store",
    "plan_audit": "curation.quality",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
