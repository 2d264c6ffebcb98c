"""The searchable table of classes, with the issues of the chosen class below it."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from curation import wording
from curation.analysis import summary
from curation.loading.doctor.names import RARE
from curation.ui.shell import links, state
from curation.ui.shell.cache import of_analysis
from curation.ui.shell.setup import Frame
from curation.ui.widgets.class_cells import name_cells
from curation.ui.widgets.gallery import Tile, show_gallery
from curation.ui.widgets.literal_text import escape, in_markdown
from curation.ui.widgets.selectable_rows import HOW_TO_CHOOSE, show_rows

NAME_PIXELS = 150  # wide
MAX_TABLE_PIXELS = 420  # high; about eleven classes
EXAMPLES_SHOWN = 6  # of the chosen class
# The most important columns come first: a narrow window shows only these without scrolling.
ORDER = [
    "name", "issues_out", "issues_in", "examples", "inverse_noise_rate", "noise_rate", "threshold",
    "mean_confidence", "agreement", "calibration_error", "note", "label",
]  # fmt: skip
COLUMN_HELP = {
    "issues_out": "Flagged examples labelled as this class.",
    "issues_in": "Flagged examples that look like this class.",
    "examples": "Examples labelled as this class.",
    "inverse_noise_rate": "Of this class's labels, the share that look wrong, called the inverse "
    "noise rate: p(true ≠ i | given = i). The noisiest class is found by it.",
    "noise_rate": "Of the examples that truly belong to this class, the share with another label: "
    "p(given ≠ i | true = i).",
    "threshold": "How sure the model must be of this class for an example to count. "
    "A class without examples has none.",
    "mean_confidence": "How sure the model is on average where it finds this class likeliest.",
    "agreement": "Of the examples for which the model finds this class likeliest, the share with "
    "this label. In a calibrated model it is as large as the column before.",
    "calibration_error": "Calibration error: the distance between how sure the model is and how "
    "often the label agrees, over ten bins; see “How strong is the model?”.",
    "note": f"Rare: fewer than {RARE} examples, so its numbers are uncertain. Empty: no examples.",
}
CHOSEN = "issues"  # in the link: the index of the class whose issues are shown


def show_classes(frame: Frame) -> None:
    """Show a row for each class, most issues first."""
    with st.container():  # a fragment needs its own container
        _show_classes(frame)


@st.fragment
def _show_classes(frame: Frame) -> None:
    st.subheader("Issues by class", anchor=False)
    search, found = st.columns([1.2, 2], vertical_alignment="bottom")
    with search:
        query = state.write("Find a class", "find", placeholder="part of the name").strip()
    table = find_classes(_table(frame), query)
    found.caption(
        f"{wording.count_of(len(table), 'class', 'classes')}"
        f"{' found' if query else ', most issues first'}. "
        f"{HOW_TO_CHOOSE} to see that class's issues."
    )
    if table.empty:
        st.info("No class name contains this text.", icon=":material/search_off:")
        return
    labels = [str(label) for label in table["label"]]
    chosen = state.recall(CHOSEN, "")
    names = name_cells(frame.class_names, NAME_PIXELS)
    show_rows(
        table.assign(name=[names[label] for label in table["label"]]).drop(columns="label"),
        f"classes-{frame.settings}-{frame.comparison is None}-{query}",
        labels.index(chosen) if chosen in labels else None,
        lambda row: state.keep(CHOSEN, labels[row]),
        height=min(MAX_TABLE_PIXELS, 38 + 35 * len(table)),
        column_config=_columns(table),
        alt="Noise and issues of each class",
    )
    if chosen in labels:
        _show_class(frame, int(chosen))


def find_classes(table: pd.DataFrame, query: str) -> pd.DataFrame:
    """Return the classes whose name contains a text; case is ignored."""
    if not query:
        return table
    found = table["name"].str.casefold().str.contains(query.casefold(), regex=False)
    return table[found]


def _table(frame: Frame) -> pd.DataFrame:
    def work() -> pd.DataFrame:
        findings = frame.findings
        table = summary.describe_classes(findings, findings.mask(frame.settings.method))
        table["note"] = [
            "empty" if size == 0 else "rare" if size < RARE else "" for size in table["examples"]
        ]
        table["label"] = range(len(table))
        shares = ["noise_rate", "inverse_noise_rate", "threshold", "mean_confidence", "agreement"]
        table[shares] *= 100  # as percentages
        table = table.iloc[frame.classes]
        return table[ORDER].sort_values(["issues_out", "issues_in"], ascending=False, kind="stable")

    return of_analysis(frame.findings, ("class table", frame.settings.method), work)


def _columns(table: pd.DataFrame) -> dict[str, Any]:
    def share(title: str, column: str) -> Any:
        most = float(table[column].max()) or 1.0
        return st.column_config.ProgressColumn(
            title, help=COLUMN_HELP[column], min_value=0.0, max_value=most, width=112,
            color="orange", format=f"%.{wording.digits_for(most / 100)}f %%",
        )  # fmt: skip

    def number(title: str, column: str, format: str = "localized", width: int = 76) -> Any:
        return st.column_config.NumberColumn(
            title, help=COLUMN_HELP[column], format=format, width=width
        )

    return {
        "name": st.column_config.TextColumn("Class", width=NAME_PIXELS),
        "issues_out": number("Issues out", "issues_out"),
        "issues_in": number("Issues in", "issues_in"),
        "examples": number("Examples", "examples"),
        "inverse_noise_rate": share("Look wrong", "inverse_noise_rate"),
        "noise_rate": share("Noise rate", "noise_rate"),
        "threshold": number("Threshold", "threshold", "%.1f %%"),
        "mean_confidence": number("Sure", "mean_confidence", "%.1f %%"),
        "agreement": number("Labelled so", "agreement", "%.1f %%", width=84),
        "calibration_error": number("Calib. error", "calibration_error", "%.2f", width=84),
        "note": st.column_config.TextColumn("Note", help=COLUMN_HELP["note"]),
    }


def _show_class(frame: Frame, label: int) -> None:
    findings, names = frame.findings, frame.class_names
    issues = frame.issues()
    mine, confirmed = frame.split_confirmed(issues[findings.labels[issues] == label])
    name = wording.shorten(names[label], 60)
    bold = f"<b>{escape(wording.isolate(name))}</b>"
    if not len(mine):
        but = f", except {confirmed:,} that a person confirmed" if confirmed else ""
        st.html(f"<p>No example labelled {bold} is flagged{but}.</p>")
        return
    number = "issues" if frame.comparison else wording.count_of(len(mine), "issue")
    words = f"Review the {number} of {in_markdown(name)} →"
    links.show_link(links.REVIEW, words, key="review-class", primary=True, given=label)
    st.html(
        f"<p>{wording.count_of(len(mine), 'example')} labelled {bold} "
        f"{wording.verb_of(len(mine), 'looks', 'look')} like another class, most suspect first.</p>"
    )
    show_gallery(
        frame.dataset,
        [
            Tile(int(row), wording.from_to(names[label], names[findings.suggested_labels[row]]))
            for row in mine[:EXAMPLES_SHOWN]
        ],
        width="9.5rem",
    )
