"""The filters in the sidebar of the Review page, with how many examples each choice would bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
import streamlit as st

from curation.analysis.findings import ORDERS
from curation.neighbours.neighbour_order import NEIGHBOUR_ORDER
from curation.review.example_status import CODE_OF
from curation.review.filter_link import MARGINS, MAX_SEED, PARAMETERS
from curation.review.ledger import Ledger
from curation.review.queue_filters import (
    QUEUE_ORDERS,
    RANDOM,
    SCOPES,
    FilterMasks,
    count_classes,
    list_tags,
)
from curation.store.actions import Action, IssueKind
from curation.ui.review.filter_widgets import (
    PLACE,
    Choices,
    count_up,
    pick,
    pick_many,
    set_link,
    slide,
    write,
)
from curation.ui.review.review_session import name_new_label
from curation.ui.review.saved_filters import show_saved
from curation.ui.shell.cache import of_dataset
from curation.wording import (
    ACTION_NAMES,
    ISSUE_KIND_NAMES,
    NEIGHBOURS_MEASURED,
    ORDERS_MEASURED,
    QUEUE_ORDER_NAMES,
    count_of,
)

ANY = ""
MAX_PAIRS = 200  # in the list of pairs
MAX_VALUES = 60  # of a column with few different values, which are listed


def show_panel(masks: FilterMasks, names: Sequence[str]) -> None:
    """Show all filters, with their counts, and a button that clears them."""
    st.markdown("**Filters**")
    _show_classes(masks, names)
    _show_order(masks)
    _show_decisions(masks, names)
    with st.expander("Margin and columns"):
        slide("Normalized margin", "margin", masks.filters.margin, MARGINS)
        _show_column(masks)
    show_saved(str(masks.source.dataset.root))
    used = [name for name in PARAMETERS if name in st.query_params]
    if used:
        st.button(
            f"Clear {count_of(len(used), 'filter')}", key="clear-filters",
            on_click=set_link, args=[dict.fromkeys([*used, *PLACE])],
        )  # fmt: skip


def _show_classes(masks: FilterMasks, names: Sequence[str]) -> None:
    filters = masks.filters
    for label, name, which, chosen in (
        ("Given label", "given", "given", filters.given),
        ("Suggested label", "true", "suggested", filters.suggested),
    ):
        counts = count_classes(masks, which)
        order = np.argsort(-counts, kind="stable")
        choices = Choices(
            [str(each) for each in order],
            name=lambda each: names[int(each)],
            count=lambda each, counts=counts: int(counts[int(each)]),  # type: ignore[misc]
        )
        pick_many(label, name, choices, [str(each) for each in chosen], placeholder="any class")
    _show_pairs(masks, names)


def _show_pairs(masks: FilterMasks, names: Sequence[str]) -> None:
    pairs = count_pairs(masks)
    current = ANY if masks.filters.pair is None else ",".join(map(str, masks.filters.pair))

    def name_pair(pair: str) -> str:
        one, comma, other = pair.partition(",")
        return f"{names[int(one)]} ↔ {names[int(other)]}" if comma else "any pair"

    choices = Choices(
        _list_with_current(current, pairs),
        name_pair,
        lambda each: pairs.get(each, 0) if each else None,
    )
    pick(st.selectbox, "Pair, either way", "pair", choices, current, default=ANY)


def _list_with_current(current: str, others: Iterable[str]) -> list[str]:
    """Return what can be chosen: nothing, what is chosen now, and the rest."""
    return list(dict.fromkeys([ANY, current, *others]))


def count_pairs(masks: FilterMasks) -> dict[str, int]:
    """Return the pairs of classes with the most examples, whichever of the two is given."""
    findings = masks.source.findings
    passing = masks.passing(without="pair")
    labels = np.stack([findings.labels[passing], findings.suggested_labels[passing]])
    low, high = labels.min(axis=0), labels.max(axis=0)
    codes, counts = np.unique(low * len(findings.class_names) + high, return_counts=True)
    most = np.argsort(-counts, kind="stable")[:MAX_PAIRS]
    pairs = (divmod(int(code), len(findings.class_names)) for code in codes[most])
    return {f"{a},{b}": int(n) for (a, b), n in zip(pairs, counts[most], strict=True)}


def _show_order(masks: FilterMasks) -> None:
    filters = masks.filters
    if SCOPES[filters.scope].is_ordered:
        return
    lacking = () if masks.source.neighbours else (NEIGHBOUR_ORDER,)
    orders = [each for each in QUEUE_ORDERS if each not in lacking]
    pick(
        st.selectbox, "Order", "order", Choices(orders, QUEUE_ORDER_NAMES.__getitem__),
        filters.order, default=QUEUE_ORDERS[0],
    )  # fmt: skip
    if filters.order in ORDERS:
        st.caption(ORDERS_MEASURED)
    if filters.order == NEIGHBOUR_ORDER:
        st.caption(NEIGHBOURS_MEASURED)
    if filters.order == RANDOM:
        count_up(
            "Seed of the sample", "seed", filters.seed, MAX_SEED,
            help="The same seed gives the same order. The first examples of a random order are a "
            "random sample of all that match.",
        )  # fmt: skip


def _show_decisions(masks: FilterMasks, names: Sequence[str]) -> None:
    filters, source = masks.filters, masks.source
    ledger = source.ledger
    if ledger is None or not ledger.last:
        return
    with st.expander("Decisions"):
        codes = ledger.codes(source.curator)
        counts = np.bincount(codes[masks.passing(without="actions")], minlength=len(CODE_OF) + 1)
        actions = Choices(
            list(Action), ACTION_NAMES.__getitem__, lambda each: int(counts[CODE_OF[Action(each)]])
        )
        pick_many("Action", "action", actions, filters.actions, placeholder="any action")
        if source.curator is None:  # else everyone judges alone
            _show_kinds(masks, ledger)
            _show_new_labels(masks, ledger, names)
            _show_curators(masks, ledger)
            _show_tags(masks)
            write("Note contains", "note", filters.note)


def _show_tags(masks: FilterMasks) -> None:
    passing = masks.passing(without="tags")
    examples: dict[str, set[int]] = {each: set() for each in masks.filters.tags}
    for row, tags in list_tags(masks.source):
        for tag in tags:
            examples.setdefault(tag, set()).update([row] if passing[row] else [])
    choices = Choices(
        sorted(examples, key=lambda each: (-len(examples[each]), each)),
        lambda each: f"#{each}",
        lambda each: len(examples[each]),
    )
    help = "A word after # in a note is a tag: “#blurry”."
    pick_many("Tag", "tag", choices, masks.filters.tags, placeholder="any tag", help=help)


def _show_kinds(masks: FilterMasks, ledger: Ledger) -> None:
    passing = masks.passing(without="kinds")
    counts = {each: int((ledger.find_kinds([each]) & passing).sum()) for each in IssueKind}
    choices = Choices(
        list(IssueKind), ISSUE_KIND_NAMES.__getitem__, lambda each: counts[IssueKind(each)]
    )
    pick_many("Kind of issue", "kind", choices, masks.filters.kinds, placeholder="any kind")


def _show_new_labels(masks: FilterMasks, ledger: Ledger, names: Sequence[str]) -> None:
    """Show the classes that examples were given, also those that curators added."""
    passing = masks.passing(without="new_label")
    current = masks.filters.new_label or ANY
    counts = Counter(each for row, each in ledger.new_label_ids().items() if passing[row])
    choices = Choices(
        _list_with_current(current, [each for each, _ in counts.most_common()]),
        lambda each: name_new_label(ledger, each, names) if each else "(any class)",
        lambda each: counts[each] if each else None,
    )
    pick(st.selectbox, "Relabelled to", "to", choices, current, default=ANY)


def _show_curators(masks: FilterMasks, ledger: Ledger) -> None:
    passing = masks.passing(without="curator")
    current = masks.filters.curator or ANY
    choices = Choices(
        _list_with_current(current, ledger.list_curators()),
        lambda each: each or "(anyone)",
        lambda each: int(np.count_nonzero(ledger.codes(each)[passing])) if each else None,
    )
    pick(st.selectbox, "Decided by", "by", choices, current, default=ANY)


def _show_column(masks: FilterMasks) -> None:
    dataset, filters = masks.source.dataset, masks.filters
    if not dataset.extras:
        return
    columns = Choices([ANY, *dataset.extras], lambda each: each or "(any column)")
    pick(
        st.selectbox, "Column of the table", "column", columns, filters.column or ANY,
        default=ANY, clears=("value", "cell"),
    )  # fmt: skip
    column = filters.column
    if column is None:
        return
    counts = of_dataset(
        dataset, ("values of a column", column), lambda: _list_values(dataset.extras[column])
    )
    if counts is None:
        write("contains", "cell", filters.cell)
        return
    current = filters.value or ANY
    values = Choices(
        _list_with_current(current, counts),
        lambda each: each or "(anything)",
        lambda each: counts.get(each, 0) if each else None,
    )
    pick(st.selectbox, "is", "value", values, current, default=ANY)


def _list_values(cells: np.ndarray) -> dict[str, int] | None:
    """Return the values of a column with how many examples have each; None if they are many."""
    counts: dict[str, int] = {}
    for each in cells.tolist():
        value = "" if each is None else str(each)
        counts[value] = counts.get(value, 0) + 1
        if len(counts) > MAX_VALUES:
            return None
    return dict(sorted(counts.items(), key=lambda item: -item[1]))
