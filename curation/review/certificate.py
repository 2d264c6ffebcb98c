"""The certificate: what an audit proves about the labels, and everything needed to check it.

It depends only on the dataset and the log, so anyone who has both can make it again. For a closed
audit it covers the log up to the close; for an open one, up to the last entry. The examples of an
open audit are not listed, because judges must not know which ones belong to it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from curation.analysis.findings import Findings
from curation.analysis.saved_findings import analyze_dataset
from curation.core.count import Collisions
from curation.dataset import Dataset
from curation.errors import InputError
from curation.quality import Interval, Quality
from curation.review.audits import (
    CONFIDENCE,
    Audit,
    JudgedAudit,
    find_audits,
    judge_audit,
    replay_examples,
)
from curation.store.entries import Decision, Entry, to_jsonl
from curation.store.replay import ExampleState
from curation.wording import count_of, percent_at_most, verb_of

VERSION = 1  # of the certificate's layout
DIGITS = 6  # kept of an estimate; the last ones differ between machines
NO_AUDIT = "No audit was drawn, so nothing is certified about these labels."

States = Mapping[str, ExampleState[Decision]]


@dataclass(frozen=True)
class Certificate:
    """A certificate, ready for JSON, and the audit it is about."""

    content: Mapping[str, Any]
    judged: JudgedAudit | None

    @property
    def sentence(self) -> str:
        return str(self.content["sentence"])


def certify(
    dataset: Dataset,
    findings: Findings,
    log: Sequence[Entry],
    *,
    confidence: float = CONFIDENCE,
    until: int | None = None,
) -> Certificate:
    """Return the certificate of the last audit in a log, or of the log up to an entry.

    `findings` must be analysed with the audit's settings. If there is no audit, or it no longer
    fits the dataset, the certificate says that nothing is certified.
    """
    taken = log if until is None else [entry for entry in log if entry.seq <= until]
    audits = find_audits(taken)
    if not audits:
        return Certificate(_void(NO_AUDIT), None)
    try:
        judged = judge_audit(audits[-1], dataset, findings, taken, confidence=confidence)
    except InputError as error:
        return Certificate(_void(f"Nothing is certified. {error.problem}"), None)
    if judged.audit.closed:
        taken = [entry for entry in taken if entry.seq <= judged.audit.closed.seq]
    return Certificate(_describe(dataset, judged, taken), judged)


def certify_log(
    dataset: Dataset,
    log: Sequence[Entry],
    findings: Findings,
    collisions: Collisions,
    *,
    confidence: float = CONFIDENCE,
) -> Certificate:
    """Return the certificate of a log; if its audit has other settings, analyse with those."""
    audits = find_audits(log)
    if audits:
        findings = find_findings(audits[-1], dataset, findings, collisions)
    return certify(dataset, findings, log, confidence=confidence)


def find_findings(
    audit: Audit, dataset: Dataset, findings: Findings | None, collisions: Collisions
) -> Findings:
    """Return findings with an audit's settings: the given ones, if they match."""
    if findings and (findings.threshold, collisions) == (audit.threshold, audit.collisions):
        return findings
    return analyze_dataset(dataset, audit.threshold, audit.collisions)


def _void(sentence: str) -> dict[str, Any]:
    return {"certificate_version": VERSION, "sentence": sentence, "audit": None}


def _describe(dataset: Dataset, judged: JudgedAudit, log: Sequence[Entry]) -> dict[str, Any]:
    audit, quality = judged.audit, judged.quality
    states = replay_examples(log)
    return {
        "certificate_version": VERSION,
        "sentence": make_sentence(quality, len(dataset)),
        "after_cleaning": make_cleaned_sentence(quality, len(dataset)),
        "date": log[-1].time,
        "confidence": quality.confidence,
        "dataset": {
            "name": dataset.name,  # not checked: a folder may be renamed
            "examples": len(dataset),
            "classes": len(dataset.class_names),
            "fingerprint": dataset.fingerprint,
            "parts": dict(dataset.fingerprint_parts),
        },
        "audit": _describe_audit(audit),
        "figures": {name: _round(each) for name, each in list_figures(quality).items()},
        "counts": {
            "planned": quality.planned,
            "judged": quality.judged,
            "known_before": len(judged.plan.known),
            "found_wrong": quality.known_errors,
            "found_right": quality.known_correct,
        },
        "judged_by": _count_judges(audit, dataset, states),
        "sample": _list_sample(judged, dataset, states) if audit.closed else None,
        "log": {"entries": len(log), "last": log[-1].seq, "sha256": hash_log(log)},
    }


def make_sentence(quality: Quality, num_examples: int) -> str:
    """Return the one sentence that the audit proves."""
    total = quality.total_errors
    labels = f"{num_examples:,} labels"
    if total.low == total.high:
        verb = verb_of(total.high, "is", "are")
        return f"Exactly {total.high:,.0f} of the {labels} {verb} wrong: all of them were judged."
    if not quality.judged or total.high >= num_examples:
        return f"Nothing is known about the {labels} yet: nobody has judged enough of them."
    share, sure = percent_at_most(total.high / num_examples), f"{100 * quality.confidence:g} %"
    return f"At most {share} of the {labels} are wrong ({sure}), however often it was looked at."


def make_cleaned_sentence(quality: Quality, num_examples: int) -> str:
    """Return what is true once the errors found are corrected."""
    if not quality.judged:
        return "How many are wrong is not measured yet."
    share = percent_at_most(quality.errors_left.high / num_examples)
    found = count_of(quality.known_errors, "error")
    are = verb_of(quality.known_errors, "is", "are")
    return f"Once the {found} found {are} corrected, at most {share} are wrong."


def list_figures(quality: Quality) -> dict[str, Interval]:
    """Return the figures of a quality that have an interval, by name."""
    every = {each.name: getattr(quality, each.name) for each in fields(quality)}
    return {name: each for name, each in every.items() if isinstance(each, Interval)}


def _round(interval: Interval) -> dict[str, float]:
    """Return an interval for JSON: its ends as they are, because rounded ones may be too narrow."""
    return {**asdict(interval), "estimate": float(f"{interval.estimate:.{DIGITS}g}")}


def _describe_audit(audit: Audit) -> dict[str, Any]:
    stored, drawn, closed = audit.stored, audit.drawn, audit.closed
    return {
        "name": audit.name,
        "seed": stored["seed"],
        "size": stored["size"],
        "rule": stored["rule"],
        "method": stored["method"],
        "threshold": stored["threshold"],
        "collisions": stored["collisions"],
        "drawn_by": drawn.curator,
        "drawn_at": drawn.time,
        "drawn_as": drawn.seq,
        "closed_by": closed.curator if closed else None,
        "closed_at": closed.time if closed else None,
    }


def _count_judges(audit: Audit, dataset: Dataset, states: States) -> dict[str, int]:
    """Return how many of the planned examples each curator has a decision on."""
    names = Counter(
        decision.curator
        for row in audit.rows
        for decision in _decisions(states, str(dataset.ids[row]))
    )
    return dict(sorted(names.items()))


def _list_sample(judged: JudgedAudit, dataset: Dataset, states: States) -> list[dict[str, Any]]:
    sample = []
    for place, row in enumerate(judged.plan.rows.tolist(), start=1):
        example_id, verdict = str(dataset.ids[row]), judged.verdicts.get(row)
        sample.append(
            {
                "place": place,
                "id": example_id,
                "given": dataset.class_names[int(dataset.labels[row])],
                "verdict": str(verdict) if verdict else None,
                "decisions": [
                    {"curator": each.curator, "decision": each.summary, "time": each.time}
                    for each in _decisions(states, example_id)
                ],
            }
        )
    return sample


def _decisions(states: States, example_id: str) -> list[Decision]:
    state = states.get(example_id)
    return state.candidates() if state else []


def hash_log(log: Sequence[Entry]) -> str:
    """Return the hash of a log as `audit.jsonl` holds it."""
    return hashlib.sha256(to_jsonl(log).encode()).hexdigest()
