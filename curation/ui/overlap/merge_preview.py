"""The effect of merging two classes, estimated in the background and shown when ready."""

from __future__ import annotations

import streamlit as st

from curation.analysis.class_pairs import count_given
from curation.analysis.merge import MergePreview, preview_merge
from curation.core.overlap import Pair
from curation.errors import CurationError
from curation.ui.shell import cache
from curation.ui.shell.jobs import Job, all_jobs
from curation.ui.shell.polling import show_progress
from curation.ui.shell.setup import Frame
from curation.ui.widgets.literal_text import escape, show_error
from curation.wording import count_of, percent

MAX_VALUES_UNASKED = 100_000_000  # analysed without a click; takes a second or two


def show_preview(frame: Frame, pair: Pair) -> None:
    """Show the estimates before and after a merge; for a large dataset, only on request."""
    st.html('<div class="ov-sub" style="font-size:1.15rem">If they were merged</div>')
    if not {pair.a, pair.b} <= {*frame.classes.tolist()}:
        st.caption("Your decisions already merge them.")
        return
    if len(frame.classes) < 3:
        st.caption("Only one class would be left, so no label could be wrong.")
        return
    if _must_be_asked(frame, pair):
        st.button(
            "Estimate the effect of a merge", key="overlap-preview",
            help=f"Analyses all {_measure(frame):,} probabilities again; you can keep working.",
            on_click=st.session_state.__setitem__, args=(_slot(pair), True),
        )  # fmt: skip
        return
    _show_result(frame, pair, _start(frame, pair))


def describe_preview(frame: Frame, pair: Pair) -> str:
    """Return the main figures in a line; empty until they are ready."""
    left = {*frame.classes.tolist()}
    if len(left) < 3 or not {pair.a, pair.b} <= left or _must_be_asked(frame, pair):
        return ""
    future = _start(frame, pair).future
    if not future.done() or future.exception():
        return ""
    preview: MergePreview = future.result()
    errors, issues = preview.errors, preview.issues
    return (
        f"Estimated wrong labels: {errors[0]:,.0f} → {errors[1]:,.0f}. "
        f"Issues flagged: {issues[0]:,} → {issues[1]:,}."
    )


def _must_be_asked(frame: Frame, pair: Pair) -> bool:
    return _measure(frame) > MAX_VALUES_UNASKED and not st.session_state.get(_slot(pair))


def _measure(frame: Frame) -> int:
    return len(frame.dataset) * len(frame.class_names)


def _slot(pair: Pair) -> str:
    return f"overlap.preview.{min(pair.a, pair.b)}.{max(pair.a, pair.b)}"


def _start(frame: Frame, pair: Pair) -> Job:
    """Return the job that analyses the merged classes; one for each pair and method."""
    settings, (taken_in, kept) = frame.settings, sorted((pair.a, pair.b), reverse=True)
    findings, pred_probs = frame.findings, frame.dataset.pred_probs
    key = ("merge", cache.identify(findings), kept, taken_in, settings.method)

    def work(job: Job) -> MergePreview:
        job.report("Analysing the dataset with both classes merged", 0.3)
        return preview_merge(
            findings, pred_probs, kept=kept, taken_in=taken_in, method=settings.method,
            threshold=settings.threshold, collisions=settings.collisions,
        )  # fmt: skip

    return all_jobs().get(key, work)


def _show_result(frame: Frame, pair: Pair, job: Job) -> None:
    try:
        preview = job.wait()
    except TimeoutError:
        show_progress(job)
    except CurationError as error:
        show_error(error)
    else:
        st.html(_write(frame, pair, preview))


def _write(frame: Frame, pair: Pair, preview: MergePreview) -> str:
    sizes, classes = count_given(frame.findings), len(frame.classes)
    errors, issues, agreement = preview.errors, preview.issues, preview.agreement
    cells = (
        _cell("Estimated wrong labels", f"{errors[0]:,.0f}", f"{errors[1]:,.0f}",
              _change(errors[1] - errors[0])),
        _cell("Issues flagged", f"{issues[0]:,}", f"{issues[1]:,}", _change(issues[1] - issues[0])),
        _cell("Model agrees with", percent(agreement[0]), percent(agreement[1]), "of all labels"),
        _cell("Classes", f"{classes:,}", f"{classes - 1:,}",
              f"{sizes[pair.a]:,} + {sizes[pair.b]:,} → {count_of(pair.size, 'example')} in one"),
    )  # fmt: skip
    return f'<div class="ov-merge">{"".join(cells)}</div>'


def _cell(title: str, before: str, after: str, detail: str) -> str:
    return (
        f"<div><span>{escape(title)}</span><b>{escape(before)}<i>→</i>{escape(after)}</b>"
        f"<small>{escape(detail)}</small></div>"
    )


def _change(difference: float) -> str:
    """Return a change in words.

    >>> _change(-38.6), _change(0.2), _change(4)
    ('39 fewer', 'no change', '4 more')
    """
    if round(difference) == 0:
        return "no change"
    return f"{abs(difference):,.0f} {'fewer' if difference < 0 else 'more'}"
