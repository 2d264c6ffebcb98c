from __future__ import annotations

import json


def test_pictures_are_named_by_their_file(bench):
    from PIL import Image

    for name in ("cat/1.png", "cat/2.png", "dog/1.png"):
        (bench.root / name).parent.mkdir(exist_ok=True)
        Image.new("RGB", (2, 2)).save(bench.root / name)
    bench.probs([0, 1, 1], 2).export(method="confusion")
    task = json.loads((bench.out / "prodigy.jsonl").read_text())
    assert task["image"] == "cat/2.png" and task["meta"]["suggested_label"] == "dog"


def test_nothing_flagged_is_an_empty_list(bench):
    bench.write("labels.csv", b"id,label\na,x\nb,y\n")
    bench.probs([0, 1], 2).export()
    assert json.loads((bench.out / "argilla.json").read_text()) == []
    assert (bench.out / "prodigy.jsonl").read_bytes() == b""
