"""How a dataset is read, chosen by a person: each file with a preview, and lists to choose from.

Every answer is an override of `load`. The answers can be saved as curation.toml.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from curation.dataset import Dataset
from curation.errors import CurationError
from curation.loading.discovery.file_survey import FoundFile, survey_files
from curation.loading.discovery.mapping_choices import (
    QUESTIONS,
    Question,
    list_choices,
    read_answers,
    read_lines,
    write_answer,
)
from curation.loading.overrides import MANIFEST, write_manifest
from curation.roles import Right
from curation.ui.shell import cache, state, visitor
from curation.ui.shell.doctor_report import apply
from curation.ui.shell.file_previews import show_previews
from curation.ui.shell.fix_memory import NO_FIXES
from curation.ui.shell.opening import DEMO_PREFIX, Source, forget_source
from curation.ui.widgets.literal_text import in_markdown, show_error

PREVIEW_ROWS = 4
SURVEYS_KEPT = 20
COLUMNS = 3  # of questions, side by side
LINES_HEIGHT = 90  # pixels of a field for several lines
TYPED = "map-typed-classes"
KEPT = "map-kept"  # in the session: the answers by the keys of their widgets, until one is opened
_SAID = "map-said"  # in the session: what became of saving, until something else is opened
HOW = (
    "Choose what each file is; leave the rest as it is. Nothing is changed in your files. Several "
    "files are several parts of one table, in this order."
)


def show_fold(source: Source, dataset: Dataset) -> None:
    """Offer another way to read a dataset that did open."""
    fold = st.expander(
        "Read it differently", icon=":material/table_edit:", key=f"mapping-{source.name}",
        on_change="rerun",
    )  # fmt: skip
    if fold.open:
        with fold:
            show_mapping(source, dataset.settings)


def show_mapping(source: Source, understood: Mapping[str, Any] | None = None) -> None:
    """Show every file found, and ask for what the loader could not or should not decide."""
    files, more = survey(source.path)
    if not files:
        return
    show_previews(files, more)
    st.caption(HOW)
    answers: dict[str, Any] = {}
    _ask([each for each in QUESTIONS if not each.is_rare], source, files, understood or {}, answers)
    with st.expander("More settings", key="map-more"):
        rare = [each for each in QUESTIONS if each.is_rare]
        _ask(rare, source, files, understood or {}, answers)
    st.button(
        "Open it like this", key="map-open", type="primary", icon=":material/folder_open:",
        on_click=_open, args=(source,),
    )  # fmt: skip


def survey(path: Path) -> tuple[list[FoundFile], int]:
    """Return the files at a path; looked at again once one of them has changed."""

    def look() -> tuple[list[FoundFile], int]:
        return survey_files(path, rows=PREVIEW_ROWS)

    return cache.of_server(("file survey", str(path), _stamp(path)), look, limit=SURVEYS_KEPT)


def _stamp(path: Path) -> tuple[tuple[str, int, int], ...]:
    try:
        paths = sorted(path.iterdir()) if path.is_dir() else [path]
        found = [(each.name, each.stat()) for each in paths[:1000]]
        return tuple((name, stat.st_size, stat.st_mtime_ns) for name, stat in found)
    except (OSError, ValueError):
        return ()


def _ask(
    questions: Sequence[Question],
    source: Source,
    files: Sequence[FoundFile],
    understood: Mapping[str, Any],
    answers: dict[str, Any],
) -> None:
    """Draw the questions and add what is answered to `answers`.

    A question that nothing here could answer, such as which array of an .npz, is left out.
    """
    places: list[Any] = []  # left to draw in, of the row of columns that was begun
    for question in questions:
        now = source.options.get(question.option)
        choices = list_choices(question.option, files, answers)
        can_be_typed = question.kind not in ("one", "several") or question.option == "classes"
        if not choices and not can_be_typed and now is None:
            continue
        places = places or list(st.columns(COLUMNS))
        with places.pop(0):
            used = understood.get(question.option)
            answers[question.option] = _draw(question, choices, now, used)


def _draw(question: Question, choices: Sequence[str], now: Any, used: Any) -> Any:
    key, words, help = f"map-{question.option}", question.words, question.help
    auto = f"automatic: {used}" if isinstance(used, str) and now is None else "automatic"
    if question.option == "classes":
        return _draw_classes(question, choices, now, auto)
    shown = write_answer(question.option, now)
    if question.kind == "several":
        return _draw_kept(st.multiselect, words, key, shown, choices, help=help, placeholder=auto)
    if question.kind == "one":
        named = None if shown is None else str(shown)
        return _draw_kept(
            st.selectbox, words, key, named, choices, index=None, help=help, placeholder=auto
        )
    if question.kind == "yes":
        return _draw_kept(st.checkbox, words, key, shown, help=help)
    if question.kind == "lines":
        return _draw_kept(
            st.text_area, words, key, shown, help=help, placeholder=auto, height=LINES_HEIGHT
        )
    return _draw_kept(st.text_input, words, key, shown or "", help=help, placeholder=auto)


def _draw_classes(question: Question, choices: Sequence[str], now: Any, auto: str) -> Any:
    """Ask for the class names: a file, or typed in the order of the columns."""
    chosen = _draw_kept(
        st.selectbox, question.words, "map-classes", now if isinstance(now, str) else None, choices,
        index=None, help=question.help, placeholder=auto,
    )  # fmt: skip
    typed = _draw_kept(
        st.text_area, "or the names themselves, one per line, in the order of the columns", TYPED,
        "\n".join(now) if isinstance(now, list) else "", height=LINES_HEIGHT,
    )  # fmt: skip
    return read_lines(typed) or chosen


def _draw_kept(
    widget: Callable[..., Any],
    words: str,
    key: str,
    value: Any,
    choices: Sequence[str] | None = None,
    **options: Any,
) -> Any:
    """Draw a widget whose answer is kept while another page is open; return the answer."""

    def changed() -> None:
        if key in st.session_state:  # not of a widget that went when its answer was used
            st.session_state.setdefault(KEPT, {})[key] = st.session_state[key]

    value = st.session_state.get(KEPT, {}).get(key, value)
    given = []
    if choices is not None:  # what was chosen before stays a choice
        chosen = value if isinstance(value, list) else [] if value is None else [value]
        given = [list(dict.fromkeys([*choices, *chosen]))]
    return state.draw(widget, words, *given, key=key, value=value, on_change=changed, **options)


def _open(source: Source) -> None:
    # From the widgets themselves: the page has not run since the last of them was changed.
    held = {each.option: st.session_state.get(f"map-{each.option}") for each in QUESTIONS}
    typed = str(st.session_state.get(TYPED) or "")
    answers = held | {"classes": read_lines(typed) or held["classes"]}
    overrides = json.dumps(
        read_answers(answers), sort_keys=True, separators=(",", ":"), ensure_ascii=False
    )
    apply(Source(source.name, overrides))


def show_saving(source: Source, dataset: Dataset) -> None:
    """Offer to save how the dataset is read as curation.toml, so that nobody is asked again."""
    said = st.session_state.get(_SAID)  # a page that polls draws it several times
    if isinstance(said, CurationError):
        show_error(said)
    elif said:
        st.success(in_markdown(said), icon=":material/save:")
    place = _manifest(source)
    if place is None or source.overrides == NO_FIXES:
        return
    is_there, reason = place.exists(), visitor.why_not(Right.READING)
    st.button(
        f"Replace {MANIFEST}" if is_there else f"Save as {MANIFEST}", key="save-manifest",
        icon=":material/save:", on_click=_save, args=(source, dataset.settings),
        disabled=reason is not None,
        help=reason or f"Writes how this dataset is read to {MANIFEST} in its folder. It then "
        "opens like this everywhere, without a question."
        + (f" The present one is kept as {MANIFEST}.old." if is_there else ""),
    )  # fmt: skip


def _manifest(source: Source) -> Path | None:
    """Return where the settings of a dataset are read from; None where they would not be."""
    if source.name.startswith(DEMO_PREFIX) or source.address is not None:
        return None
    path = source.path
    if path.is_dir():
        return path / MANIFEST
    return path if path.suffix.lower() == ".toml" else None


def _save(source: Source, settings: Mapping[str, Any]) -> None:
    place = _manifest(source)
    assert place is not None
    try:
        visitor.current_actor().check(Right.READING)
        write_manifest(place, settings, keep_old=True)
    except CurationError as error:
        st.session_state[_SAID] = error
        return
    except OSError as error:
        st.session_state[_SAID] = CurationError(
            f"{place} cannot be written: {error.strerror}.",
            "Allow writing to the dataset's folder. Your choices are still remembered here.",
        )
        return
    plain = Source(source.name)
    forget_source(plain)
    apply(plain)
    st.session_state[_SAID] = f"Saved as {place}. It opens like this from now on."
