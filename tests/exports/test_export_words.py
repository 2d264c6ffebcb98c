"""One word for one thing, in every file of an export that a person reads."""

from __future__ import annotations

import re


def test_no_file_for_people_uses_the_words_of_the_log(small):
    small.decide(1, "ambiguous", labels=["cat", "dog"]).decide(2, "needs_review")
    small.export(method="confusion", excluded="flag")
    shown = {
        path.name: path.read_text(encoding="utf-8")
        for path in small.out.iterdir()
        if path.suffix in (".csv", ".html") or path.name in ("argilla.json", "prodigy.jsonl")
    }
    # options have the names that the command line knows
    shown["report.html"] = re.sub(r"Settings: .*?\. ", "", shown["report.html"])
    for name, text in shown.items():
        found = re.findall(r"ambiguous|needs[_ ]review|apply_merges|mixing", text)
        assert not found, name
    assert "both" in shown["corrections.csv"] and "second look" in shown["corrections.csv"]
