"""What the runs say together: accuracies, gains with intervals, and the sentence about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from curation.analysis.findings import METHODS, Method
from curation.core.matrix import FloatArray, IntArray
from curation.modelling.benefit_intervals import (
    Gain,
    find_gain_over_examples,
    find_gain_over_splits,
    find_smallest_error,
)
from curation.modelling.benefit_split import Against, explain_against
from curation.modelling.benefit_trial import Arm, Trial, Way
from curation.wording import METHOD_NAMES, count_of

WAY_NAMES: dict[Way, str] = {
    "given": "Labels as given",
    **METHOD_NAMES,  # type: ignore[dict-item]
    "random": "Random examples",
    "decisions": "Your decisions",
}
MOST_NOISY = 20  # classes on the second chart, as in the paper
NOISY_SHARE = 0.2  # of all classes, if there are few


@dataclass(frozen=True)
class Score:
    """How well a model does that was trained in one way, over all runs."""

    arm: Arm
    accuracy: float  # mean over the runs
    spread: float  # standard deviation over the runs, as in the paper's Table 7; not an interval
    changed: float  # mean number of training examples removed or relabelled
    gain: Gain  # over the labels as given, paired run by run


@dataclass(frozen=True, eq=False)
class Benefit:
    """What cleaning was worth: the same model, trained on labels cleaned in several ways."""

    arms: tuple[Arm, ...]  # what was compared: ways to clean, at shares of the issues
    trials: tuple[Trial, ...]  # one for each seed
    against: Against  # what the predictions were compared with
    is_fixed: bool  # whether every run held out the same examples
    held_share: float  # of the examples that could be held out
    held_labels: IntArray  # (n,) what each prediction was compared with
    units: IntArray  # (n,) which examples vary together
    method: Method  # the sentence is about this one
    model: str  # the name of the model that was trained
    features: str  # what the model learned from, in words
    notes: tuple[str, ...]  # what a person should know
    class_names: tuple[str, ...]  # (m,) in the order of the class indices

    @cached_property
    def scores(self) -> tuple[Score, ...]:
        """Return a score for each arm."""
        return self._score(None)

    @property
    def num_held_out(self) -> float:
        """Return how many examples a run holds out, on average."""
        return float(np.mean([len(each.rows) for each in self.trials]))

    @property
    def num_trained(self) -> float:
        """Return how many examples a run can train on, on average."""
        return float(np.mean([each.trained for each in self.trials]))

    @property
    def ways(self) -> list[Way]:
        """Return what was compared, each once."""
        return list(dict.fromkeys(arm.way for arm in self.arms))

    def score(self, way: Way, share: float = 1.0) -> Score:
        """Return the score of one arm; the labels as given have no share."""
        return self.scores[self.arms.index(Arm(way, 0.0 if way == "given" else share))]

    @cached_property
    def noisy_classes(self) -> IntArray:
        """Return the noisiest classes, by the training parts: at most 20, or a fifth of all.

        The paper takes the classes with the smallest diagonal of the confident joint. Its classes
        are equally large; where they are not, the share of right labels is what that means.
        """
        trust = np.mean([each.trust for each in self.trials], axis=0)
        number = min(MOST_NOISY, max(1, round(NOISY_SHARE * len(trust))))
        return np.argsort(trust, kind="stable")[:number]

    @cached_property
    def noisy_scores(self) -> tuple[Score, ...] | None:
        """Return the scores on the noisiest classes alone; None if a run held out none of them."""
        inside = np.isin(self.held_labels, self.noisy_classes)
        if any(not inside[each.rows].any() for each in self.trials):
            return None
        return self._score(inside)

    def _score(self, inside: np.ndarray | None) -> tuple[Score, ...]:
        trials = self.trials if inside is None else [_only(each, inside) for each in self.trials]
        accuracy = np.array([each.correct.mean(axis=1) for each in trials])  # (runs, arms)
        changed = np.mean([each.changed for each in trials], axis=0)
        spread = accuracy.std(axis=0, ddof=1) if len(trials) > 1 else np.zeros(len(self.arms))
        return tuple(
            Score(
                arm=arm,
                accuracy=float(accuracy[:, place].mean()),
                spread=float(spread[place]),
                changed=float(changed[place]),
                gain=self._find_gain(trials, accuracy, place),
            )
            for place, arm in enumerate(self.arms)
        )

    def _find_gain(self, trials: Sequence[Trial], accuracy: FloatArray, place: int) -> Gain:
        pairs = [(each.correct[place], each.correct[0]) for each in trials]
        if self.is_fixed:
            right, before = np.mean(pairs, axis=0)
            return find_gain_over_examples(right - before, self.units[trials[0].rows])
        gained = float(np.mean([(now & ~before).mean() for now, before in pairs]))
        lost = float(np.mean([(before & ~now).mean() for now, before in pairs]))
        examples = len(np.unique(np.concatenate([each.rows for each in trials])))
        return find_gain_over_splits(
            accuracy[:, place] - accuracy[:, 0],
            self.held_share,
            smallest_error=find_smallest_error(gained, lost, examples),
        )

    def sentence(self) -> str:
        """Return what cleaning was worth, also if it was worth nothing."""
        return self._say(self.method)

    def decisions_sentence(self) -> str | None:
        """Return what the decisions were worth; None if nobody has changed a label."""
        return self._say("decisions") if "decisions" in self.ways else None

    def _say(self, way: Way) -> str:
        score, before = self.score(way), self.score("given")
        what, name = _name_change(way, score.changed)
        if not score.changed:
            return f"{name} nothing in the training examples, so there is nothing to gain or lose."
        moved = f"from {100 * before.accuracy:.1f} to {100 * score.accuracy:.1f} %"
        by = write_gain(score.gain)
        if score.gain.is_up:
            said = f"{what} raised the accuracy on held-out examples {moved}: {by}."
        elif score.gain.is_down:
            said = f"{what} lowered the accuracy on held-out examples {moved}: {by}."
        else:
            said = f"{what} did not measurably change the accuracy on held-out examples: "
            said += f"{moved}, {by}."
        if way in METHODS:
            random = self.score("random").gain
            said += (
                " Removing as many random examples changed it by "
                f"{write_points(random.estimate)} points."
            )
        return said

    def describe(self) -> list[str]:
        """Return everything a person should know to read the result, a paragraph per line."""
        runs = len(self.trials)
        return [
            explain_against(self.against, self.is_fixed),
            f"{count_of(runs, 'run')}, each with about {self.num_trained:,.0f} examples to train "
            f"on and {self.num_held_out:,.0f} held out. Model: {self.model}, from {self.features}. "
            "Flags come from cross-validation within the training examples alone.",
            _explain_interval(self.is_fixed, runs),
            *self.notes,
        ]


def _only(trial: Trial, inside: np.ndarray) -> Trial:
    chosen = inside[trial.rows]
    return replace(trial, rows=trial.rows[chosen], correct=trial.correct[:, chosen])


def _name_change(way: Way, changed: float) -> tuple[str, str]:
    """Return what was done, and the beginning of a sentence if nothing was."""
    number = f"{changed:,.0f}"
    if way == "decisions":
        noun = "decision" if round(changed) == 1 else "decisions"
        return f"Applying the {number} {noun} that change a training label", "Your decisions change"
    issue = "issue" if round(changed) == 1 else "issues"
    name = WAY_NAMES[way]
    return f"Removing the {number} {issue} that “{name}” finds with this model", f"“{name}” flags"


def _explain_interval(fixed: bool, runs: int) -> str:
    if fixed:
        return (
            "± is the standard deviation over the runs. The 95 % interval of a gain is over the "
            "examples of the test split, paired example by example and averaged over the runs; it "
            "does not cover other training data."
        )
    return (
        "± is the standard deviation over the runs. The 95 % interval of a gain is paired over the "
        f"{runs} runs and widened because their examples overlap (Nadeau and Bengio's corrected "
        "resampled t)."
    )


def write_points(share: float) -> str:
    """Return a difference of accuracies in percentage points, with its sign.

    >>> write_points(0.0123), write_points(-0.0123), write_points(0.0001)
    ('+1.2', '−1.2', '0.0')
    """
    points = round(100 * share, 1)
    sign = "+" if points > 0 else "−" if points < 0 else ""
    return f"{sign}{abs(points):.1f}"


def write_gain(gain: Gain) -> str:
    """Return a gain with its interval.

    >>> write_gain(Gain(0.021, 0.004, 0.038))
    '+2.1 points (95 % interval +0.4 to +3.8)'
    """
    ends = f"{write_points(gain.low)} to {write_points(gain.high)}"
    return f"{write_points(gain.estimate)} points (95 % interval {ends})"
