"""The files of an export: single downloads, or all of them written to a folder."""

from __future__ import annotations

import io
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import streamlit as st

from curation.errors import CurationError
from curation.exports import Exported
from curation.exports.cleaned_labels import check_unchanged, cleaned_name, keep_mask, write_labels
from curation.exports.file_registry import (
    CLEANED_LABELS,
    KEEP_MASK,
    PICTURES,
    TOOL_FILES,
    list_files,
)
from curation.exports.picture_addresses import are_inline
from curation.exports.run import export_log
from curation.review.cleaning_plan import Plan
from curation.roles import Right
from curation.ui.shell import allowed_folders, page_store, state, visitor
from curation.ui.shell.jobs import Job, all_jobs
from curation.ui.shell.opening import Source, find_typed_path
from curation.ui.shell.polling import show_progress
from curation.ui.shell.setup import Frame
from curation.ui.widgets.literal_text import in_markdown, show_error

DOWNLOAD_LIMIT = 100_000_000  # bytes; a download is held in memory, a larger file stays in place
EXAMPLES_LIMIT = 300_000  # examples listed in one file, at about 300 bytes each
INLINE_LIMIT = 1_000  # pictures written into one file, at up to half a megabyte each
CLASSES_LIMIT = 2_000  # a matrix of them has four million numbers
FOLDER = "export-folder"
NOWHERE = "This server has no folder for exports. Download the files instead."
WRITING = "export.writing"  # in the session: this visitor's last export


@dataclass(frozen=True)
class Writing:
    """An export that was started: its dataset, its plan and its job."""

    source: Source
    plan: Plan
    job: Job


def show_download(plan: Plan) -> None:
    """Show the one button most people come for: the cleaned label file."""
    name = cleaned_name(plan.dataset)
    try:
        check_unchanged(plan.dataset)
    except CurationError as error:
        show_error(error)
        return
    if _is_large(plan):
        st.caption("The files are large; write them to a folder below.")
        return
    st.download_button(
        f"Download {in_markdown(name)}", data=lambda: _make_labels(plan), file_name=name,
        type="primary" if plan.outcome.log else "secondary", on_click="ignore",
        key="export-download",
    )  # fmt: skip


def _is_large(plan: Plan) -> bool:
    """Return whether the files are too large to hold in memory."""
    dataset = plan.dataset
    return (
        sum(path.stat().st_size for path in dataset.source.paths) > DOWNLOAD_LIMIT
        or len(plan.tool_rows) > EXAMPLES_LIMIT
        or len(dataset.class_names) > CLASSES_LIMIT
    )


def _make_labels(plan: Plan) -> bytes:
    buffer = io.BytesIO()
    write_labels(plan, buffer)
    return buffer.getvalue()


def _make_mask(plan: Plan) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, keep_mask(plan, write_labels(plan, io.BytesIO())))
    return buffer.getvalue()


def show_folder(frame: Frame, plan: Plan) -> None:
    """Show the folder to write all files to, the progress of that, and the files."""
    st.subheader("All files", anchor=False)
    page_store.show_fault()
    st.caption(
        "Download single files, or write all of them to a folder, where they replace an earlier "
        "export. Your own files are never changed."
    )
    home = allowed_folders.find_export_folder()
    reason = visitor.why_not(Right.EXPORT) or ("" if home else NOWHERE)
    if reason or home is None:
        st.caption(in_markdown(reason))
        _show_list(plan, None)
        return
    default = home / frame.dataset.name
    where, button = st.columns([4, 1], vertical_alignment="bottom")
    with where:  # a link must not choose where files are written
        folder = state.write_privately(
            "Folder on this machine", f"{FOLDER} {frame.source.name}", str(default), key=FOLDER
        )
    button.button(
        "Write files", key="export-write", width="stretch", disabled=not folder.strip(),
        on_click=_start, args=(frame, plan),
    )  # fmt: skip
    writing: Writing | None = st.session_state.get(WRITING)
    mine = writing if writing and writing.source == frame.source else None
    _show_list(plan, _show_writing(mine, plan) if mine else None)


def _start(frame: Frame, plan: Plan) -> None:
    """Start writing; runs in a callback, so a click elsewhere does not stop it."""
    folder = str(st.session_state[FOLDER]).strip()  # as it is now
    if not folder:
        return
    try:  # here, where it is known who asks
        visitor.current_actor().check(Right.EXPORT)
        out = find_typed_path(folder)
        allowed_folders.check_export(out)
    except CurationError as error:
        page_store.note_fault(error)
        return

    def work(job: Job) -> Exported:  # write exactly what the page showed
        log = plan.outcome.log
        return export_log(frame.dataset, log, out, plan.settings, frame.findings, job.report)

    job = all_jobs().get(("write", uuid.uuid4().hex), work)
    st.session_state[WRITING] = Writing(frame.source, plan, job)


def _show_writing(writing: Writing, plan: Plan) -> Exported | None:
    """Show the progress or the result of writing; return what was written."""
    if not writing.job.done:
        show_progress(writing.job)
        return None
    try:
        exported: Exported = writing.job.future.result()
    except CurationError as error:
        show_error(error)
        return None
    st.success(f"{len(exported.files)} files were written to")
    st.code(str(exported.folder), language=None, wrap_lines=True)
    for note in exported.notes:
        st.caption(in_markdown(note))
    if writing.plan is not plan:
        st.info("Decisions or settings have changed since. Write the files again to include them.")
    return exported


def _show_list(plan: Plan, exported: Exported | None) -> None:
    """Show each file as a download, with what it holds and, once written, its size."""
    cleaned, made = cleaned_name(plan.dataset), _list_downloads(plan)
    sizes = exported.files if exported else {}
    with st.container(key="export-list", gap=None):
        for file in list_files(plan):
            name = cleaned if file.name == CLEANED_LABELS else file.name
            button, what = st.columns([2, 5], vertical_alignment="center")
            with button:
                _show_file(name, made.get(file.name))
            size = f" · {_size(sizes[name])}" if name in sizes else ""
            what.caption(f"{file.holds}{size}")


def _list_downloads(plan: Plan) -> dict[str, Callable[[], bytes]]:
    """Return a function for each file that can be downloaded; the manifest needs all the others."""
    if _is_large(plan):
        return {}

    def join(write: Callable[[Plan], Iterator[bytes]]) -> Callable[[], bytes]:
        return lambda: b"".join(write(plan))

    large = {PICTURES}
    if are_inline(plan) and len(plan.tool_rows) > INLINE_LIMIT:
        large |= set(TOOL_FILES)
    files = [file for file in list_files(plan) if file.name not in large]
    made = {file.name: join(file.write) for file in files if file.write}
    return made | {CLEANED_LABELS: lambda: _make_labels(plan), KEEP_MASK: lambda: _make_mask(plan)}


def _show_file(name: str, make: Callable[[], bytes] | None) -> None:
    if make is None:
        st.button(
            in_markdown(name), key=f"export-{name}", type="tertiary", disabled=True,
            icon=":material/folder:", help="Only written to the folder, with the other files.",
        )  # fmt: skip
        return
    st.download_button(
        in_markdown(name), data=make, file_name=name, on_click="ignore", key=f"export-{name}",
        type="tertiary", icon=":material/download:",
    )  # fmt: skip


def _size(count: int) -> str:
    """Return a file's size for people.

    >>> _size(120), _size(45_300), _size(2_400_000)
    ('120 B', '45 kB', '2.4 MB')
    """
    if count < 1000:
        return f"{count} B"
    return f"{count / 1e3:.0f} kB" if count < 1e6 else f"{count / 1e6:.1f} MB"
