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

from curation.analysis.any_scale import analyze
from curation.analysis.array_analysis import estimate_joint
from curation.analysis.findings import Findings
from curation.analysis.model_strength import ModelStrength
from curation.dataset import Dataset, LabelledData
from curation.errors import CurationError
from curation.report import Diagnosis, Report

if TYPE_CHECKING:
    from curation.analysis.cluster.findings_folder import WrittenFindings, open_findings
    from curation.exports import export
    from curation.loading import check, load, load_labelled
    from curation.modelling import (
        Benefit,
        MadeProbs,
        ModelScore,
        average_probs,
        make_probs,
        measure_benefit,
        save_probs,
    )
    from curation.neighbours import Neighbours, find_neighbours, score_neighbours
    from curation.quality import estimate_quality, plan_audit
    from curation.session import Session, open
    from curation.store import Decision, Store, open_store

__all__ = [
    "load",
    "check",
    "load_labelled",
    "make_probs",
    "average_probs",
    "save_probs",
    "analyze",
    "open_findings",
    "estimate_joint",
    "find_neighbours",
    "score_neighbours",
    "plan_audit",
    "estimate_quality",
    "measure_benefit",
    "open_store",
    "export",
    "open",
    "LabelledData",
    "Dataset",
    "MadeProbs",
    "ModelScore",
    "Benefit",
    "Report",
    "Diagnosis",
    "Findings",
    "WrittenFindings",
    "ModelStrength",
    "Neighbours",
    "Store",
    "Decision",
    "Session",
    "CurationError",
]

# Imported when first used: these need pandas or SQLAlchemy, but the mathematics only needs numpy.
_LAZY = {
    "Decision": "curation.store",
    "Store": "curation.store",
    "check": "curation.loading",
    "estimate_quality": "curation.quality",
    "export": "curation.exports",
    "load": "curation.loading",
    "load_labelled": "curation.loading",
    "make_probs": "curation.modelling",
    "average_probs": "curation.modelling",
    "save_probs": "curation.modelling",
    "open": "curation.session",
    "Session": "curation.session",
    "measure_benefit": "curation.modelling",
    "Benefit": "curation.modelling",
    "MadeProbs": "curation.modelling",
    "ModelScore": "curation.modelling",
    "find_neighbours": "curation.neighbours",
    "score_neighbours": "curation.neighbours",
    "Neighbours": "curation.neighbours",
    "open_store": "curation.store",
    "WrittenFindings": "curation.analysis.cluster.findings_folder",
    "open_findings": "curation.analysis.cluster.findings_folder",
    "plan_audit": "curation.quality",
}


def __getattr__(name: str) -> Any:
    if name not in _LAZY:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_LAZY[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_LAZY])
