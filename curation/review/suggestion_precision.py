"""How often curators accepted the model's suggestion at or above a confidence."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from curation.review.cleaning_plan import Plan, find_undecided, score_suggestions
from curation.store.actions import Action
from curation.wording import count_of, percent, percent_range, verb_of

MIN_DECIDED = 10  # decided examples below which no precision is stated
INTERVAL = (0.025, 0.975)  # leaves out 2.5 % on either side


@dataclass(frozen=True)
class SuggestionPrecision:
    """How often suggestions at or above a confidence were right, and how many are left."""

    min_confidence: float
    decided: int
    right: int  # relabelled as suggested
    undecided: int

    @property
    def interval(self) -> tuple[float, float]:
        """Return the 95 % interval of the share that is right.

        With k right of n, the share has the posterior Beta(k + 1/2, n - k + 1/2) under Jeffreys'
        prior; an end is 0 or 1 if none or all were right.
        """
        from scipy.stats import beta  # imported here, because it takes most of a second

        ends = beta.ppf(INTERVAL, self.right + 0.5, self.decided - self.right + 0.5)
        low = float(ends[0]) if self.right else 0.0
        return low, float(ends[1]) if self.right < self.decided else 1.0

    @property
    def summary(self) -> str:
        """Return the precision in sentences, or that it cannot be known yet."""
        left = count_of(self.undecided, "undecided example")
        waits = (
            f"{left} {verb_of(self.undecided, 'has', 'have')} a suggestion with a probability of "
            f"{self.min_confidence:g} or more. "
        )
        if self.decided < MIN_DECIDED:
            return (
                f"{waits}Too few like {verb_of(self.undecided, 'it', 'them')} are decided to say "
                f"how often the suggestion is right ({self.decided:,}; at least {MIN_DECIDED} are "
                "needed)."
            )
        return (
            f"{waits}Of {self.decided:,} like {verb_of(self.undecided, 'it', 'them')} that "
            f"curators decided, the suggestion was right for {self.right:,} "
            f"({percent(self.right / self.decided)}; 95 % interval "
            f"{percent_range(*self.interval)})."
        )


def measure_suggestions(plan: Plan, min_confidence: float) -> SuggestionPrecision:
    """Return how right the flagged examples' suggestions were, by the decisions that count.

    A suggestion is right if the example was relabelled as suggested. If it was kept, excluded,
    given another label, or both, it is not. Examples that were skipped or set aside are left out.
    """
    dataset, findings, outcome = plan.dataset, plan.findings, plan.outcome
    scores = score_suggestions(dataset, findings, plan.issues)
    rows = plan.issues[scores >= min_confidence]
    ids = dataset.class_ids
    settled = {
        row: decision
        for row in rows.tolist()
        if (decision := outcome.by_row.get(row)) is not None and decision.action.is_final
    }
    right = sum(
        decision.action is Action.RELABEL
        and decision.label_id == ids[int(findings.suggested_labels[row])]
        for row, decision in settled.items()
    )
    flagged = np.zeros(len(dataset), bool)
    flagged[rows] = True
    undecided = int(find_undecided(dataset, outcome, flagged).sum())
    return SuggestionPrecision(min_confidence, len(settled), right, undecided)
