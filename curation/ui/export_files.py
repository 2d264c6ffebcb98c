"""The files of an export: the cleaned labels at a click, everything else into a folder."""

from __future__ import annotations

import io
import uuid
from pathlib import Path

import pandas as pd
import streamlit as st

from curation.errors import CurationError
from curation.exporting import Exported
from curation.exporting.labels import check_unchanged, cleaned_name, write_labels
from curation.exporting.manifest import make_notes
from curation.exporting.plan import Plan
from curation.exporting.run import export_log, list_files
from curation.store import Store
from curation.ui.jobs import Job, Jobs
from curation.ui.literal import in_markdown, show_error
from curation.ui.polling import show_progress
from curation.ui.setup import Frame

DOWNLOAD_LIMIT = 100_000_000  # bytes; a download is held in memory, a larger file stays in place
FOLDER = "export-folder"
WRITING = "export.writing"  # in the session: the job of this visitor's last export

FILES = {
    "cleaned_labels": "your label file, with only the decided cells changed",
    "issues.csv": "every flagged example with its scores, suggestion and decision",
    "corrections.csv": "every decided example, flagged or not",
    "audit.jsonl": "everything ever said, in order; `curate replay` makes all this from it",
    "class_map.csv": "what each class becomes",
    "class_weights.csv": "weights for training without the errors (the paper's reweighting)",
    "joint.csv": "the estimated joint of given and true labels",
    "noise_matrix.csv": "p(given | true)",
    "keep_mask.npy": "for each row of the label file, whether it stays",
    "prodigy.jsonl": "for Prodigy",
    "argilla.json": "for Argilla",
    "label_studio.json": "for Label Studio",
    "report.html": "what was found, decided and measured, for people; opens in any browser",
    "manifest.json": "fingerprint, counts, hashes, settings and what was left out",
}


def show_downloads(plan: Plan) -> None:
    """Show the one button most people come for, the cleaned label file, and the rest beside it."""
    try:
        check_unchanged(plan.dataset)
    except CurationError as error:
        show_error(error)
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        _show_labels(plan)
        with st.popover("More files", icon=":material/download:", width=640):
            _show_more(plan)


def _show_more(plan: Plan) -> None:
    for name, make in list_files(plan, make_notes(plan)).items():
        with st.container(horizontal=True, vertical_alignment="center"):
            st.download_button(
                name, data=lambda make=make: b"".join(make()), file_name=name, on_click="ignore",
                key=f"export-{name}", type="tertiary", width=150,
            )  # fmt: skip
            st.caption(FILES[name])


def _show_labels(plan: Plan) -> None:
    source, name = plan.dataset.source, cleaned_name(plan.dataset)
    if sum(path.stat().st_size for path in source.paths) > DOWNLOAD_LIMIT:
        st.caption(f"{in_markdown(name)} is large; write it into a folder below.")
        return

    def read() -> bytes:
        buffer = io.BytesIO()
        write_labels(plan, buffer)
        return buffer.getvalue()

    st.download_button(
        f"Download {in_markdown(name)}", data=read, file_name=name, type="primary",
        on_click="ignore", key="export-download",
    )  # fmt: skip


@st.cache_resource
def _writing() -> Jobs:
    """Return jobs of their own: an export must not push datasets out of memory."""
    return Jobs()


def show_folder(frame: Frame, store: Store, plan: Plan) -> None:
    """Show where all files can be written to, how far that is, and what was written."""
    st.subheader("All files")
    st.caption(
        "Written together or not at all; an earlier export in the same folder is replaced. "
        "Your own files are never touched."
    )
    default = Path.home() / "curation-exports" / frame.dataset.name
    where, button = st.columns([4, 1], vertical_alignment="bottom")
    folder = where.text_input("Folder on this machine", str(default), key=FOLDER)
    button.button(
        "Write files", key="export-write", width="stretch", disabled=not folder.strip(),
        on_click=_start, args=(frame, store, plan),
    )  # fmt: skip
    job = st.session_state.get(WRITING)
    if job is None:
        _show_list(cleaned_name(frame.dataset), None)
    elif not job.done:
        show_progress(job)
    else:
        _show_result(job)


def _start(frame: Frame, store: Store, plan: Plan) -> None:
    """Start writing; runs in a callback, so a click elsewhere does not stop it."""
    folder = str(st.session_state[FOLDER]).strip()  # what is typed now, not when the page was drawn
    if not folder:
        return
    log = store.log()

    def work(job: Job) -> Exported:
        job.report("Writing the files", 0.2)
        out = Path(folder).expanduser()
        return export_log(frame.dataset, log, out, plan.settings, frame.findings)

    st.session_state[WRITING] = _writing().get(uuid.uuid4(), work)


def _show_result(job: Job) -> None:
    try:
        exported: Exported = job.future.result()
    except CurationError as error:
        show_error(error)
        return
    st.success(f"Written: {len(exported.files)} files in")
    st.code(str(exported.folder), language=None, wrap_lines=True)
    _show_list(exported.labels.name, exported)
    for note in exported.notes:
        st.caption(in_markdown(note))


def _show_list(cleaned: str, exported: Exported | None) -> None:
    """Show each file with a line on what it is, and its size once it is written."""
    rows = []
    for name, words in FILES.items():
        shown = cleaned if name == "cleaned_labels" else name
        row = {"file": shown, "what it is": words}
        if exported is not None:
            row["size"] = _size((exported.folder / shown).stat().st_size)
        rows.append(row)
    st.dataframe(
        pd.DataFrame(rows), hide_index=True, key="export-list", height=35 * (len(rows) + 1) + 3
    )


def _size(count: int) -> str:
    """Return a file's size for people.

    >>> _size(120), _size(45_300), _size(2_400_000)
    ('120 B', '45 kB', '2.4 MB')
    """
    if count < 1000:
        return f"{count} B"
    return f"{count / 1e3:.0f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"
