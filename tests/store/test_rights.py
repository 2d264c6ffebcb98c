"""Every write to a store is checked against the rights of whoever acts (FAULTS 61)."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curation.errors import NotAllowedError, NotSavedError
from curation.roles import NOBODY, OWNER, Actor, Role
from curation.store import Store, open_store
from devtools.store_dataset import StoreDataset

PLAN = {"rows": [1]}
WRITES: dict[str, tuple[Role, Callable[[Store, str], object]]] = {
    "decide": (Role.CURATOR, lambda store, who: store.decide("e1", "keep", curator=who)),
    "decide_many": (
        Role.CURATOR,
        lambda store, who: store.decide_many([{"example_id": "e1", "action": "keep"}], curator=who),
    ),
    "undo": (Role.CURATOR, lambda store, who: store.undo(curator=who)),
    "redo": (Role.CURATOR, lambda store, who: store.redo(curator=who)),
    "resolve": (Role.LEAD, lambda store, who: store.resolve("e1", "keep", curator=who)),
    "decide_classes": (
        Role.LEAD,
        lambda store, who: store.decide_classes("distinct", 0, 1, curator=who),
    ),
    "draw_audit": (Role.LEAD, lambda store, who: store.draw_audit(PLAN, curator=who)),
    "close_audit": (
        Role.LEAD,
        lambda store, who: store.close_audit(store.audits()[0].op_id, curator=who),
    ),
    "import_log": (Role.ADMIN, lambda store, who: store.import_log([])),
}


class Visited:
    """A store whose visitor a test can change."""

    def __init__(self, dataset: StoreDataset, place: Path) -> None:
        self.actor = OWNER
        self.store = open_store(dataset, place, find_actor=lambda: self.actor)


@pytest.fixture
def visited(dataset: StoreDataset, tmp_path: Path) -> Iterator[Visited]:
    made = Visited(dataset, tmp_path / "decisions.db")
    yield made
    made.store.close()


def allowed(visited: Visited, role: Role, name: str) -> bool:
    """Return whether a write is let through; it starts where there is nothing in its way."""
    least, write = WRITES[name]
    visited.actor = OWNER
    if name == "close_audit":
        visited.store.draw_audit(PLAN, curator="lee")
    visited.actor = Actor(role, "ben")
    before = visited.store.log()
    try:
        write(visited.store, "ben")
    except NotAllowedError as error:
        assert f"a{'n' * (least == 'admin')} {least}" in error.problem.partition(" may ")[0]
        assert visited.store.log() == before
        return False
    return True


@pytest.mark.fault(61, "HOLDS")
@pytest.mark.parametrize("role", Role)
@pytest.mark.parametrize("name", WRITES)
def test_a_write_needs_its_role(visited: Visited, name: str, role: Role) -> None:
    assert allowed(visited, role, name) == role.covers(WRITES[name][0])


def test_every_way_to_write_is_in_the_table_above() -> None:
    writing = {
        name
        for name in vars(Store)
        if not name.startswith("_")
        and name.split("_")[0] in ("decide", "resolve", "undo", "redo", "draw", "close", "import")
    }
    assert writing - {"close"} == set(WRITES)


@pytest.mark.fault(61, "HOLDS")
def test_nobody_may_write_and_the_refusal_is_logged(
    visited: Visited, caplog: pytest.LogCaptureFixture
) -> None:
    visited.actor = NOBODY
    with caplog.at_level(logging.WARNING, "curation.access"), pytest.raises(NotAllowedError):
        visited.store.decide("e1", "keep", curator="ana")
    assert "may decide about labels; you have no role here" in caplog.text


def test_somebody_who_signed_in_decides_under_their_own_name_only(
    visited: Visited, caplog: pytest.LogCaptureFixture
) -> None:
    visited.actor = Actor(Role.ADMIN, "ben@example.org")
    with pytest.raises(NotAllowedError, match="signed in as ben@example.org, not as ana"):
        visited.store.decide("e1", "keep", curator="ana")
    with pytest.raises(NotAllowedError):
        visited.store.undo(curator="ana")
    assert "'ben@example.org'" in caplog.text and "'ana'" in caplog.text
    assert visited.store.decide("e1", "keep", curator="ben@example.org").seq == 1


@pytest.mark.fault(61, "HOLDS")
def test_expired_sign_in_saves_nothing_and_can_be_tried_again(visited: Visited) -> None:
    visited.actor = Actor(Role.ADMIN, "ben", expires=time.time() - 1)
    with pytest.raises(NotSavedError, match="sign-in has expired"):  # so the tab keeps it
        visited.store.decide("e1", "keep", curator="ben")
    assert not visited.store.log()


def test_who_was_a_lead_cannot_undo_as_a_curator_what_only_a_lead_may(visited: Visited) -> None:
    visited.actor = Actor(Role.LEAD, "ben")
    visited.store.decide_classes("distinct", 0, 1, curator="ben")
    visited.actor = Actor(Role.CURATOR, "ben")
    with pytest.raises(NotAllowedError, match="Only a lead or an admin may decide about classes"):
        visited.store.undo(curator="ben")
    assert len(visited.store.class_decisions()) == 1
    assert len(visited.store.log()) == 1
