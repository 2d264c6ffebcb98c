"""A preview of what an export would change: counts, rows, classes, and warnings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import asdict

import pandas as pd
import streamlit as st

from curation.exports.change_list import list_changes
from curation.exports.class_tables import describe_added
from curation.review.cleaning_plan import Plan
from curation.store import Action
from curation.ui.export.export_choices import POLICY_NAMES
from curation.ui.shell.links import REVIEW, show_link
from curation.ui.shell.setup import Frame
from curation.ui.widgets.class_cells import name_cells
from curation.ui.widgets.example_links import show_examples
from curation.ui.widgets.example_titles import chosen_column, find_title
from curation.ui.widgets.gallery import Tile, show_gallery
from curation.ui.widgets.literal_text import in_markdown
from curation.wording import count_of, from_to, list_first

ROWS_SHOWN = 1000  # of the rows that change; the file holds all of them
LABEL_PIXELS = 170  # wide
EXAMPLES_SHOWN = 12  # as pictures or texts
MAX_IDS_NAMED = 5  # in a warning

SPLIT_COLUMNS = ("split", "subset", "set", "partition")
LEFT_OUT_NAMES = {"majority": "by majority", "agreed only": "only where all agree"}
ACTION_NAMES = {
    Action.RELABEL: "relabelled",
    Action.KEEP: "kept as labelled",
    Action.EXCLUDE: "excluded",
    Action.AMBIGUOUS: "with both labels",
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
        else ("is marked", "are marked")
    )
    verb = words[gone != 1]
    changed = counts["labels_changed"]
    st.markdown(
        f"Your cleaned labels: **{changed:,} of {count_of(counts['examples'], 'row')} "
        f"{'changes' if changed == 1 else 'change'}** · {count_of(gone, 'row')} {verb} · "
        f"{count_of(counts['flagged_undecided'], 'issue')} undecided"
    )
    left_out = plan.dataset.num_source_rows - counts["examples"]
    if left_out:
        one = left_out == 1
        st.caption(
            f"{count_of(left_out, 'more row')} {'was' if one else 'were'} left out when the labels "
            f"were loaded. {'It stays' if one else 'They stay'} in the file, unchanged."
        )
    said = {
        action: f"{counts[action]:,} {words}"
        for action, words in ACTION_NAMES.items()
        if counts[action]
    }
    if said:
        final = ": " + ", ".join(words for action, words in said.items() if action.is_final)
        decided = f"{counts['decided']:,} decided{final if counts['decided'] else ''}"
        aside = [words for action, words in said.items() if not action.is_final]
        st.caption(" · ".join([decided, *aside]))
    else:
        st.info("Nothing is decided yet, so the cleaned labels are the same as the given labels.")
        if counts["flagged_undecided"]:
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
    if plan.counts["disputed"]:
        st.warning(
            f"Curators disagree on {count_of(plan.counts['disputed'], 'example')}: "
            f"{_name(outcome.disputed)}. {_describe_policy(plan)}"
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


def _describe_policy(plan: Plan) -> str:
    """Return whose decision counts where curators disagree."""
    left = len(plan.outcome.left_out)
    if not left:
        return f"What counts is {POLICY_NAMES[plan.settings.policy]}."
    return f"Decisions count {LEFT_OUT_NAMES[plan.settings.policy]}: {left:,} left as given."


def _is_test_split(plan: Plan) -> bool:
    """Return whether removed rows belong to a test split, by a column or the dataset's name."""
    dataset = plan.dataset
    columns = [name for name in dataset.extras if name.strip().casefold() in SPLIT_COLUMNS]
    rows = plan.out.nonzero()[0].tolist()
    named = [str(dataset.extras[name][row]) for name in columns for row in rows]
    return any(_says_test(each) for each in (named if columns else [dataset.name]))


def _says_test(name: str) -> bool:
    """Return whether a name contains a word for a test set.

    >>> names = ("CIFAR-10 test", "test2017", "latest", "testimonials", "Testing ")
    >>> [each for each in names if _says_test(each)]
    ['CIFAR-10 test', 'test2017', 'Testing ']
    """
    words = re.split(r"[\W_]+", name.casefold())
    return any(re.fullmatch(r"test(s|ing|set|\d+)?", word) for word in words)


def _name(ids: Sequence[str]) -> str:
    return list_first(ids, MAX_IDS_NAMED, show=in_markdown)


def show_changes(frame: Frame, plan: Plan) -> None:
    """Show the rows that change: before, after, who decided it and when."""
    total = len(plan.changes)
    if not total:
        return
    st.subheader("Rows that change", anchor=False)
    changes = list_changes(plan, ROWS_SHOWN)
    first = f" The first {len(changes):,} of {total:,}." if total > len(changes) else ""
    st.caption(
        f"The label before → after, and who decided it; what a person decided comes first.{first}"
    )
    tiles = [
        Tile(row, from_to(each.before, each.after), each.by)
        for row, each in zip(plan.changes[:EXAMPLES_SHOWN].tolist(), changes, strict=False)
    ]
    show_gallery(frame.dataset, tiles)
    table = pd.DataFrame([asdict(each) for each in changes]).rename(columns={"when": "when (UTC)"})
    if chosen_column(frame.dataset) is not None:
        rows = plan.changes[: len(changes)].tolist()
        table.insert(1, "title", [find_title(frame.dataset, row) for row in rows])
    labels = name_cells([*table["before"], *table["after"]], LABEL_PIXELS)
    table["before"], table["after"] = labels[: len(table)], labels[len(table) :]
    st.caption("Click a picture or a row to review it again.")
    show_examples(
        table, table["id"].tolist(), "export-changes", height=min(35 * (len(table) + 1) + 3, 420),
        column_config=dict.fromkeys(
            ("before", "after"), st.column_config.TextColumn(width=LABEL_PIXELS)
        ),
    )  # fmt: skip


def show_classes(frame: Frame, plan: Plan) -> None:
    """Show the decisions about classes, and whether they are written into the labels."""
    every = plan.every_class
    if not plan.outcome.class_decisions and not every.added:
        return
    st.subheader("Classes", anchor=False)
    for label in every.list_added():
        who = in_markdown(describe_added(plan, label))
        st.markdown(f"- New: {in_markdown(every.describe(label))} ({who})")
    if not plan.outcome.class_decisions:
        return
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
