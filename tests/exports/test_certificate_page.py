"""certificate.json and certificate.html in an export."""

from __future__ import annotations

import json

import pytest

from curation.exports import export
from curation.exports.certificate_page import to_page
from curation.review.certificate import Certificate
from tests.audited import Audited


@pytest.fixture
def certified(tmp_path):
    """An export after an audit of nine, judged and closed."""
    pets = Audited(tmp_path / "pets")
    with pets.open() as store:
        audit = pets.draw(store, size=9)
        pets.judge(store, audit.rows)
        store.close_audit(audit.name, curator="ana")
        export(pets.dataset, store, tmp_path / "out")
    return tmp_path / "out"


def test_the_page_holds_what_the_json_holds(certified):
    content = json.loads((certified / "certificate.json").read_text())
    page = (certified / "certificate.html").read_text()
    for text in (
        content["sentence"],
        content["after_cleaning"],
        content["dataset"]["fingerprint"],
        "Label quality of pets",
        "<dd>pets: 300 examples, 3 classes</dd>",
        content["log"]["sha256"],
        "9 judged of 9 drawn",
        "Each line holds by itself, with its own 95 %",
        "by ana (9)",
        *(f"<td>{each['id']}</td>" for each in content["sample"]),
    ):
        assert text in page
    assert "<script" not in page and "Content-Security-Policy" in page


def test_the_report_says_what_the_audit_measured(certified, small):
    content = json.loads((certified / "certificate.json").read_text())
    report = (certified / "report.html").read_text()
    assert content["sentence"] in report and "9 of 9 drawn labels judged, seed 7" in report
    small.export()
    assert "What an audit measured" not in (small.out / "report.html").read_text()


def test_without_an_audit_both_files_say_that_nothing_is_certified(small):
    small.export()
    content = json.loads((small.out / "certificate.json").read_text())
    assert content["audit"] is None
    assert content["sentence"] in (small.out / "certificate.html").read_text()


def test_hostile_names_stay_text(certified):
    content = json.loads((certified / "certificate.json").read_text())
    evil = "<script>alert(1)</script>"
    content["judged_by"] = {evil: 1}
    content["sample"][0]["given"] = content["sample"][0]["decisions"][0]["decision"] = evil
    page = to_page(Certificate(content, None)).decode()
    assert evil not in page and page.count("&lt;script&gt;alert(1)") == 3
