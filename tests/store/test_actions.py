"""What the actions are called in files and in the browser, and what each of them means."""

from __future__ import annotations

import json

import pytest

from curation.errors import StoreError
from curation.store import Action, ClassAction, IssueKind, Store, from_jsonl, to_jsonl


def test_values_are_the_ones_in_older_stores_and_logs() -> None:
    assert list(Action) == ["keep", "relabel", "ambiguous", "exclude", "skip", "needs_review"]
    assert list(ClassAction) == ["merge", "is_a", "distinct", "rename"]
    assert list(IssueKind) == ["error", "ontological", "multi_label"]


def test_each_action_belongs_to_the_expected_groups() -> None:
    def having(group: str) -> list[str]:
        return [str(each) for each in Action if getattr(each, group)]

    assert having("is_opinion") == ["keep", "relabel", "ambiguous", "exclude", "needs_review"]
    assert having("is_final") == ["keep", "relabel", "ambiguous", "exclude"]
    assert having("judges_label") == ["keep", "relabel", "exclude"]
    assert having("confirms_label") == ["keep", "relabel"]
    assert having("changes_dataset") == ["relabel", "exclude"]


def test_decisions_are_read_with_actions_instead_of_plain_text(store: Store) -> None:
    store.decide("e0", "relabel", label="dog", kind="error", curator="ana")
    store.decide_classes("merge", "cat", "dog", into="dog", curator="ana")
    decision, merge = store.log()
    assert decision.action is Action.RELABEL and merge.action is ClassAction.MERGE
    assert decision.kind is IssueKind.ERROR  # type: ignore[union-attr]
    assert [each.action for each in from_jsonl(to_jsonl(store.log()))] == ["relabel", "merge"]


def test_log_holds_the_plain_text_of_an_action(store: Store) -> None:
    store.decide("e0", Action.SKIP, kind=IssueKind.MULTI_LABEL, curator="ana")
    values = json.loads(to_jsonl(store.log()))
    assert (values["action"], values["kind"]) == ("skip", "multi_label")


def test_log_with_an_unknown_action_is_refused(store: Store) -> None:
    store.decide("e0", "keep", curator="ana")
    text = to_jsonl(store.log()).replace('"keep"', '"burn"')
    with pytest.raises(StoreError) as caught:
        from_jsonl(text)
    assert caught.value.problem == (
        "The decision log, line 1, has an unknown action or kind: 'burn' is not a valid Action."
    )


def test_the_words_of_the_screen_mean_the_actions_of_the_log():
    assert [each.word for each in Action] == [
        "keep", "relabel", "both", "exclude", "skip", "second look",
    ]  # fmt: skip
    for each in Action:
        assert Action(each.word) is each and Action(str(each)) is each
    with pytest.raises(ValueError, match="ambivalent"):
        Action("ambivalent")
