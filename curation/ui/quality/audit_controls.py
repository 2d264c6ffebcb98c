"""Draw an audit, continue it, close it, and download the certificate."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from curation.errors import CurationError
from curation.exports.certificate_page import to_json, to_page
from curation.review.audit_queue import AUDIT, MIXED
from curation.review.audits import DEFAULT_SIZE, Audit, draw_audit
from curation.review.certificate import Certificate, certify
from curation.review.example_status import FINAL
from curation.review.quality_summary import QualitySummary
from curation.roles import Right
from curation.store import Store
from curation.ui.shell import curator_name, links, page_store, state
from curation.ui.shell.decision_progress import ledger_of
from curation.ui.shell.setup import Frame
from curation.ui.widgets.literal_text import in_markdown
from curation.wording import count_of

SEEDS = 1_000_000
SIZE, SEED = "quality-size", "quality-seed"
KEPT = "quality.kept."  # in the session: what is typed, while another page is open
STANDS_STILL = (
    "The upper end can only fall as more is judged; at first it may stay the same for a while."
)


def show_audit(frame: Frame, store: Store, summary: QualitySummary) -> None:
    """Show the next step: draw an audit, continue the open one, or draw another."""
    page_store.show_fault()
    audit = summary.audit
    with st.container(horizontal=True, key="quality-steps", vertical_alignment="center"):
        if summary.judged is not None:
            _show_certificate(frame, store)
        if audit is not None and audit.closed is None:
            _show_open(store, summary, audit)
        else:
            words = "Draw an audit" if audit is None else "Draw another audit"
            key = f"quality-draw-after-{audit.drawn.seq if audit else 0}"  # shut after the draw
            with st.popover(words, icon=":material/casino:", type="primary", key=key):
                _show_draw(frame, store, audit)
        if summary.problem is not None and audit is not None:
            st.button(
                "Use the audit's settings", key="quality-settings", on_click=_take_settings,
                args=(audit,),
            )  # fmt: skip
    st.caption(_describe(summary))


def _describe(summary: QualitySummary) -> str:
    audit, judged = summary.audit, summary.judged
    if audit is None:
        return (
            "An audit is a random sample of labels, flagged or not. Judge them on Review like any "
            "other label; the figures here then hold for all labels, however often you look."
        )
    drawn = f"Drawn by {in_markdown(audit.drawn.curator)} on {audit.drawn.time[:10]}"
    if audit.closed is not None:
        by = in_markdown(audit.closed.curator)
        return f"{drawn}, closed by {by} on {audit.closed.time[:10]}."
    if judged is None:
        return f"{drawn}."
    left = len(judged.plan.rows) - judged.num_judged
    gap = judged.num_judged - judged.quality.judged
    if gap:
        return (
            f"{drawn}; {count_of(left, 'label')} left to judge. {count_of(gap, 'verdict')} will "
            "count once the labels drawn before are judged."
        )
    return f"{drawn}; {count_of(left, 'label')} left to judge, by anybody. {STANDS_STILL}"


def _show_open(store: Store, summary: QualitySummary, audit: Audit) -> None:
    judged = summary.judged
    if judged is not None and judged.num_judged < len(judged.plan.rows):
        words = "Go on with the audit →" if judged.num_judged else "Start the audit →"
        links.show_link(links.REVIEW, words, key="audit", primary=True, scope=AUDIT)
        links.show_link(links.REVIEW, "or mixed with flagged ones →", key="mixed", scope=MIXED)
    with st.popover("Close the audit", key=f"quality-close-{audit.drawn.seq}"):
        st.caption(
            "Closing ends it: later decisions no longer count in it, and the certificate lists "
            "its examples. What is decided stays. You can then draw another."
        )
        why_not = page_store.why_not(store, Right.AUDIT)
        if why_not is not None:
            st.caption(in_markdown(why_not))
        elif curator_name.ask_curator():
            st.button("Close it", key="quality-close", on_click=_close, args=(store, audit))


def _close(store: Store, audit: Audit) -> None:
    try:
        op_id = page_store.operation("close", audit.drawn.seq)
        store.close_audit(audit.name, curator=curator_name.current_curator(), op_id=op_id)
    except CurationError as error:
        page_store.note_fault(error)


def _show_draw(frame: Frame, store: Store, last: Audit | None) -> None:
    """Show the form that draws an audit; the seed is set before anything is drawn."""
    why_not = page_store.why_not(store, Right.AUDIT)
    if why_not is not None:
        st.caption(in_markdown(why_not))
        return
    if not curator_name.ask_curator():
        return
    most = len(frame.dataset)
    _ask(
        "Labels to judge", SIZE, min(st.session_state.get(KEPT + SIZE, DEFAULT_SIZE), most),
        min_value=1, max_value=most, step=50,
        help="More labels give a narrower interval. You may stop before the end.",
    )  # fmt: skip
    _ask(
        "Seed", SEED, st.session_state.setdefault(KEPT + SEED, secrets.randbelow(SEEDS)),
        min_value=0, step=1,
        help="Decides which labels are drawn. It is stored, so that anybody can draw them again.",
    )  # fmt: skip
    st.caption(
        "Drawn from all labels that are not decided yet, doubtful ones more often. It is stored "
        "before anybody judges, and cannot be changed."
    )
    seen = last.closed.seq if last and last.closed else 0
    st.button(
        "Draw", key="quality-draw", type="primary", on_click=_draw, args=(frame, store, seen)
    )  # fmt: skip


def _ask(label: str, key: str, value: int, **options: Any) -> None:
    """Show a field for a number that is kept while another page is open."""

    def changed() -> None:
        st.session_state[KEPT + key] = st.session_state[key]

    state.draw(st.number_input, label, key=key, value=value, on_change=changed, **options)


def _draw(frame: Frame, store: Store, seen: int) -> None:
    """Draw and store an audit; a callback, so that a click elsewhere does not cut it off."""
    codes = ledger_of(store).codes()
    try:
        draw_audit(
            store,
            frame.findings,
            known=np.flatnonzero(np.isin(codes, FINAL)).tolist(),
            seed=int(st.session_state[SEED]),
            size=int(st.session_state[SIZE]),
            method=frame.settings.method,
            collisions=frame.settings.collisions,
            curator=curator_name.current_curator(),
            op_id=page_store.operation("audit", seen),
        )
    except CurationError as error:
        page_store.note_fault(error)
        return
    st.session_state.pop(KEPT + SEED, None)  # the next audit gets another


def _take_settings(audit: Audit) -> None:
    state.keep("method", audit.method, "confident_joint")
    threshold = audit.threshold if audit.threshold == "mean" else f"{audit.threshold:g}"
    state.keep("threshold", str(threshold), "mean")
    state.keep("collisions", audit.collisions, "argmax")


def _show_certificate(frame: Frame, store: Store) -> None:
    def make(write: Callable[[Certificate], bytes]) -> bytes:
        return write(certify(frame.dataset, frame.findings, store.log()))

    with st.popover("Certificate", icon=":material/verified:", key="quality-certificate"):
        st.caption(
            "One page that says what was measured, how, by whom and on which data. "
            "`curate quality --verify certificate.json` checks it against the log."
        )
        for name, write in (("certificate.html", to_page), ("certificate.json", to_json)):
            st.download_button(
                f"Download {name}", data=partial(make, write), file_name=name,
                on_click="ignore", key=f"quality-{name}", width="stretch",
            )  # fmt: skip
