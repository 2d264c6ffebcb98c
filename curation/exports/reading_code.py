"""The report's lines of Python that read the cleaned labels and their weights."""

from __future__ import annotations

import json

from curation.exports.cleaned_labels import cleaned_name
from curation.exports.report_elements import show
from curation.loading.formats.registry import BY_NAME
from curation.review.cleaning_plan import Plan

READ_TABLE = {  # how pandas reads a table, by the name of its format; others are CSV
    "jsonl": "pd.read_json({name}, lines=True, dtype=False)",
    "jsonl.gz": "pd.read_json({name}, lines=True, dtype=False)",
    "parquet": "pd.read_parquet({name})",
    "xlsx": "pd.read_excel({name}, converters={{{column}: str}})",
}


def write_reading_code(plan: Plan) -> str:
    """Return the section with the code."""
    return (
        "<h2>Train on the result</h2><p>With <code>features</code>, one row for each row of your "
        "own label file, and any scikit-learn <code>model</code> that takes weights:</p>"
        f'<pre><code class="python">{show_code(make_code(plan))}</code></pre>'
    )


def show_code(code: str) -> str:
    return "\n".join(show(line) for line in code.splitlines())


def make_code(plan: Plan) -> str:
    """Return code that reads the labels, weighs each by its class, and trains a model on them."""
    lines = ["import numpy as np", "import pandas as pd", "", *_read_labels(plan)]
    lines.append('keep = np.load("keep_mask.npy")  # which rows of your label file stay')
    if plan.settings.excluded == "flag":
        lines.append("labels = labels[keep].reset_index(drop=True)")
    lines.append("assert len(labels) == keep.sum()")
    if plan.dataset.num_source_rows > len(plan.dataset):
        lines.append('labels = labels[labels.notna() & (labels != "")]')
    if plan.settings.apply_merges and plan.classes.changed:  # the weights are of other classes
        lines.append("model.fit(features[keep][labels.index], labels)")
        return "\n".join(lines)
    lines += [
        'classes = pd.read_csv("class_weights.csv", converters={"label": str})',
        'weights = classes.set_index("label")["weight"]',
        "sample_weight = labels.map(weights).fillna(1.0)  # a class without a weight counts as 1",
        "model.fit(features[keep][labels.index], labels, sample_weight=sample_weight)",
    ]
    return "\n".join(lines)


def _read_labels(plan: Plan) -> list[str]:
    """Return the lines that read the cleaned labels as text, one per row."""
    source = plan.dataset.source
    name = _quote(cleaned_name(plan.dataset))
    if source.format == "npy":
        return [f"labels = pd.Series(np.load({name})).astype(str)"]
    own_table = BY_NAME[source.format].export_suffix is None
    column = _quote(source.label_column if own_table and source.label_column else "label")
    if own_table and source.format in READ_TABLE:
        read = READ_TABLE[source.format].format(name=name, column=column)
        return [f"cleaned = {read}", f'labels = cleaned[{column}].astype("string").astype(object)']
    read = f"pd.read_csv({name}, converters={{{column}: str}}"
    if own_table and source.delimiter and source.delimiter != ",":
        read += f", sep={_quote(source.delimiter)}"
    if own_table and source.encoding not in ("utf-8", "ascii"):
        read += f", encoding={_quote(source.encoding)}"
    return [f"cleaned = {read})", f"labels = cleaned[{column}]"]


def _quote(text: str) -> str:
    """Return a text as Python writes it, in double quotes."""
    return json.dumps(text, ensure_ascii=False)
