"""What the browser is sent of an example."""

from __future__ import annotations

import curation
from curation.ui.widgets.browser_content import SCREEN_PIXELS, show


def test_row_without_content_is_named_as_a_person_counts(tmp_path):
    labels = "id,label\nex0,cat\nex1,\nex2,dog\nex3,cat\nex4,dog\n"
    probs = "id,cat,dog\n" + "".join(
        f"ex{n},{p},{1 - p}\n" for n, p in enumerate((0.75, 0.5, 0.25, 0.75, 0.25))
    )
    (tmp_path / "labels.csv").write_text(labels)
    (tmp_path / "probs.csv").write_text(probs)
    dataset = curation.load(tmp_path)
    assert dataset.ids[1] == "ex2"  # the third row; the second has no label
    shown = show(dataset, 1, SCREEN_PIXELS)
    assert shown["text"] == "Row 3 of the label file, counted from 1 after any header"
