"""Why an example was flagged, in words."""

from __future__ import annotations

import curation
from curation.review import flag_reasons


def test_a_flag_is_explained_in_one_sentence_with_numbers(findings, pets):
    # Thresholds: cat (.9+.1+.8+.02+.05)/5 = .374, dog (.8+.9+.7)/3 = .80.
    assert flag_reasons.explain(findings, pets, 4) == (
        "The model gives dog 0.98, typical for dog is 0.80; it gives the label cat 0.02; "
        "all five methods flag it."
    )
    assert flag_reasons.explain(findings, pets, 0).endswith("no method flags it.")


def test_a_percentile_is_not_called_typical(pets):
    # Dogs have .8, .9 and .7: half of them at most .80, all of them at most .90.
    for level, said in ((50, "the 50th percentile for dog is 0.80"), (100, "for dog is 0.90")):
        found = curation.analyze(pets.labels, pets.pred_probs, ["cat", "dog"], threshold=level)
        assert said in flag_reasons.explain(found, pets, 4)
