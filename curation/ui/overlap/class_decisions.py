"""Decisions about a pair of classes: merge, is-a, rename, distinct; saved, and can be undone."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial

import streamlit as st

from curation.class_names import find_same_name
from curation.core.overlap import Pair
from curation.errors import CurationError, StoreError
from curation.review.class_map import find_namesake
from curation.roles import Right
from curation.store import ClassAction, ClassDecision, Store
from curation.ui.overlap.merge_preview import describe_preview
from curation.ui.overlap.pair_choice import pick
from curation.ui.shell import curator_name, page_store, state
from curation.ui.shell.decision_progress import ledger_of
from curation.ui.shell.setup import Frame
from curation.ui.widgets.literal_text import escape, in_markdown, show_error
from curation.wording import isolate, shorten_apart

Decided = Mapping[frozenset[str], ClassDecision]
MAX_NAME_LENGTH = 40  # characters in a sentence
_NAMESAKE = "overlap.namesake."  # in the session: a rename that would have made two of one name
SHORT_ACTION_NAMES = {ClassAction.IS_A: "kind of"}  # the others are short already


def read_decided(store: Store | None) -> Decided:
    """Return the decisions about classes that count, by the ids of their classes."""
    try:
        decisions = store.class_decisions() if store is not None else []
    except StoreError as error:
        show_error(error)
        decisions = []
    return {decision.subject: decision for decision in decisions}


def decided_in_short(frame: Frame, decided: Decided, a: int, b: int) -> str:
    """Return what was decided about a pair, for a narrow cell of a table."""
    ids = frame.dataset.class_ids
    found = decided.get(frozenset({ids[a], ids[b]}))
    if found is None:
        found = decided.get(frozenset({ids[a]})) or decided.get(frozenset({ids[b]}))
    return "" if found is None else f"✓ {SHORT_ACTION_NAMES.get(found.action, found.action)}"


def describe(frame: Frame, decision: ClassDecision) -> str:
    """Return a decision as a clause: "missile is a kind of projectile", "merge into tub"."""
    if decision.action is ClassAction.DISTINCT:
        return "distinct"
    into = _called(frame, decision.into_id, decision.into)
    if decision.action is ClassAction.MERGE:
        return f"merge into {into}"
    given = _called(frame, decision.given_id, decision.given)
    if decision.action is ClassAction.RENAME:
        return f"rename {given} to {isolate(str(decision.into))}"
    other = _called(frame, decision.other_id, decision.other)
    return f"{other if decision.into_id == decision.given_id else given} is a kind of {into}"


def _called(frame: Frame, class_id: str | None, name: str | None) -> str:
    """Return a class's name on screen, or the name it had then if it no longer exists."""
    ids = frame.dataset.class_ids
    return isolate(frame.class_names[ids.index(class_id)] if class_id in ids else str(name))


def show_decision(
    frame: Frame, store: Store | None, curator: str, pair: Pair, decided: Decided
) -> None:
    """Show what was decided about a pair, or the ways to decide it."""
    st.html('<div class="ov-sub" style="font-size:1.15rem">Your decision</div>')
    page_store.show_fault()
    ids = frame.dataset.class_ids
    subjects = ({ids[pair.a], ids[pair.b]}, {ids[pair.a]}, {ids[pair.b]})
    found = [decided[key] for key in map(frozenset, subjects) if key in decided]
    again = f"overlap.again.{pair.a}.{pair.b}.{_last(found)}"
    if found:
        page_store.end_operation(f"classes.{pair.a}.{pair.b}")
    for decision in found:
        _show_done(frame, store, curator, decision)
    if page_store.why_not(store, Right.CLASSES) is None and not curator_name.ask_curator():
        return
    if not found or len(found[0].subject) == 1 or st.session_state.get(again):
        _show_forms(frame, store, curator, pair, _last(found))
    elif page_store.why_not(store, Right.CLASSES) is None:
        st.button("Change the decision…", key="overlap-again", type="tertiary",
                  on_click=st.session_state.__setitem__, args=(again, True))  # fmt: skip


def _last(found: list[ClassDecision]) -> int:
    return max((decision.seq for decision in found), default=0)


def _show_done(frame: Frame, store: Store | None, curator: str, decision: ClassDecision) -> None:
    """Show a saved decision and the button to undo it."""
    when = datetime.fromisoformat(decision.time).strftime("%-d %B %Y, %H:%M UTC")
    note = f"<small>“{escape(isolate(decision.note))}”</small>" if decision.note else ""
    with st.container(horizontal=True, vertical_alignment="center", key=f"done-{decision.seq}"):
        st.html(
            f'<div class="ov-done">✓ Saved: <b>{escape(describe(frame, decision))}</b>{note}'
            f"<small>{escape(isolate(decision.curator))}, {when}</small></div>",
            width="content",
        )
        reason = _why_no_undo(store, curator, decision)
        st.button(
            "Undo", key=f"undo-{decision.seq}", icon=":material/undo:", disabled=reason is not None,
            help=reason, on_click=_undo, args=(store, curator, decision),
        )  # fmt: skip


def _why_no_undo(store: Store | None, curator: str, decision: ClassDecision) -> str | None:
    reason = page_store.why_not(store, Right.CLASSES)
    if reason is not None or store is None:
        return in_markdown(reason or "")
    if decision.curator != curator:
        return f"Only {in_markdown(decision.curator)}, who decided this, can undo it."
    since = store.count_units_after(decision)
    if since:
        return (
            f"Undo takes back the latest decision first, and you have made {since:,} more since. "
            "Change the decision instead."
        )
    return None


def _undo(store: Store, curator: str, decision: ClassDecision) -> None:
    """Undo the decision, unless an earlier click did."""
    try:
        if decision not in store.class_decisions():
            return
        if store.count_units_after(decision):
            raise StoreError("Something else has been decided since.", "Check it, then undo.")
        store.undo(curator=curator, expect=decision.op_id)
    except CurationError as error:
        page_store.note_fault(error)


def _show_forms(frame: Frame, store: Store | None, curator: str, pair: Pair, seen: int) -> None:
    """Show the four ways to decide, with one field for a note."""
    reason = page_store.why_not(store, Right.CLASSES)
    base = f"{pair.a}-{pair.b}-{seen}"
    if reason is not None:
        st.caption(in_markdown(reason))
    op_id = page_store.operation(f"classes.{pair.a}.{pair.b}", seen)
    save = partial(_save, store, curator, f"note-{base}", op_id)
    state.write_privately(
        "Note", f"note {base} {frame.source.name}", "", key=f"note-{base}",
        placeholder="why, for anyone who reads this later (optional)",
        max_chars=2000, disabled=reason is not None, label_visibility="collapsed",
    )  # fmt: skip
    with st.container(horizontal=True, key="overlap-forms"):
        off = reason is not None
        _offer_merge(frame, pair, base, save, off)
        _offer_is_a(frame, pair, base, save, off)
        _offer_rename(frame, store, pair, base, save, off)
        st.button(
            "They are distinct", key=f"distinct-{base}", disabled=off, on_click=save,
            args=(ClassAction.DISTINCT, pair.a, pair.b, lambda: None),
        )  # fmt: skip
    _offer_merge_instead(frame, store, curator, base)


Save = Callable[..., None]


def _offer_merge(frame: Frame, pair: Pair, base: str, save: Save, off: bool) -> None:
    names = {frame.class_names[label]: label for label in (pair.b, pair.a)}
    key = f"merge-into-{base}"

    def into() -> int | str:
        chosen = str(st.session_state[key] or "").strip()
        return names.get(chosen, chosen)

    with st.popover("Merge…", icon=":material/merge:", disabled=off):
        state.hold(
            st.selectbox, "Both become", list(names), name=f"{key} {frame.source.name}",
            default=next(iter(names)), key=key, accept_new_options=True,
            help="One of the two names, or type a new one.",
        )  # fmt: skip
        figures = describe_preview(frame, pair)  # the popover covers those on the page
        if figures:
            st.markdown(figures)
        _save_button(f"merge-{base}", save, ClassAction.MERGE, pair, into)


def _offer_is_a(frame: Frame, pair: Pair, base: str, save: Save, off: bool) -> None:
    names = [frame.class_names[label] for label in (pair.a, pair.b)]
    name_a, name_b = map(isolate, shorten_apart(names, MAX_NAME_LENGTH))
    parents = {
        f"{name_b} is a kind of {name_a}": pair.a,
        f"{name_a} is a kind of {name_b}": pair.b,
    }
    key = f"parent-{base}"

    def parent() -> int:
        return parents[st.session_state[key]]

    with st.popover("One is a kind of the other…", icon=":material/account_tree:", disabled=off):
        state.hold(
            st.selectbox, "Which one", list(parents), name=f"{key} {frame.source.name}",
            default=next(iter(parents)), key=key,
        )  # fmt: skip
        _save_button(f"is-a-{base}", save, ClassAction.IS_A, pair, parent)


def _offer_rename(
    frame: Frame, store: Store | None, pair: Pair, base: str, save: Save, off: bool
) -> None:
    labels = (pair.b, pair.a)
    which, name = f"rename-which-{base}", f"rename-name-{base}"

    def renamed() -> None:
        label = st.session_state[which]
        new = str(st.session_state[name] or "").strip()
        decided = [*read_decided(store).values()]
        namesake = find_namesake(frame.dataset, decided, new, label)
        if namesake is None:
            save(ClassAction.RENAME, label, None, lambda: new)
        else:  # saved under an id of its own: it is about another pair than the one on screen
            st.session_state[_NAMESAKE + base] = (label, namesake, uuid.uuid4().hex)

    with st.popover("Rename…", icon=":material/edit:", disabled=off):
        state.hold(
            st.selectbox, "Class", labels, name=f"{which} {frame.source.name}", default=labels[0],
            key=which, format_func=lambda k: frame.class_names[k],
        )  # fmt: skip
        state.write_privately(
            "New name", f"{name} {frame.source.name}", "", key=name, max_chars=200
        )
        st.button("Save", key=f"rename-{base}", type="primary", on_click=renamed)


def _offer_merge_instead(frame: Frame, store: Store | None, curator: str, base: str) -> None:
    """Offer a merge where a rename would have given two classes one name."""
    slot = _NAMESAKE + base
    if slot not in st.session_state:
        return
    label, namesake, op_id = st.session_state[slot]
    both = [frame.class_names[each] for each in (label, namesake)]
    names = [in_markdown(each) for each in shorten_apart(both, MAX_NAME_LENGTH)]

    def merged() -> None:
        del st.session_state[slot]
        action = ClassAction.MERGE
        _save(store, curator, f"note-{base}", op_id, action, label, namesake, lambda: namesake)
        pick(label, namesake)

    st.warning(
        f"NOT renamed: another class has this name already, and two classes of one name cannot be "
        f"told apart in the labels. Merge {names[0]} with it, or choose another name."
    )
    st.button(f"Merge {names[0]} into {names[1]}", key=f"merge-instead-{base}", on_click=merged)


def _save_button(
    key: str, save: Save, action: str, pair: Pair, into: Callable[[], int | str]
) -> None:
    st.button("Save", key=key, type="primary", on_click=save, args=(action, pair.a, pair.b, into))


def _save(
    store: Store | None,
    curator: str,
    note_key: str,
    op_id: str,
    action: str,
    given: int,
    other: int | None,
    into: Callable[[], int | str | None],
) -> None:
    """Write one decision, in a button's callback; nothing is drawn before it is committed."""
    try:
        name = into()
        if store is None:  # the buttons are off then
            return
        if name == "":
            raise StoreError("NOT saved: no name was typed.", "Type the new name.")
        if isinstance(name, str):
            _refuse_added(store, name)
        store.decide_classes(
            action, given, other, into=name, op_id=f"{op_id}-{action}", curator=curator,
            note=str(st.session_state.get(note_key) or "").strip(),
        )  # fmt: skip
    except CurationError as error:
        page_store.note_fault(error)


def _refuse_added(store: Store, name: str) -> None:
    """Refuse a name that curators gave to a class of their own: it could not be told from this."""
    ledger = ledger_of(store)
    ledger.catch_up()
    added = [each.name for each in ledger.added_classes()]
    same = find_same_name(name, added)
    if same is not None:
        raise StoreError(
            f"NOT saved: curators added a class {added[same]!r} on Review.",
            "Choose another name. Or relabel these examples on Review, to that class.",
        )
