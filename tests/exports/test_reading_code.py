"""The code in the report runs as it stands, for every kind of label file."""

from __future__ import annotations

import codecs
import html
import json
import os
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

LABELS = ["cat", "dog"] * 4 + ["eel"] * 2


def write_label_file(bench, kind):
    frame = pd.DataFrame({"id": [f"e{row}" for row in range(10)], "y 'x'": LABELS})
    path = bench.root / f"labels.{kind}"
    match kind:
        case "csv":
            frame.to_csv(path, index=False)
        case "tsv":
            frame.to_csv(path, index=False, sep="\t", encoding="utf-16")
        case "jsonl":
            frame.to_json(path, orient="records", lines=True)
        case "parquet":
            frame.to_parquet(path)
        case "json":
            frame.to_json(path, orient="records")
        case "xlsx":
            with pd.ExcelWriter(path) as book:
                frame.head(3).to_excel(book, sheet_name="few", index=False)
                frame.to_excel(book, sheet_name="all", index=False)
        case "npy":
            np.save(path, np.array([0, 1] * 4 + [2] * 2))
    if kind != "npy":
        bench.overrides = {"label_column": "y 'x'"}
    if kind == "tsv":
        bench.overrides["encoding"] = "utf-16"
    if kind == "xlsx":
        bench.overrides["sheet"] = "all"
    bench.classes(("cat", "dog", "eel")).probs([0, 2, 2, 1, 0, 1, 0, 1, 2, 2])


class Recorder(LogisticRegression):
    def fit(self, features, labels, sample_weight=None):
        self.seen = features, list(labels), sample_weight
        return super().fit(features, labels, sample_weight)


def run_code(bench, features, monkeypatch):
    """Run the code of the report in the folder of the export; return what the model was given."""
    page = (bench.out / "report.html").read_text(encoding="utf-8")
    (code,) = re.findall(r'<pre><code class="python">(.*?)</code></pre>', page, re.S)
    monkeypatch.chdir(bench.out)
    model = Recorder()
    exec(html.unescape(code), {"features": features, "model": model})
    return model.seen


@pytest.mark.parametrize("excluded", ["drop", "flag"])
@pytest.mark.parametrize("kind", ["csv", "tsv", "jsonl", "json", "parquet", "xlsx", "npy"])
def test_code_trains_on_the_cleaned_labels_with_the_weights(bench, monkeypatch, kind, excluded):
    write_label_file(bench, kind)
    eel = "2" if kind == "npy" else "eel"
    bench.decide(1, "relabel", "eel").decide(2, "exclude").export(excluded=excluded)
    features = np.random.default_rng(0).normal(size=(10, 2))
    seen, labels, weights = run_code(bench, features, monkeypatch)
    expected = [str(["cat", "dog", "eel"].index(x)) if kind == "npy" else x for x in LABELS]
    expected[1] = eel
    del expected[2]
    assert labels == expected and np.array_equal(seen, np.delete(features, 2, axis=0))
    table = pd.read_csv(bench.out / "class_weights.csv", dtype={"label": str})
    by_label = dict(zip(table["label"], table["weight"], strict=True))
    assert weights.tolist() == [by_label[each] for each in expected]


OTHER_FILES = {  # files that hold labels in another way, as bytes
    "labels.json": json.dumps(LABELS).encode(),
    "rows.json": codecs.BOM_UTF8 + json.dumps([{"label": each} for each in LABELS]).encode(),
    "rows.jsonl": codecs.BOM_UTF8 + "".join(f'{{"label": "{x}"}}\n' for x in LABELS).encode(),
    "labels.txt": "".join(f"{each}\n" for each in ["label", *LABELS]).encode("utf-16"),
    "fast.txt": "".join(f"__label__{each} a text\n" for each in LABELS).encode(),
    "list.txt": codecs.BOM_UTF8 + "".join(f"a b.PNG {each}\r\n" for each in LABELS).encode(),
}


@pytest.mark.parametrize("name", OTHER_FILES)
def test_labels_that_are_in_no_column_are_read_too(bench, monkeypatch, name):
    bench.write(name, OTHER_FILES[name])
    bench.overrides = {"labels": name}
    if name == "labels.txt":
        bench.overrides["encoding"] = "utf-16"
    bench.classes(("cat", "dog", "eel")).probs([0, 2, 2, 1, 0, 1, 0, 1, 2, 2])
    bench.decide(1, "relabel", "eel").decide(2, "exclude").export()
    _, labels, _ = run_code(bench, np.eye(10), monkeypatch)
    assert labels == ["cat", "eel", *LABELS[3:]]


def test_one_hot_arrays_are_read_as_the_columns_that_are_1(bench, monkeypatch):
    np.save(bench.root / "labels.npy", np.eye(3)[[0, 1] * 4 + [2] * 2])
    bench.overrides = {"labels_are": "onehot"}
    bench.probs([0, 2, 2, 1, 0, 1, 0, 1, 2, 2]).relabel({1: 2}).export()
    _, labels, weights = run_code(bench, np.eye(10), monkeypatch)
    assert labels == list("0201010122") and (weights != 1).any()


def test_rows_without_a_label_are_left_out(bench, monkeypatch):
    rows = "".join(f"e{row},{label}\n" for row, label in enumerate(LABELS))
    bench.write("labels.csv", f"id,label\n{rows}e10,\n".encode())
    bench.classes(("cat", "dog", "eel")).probs([0, 2, 2, 1, 0, 1, 0, 1, 2, 2, 0]).export()
    features = np.random.default_rng(0).normal(size=(11, 2))
    seen, labels, _ = run_code(bench, features, monkeypatch)
    assert labels == LABELS and np.array_equal(seen, features[:10])


def test_merged_classes_have_no_weights(small, monkeypatch):
    small.decide_classes("merge", "cat", "dog", into="pet").export(apply_merges=True)
    assert run_code(small, np.eye(10), monkeypatch)[1:] == (["pet"] * 8 + ["eel"] * 2, None)
    assert os.path.exists("class_weights.csv")
