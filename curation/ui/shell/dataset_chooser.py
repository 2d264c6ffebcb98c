"""Open a dataset: a demo, a path on this machine, uploaded files, or a recent one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from curation.dataset import Dataset
from curation.errors import CurationError
from curation.roles import Right
from curation.storage.remote_address import find_address
from curation.ui.shell import allowed_folders, cache, state, storage_consent, visitor
from curation.ui.shell.opening import DEMO_PREFIX, DEMOS, Source, loading_job
from curation.ui.shell.polling import wait
from curation.ui.shell.recent_datasets import add_recent, list_recent
from curation.ui.shell.result_in_sight import show_result
from curation.ui.shell.uploads import (
    check_upload,
    list_browser_types,
    save_upload,
    uploads_folder,
)
from curation.ui.widgets.gallery import thumbnail
from curation.ui.widgets.literal_text import escape, in_markdown
from curation.wording import shorten

KEPT_SETTINGS = ("method", "threshold", "collisions")  # kept when another dataset is opened
CARD_PICTURES = 5  # on a demo's card
CARD_WAIT_SECONDS = 1.5  # a card without a picture is better than no card


def show_chooser(source: Source, *, expanded: bool = False) -> None:
    """Show the ways to open another dataset, collapsed unless there is nothing else to do.

    Its state belongs to the dataset: once another one is open, it is collapsed again.
    """
    fold = st.expander(
        "Open another dataset", expanded=expanded, icon=":material/folder_open:",
        key=f"chooser-{'open-' if expanded else ''}{source.name}", on_change="rerun",
    )  # fmt: skip
    if not fold.open:
        return
    with fold:
        _show_demos(source)
        path, upload = st.columns(2, gap="large")
        with path:
            _show_path()
            _show_recent(source)
        with upload:
            _show_upload()


def open_source(name: str) -> None:
    """Open a dataset: put it into the link and forget what belonged to the previous one."""
    state.forget_all(but=KEPT_SETTINGS)
    state.forget_widgets("map-")
    state.keep("data", name)
    show_result()


def remember(source: Source) -> None:
    """Add an opened dataset to the recent ones; demos are always listed."""
    is_demo = source.name.startswith(DEMO_PREFIX)
    if not is_demo and st.session_state.get("remembered") != source.name:
        add_recent(source.place)
        st.session_state["remembered"] = source.name


def _show_demos(source: Source) -> None:
    demos = [name for name in DEMOS if Source(f"{DEMO_PREFIX}{name}").path.is_dir()]
    if not demos:
        return
    for name in demos:
        loading_job(Source(f"{DEMO_PREFIX}{name}"))  # start all before waiting for the first
    for name, column in zip(demos, st.columns(len(demos)), strict=True):
        with column.container(border=True):
            st.html(f'<div class="cu-strip">{_picture(name)}</div>')
            st.html(f'<div class="cu-about">{escape(DEMOS[name])}</div>')
            here = source.name == f"{DEMO_PREFIX}{name}"
            st.button(
                "Already open" if here else f"Open {name}", key=f"demo-{name}", width="stretch",
                on_click=open_source, args=(f"{DEMO_PREFIX}{name}",), disabled=here,
            )  # fmt: skip


def _picture(demo: str) -> str:
    """Return a demo's examples as HTML; empty if they cannot be read yet."""
    try:
        dataset = loading_job(Source(f"{DEMO_PREFIX}{demo}")).future.result(CARD_WAIT_SECONDS)
    except TimeoutError:
        wait()
        return ""
    except CurationError:
        return ""
    return cache.of_dataset(dataset, ("demo card",), lambda: _draw(dataset))


def _draw(dataset: Dataset) -> str:
    """Return a strip of a demo's pictures, or a quotation from its texts."""
    rows = [int(len(dataset) * (place + 0.5) / CARD_PICTURES) for place in range(CARD_PICTURES)]
    if dataset.kind == "text":
        return f"<blockquote>“{escape(dataset.content.text(rows[0])[:180])}”</blockquote>"
    pictures = []
    for row in rows:
        try:
            address, tiny = thumbnail(dataset, row, 96)
        except CurationError:
            continue
        style = "image-rendering:pixelated" if tiny else ""
        pictures.append(f'<img src="{address}" alt="" style="{style}">')
    return "".join(pictures)


def _show_path() -> None:
    with st.form("open-path", border=False):
        st.text_input(
            "Path on this machine, or address in object storage", key="path-to-open",
            placeholder="/data/my_dataset or s3://bucket/folder",
            help="A folder with labels and probabilities, a table that holds both, or a "
            "curation.toml; also in object storage: s3://, gs:// or az://.",
        )  # fmt: skip
        st.form_submit_button("Open this path", on_click=_open_path)


def _open_path() -> None:
    path = str(st.session_state.get("path-to-open", "")).strip()
    if path:
        storage_consent.note_typed(path)
        open_source(path)


def _show_recent(source: Source) -> None:
    paths = [path for path in list_recent() if path != source.name and _may_open(path)]
    if not paths:
        return
    st.html('<div class="cu-quiet">Recently opened</div>')
    with st.container(gap=None):
        for path in paths[:5]:
            st.button(
                in_markdown(shorten(path, 64)), key=f"recent-{path}", type="tertiary",
                icon=":material/history:", on_click=open_source, args=(path,),
            )  # fmt: skip


def _may_open(place: str) -> bool:
    try:
        address = find_address(place)
    except CurationError:
        return False
    if address is not None:
        return storage_consent.may_open(address)
    return allowed_folders.may_open(Path(place))


def _show_upload() -> None:
    reason = visitor.why_not(Right.UPLOAD)
    if reason is not None or allowed_folders.find_upload_folder() is None:
        st.caption(reason or "Nothing can be uploaded to this server.")
        return
    with st.form("upload", border=False):
        files = {
            part: st.file_uploader(words, type=list_browser_types(part), key=f"upload-{part}")
            for part, words in (
                ("labels", "Upload small files: labels"),
                ("probs", "Probabilities (unless the label file holds them)"),
                ("classes", "Class names (unless the other files hold them)"),
            )
        }
        st.caption(
            f"Files are copied to {in_markdown(str(uploads_folder()))} on this machine. Your "
            "decisions are saved there too."
        )
        if st.form_submit_button("Open these files"):
            _open_upload({part: file for part, file in files.items() if file})


def _open_upload(files: dict[str, Any]) -> None:
    try:
        visitor.current_actor().check(Right.UPLOAD)
        check_upload({part: (file.name, file.size) for part, file in files.items()})
        folder = save_upload({part: (file.name, file.getbuffer()) for part, file in files.items()})
    except CurationError as error:
        st.error(f"**{in_markdown(error.problem)}** {in_markdown(error.remedy)}")
        return
    _release_uploads()
    open_source(str(folder))
    st.rerun()


def _release_uploads() -> None:
    """Free the memory of files that are on disk now, or they would stay as long as the session."""
    context = get_script_run_ctx()
    if context is not None:
        context.uploaded_file_mgr.remove_session_files(context.session_id)
