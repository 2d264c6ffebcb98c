"""Ids in an array of their own, as ids.npy beside labels.npy or probs.npy."""

from __future__ import annotations

from dataclasses import replace

from curation.loading.discovery.parts import Parts
from curation.loading.formats.npy import open_npy
from curation.loading.join.alignment import check_ids
from curation.loading.join.keys import Keys
from curation.loading.labels.examples import Examples
from curation.loading.probs.prob_sources import Probs, text_array
from curation.loading.report_builder import ReportBuilder


def give_ids(
    parts: Parts, examples: Examples, probs: Probs, report: ReportBuilder
) -> tuple[Examples, Probs]:
    """Return labels and probabilities with the ids that lie beside them, where they have none."""
    if parts.ids is None:
        return examples, probs
    ids = text_array(open_npy(parts.path(parts.ids), parts.ids), parts.ids)
    keys = Keys(ids, where=parts.ids)
    named: list[str] = []
    if examples.ids is None and len(ids) == len(examples):
        named.append("labels")
        examples = replace(examples, ids=ids, inner_keys=keys)
    elsewhere = parts.probs not in ((), (parts.labels,))
    if elsewhere and _has_no_keys(probs.keys) and len(ids) == probs.shape[0]:
        named.append("probabilities")
        probs = replace(probs, keys=replace(keys, table=probs.keys.table))
    if named:
        check_ids(ids, parts.ids)
        report.add_auto_fix(
            code="ids.beside",
            where=parts.ids,
            what=f"it is read as the ids of the {' and the '.join(named)}, row by row.",
            fix="If it holds something else, give it another name.",
            why="Nothing but its name and its length says what it belongs to.",
            count=len(ids),
        )
    elif _has_no_keys(examples.keys) or (elsewhere and _has_no_keys(probs.keys)):
        report.add_warning(
            code="ids.beside",
            where=parts.ids,
            what=f"its {len(ids)} ids are not used: there are {len(examples)} labels and "
            f"{probs.shape[0]} rows of probabilities.",
            fix="Save one id for each row.",
            why="Without ids, rows are joined by their place.",
        )
    return examples, probs


def _has_no_keys(keys: Keys) -> bool:
    return keys.ids is None and keys.files is None
