"""The doctor's report in plain words, with a button for each fix."""

from __future__ import annotations

import streamlit as st

from curation import wording
from curation.report import Diagnosis, Report, Severity
from curation.roles import Right
from curation.ui.shell import state, visitor
from curation.ui.shell.fix_memory import NO_FIXES, keep_fixes
from curation.ui.shell.opening import DEMO_PREFIX, Source
from curation.ui.shell.result_in_sight import show_result
from curation.ui.widgets.literal_text import escape, in_markdown

ICONS = {Severity.BLOCK: ":material/block:", Severity.WARN: ":material/warning:",
         Severity.AUTO: ":material/auto_fix_high:"}  # fmt: skip
WORDS = {Severity.BLOCK: "Blocked", Severity.WARN: "Warning", Severity.AUTO: "Fixed"}
COLOURS = {Severity.BLOCK: "red", Severity.WARN: "orange", Severity.AUTO: "gray"}
MAX_LINE_CHARACTERS = 200  # of a collapsed diagnosis; expanded, it is shown whole


def show_report(report: Report, source: Source) -> None:
    """Show what was found, worst first; anything that can be fixed here is expanded."""
    shown = [each for each in report.diagnoses if each.severity is not Severity.AUTO]
    for place, diagnosis in enumerate(shown):
        _show_finding(diagnosis, source, place)
    for note in report.notes:
        line = in_markdown(_cut(note.what))
        with st.expander(f":gray[**Note:**] {line}", icon=":material/info:"):
            st.html(_details(note))
    fixed = report.fixes
    if fixed:
        label = wording.count_of(len(fixed), "harmless fix was", "harmless fixes were") + " made"
        with st.expander(f":gray[**Fixed:**] {label}", icon=ICONS[Severity.AUTO]):
            st.html("<hr>".join(_details(each) for each in fixed))
    if report.names_rows:
        st.caption(wording.ROWS_COUNTED)


def show_passed(report: Report) -> None:
    """Show which checks found nothing, behind a quiet button."""
    if report.passed:
        label = wording.count_of(len(report.passed), "check") + " passed"
        with st.popover(label, icon=":material/check_circle:", type="tertiary"):
            st.html("".join(f"<div>✓ {escape(each)}</div>" for each in report.passed))


def show_fixes(source: Source) -> None:
    """Show the fixes that were chosen, each as a button that undoes it."""
    if not source.options:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(":material/build: **You chose:**", width="content")
        for key, value in source.options.items():
            st.button(
                f"{in_markdown(wording.describe_fix({key: value}))} · Undo", key=f"undo-{key}",
                icon=":material/undo:", on_click=apply, args=(source.unfixed(key),),
            )  # fmt: skip


def apply(source: Source) -> None:
    """Open the same dataset with other fixes, now and whenever it is opened again.

    On a team's server everybody then opens it like this, which needs a right. Without it, the
    fixes are in the link alone.
    """
    state.forget_widgets("map-")
    state.keep("fix", source.overrides, NO_FIXES)
    is_demo = source.name.startswith(DEMO_PREFIX)
    if not is_demo and visitor.why_not(Right.READING) is None:
        keep_fixes(source.path, source.overrides)
    show_result()


def _show_finding(diagnosis: Diagnosis, source: Source, place: int) -> None:
    severity = diagnosis.severity
    line = in_markdown(_cut(diagnosis.what))
    offered = bool(diagnosis.offers)
    opened = severity is Severity.BLOCK or offered
    word = f":{COLOURS[severity]}[**{WORDS[severity]}:**]"
    with st.expander(f"{word} {line}", expanded=opened, icon=ICONS[severity]):
        st.html(_details(diagnosis, whole=len(diagnosis.what) > MAX_LINE_CHARACTERS))
        with st.container(horizontal=True):
            for number, override in enumerate(diagnosis.offers):
                first = not number
                st.button(
                    in_markdown(wording.describe_fix(override)),
                    key=f"fix-{place}-{diagnosis.code}" + ("" if first else f"-{number}"),
                    type="primary" if severity is Severity.BLOCK and first else "secondary",
                    icon=":material/build:",
                    on_click=apply,
                    args=(source.fixed(override),),
                )


def _cut(text: str) -> str:
    return text if len(text) <= MAX_LINE_CHARACTERS else text[: MAX_LINE_CHARACTERS - 1] + "…"


def _details(diagnosis: Diagnosis, *, whole: bool = True) -> str:
    many = f" ({diagnosis.count:,} in all)" if diagnosis.count > len(diagnosis.first_rows) else ""
    rows = "".join(f"<code>{escape(row)}</code>" for row in diagnosis.first_rows)
    pairs = (
        ("What", escape(diagnosis.what) if whole else ""),
        ("Where", escape(diagnosis.where)),
        ("First", rows + many if rows else ""),
        ("Why it matters", escape(diagnosis.why)),
        ("What to do", escape(diagnosis.fix)),
    )
    items = "".join(f"<dt>{term}</dt><dd>{words}</dd>" for term, words in pairs if words)
    return f'<dl class="cu-finding">{items}</dl>'
