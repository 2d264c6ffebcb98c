"""Random histories against a model made of plain dicts and lists, for both databases."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import text

from curation.errors import StoreError
from curation.store import ConflictError, Store, open_store
from devtools.store_dataset import make_dataset

EXAMPLES = st.sampled_from(["e0", "e1", "e2"])
CURATORS = st.sampled_from(["ana", "bo"])
ANSWERS = st.sampled_from(
    [("keep", None), ("exclude", None), ("skip", None), ("relabel", "dog"), ("relabel", "eel")]
)
PAIRS = st.sampled_from([("cat", "dog"), ("dog", "cat"), ("dog", "eel")])


class Model:
    """What the store should say: every unit in order, whether it counts, and who can go back."""

    def __init__(self) -> None:
        self.units: list[dict[str, Any]] = []
        self.done: dict[str, list[int]] = {"ana": [], "bo": []}
        self.undone: dict[str, list[int]] = {"ana": [], "bo": []}
        self.entries = 0
        self.revisions: dict[str, int] = {}

    def touch(self, examples: list[str]) -> None:
        for example in examples:
            self.entries += 1
            self.revisions[example] = self.entries

    def say(self, curator: str, what: dict[str, Any], lead: bool = False) -> None:
        """Note one unit: {example: answer}, or {frozenset of classes: action}."""
        seq = self.entries
        words = [key for key in what if isinstance(key, str)]
        self.touch(words)
        self.entries += len(what) - len(words)
        unit = {"curator": curator, "what": what, "lead": lead, "counts": True, "seq": seq}
        self.done[curator].append(len(self.units))
        self.undone[curator].clear()
        self.units.append(unit)

    def back(self, curator: str, forth: bool) -> dict[str, Any] | None:
        source, to = (self.undone, self.done) if forth else (self.done, self.undone)
        if not source[curator]:
            return None
        place = source[curator].pop()
        to[curator].append(place)
        unit = self.units[place]
        unit["counts"] = forth
        words = [key for key in unit["what"] if isinstance(key, str)]
        self.touch(words)
        self.entries += len(unit["what"]) - len(words)
        return unit

    def standing(self, example: str) -> tuple[str, str | None] | None:
        """The last word said, skips only where there is nothing else; a lead wipes the slate."""
        slate: dict[str, tuple[int, Any]] = {}
        for place, unit in enumerate(self.units):
            if unit["counts"] and example in unit["what"]:
                slate = {} if unit["lead"] else slate
                slate[unit["curator"]] = (place, unit["what"][example])
        said = [word for _, word in sorted(slate.values())]
        opinions = [word for word in said if word[0] != "skip"]
        return opinions[-1] if opinions else said[-1] if said else None

    def classes(self) -> dict[frozenset[str], str]:
        found: dict[frozenset[str], str] = {}
        for unit in self.units:
            if unit["counts"]:
                pairs = {k: v for k, v in unit["what"].items() if not isinstance(k, str)}
                found.update(pairs)
        return found


class Decisions(RuleBasedStateMachine):
    """The same rules for both databases; `open_home` says which one."""

    open_home: Any

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp(prefix="machine-"))
        self.dataset = make_dataset(self.folder, 3)
        self.model = Model()
        self.last: tuple[Any, ...] | None = None
        self.homes = 0

    @initialize()
    def open_empty(self) -> None:
        self.url = type(self).open_home(self.folder)
        self.store: Store = open_store(self.dataset, self.url)

    @rule(example=EXAMPLES, curator=CURATORS, answer=ANSWERS, see=st.booleans())
    def decide(self, example: str, curator: str, answer: tuple[str, str | None], see: bool) -> None:
        revision = self.store.revision(example) if see else None
        op = f"op{self.model.entries}"
        arguments = (example, answer[0])
        options = {"label": answer[1], "curator": curator, "revision": revision, "op_id": op}
        stored = self.store.decide(*arguments, **options)  # type: ignore[arg-type]
        self.model.say(curator, {example: answer})
        assert stored.seq == self.model.entries
        self.last = (arguments, options, stored)

    @rule()
    def repeat_the_last(self) -> None:
        if self.last:
            arguments, options, stored = self.last
            assert self.store.decide(*arguments, **options) == stored

    @rule(example=EXAMPLES, curator=CURATORS, answer=ANSWERS)
    def decide_too_late(self, example: str, curator: str, answer: tuple[str, str | None]) -> None:
        if not self.model.revisions.get(example):
            return
        standing = self._mean(example, self.model.standing(example))
        meant = self._mean(example, answer)
        try:
            stored = self.store.decide(
                example, answer[0], label=answer[1], curator=curator, revision=0
            )
        except ConflictError as error:
            assert standing != meant
            self.model.entries += 1
            assert error.attempted.seq == self.model.entries
            assert error.revision == self.model.revisions[example]
        else:
            assert standing == meant
            if stored.seq > self.model.entries:  # else it is the curator's own, said before
                self.model.say(curator, {example: answer})

    def _mean(self, example: str, said: tuple[str, str | None] | None) -> Any:
        """To relabel an example to the label it has is to keep it."""
        row = int(example[1:])
        given = self.dataset.class_names[self.dataset.labels[row]]
        return ("keep", None) if said == ("relabel", given) else said

    @rule(curator=CURATORS, answer=ANSWERS)
    def decide_all(self, curator: str, answer: tuple[str, str | None]) -> None:
        ids = ["e0", "e1", "e2"]
        rows = [{"example_id": each, "action": answer[0], "label": answer[1]} for each in ids]
        self.store.decide_many(rows, curator=curator)
        self.model.say(curator, dict.fromkeys(ids, answer))

    @rule(curator=CURATORS)
    def fail_to_decide_many(self, curator: str) -> None:
        rows = [{"example_id": each, "action": "keep"} for each in ("e0", "nowhere")]
        with pytest.raises(StoreError, match="no example 'nowhere'"):
            self.store.decide_many(rows, curator=curator)

    @rule(example=EXAMPLES, curator=CURATORS, answer=ANSWERS)
    def resolve(self, example: str, curator: str, answer: tuple[str, str | None]) -> None:
        self.store.resolve(example, answer[0], label=answer[1], curator=curator)
        self.model.say(curator, {example: answer}, lead=True)

    @rule(pair=PAIRS, curator=CURATORS, action=st.sampled_from(["is_a", "distinct"]))
    def decide_classes(self, pair: tuple[str, str], curator: str, action: str) -> None:
        self.store.decide_classes(action, *pair, curator=curator)
        self.model.say(curator, {frozenset(pair): action})  # type: ignore[dict-item]

    @rule(curator=CURATORS)
    def undo(self, curator: str) -> None:
        self._compare_taken(self.store.undo(curator=curator), self.model.back(curator, False))

    @rule(curator=CURATORS)
    def redo(self, curator: str) -> None:
        self._compare_taken(self.store.redo(curator=curator), self.model.back(curator, True))

    def _compare_taken(self, taken: Any, unit: dict[str, Any] | None) -> None:
        if unit is None:
            assert taken is None
        else:
            assert [each.seq for each in taken.unit][0] == unit["seq"] + 1
            assert len(taken.unit) == len(unit["what"])

    @rule()
    def reopen(self) -> None:
        self.store.close()
        self.store = open_store(self.dataset, self.url)
        self._opened_sound()

    @rule()
    def crash(self) -> None:
        """SQLite: go on with the files as a killed process leaves them. PostgreSQL: cut."""
        if not isinstance(self.url, Path):
            with self.store.backend.reader.connect() as connection:
                connection.execute(
                    text(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE pid <> pg_backend_pid() AND usename = 'test'"
                    )
                )
            return
        self.homes += 1
        left = self.url.with_name(f"after-crash-{self.homes}.db")
        shutil.copyfile(self.url, left)
        if Path(f"{self.url}-wal").exists():
            shutil.copyfile(f"{self.url}-wal", f"{left}-wal")
        self.store.close()
        self.url = left
        self.store = open_store(self.dataset, self.url)
        self._opened_sound()

    def _opened_sound(self) -> None:
        assert not any("agree" in notice for notice in self.store.notices)

    @invariant()
    def says_what_the_model_says(self) -> None:
        if not hasattr(self, "store"):
            return
        wanted = {each: self.model.standing(each) for each in ("e0", "e1", "e2")}
        found = {each.example_id: (each.action, each.label) for each in self.store.current()}
        assert found == {each: said for each, said in wanted.items() if said is not None}
        seqs = [entry.seq for entry in self.store.log()]
        assert seqs == list(range(1, self.model.entries + 1))
        for example in wanted:
            assert self.store.revision(example) == self.model.revisions.get(example, 0)
        pairs = {each.subject: each.action for each in self.store.class_decisions()}
        assert pairs == self.model.classes()

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()
        shutil.rmtree(self.folder, ignore_errors=True)


def run(open_home: Any, examples: int) -> None:
    machine = type("Decisions", (Decisions,), {"open_home": staticmethod(open_home)})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=examples,
            stateful_step_count=25,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_sqlite_follows_the_model() -> None:
    run(lambda folder: folder / "decisions.db", examples=15)


def test_postgresql_follows_the_model(postgres: Any) -> None:
    run(lambda folder: postgres.make_home(), examples=8)
