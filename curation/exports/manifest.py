"""manifest.json: what an export holds, what it was made from, and what it left out."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from importlib import metadata
from typing import Any

from curation.analysis.model_strength import WORTH
from curation.exports.destination import TOOL
from curation.exports.example_tables import QUALITY
from curation.exports.reader_notes import make_notes
from curation.report import Diagnosis, Severity
from curation.review.cleaning_plan import Plan
from curation.store.actions import Action

VERSION = 1  # of the manifest's layout


def tool_version() -> str:
    """Return the version of this program; "not installed" for a plain checkout."""
    try:
        return metadata.version(TOOL)
    except metadata.PackageNotFoundError:
        return "not installed"


def make_manifest(plan: Plan, files: Mapping[str, Mapping[str, Any]], num_rows: int) -> bytes:
    """Return the manifest; nothing in it depends on where or when it was written."""
    dataset, outcome = plan.dataset, plan.outcome
    found = {
        "tool": TOOL,
        "tool_version": tool_version(),
        "manifest_version": VERSION,
        "dataset": {
            "fingerprint": dataset.fingerprint,
            "fingerprint_parts": dict(dataset.fingerprint_parts),
            "label_file": dataset.source.called or None,
            "label_rows": num_rows,
            "settings": load_settings(plan),
        },
        "settings": plan.settings.to_dict(),
        "estimate": _estimate(plan),
        "counts": dict(plan.counts),
        "log": {
            "entries": len(outcome.log),
            "last": outcome.log[-1].seq if outcome.log else 0,
            "last_time": outcome.last_time,
        },
        "formulas": {"label_quality": QUALITY, "class_weight": "latent_prior[i] / joint[i, i]"},
        "notes": make_notes(plan),
        "warnings": [_describe(each) for each in dataset.report.of(Severity.WARN)],
        "left_out": _left_out(plan),
        "suggestions_taken": plan.ids(plan.taken.nonzero()[0]),
        "files": {name: dict(files[name]) for name in sorted(files)},
    }
    return json.dumps(found, indent=1, allow_nan=False).encode() + b"\n"


def _describe(diagnosis: Diagnosis) -> dict[str, Any]:
    names = ("code", "where", "what", "count", "first_rows", "why", "fix")
    found = {name: getattr(diagnosis, name) for name in names}
    return found | {"first_rows": list(diagnosis.first_rows)}


def _estimate(plan: Plan) -> dict[str, Any]:
    """Return how many labels look wrong, and how strong the model is that says so."""
    strength = plan.findings.strength
    figures = ("agreement", "log_loss", "shares_log_loss", "calibration_error")
    return {
        "wrong_labels": round(plan.findings.estimated_errors, 1),
        "what_it_is": WORTH,
        "model_strength": {name: round(getattr(strength, name), 4) for name in figures},
        "model_warnings": strength.warnings(),
    }


def _left_out(plan: Plan) -> dict[str, Any]:
    outcome = plan.outcome
    return {
        "curators_differ": list(outcome.left_out),
        "misfits": [
            {
                "id": each.decision.example_id,
                "decision": each.decision.summary,
                "seq": each.decision.seq,
                "cause": each.cause,
                "reason": each.reason,
            }
            for each in outcome.misfits
        ],
        "class_misfits": [
            {"class": each.given, "action": each.action, "seq": each.seq}
            for each in outcome.class_misfits
        ],
        "ambiguous": plan.ids(plan.with_action(Action.AMBIGUOUS)),
        "needs_review": plan.ids(plan.with_action(Action.NEEDS_REVIEW)),
        "excluded": plan.ids(plan.excluded.nonzero()[0]),
        "pruned": plan.ids(plan.pruned.nonzero()[0]),
    }


def load_settings(plan: Plan) -> dict[str, Any]:
    """Return the settings of the loader, so that a replay loads the same dataset.

    File names are relative to the dataset's folder.
    """
    root = os.path.join(plan.dataset.root, "")

    def relative(value: Any) -> Any:
        if isinstance(value, list | tuple):
            return [relative(each) for each in value]
        return value.removeprefix(root) if isinstance(value, str) else value

    return {key: relative(value) for key, value in sorted(plan.dataset.settings.items())}
