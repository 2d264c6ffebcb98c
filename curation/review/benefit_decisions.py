"""The decisions of a log as the labels that a model would be trained on."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from curation.analysis.findings import Findings
from curation.dataset import Dataset
from curation.modelling.benefit_split import DecidedLabels
from curation.review.cleaning_plan import make_plan
from curation.review.outcome import find_outcome
from curation.review.outcome_settings import OutcomeSettings
from curation.store.entries import Entry


def read_decided(dataset: Dataset, findings: Findings, log: Sequence[Entry]) -> DecidedLabels:
    """Return each example's label after a log of decisions, as an export with default settings.

    The latest decision counts; undecided examples and those with both labels keep the given one.
    """
    outcome = find_outcome(dataset, log, "latest")
    plan = make_plan(dataset, findings, outcome, OutcomeSettings())
    confirmed = np.zeros(len(dataset), bool)
    for row, decision in outcome.by_row.items():
        confirmed[row] = decision.action.confirms_label
    return DecidedLabels(
        labels=plan.new_labels,
        excluded=plan.excluded,
        confirmed=confirmed,
        becomes=np.array(plan.classes.becomes, dtype=np.int64),
    )
