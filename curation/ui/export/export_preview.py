"""A preview of what an export would change: counts, rows, classes, and warnings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pandas as pd
import streamlit as st

from curation.review.cleaning_plan import Plan, is_decided
from curation.store import Action
from curation.ui.export.export_choices import POLICY_NAMES
from curation.ui.shell.links import REVIEW, show_link
from curation.ui.shell.setup import Frame
from curation.ui.widgets.gallery import Tile, show_gallery
from curation.ui.widgets.literal_text import in_markdown
from curation.wording import METHOD_NAMES, count_of

ROWS_SHOWN = 1000  # of the rows that change; the file itself holds them all
EXAMPLES_SHOWN = 12  # as pictures or texts
MAX_IDS_NAMED = 5  # in a warning

SPLIT_COLUMNS = ("split", "subset", "set", "partition")
LEFT_OUT_NAMES = {"majority": "by majority", "agreed only": "only where all agree"}
ACTION_NAMES = {
    Action.RELABEL: "relabelled",
    Action.KEEP: "kept as labelled",
    Action.EXCLUDE: "excluded",
    Action.AMBIGUOUS: "called ambiguous",
    Action.NEEDS_REVIEW: "for a second look",
    Action.SKIP: "skipped",
}


def show_headline(plan: Plan) -> None:
    """Show in one sentence how the cleaned labels differ from the given ones."""
    counts = plan.counts
    gone = counts["excluded"] + counts["pruned"]
    words = (
        ("is removed", "are removed")
        if plan.settings.excluded == "drop"
        else ("is flagged", "are flagged")
    )
    verb = words[gone != 1]
    changed = counts["labels_changed"]
    st.markdown(
        f"Your cleaned labels: **{changed:,} of {count_of(counts['examples'], 'row')} "
        f"{'changes' if changed == 1 else 'change'}** · {count_of(gone, 'row')} {verb} · "
        f"{count_of(counts['flagged_undecided'], 'issue')} undecided"
    )
    said = [
        f"{counts[action]:,} {words}" for action, words in ACTION_NAMES.items() if counts[action]
    ]
    if said:
        st.caption("Decided: " + " · ".join(said))
    else:
        st.info("Nothing is decided yet, so the cleaned labels are the same as the given labels.")
        show_link(REVIEW, "Review the issues →", key="export-review", primary=True)


def show_cautions(plan: Plan) -> None:
    """Show warnings: a test set that shrinks, disagreements, decisions that no longer fit."""
    outcome = plan.outcome
    if plan.settings.excluded == "drop" and plan.out.any() and _is_test_split(plan):
        st.warning(
            f"{count_of(int(plan.out.sum()), 'row')} would be removed from what looks like a test "
            "set. Scores on a test set without its hard examples look better than they are. "
            "Correct labels instead of removing rows, and say so when you report scores."
        )
    if outcome.disputed:
        st.warning(
            f"Curators disagree on {count_of(len(outcome.disputed), 'example')}: "
            f"{_name(outcome.disputed)}. {_say_policy(plan)}"
        )
    if outcome.misfits:
        reasons = in_markdown(outcome.misfits[0].reason)
        named = _name([each.decision.example_id for each in outcome.misfits])
        one = len(outcome.misfits) == 1
        st.warning(
            f"{count_of(len(outcome.misfits), 'decision')} no longer "
            f"{'fits the dataset and is' if one else 'fit the dataset and are'} not applied: "
            f"{named}. {'Reason' if one else 'Reason for the first'}: {reasons}."
        )


def _say_policy(plan: Plan) -> str:
    """Return whose decision counts where curators disagree."""
    left = len(plan.outcome.left_out)
    if not left:
        return f"What counts is {POLICY_NAMES[plan.settings.policy]}."
    return f"Decisions count {LEFT_OUT_NAMES[plan.settings.policy]}: {left:,} left as given."


def _is_test_split(plan: Plan) -> bool:
    """Tell whether removed rows belong to a test split, by a column or the dataset's name."""
    dataset = plan.dataset
    columns = [name for name in dataset.extras if name.strip().casefold() in SPLIT_COLUMNS]
    rows = plan.out.nonzero()[0].tolist()
    named = [str(dataset.extras[name][row]) for name in columns for row in rows]
    return any(_says_test(each) for each in (named if columns else [dataset.name]))


def _says_test(name: str) -> bool:
    """Tell whether a name has a word for a test set in it.

    >>> names = ("CIFAR-10 test", "test2017", "latest", "testimonials", "Testing ")
    >>> [each for each in names if _says_test(each)]
    ['CIFAR-10 test', 'test2017', 'Testing ']
    """
    words = re.split(r"[\W_]+", name.casefold())
    return any(re.fullmatch(r"test(s|ing|set|\d+)?", word) for word in words)


def _name(ids: Any) -> str:
    more = f" and {len(ids) - MAX_IDS_NAMED:,} more" if len(ids) > MAX_IDS_NAMED else ""
    return ", ".join(in_markdown(each) for each in ids[:MAX_IDS_NAMED]) + more


def show_changes(frame: Frame, plan: Plan) -> None:
    """Show the rows that change: before, after, who decided it and when."""
    rows = [row for row in plan.changed.tolist() if not plan.out[row]]
    leaving = plan.out.nonzero()[0].tolist()
    if not rows and not leaving:
        return
    st.subheader("Rows that change")
    shown = (rows + leaving)[:ROWS_SHOWN]
    total = len(rows) + len(leaving)
    first = f" The first {len(shown):,} of {total:,}." if total > len(shown) else ""
    st.caption(f"The label before → after, and who decided it.{first}")
    described = [_describe(plan, frame.class_names, row) for row in shown]
    tiles = [
        Tile(row, f"{each['before']} → {each['after']}", each["by"])
        for row, each in zip(shown[:EXAMPLES_SHOWN], described, strict=False)
    ]
    show_gallery(frame.dataset, tiles)
    table = pd.DataFrame(described)
    st.dataframe(
        table, hide_index=True, key="export-changes", height=min(35 * (len(table) + 1) + 3, 420)
    )


def _describe(plan: Plan, names: Sequence[str], row: int) -> dict[str, str]:
    """Return one row of the table, with class names that are distinct."""
    decision, dataset = plan.decision(row), plan.dataset
    decided = decision if is_decided(decision) else None
    label = int(plan.new_labels[row])
    merged = plan.settings.apply_merges and label in plan.classes.changed
    after = plan.classes.names[label] if merged else names[label]
    if plan.out[row]:
        after = "(flagged)" if plan.settings.excluded == "flag" else "(row removed)"
    return {
        "id": str(dataset.ids[row]),
        "before": names[int(dataset.labels[row])],
        "after": after,
        "by": decided.curator if decided else _name_unasked(plan, row),
        "when (UTC)": decided.time[:16].replace("T", " ") if decided else "",
        "note": decided.note if decided else "",
    }


def _name_unasked(plan: Plan, row: int) -> str:
    """Return why a row changes that nobody decided."""
    if plan.pruned[row]:
        return f"pruned: {METHOD_NAMES[plan.settings.undecided].lower()}"
    return "its class was merged or renamed"


def show_classes(frame: Frame, plan: Plan) -> None:
    """Show the decisions about classes, and whether they are written into the labels."""
    decisions = plan.outcome.class_decisions
    if not decisions:
        return
    st.subheader("Classes")
    if not plan.settings.apply_merges:
        st.caption(
            "Recorded in class_map.csv; not written into the labels unless you choose so above."
        )
    classes = plan.classes
    for label in classes.changed:
        old, new = frame.class_names[label], frame.class_names[classes.becomes[label]]
        if classes.names[label] != plan.dataset.class_names[classes.becomes[label]]:
            new = classes.names[label]
        st.markdown(
            f"- {in_markdown(old)} → {in_markdown(new)} ({in_markdown(classes.why[label])})"
        )
    for warning in classes.warnings:
        st.warning(in_markdown(warning))
