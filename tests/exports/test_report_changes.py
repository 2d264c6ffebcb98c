"""What the report lists as changed: pictures, before and after, in bounds, and nothing runs."""

from __future__ import annotations

import base64
import io
import re

import numpy as np
import pytest
from PIL import Image

from curation.exports import report_changes
from tests import small_set


@pytest.fixture
def pictures(bench):
    small_set.write_images(bench.root, 30, 12, size=150, rng=np.random.default_rng(3))
    return bench


def report(bench, **options) -> str:
    bench.export(**options)
    return (bench.out / "report.html").read_text(encoding="utf-8")


def list_rows(text: str) -> list[str]:
    section = text.partition("<h2>What was changed</h2>")[2].partition("<h2>")[0]
    return section.partition("<tbody>")[2].split("<tr>")[1:]


def test_each_changed_example_has_its_picture_before_and_after_who_and_why(pictures):
    pictures.decide(2, "relabel", "dog", note="it barks").decide(4, "exclude", by="bo")
    pictures.decide(5, "keep")
    text = report(pictures)
    assert "img-src data:" in text  # else no browser shows them
    first, second = list_rows(text)
    assert "<code>p00002</code>" in first and "cat → <b>dog</b>" in first
    assert "ana<br>" in first and "it barks" in first
    assert "<code>p00004</code>" in second and "cat → <b>(row removed)</b>" in second
    for row, number in ((first, 2), (second, 4)):
        (data,) = re.findall(r'<img src="data:image/jpeg;base64,([^"]+)" alt="">', row)
        shown = Image.open(io.BytesIO(base64.b64decode(data)))
        source = Image.open(pictures.root / f"images/{number:05}.png").resize(shown.size)
        assert max(shown.size) == report_changes.PICTURE_PIXELS
        assert np.abs(np.asarray(shown, int) - np.asarray(source, int)).mean() < 12


def test_nothing_changed_is_not_listed(pictures):
    assert "What was changed" not in report(pictures.decide(5, "keep"))


def test_a_missing_picture_is_reported_in_its_place(pictures):
    pictures.decide(2, "relabel", "dog").decide(3, "relabel", "dog")
    (pictures.root / "images/00002.png").write_bytes(b"")
    first, second = list_rows(report(pictures))
    assert "<img" not in first and "00002.png" in first and "<img" in second


def test_hostile_text_is_cut_and_stays_text(bench):
    bench.classes(("cat", "<img src=x onerror=alert(1)>"))
    text = "<script>alert(1)</script>" + "x" * 5000
    rows = f"<svg>,cat,{text}\nb,cat,b\nc,<img src=x onerror=alert(1)>,c\n"
    bench.write("labels.csv", f"id,label,text\n{rows}".encode())
    bench.probs([1, 0, 1], 2).decide(0, "relabel", 1, note="<b>note</b>", by="<i>ana</i>")
    (row,) = list_rows(report(bench))
    assert not re.findall(r"<(script|img|svg|b>note|i>)", row)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;x" in row and len(row) < 1500
    assert "→ <b>&lt;img src=x onerror=alert(1)&gt;</b>" in row


def test_a_report_of_many_changes_stays_small(pictures, monkeypatch):
    monkeypatch.setattr(report_changes, "MAX_ROWS", 8)
    monkeypatch.setattr(report_changes, "MAX_PICTURES", 5)
    pictures.relabel({row: "dog" for row in range(12)})
    text = report(pictures)
    rows = list_rows(text)
    assert len(rows) == 8 and sum("<img" in each for each in rows) == 5
    assert "12 rows, those that a person decided first. The first 8 of 12;" in text
    size = len(re.findall(r"<img[^>]*>", text)[0])
    monkeypatch.setattr(report_changes, "MAX_PICTURE_BYTES", 2 * size + size // 2)
    assert sum("<img" in each for each in list_rows(report(pictures))) in (2, 3)


def test_pictures_are_the_same_whenever_they_are_written(pictures):
    pictures.relabel({row: "dog" for row in range(6)})
    assert report(pictures) == report(pictures)
