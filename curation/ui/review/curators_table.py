"""Who decided how much, how far curators agree, and where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from urllib.parse import urlencode

import streamlit as st

from curation import wording
from curation.errors import StoreError
from curation.roles import Right
from curation.store import Action, Agreement, Decision, Disagreement, Progress, Store
from curation.ui.shell import cache, news_watch
from curation.ui.shell.decision_progress import ledger_of
from curation.ui.shell.setup import Frame
from curation.ui.widgets import literal_text

LINK, EXAMPLE = " ", "  "  # names of columns that no curator can have
MAX_DISAGREEMENTS = 200
SUMMARIES_KEPT = 4  # in memory


@st.fragment
def follow_curators(frame: Frame, store: Store) -> None:
    """Show the table below, and draw it again now and then: others decide too."""
    with suppress(StoreError):  # the queue says so
        ledger_of(store).catch_up()
        show_curators(frame, store)
    news_watch.ask_again("curators-watch")


def show_curators(frame: Frame, store: Store) -> None:
    """Show who decided how much, how far they agree, and where they do not."""
    progress, agreement, disagreements = _compare(store)
    st.subheader("Curators", anchor=False)
    _show_progress(progress)
    for pair in agreement:
        kappa = "" if pair.kappa is None else f", Cohen's kappa {pair.kappa:.2f}"
        names = " and ".join(literal_text.in_markdown(each) for each in pair.curators)
        examples = wording.count_of(pair.examples, "example")
        st.caption(f"{names} agree on {pair.agreed:,} of {examples} that both decided{kappa}.")
    if disagreements:
        settles = store.find_actor().why_not(Right.SETTLE) is None
        _show_disagreements(frame, disagreements, settles)


def _show_progress(progress: list[Progress]) -> None:
    st.dataframe(
        [
            {
                "curator": each.curator,
                "decided": each.decided,
                **{action.word: each.actions.get(action, 0) for action in Action},
                "seconds each": round(each.seconds / sum(each.actions.values()), 1) or None,
            }
            for each in progress
        ],
        hide_index=True,
        placeholder="",
    )


def _show_disagreements(frame: Frame, disagreements: list[Disagreement], settles: bool) -> None:
    st.markdown(f"**They differ on {wording.count_of(len(disagreements), 'example')}**")
    how = (
        "Show one: your answer there settles it for everybody."
        if settles
        else "A lead settles them. Show one to add your answer."
    )
    st.caption(f"{_tell_late(disagreements)}{how}")
    st.dataframe(
        [
            {LINK: _example_link(frame, each.example_id), EXAMPLE: each.example_id}
            | {said.curator: _name_answer(said) for said in (*each.candidates, *each.attempts)}
            for each in disagreements[:MAX_DISAGREEMENTS]
        ],
        hide_index=True,
        column_config={
            LINK: st.column_config.LinkColumn("", display_text="Show it", width="small"),
            EXAMPLE: "example",
        },
    )


def _tell_late(disagreements: Sequence[Disagreement]) -> str:
    """Return on how many examples only an answer that came too late differs."""
    late = sum(len({said.answer for said in each.candidates}) < 2 for each in disagreements)
    if not late:
        return ""
    if late == 1:
        return "On one, an answer came after somebody else's and does not count. "
    return f"On {late:,}, an answer came after somebody else's and does not count. "


def _name_answer(said: Decision) -> str:
    """Return an answer in a few words: its labels, or what was done."""
    if said.label is not None:
        return f"→ {wording.isolate(said.label)}"
    both = " and ".join(map(wording.isolate, said.labels))
    return f"{said.action.word}: {both}" if both else said.action.word


def _compare(store: Store) -> tuple[list[Progress], list[Agreement], list[Disagreement]]:
    """Return what the table shows; worked out again only when somebody has decided something."""
    ledger = ledger_of(store)
    return cache.of_server(
        ("curators", cache.identify(store), ledger.last),
        lambda: (store.progress(), store.agreement(), store.disagreements()),
        limit=SUMMARIES_KEPT,
    )


def _example_link(frame: Frame, example_id: str) -> str:
    """Return a link to this page with one example on screen, and what others decided on it."""
    return f"Review?{urlencode(frame.link(status='all', at=example_id))}"
