from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest

import curation

PAYLOADS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</title></style><svg/onload=alert(1)>",
    "{{7*7}} &lt;b&gt; ]]>",
    "javascript:alert(1)//' onmouseover='x",
]


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.attributes: set[str] = set()
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.seen.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.text.append(data)


def parse(bench) -> Tags:
    tags = Tags()
    tags.feed((bench.out / "report.html").read_text(encoding="utf-8"))
    return tags


def test_hostile_names_notes_and_curators_stay_text(bench):
    bench.classes(PAYLOADS[:3])
    rows = "".join(f"e{k},{k % 3}\n" for k in range(12))
    bench.write("labels.csv", b"id,label\n" + rows.encode())
    bench.probs([1, *(k % 3 for k in range(1, 12))])
    bench.decide(0, "relabel", 1, by=PAYLOADS[1], note=PAYLOADS[0])
    bench.decide(0, "keep", by=PAYLOADS[4])
    bench.decide_classes("merge", 0, 1, into=PAYLOADS[3], note=PAYLOADS[1])
    bench.export(policy="agreed only")
    tags = parse(bench)
    assert not tags.seen & {"script", "img", "iframe", "link", "object", "a", "form"}
    assert not any(name.startswith("on") or name in ("src", "href") for name in tags.attributes)
    shown = "".join(tags.text)
    for payload in PAYLOADS[:3]:
        assert payload[:20] in shown
    assert PAYLOADS[3] in shown and PAYLOADS[4] in shown


def test_the_report_asks_for_nothing_from_outside(small):
    small.export()
    text = (small.out / "report.html").read_text()
    assert not re.search(r"https?:|//cdn|@import|url\(", text)
    assert "default-src 'none'" in text and len(text) < 60_000


def test_the_report_says_what_was_found_decided_and_measured(small):
    small.relabel({1: "eel"}).decide(2, "keep").decide(2, "exclude", by="bo").decide(
        3, "keep", by="bo"
    )
    small.decide(1, "relabel", "eel", by="bo")
    small.export(method="confusion")
    shown = " ".join(parse(small).text)
    measured = ("Agreement", "kappa", "Noise matrix", "trace Q", "latent prior")
    for words in ("relabelled", "By curator", "Curators disagree on 1 example", *measured):
        assert words in shown
    assert "2 flagged examples" in shown and "100 %" in shown


@pytest.mark.parametrize("num_classes", [2, 60])
def test_many_classes_show_the_most_confused(bench, num_classes):
    labels = np.repeat(np.arange(num_classes), 4)
    np.save(bench.root / "labels.npy", labels)
    bench.probs((labels + (np.arange(len(labels)) % 4 == 0)) % num_classes, num_classes).export()
    text = (bench.out / "report.html").read_text()
    assert ("The 40 classes most confused with each other, of 60" in text) == (num_classes == 60)
    assert text.count("<svg") == 2


@pytest.mark.fault(23, "HOLDS")
def test_warnings_of_the_doctor_are_carried(bench):
    bench.write("labels.csv", b"id,label\na,x\nb,\nc,y\nd,x\n")
    bench.probs([0, 0, 1, 0], 2).export()
    assert "1 of 4 rows has no label" in (bench.out / "report.html").read_text()
    [warning] = [e for e in bench.manifest["warnings"] if e["code"] == "labels.unlabelled"]
    assert warning["first_rows"] and warning["why"] and warning["fix"]
    shown = "".join(parse(bench).text)
    assert warning["why"] in shown and warning["first_rows"][0] in shown


def test_the_estimate_comes_with_the_models_strength_and_no_interval(small):
    small.export()
    shown = "".join(parse(small).text)
    strength = curation.analyze(small.dataset.labels, small.dataset.pred_probs).strength
    assert "wrong labels: the paper's estimate, from this model" in shown
    assert strength.describe() in shown and "calibration error" in shown
    assert "interval" not in shown and "95 %" not in shown
    manifest = json.loads((small.out / "manifest.json").read_text())
    figures = manifest["estimate"]["model_strength"]
    assert figures["agreement"] == round(strength.agreement, 4)
    assert manifest["estimate"]["model_warnings"] == strength.warnings() != []
    assert all(warning in shown for warning in strength.warnings())
