"""docs/faults.md lists every numbered case, and each one is proven."""

from __future__ import annotations

import pytest

from curation.errors import ContentError, InputError
from curation.report import Diagnosis, Severity
from devtools.fault_cases import CASES, OUTCOMES, SECTIONS
from devtools.faults_page import build_page, read_proofs
from tests.fault_messages import Messages


def test_every_case_has_a_test_that_names_it():
    proven = {proof.number for proof in read_proofs()}
    assert sorted(proven) == list(CASES) == list(range(1, 85))


def test_every_marker_names_a_case_and_an_outcome():
    for proof in read_proofs():
        assert proof.number in CASES and proof.outcome in OUTCOMES, proof


def test_a_refusal_or_a_warning_comes_with_its_words():
    """Of each case that is refused, warned of or skipped, at least one test has the message."""
    proofs = read_proofs()
    said = {(proof.number, proof.outcome) for proof in proofs if proof.says}
    silent = {(proof.number, proof.outcome) for proof in proofs if proof.outcome != "HOLDS"} - said
    assert silent == set()


def test_the_page_has_a_row_for_each_case_under_its_section():
    page = build_page()
    assert [line for line in page.splitlines() if line.startswith("## ")] == [
        f"## {heading}" for heading in SECTIONS.values()
    ]
    for number in CASES:
        assert page.count(f"\n| {number} | {CASES[number]} | ") == 1


def test_errors_and_diagnoses_are_noted_as_what_a_person_reads(monkeypatch):
    messages = Messages()
    messages.note_errors(monkeypatch)
    InputError("The file is  red.", "Paint it.")
    ContentError("torn", "Glue it.", name="a.png")
    Diagnosis(
        severity=Severity.WARN, code="rows.one", where="x", what="One row.", why="w", fix="Add."
    )
    assert not messages.lack("BLOCK", "The file is red. Paint it.")
    assert not messages.lack("SKIP", "a.png: torn. Glue it.")
    assert not messages.lack("WARN", "x: One … Add.")
    assert not messages.lack("HOLDS", "Glue it.")
    for outcome, says in (("WARN", "Glue it."), ("BLOCK", "Paint … it. more"), ("HOLDS", "green")):
        assert messages.lack(outcome, says)


@pytest.mark.parametrize("promise", ["a.b", "(x)"])
def test_a_promise_is_no_pattern(promise):
    messages = Messages()
    messages.add("BLOCK", "aXb x")
    assert messages.lack("BLOCK", promise)
