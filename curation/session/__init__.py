"""Data in memory, opened in the dashboard from a notebook or a script."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from curation.report import Severity
from curation.session.dashboard_process import DashboardProcess
from curation.session.notebook_frame import NO_NOTEBOOK, find_notebook_origins, show
from curation.session.open_session import Session
from curation.session.preparation import prepare
from curation.wording import count_of

__all__ = ["Session", "open"]


def open(
    data: Any,
    pred_probs: Any = None,
    labels: Any = None,
    *,
    class_names: Sequence[Any] | None = None,
    make_probs: bool = False,
    folder: str | os.PathLike[str] | None = None,
    name: str | None = None,
    browser: bool = True,
    inline: bool = False,
    height: int = 800,
    **overrides: Any,
) -> Session:
    """Open data that is in memory in the dashboard, and return the session to read decisions from.

    `data` is a pandas DataFrame or Series, a list of texts, pictures or paths of pictures, an array
    of pictures or features, a Hugging Face Dataset, or a dataset of (picture, label) pairs as torch
    uses them. Pictures are PIL images, arrays or tensors; ones outside 0 to 1 and 0 to 255 are
    stretched to fit. `labels` is the column of the labels, or one name or number per example;
    without it, a column `label` or the pairs have them. `pred_probs` are out-of-sample
    probabilities, a row per example and a column per class, in the order of `class_names`; without
    these, of the sorted labels. The columns of a DataFrame of probabilities name the classes.
    Without `pred_probs`, `make_probs=True` makes them by cross-validation (`curation.make_probs`).
    Other keywords are settings of `curation.load`, such as `text_column`.

    The dashboard runs in a process of its own that only this machine can reach, and ends with this
    program. It opens in the browser unless `browser` is False; its address is printed. In a Jupyter
    notebook on this machine, `inline=True` shows it below the cell instead, `height` pixels high;
    only pages of that Jupyter server may show it in a frame. The data is
    written once to a folder of the user, pictures and probabilities included, or to `folder`. The
    same examples and labels find their decisions there again, also with other probabilities. For
    files on disk, `curate PATH` copies nothing.

        session = curation.open(frame, model_probs, labels="sentiment")
        session.decisions()
        frame["sentiment"] = session.cleaned_labels()
        session.close()
    """
    settings = {"name": name, **overrides}
    place = None if folder is None else Path(folder)
    prepared = prepare(data, pred_probs, labels, class_names, make_probs, place, settings)
    origins = find_notebook_origins() if inline else []
    dashboard = DashboardProcess(
        prepared.folder, browser=browser and not origins, framed_by=origins
    )
    session = Session(prepared, dashboard, height=height if origins else None)
    warnings = len(session.dataset.report.of(Severity.WARN))
    if warnings:
        print(f"{count_of(warnings, 'warning')} about the data: see session.dataset.report.")
    print(f"The dashboard is at {session.url}")
    if origins:
        show(session)
    elif inline:
        print(NO_NOTEBOOK)
    return session
