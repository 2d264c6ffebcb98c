"""The choices for an export, and the plan that follows from them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from curation.analysis.findings import ORDERS
from curation.loading.content.sources import ImageFiles
from curation.neighbours.neighbour_order import NEIGHBOUR_ORDER
from curation.review.cleaning_plan import Plan, make_plan
from curation.review.outcome import find_outcome
from curation.review.outcome_settings import (
    FILES,
    INLINE,
    UNDECIDED,
    OutcomeSettings,
    parse_settings,
)
from curation.review.suggestion_precision import measure_suggestions
from curation.store import Store
from curation.store.replay import POLICIES
from curation.ui.shell import cache, state
from curation.ui.shell.decision_progress import ledger_of
from curation.ui.shell.neighbour_job import peek_neighbours
from curation.ui.shell.setup import Frame
from curation.wording import METHOD_NAMES, ORDERS_MEASURED, QUEUE_ORDER_NAMES

PLANS_KEPT = 3  # in memory; a decision makes a new one
POLICY_NAMES = {
    "latest": "the latest decision",
    "majority": "the majority",
    "agreed only": "only where all agree",
}
EXCLUDED_NAMES = {"drop": "drop them", "flag": "keep them, marked in a column of their own"}
CONFIDENCES = ("0.5", "0.6", "0.7", "0.8", "0.9", "0.95", "0.98", "0.99")
LINK_NAMES = {FILES: "are named by their paths", INLINE: "are written into the files"}
BOTH_NAMES = {"leave": "leave them as they are", "exclude": "exclude them"}


def plan_export(frame: Frame, store: Store) -> Plan:
    """Show the choices that matter and return what the export would do."""
    settings, below = _choose(frame, store)
    ledger = ledger_of(store)
    ledger.catch_up()
    last = ledger.last
    plan = cache.of_server(
        ("export plan", cache.identify(frame.findings), cache.identify(store), last, settings),
        lambda: _make_plan(frame, store, settings, last),
        limit=PLANS_KEPT,
    )
    below.caption(measure_suggestions(plan, settings.min_confidence).summary)
    return plan


def _make_plan(frame: Frame, store: Store, settings: OutcomeSettings, last: int) -> Plan:
    """Return the plan for these findings and settings, with the log up to the last entry."""
    log = [entry for entry in store.log() if entry.seq <= last]
    outcome = find_outcome(frame.dataset, log, settings.policy)
    return make_plan(frame.dataset, frame.findings, outcome, settings)


def _choose(frame: Frame, store: Store) -> tuple[OutcomeSettings, DeltaGenerator]:
    """Show the choices that apply to this dataset; return the settings of the export.

    Also return the place under the choice for undecided examples.
    """
    with st.expander(
        "How to treat examples that are undecided, excluded, or have both labels",
        icon=":material/tune:",
    ):
        undecided = _choose_undecided()
        below = st.container()
        settings = {
            "method": frame.settings.method,
            "threshold": frame.settings.threshold,
            "collisions": frame.settings.collisions,
            **undecided,
            "excluded": _pick("Excluded examples", "excluded", EXCLUDED_NAMES),
            "ambiguous": _pick("Examples with both labels", "ambiguous", BOTH_NAMES),
            "policy": _choose_policy(store),
            "apply_merges": bool(store.class_decisions())
            and _tick("Write merged and renamed classes into the labels", "merges"),
            "order": _choose_order(frame),
            "spreadsheet_safe": _tick(
                "Put ' before cells that a spreadsheet would run as a formula", "safe"
            ),
            **(_choose_pictures(frame) if frame.dataset.kind == "image" else {}),
        }
    return parse_settings(settings), below


def _choose_undecided() -> dict[str, Any]:
    """Show what happens to flagged examples that nobody decided."""
    undecided = state.choose(
        st.selectbox, "Flagged but undecided examples", "undecided", UNDECIDED,
        "leave", format_func=_name_undecided,
    )  # fmt: skip
    confidence = state.choose(
        st.select_slider, "Take the suggestion at a probability of at least", "confidence",
        CONFIDENCES, "0.9", disabled=undecided != "suggest",
    )  # fmt: skip
    return {"undecided": undecided, "min_confidence": float(confidence)}


def _choose_policy(store: Store) -> Any:
    curators = len(store.progress())
    if curators < 2:
        return POLICIES[0]
    label = f"Where the {curators} curators disagree, what counts is"
    return _pick(label, "policy", POLICY_NAMES)


def _choose_order(frame: Frame) -> str:
    orders = (*ORDERS, *([NEIGHBOUR_ORDER] if peek_neighbours(frame.dataset) else []))
    return state.choose(
        st.selectbox, "Order of the issues", "issue_order", orders, ORDERS[0],
        format_func=QUEUE_ORDER_NAMES.__getitem__, help=ORDERS_MEASURED,
    )  # fmt: skip


def _choose_pictures(frame: Frame) -> dict[str, Any]:
    """Show how other tools get the pictures, and whether to copy them."""
    links = FILES
    if isinstance(frame.dataset.content, ImageFiles):
        links = _pick("Pictures in the files for other tools", "picture_links", LINK_NAMES)
    copies = _tick(
        "Copy the pictures that stay, for FiftyOne and Hugging Face (pictures.zip)", "copies"
    )
    return {"picture_links": links, "copy_pictures": copies}


def _pick(label: str, name: str, names: dict[str, str]) -> Any:
    write: Callable[[str], str] = names.__getitem__
    return state.choose(
        st.selectbox, label, name, tuple(names), next(iter(names)), format_func=write
    )


def _tick(label: str, name: str) -> bool:
    names = {"no": "no", "yes": "yes"}
    return bool(_pick(label, name, names) == "yes")


def _name_undecided(choice: str) -> str:
    if choice == "leave":
        return "leave them as they are"
    if choice == "suggest":
        return "take the suggestion where the model is sure"
    return f"remove those that {METHOD_NAMES[choice].lower()} flags"
