"""A session: data from memory in the dashboard, and the decisions on it back in memory."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

import pandas as pd

from curation.analysis.findings import Findings
from curation.analysis.saved_findings import analyze_dataset
from curation.dataset import Dataset
from curation.exports.example_tables import CORRECTION_COLUMNS, list_corrections
from curation.review.cleaning_plan import Plan, make_plan
from curation.review.outcome import find_outcome
from curation.review.outcome_settings import parse_settings
from curation.session.dashboard_process import DashboardProcess
from curation.session.notebook_frame import write_frame
from curation.session.preparation import Prepared
from curation.store import open_store


class Session:
    """The dashboard on data from memory; `curation.open` returns it.

    Decisions are saved as they are made, and can be read at any time, also after `close`. In a
    `with` block the dashboard is closed at the end of the block.
    """

    dataset: Dataset  # the data as it was loaded, with what the doctor found in `dataset.report`
    folder: Path  # where the data and the decisions are kept
    url: str  # the address of the dashboard; only this machine can reach it

    def __init__(
        self, prepared: Prepared, dashboard: DashboardProcess, *, height: int | None = None
    ) -> None:
        self.dataset = prepared.dataset
        self.folder = prepared.folder
        self.url = dashboard.url
        self._index = prepared.index
        self._labels = prepared.labels
        self._dashboard = dashboard
        self._height = height  # of the frame in a notebook; None for a link
        self._findings: dict[Any, Findings] = {}

    def decisions(self, **options: Any) -> pd.DataFrame:
        """Return every decided example, with the columns of corrections.csv but no content.

        The index is that of the data that was opened, so that the two can be joined. Labels are
        written as in the data, and `both_labels` is a list. Takes the options of `curation.export`,
        such as `policy`.

            session.decisions().query("action == 'relabel'")
        """
        plan = self._plan(options)
        values = self._values_by_text()

        def own(text: str) -> Any:
            return self._value(text, values) if text else None

        columns, *rows = list_corrections(plan)
        table: dict[str, Any] = {
            name: [row[place] for row in rows]
            for place, name in enumerate(columns)
            if name in ("id", *CORRECTION_COLUMNS)
        }
        for name in ("given_label", "corrected_label"):
            table[name] = [own(each) for each in table[name]]
        table["both_labels"] = [
            [own(each) for each in json.loads(both)] if both else None
            for both in table["both_labels"]
        ]
        return pd.DataFrame(table, index=self._name(sorted(plan.outcome.by_row)))

    def cleaned_labels(self, **options: Any) -> pd.Series[Any]:
        """Return the label of each example after the decisions, written as in the data.

        The index is that of the data. Rows that a decision excludes are not in it, and neither are
        rows without a label. Takes the options of `curation.export`, such as `policy`, `undecided`
        and `apply_merges`; with `excluded="flag"` excluded rows stay.

            labels = session.cleaned_labels()
            frame.loc[labels.index, "label"] = labels
        """
        plan = self._plan(options)
        values = self._values_by_text()
        kept = [
            row
            for row in range(len(self.dataset))
            if plan.settings.excluded == "flag" or not plan.out[row]
        ]
        labels = [self._value(plan.text(row), values) for row in kept]
        return pd.Series(labels, index=self._name(kept), name="label")

    @property
    def running(self) -> bool:
        """Return whether the dashboard is open."""
        return self._dashboard.running

    def close(self) -> None:
        """Close the dashboard. The decisions stay, and the same data finds them again."""
        self._dashboard.stop()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        where = self.url if self.running else "closed"
        return f"<Session on {len(self.dataset):,} examples: {where}>"

    def _repr_html_(self) -> str:
        """Return the frame or the link for a notebook, and where everything is kept."""
        link = html.escape(self.url, quote=True)
        opened = f'<a href="{link}" target="_blank" rel="noopener">Open the dashboard</a>'
        words = opened if self.running else "The dashboard is closed"
        line = f"{words} · {len(self.dataset):,} examples · {html.escape(str(self.folder))}"
        if self._height is None or not self.running:
            return line
        return f"{write_frame(self.url, self._height)}<br>{line}"

    def _plan(self, options: dict[str, Any]) -> Plan:
        settings = parse_settings(options)
        with open_store(self.dataset) as store:
            log = store.log()
        outcome = find_outcome(self.dataset, log, settings.policy)
        key = settings.threshold, settings.collisions
        if key not in self._findings:
            self._findings[key] = analyze_dataset(self.dataset, *key)
        return make_plan(self.dataset, self._findings[key], outcome, settings)

    def _name(self, rows: list[int]) -> pd.Index[Any]:
        """Return what the caller calls some examples."""
        return self._index[self.dataset.source_rows[rows]]

    def _values_by_text(self) -> dict[str, Any]:
        """Return the caller's own value for each label as it is written in the label file."""
        dataset, found = self.dataset, dict[str, Any]()
        for row, label in zip(dataset.source_rows.tolist(), dataset.labels.tolist(), strict=True):
            found.setdefault(dataset.label_values[label], self._labels[row])
        return found

    def _value(self, text: str, values: dict[str, Any]) -> Any:
        """Return a label as the caller writes it; a class that is new to the data may be a name."""
        if text not in values and all(type(each) is int for each in values.values()):
            return int(text) if text.lstrip("-").isdigit() else text
        return values.get(text, text)
