"""The list of codes, the checks that use them and docs/doctor.md agree."""

import re

import pytest

from curation.diagnosis_codes import CODES, FAMILIES
from curation.loading.doctor import CHECKS
from curation.loading.overrides import HELP
from curation.report import Diagnosis, Severity
from devtools import doctor_page

CALLS = list(doctor_page.read_calls())
WORDS = dict(where="labels.csv", what="It is so.", why="It matters.", fix="Fix it.")


def test_the_calls_are_found():
    assert len(CALLS) > 150
    found = {code for call in CALLS for code in call.codes}
    assert {"labels.unknown", "folder.ambiguous_*", "content.*", "probs.logits"} <= found
    assert {"rows.shifted", "rows.misaligned"} <= found


@pytest.mark.parametrize(
    ("code", "why", "fix"),
    [
        ("path.missing", "There is nothing to read.", "Name an existing folder"),
        ("xlsx.sheets", "The wrong sheet would give", "Pass the right one"),
        ("probs.float16", "Half precision keeps three digits", "Nothing needs to be done."),
        ("probs.percent", "Confident learning averages probabilities", ""),
    ],
)
def test_reasons_and_fixes_are_those_of_the_code_and_of_no_other(code, why, fix):
    page = doctor_page.describe_code(code, CODES[code], doctor_page.find_calls(code, CALLS))
    assert f"matters: {why}" in page and f"to do: {fix}" in page


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.place)
def test_every_code_in_the_source_is_listed(call):
    for code in call.codes:
        pattern = re.escape(code).replace(r"\*", r"\w+")
        listed = [each for each in CODES if re.fullmatch(pattern, each)]
        assert listed, f"add {code} to CODES in curation/diagnosis_codes.py"


@pytest.mark.parametrize("code", CODES)
def test_every_listed_code_is_used_and_with_each_of_its_severities(code):
    places = [
        call
        for call in CALLS
        if any(re.fullmatch(re.escape(each).replace(r"\*", r"\w+"), code) for each in call.codes)
    ]
    assert places, "no check makes it"
    used = frozenset().union(*(call.severities for call in places))
    assert set(CODES[code].severities) <= used
    named = [call.severities for call in places if call.codes == {code}]
    assert frozenset().union(*named) <= set(CODES[code].severities)


@pytest.mark.parametrize("code", CODES)
def test_every_code_has_a_family_a_meaning_a_reason_and_a_fix(code):
    entry = CODES[code]
    assert code.partition(".")[0] in FAMILIES
    assert entry.meaning.endswith(".") and "\n" not in entry.meaning
    assert entry.option in {"", *HELP}
    page = doctor_page.describe_code(code, entry, doctor_page.find_calls(code, CALLS))
    why, fix = re.search(r"matters: (.*)\n- What to do: (.*)\n", page).groups()
    assert why.strip("… ") and fix.strip("… "), page


def test_families_are_all_in_use():
    assert {code.partition(".")[0] for code in CODES} == set(FAMILIES)


def test_checks_that_passed_are_about_listed_codes():
    assert {code for codes in CHECKS.values() for code in codes} <= set(CODES)


def test_checks_of_the_content_are_not_listed_as_passed_before_they_are_made():
    early = [code for codes in CHECKS.values() for code in codes if code.startswith("content.")]
    assert not early, "CHECKS is read before the content: use report.add_passed instead"


def test_diagnosis_of_an_unlisted_code_cannot_be_made():
    with pytest.raises(ValueError, match=r"'rows\.odd' .* add it to CODES in .*codes\.py"):
        Diagnosis(severity=Severity.WARN, code="rows.odd", **WORDS)


def test_diagnosis_of_an_unlisted_severity_cannot_be_made():
    with pytest.raises(ValueError, match=r"'rows\.one' is never of severity BLOCK"):
        Diagnosis(severity=Severity.BLOCK, code="rows.one", **WORDS)
