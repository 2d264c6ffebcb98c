"""The top of the Overview: what the dataset is, how much is wrong, and what the checks found."""

from __future__ import annotations

import numpy as np
import streamlit as st

from curation import wording
from curation.analysis import summary
from curation.analysis.findings import Method
from curation.analysis.model_strength import WORTH
from curation.report import MADE_PROBS, Severity
from curation.review.example_status import DatasetCounts
from curation.ui.shell import (
    decision_progress,
    doctor_report,
    label_choice,
    late_checks,
    links,
    mapping_panel,
)
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.setup import Frame, is_dark
from curation.ui.widgets import strength_note
from curation.ui.widgets.cards import make_card
from curation.ui.widgets.literal_text import escape

MAX_NAME_LENGTH = 34  # characters of a class name on a card
FLAGGED: dict[Method, str] = {  # why the number flagged differs from the estimate, or hardly does
    "confusion": "This method flags every label that is not the model's likeliest class, however "
    "unsure the model is; it uses no thresholds.",
    "confident_joint": "This method only flags examples counted into another class. Some of the "
    "examples that are not confidently of any class have wrong labels too.",
    "prune_by_class": "This method flags as many examples of each class as the class has estimated "
    "errors, in whole examples: those with the lowest self-confidence. It never flags a whole "
    "class.",
    "prune_by_noise_rate": "This method flags as many examples of each pair of classes as the pair "
    "has estimated errors, in whole examples: those with the widest margin. An example chosen for "
    "several pairs is flagged once.",
    "both": "This method flags the examples that prune by class and prune by noise rate both "
    "choose. Each of them chooses about as many as estimated, or fewer.",
}


def show_head(frame: Frame) -> Frame:
    """Show what the dataset is, the next step, and the choice of labels.

    Return the frame with the chosen labels. The next step is always about the labels as given.
    """
    head = st.container(horizontal=True, vertical_alignment="center", wrap=False)
    shown = label_choice.choose_labels(frame)
    with head:
        st.html(
            f'<h1 class="cu-title">{escape(frame.dataset.name)}</h1>'
            f'<div class="cu-what">{escape(_describe(shown))}</div>'
        )
        _link_on(decision_progress.count_decisions(frame))
    doctor_report.show_fixes(frame.source)
    mapping_panel.show_saving(frame.source, frame.dataset)
    return shown


def _link_on(counts: DatasetCounts) -> None:
    """Show the next step: what is left, then what was set aside, then the export."""
    flagged = counts.flagged
    if counts.disputed:
        words = f"Settle {wording.count_of(counts.disputed, 'dispute')} →"
        links.show_link(links.REVIEW, words, key="disputes", status="disputed")
    if not flagged.total:
        return
    if not (counts.left or flagged.skipped or flagged.second_look):
        words = "Export the cleaned labels →"
        links.show_link(links.EXPORT, words, key="export", primary=True)
        return
    number, status = f"the {counts.left:,} left", None
    if counts.left == flagged.total:
        number = wording.count_of(flagged.total, "issue")
    elif not counts.left and flagged.skipped:
        number, status = f"the {flagged.skipped:,} skipped", "skipped"
    elif not counts.left:
        number, status = f"the {flagged.second_look:,} for a second look", "needs_review"
    links.show_link(links.REVIEW, f"Review {number} →", key="review", primary=True, status=status)


def _describe(frame: Frame) -> str:
    dataset = frame.dataset
    parts = [
        wording.count_of(len(dataset), *wording.KIND_NAMES[dataset.kind]),
        wording.count_of(len(frame.classes), "class", "classes"),
    ]
    report = dataset.checks.latest
    codes = {each.code for each in report.diagnoses}
    if "probs.in_sample" in codes:
        parts.append("probabilities look like those of training data")
    elif MADE_PROBS in codes:
        parts.append("probabilities made by Curation")
    elif wording.NOT_IN_SAMPLE in report.passed:
        parts.append("probabilities show no sign of training data")
    if dataset.true_labels is not None:
        parts.append("true labels known")
    return " · ".join(parts)


def show_cards(frame: Frame) -> None:
    """Show five numbers in words, how the first is estimated, and what the model is worth."""
    cards = [_errors_card(frame), _strength_card(frame), _noisiest_card(frame),
             _overlap_card(frame), _checks_card(frame)]  # fmt: skip
    if frame.findings.threshold != "mean":
        st.info(wording.explain_percentile(float(frame.findings.threshold)))
    st.html(f'<div class="cu-cards">{"".join(cards)}</div>')
    strength_note.show_warnings(frame.findings.strength)
    with st.container(horizontal=True, gap="medium", key="overview-more"):
        with st.popover("How is this estimated?", icon=":material/help:", type="tertiary"):
            _explain_estimate(frame)
        with st.popover("How strong is the model?", icon=":material/help:", type="tertiary"):
            strength_note.show_details(frame.findings.strength, dark=is_dark())
        doctor_report.show_passed(frame.dataset.checks.latest)


def _errors_card(frame: Frame) -> str:
    total, errors = len(frame.dataset), frame.findings.estimated_errors
    value, change = wording.write_share(errors / total), ""
    if frame.comparison:
        before = frame.given.estimated_errors
        value = _show_change(before / len(frame.given.labels), value)
        change = f" · {label_choice.describe_change(errors, before)}"
    if errors < 0.5:
        by = "as this model estimates"
        at = ""
        if frame.findings.threshold != "mean":
            by, at = (
                "the mean may find some",
                f" at {wording.typical_for(frame.findings.threshold)}",
            )
        note = f"of {wording.count_of(total, 'label')}, {by}{change}"
        return make_card(f"No label looks wrong{at}", value, note, first=True)
    look = wording.verb_of(errors, "looks", "look")
    number = f"{before:,.0f} → {errors:,.0f}" if frame.comparison else f"{errors:,.0f}"
    return make_card(
        f"About {number} of {wording.count_of(total, 'label')} {look} wrong",
        value,
        f"{wording.name_estimate(frame.findings.threshold)}, from this model{change}",
        first=True,
    )


def _show_change(before: float, after: str) -> str:
    """Return a share and what it is now, with one sign for both.

    >>> _show_change(0.189, "4.7 %")
    '18.9 → 4.7 %'
    """
    return f"{wording.write_share(before).removesuffix(' %')} → {after}"


def _strength_card(frame: Frame) -> str:
    strength = frame.findings.strength
    value = wording.write_share(strength.agreement)
    if frame.comparison:
        value = _show_change(frame.given.strength.agreement, value)
    note = (
        f"of the labels · log loss {strength.log_loss:.2f}, guessing {strength.shares_log_loss:.2f}"
    )
    return make_card("The model agrees with", value, note)


def _noisiest_card(frame: Frame) -> str:
    findings = frame.findings
    label = of_analysis(
        findings, ("noisiest class",), lambda: summary.find_noisiest_class(findings)
    )
    limit = summary.find_ranking_limit(np.bincount(findings.labels))
    large = f" with at least {wording.count_of(limit, 'example')}" if limit else ""
    if label is None:
        return make_card("Noisiest class", "none", f"no class{large} has labels that look wrong")
    share = float(1 - findings.inverse_noise_matrix[label, label])
    names = wording.shorten_apart(frame.class_names, MAX_NAME_LENGTH)
    name = wording.isolate(names[label])
    note = f"{wording.write_share(share)} of its labels look wrong"
    if frame.comparison:
        before = float(1 - frame.given.inverse_noise_matrix[label, label])
        note += f", as given {wording.write_share(before)}"
    if limit:
        note += f", among classes{large}"
    return make_card("Noisiest class", name, note)


def _overlap_card(frame: Frame) -> str:
    joint = frame.findings.confident_joint
    overlap = of_analysis(
        frame.findings, ("strongest overlap",), lambda: summary.find_strongest_overlap(joint)
    )
    if overlap is None:
        return make_card("Strongest overlap", "none", "no two classes are confused")
    if overlap.ties > 1:
        number = wording.count_of(overlap.count, "example")
        note = f"{overlap.ties:,} pairs of classes are confused in {number} each"
        return make_card("Strongest overlap", "no pair stands out", note)
    names = [frame.class_names[each] for each in (overlap.a, overlap.b)]
    a, b = map(wording.isolate, wording.shorten_apart(names, MAX_NAME_LENGTH))
    number = wording.count_of(overlap.count, "example")
    look = wording.verb_of(overlap.count, "looks", "look")
    note = f"{number} of one {look} like the other"
    if frame.comparison:
        before = frame.given.confident_joint
        note += f", as given {before[overlap.a, overlap.b] + before[overlap.b, overlap.a]:,}"
    return make_card("Strongest overlap", f"{a} ↔ {b}", note)


def _checks_card(frame: Frame) -> str:
    report, rest = frame.dataset.checks.latest, late_checks.describe_rest(frame.dataset)
    warnings = len(report.of(Severity.WARN))
    passed = f"✓ {len(report.passed)} passed"
    note = f"⚠ {wording.count_of(warnings, 'warning')}, see below" if warnings else "no warnings"
    if rest:
        note = f"{note if warnings else 'no warnings so far'} · {rest}"
    return make_card("Input checks", passed, note)


def _explain_estimate(frame: Frame) -> None:
    findings, flagged = frame.findings, len(frame.issues())
    st.markdown(
        "An example counts as **confidently** of a class when the model is at least as sure of "
        f"that class {wording.as_it_is(findings.threshold)}. Of the $n_i$ examples "
        "labelled $i$, $c_i$ count as confidently of some class, and $e_i$ of these as another "
        "class. The same share of errors is assumed for the whole class:"
    )
    st.latex(r"\text{errors} = \sum_i n_i \, s_i, \qquad s_i = e_i / c_i")
    st.markdown(
        f"{WORTH}\n\n"
        f"The estimate is {findings.estimated_errors:,.0f}; the number flagged is {flagged:,}. "
        f"{FLAGGED[frame.settings.method]}"
    )


def show_checks(frame: Frame) -> None:
    """Show what the doctor found, and the fixes offered and chosen."""
    doctor_report.show_report(frame.dataset.checks.latest, frame.source)
    mapping_panel.show_fold(frame.source, frame.dataset)
