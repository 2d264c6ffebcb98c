"""The report's lines of Python that read the cleaned labels and their weights."""

from __future__ import annotations

from curation.exports.cleaned_labels import cleaned_name
from curation.exports.report_elements import show
from curation.loading.formats.registry import BY_NAME
from curation.review.cleaning_plan import Plan


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
    dataset = plan.dataset
    read = BY_NAME[dataset.source.format].reading_code(dataset, cleaned_name(dataset))
    lines = ["import numpy as np", "import pandas as pd", "", *read]
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
