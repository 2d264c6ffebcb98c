"""Texts as counts of words and of pieces of words.

Counts are hashed, so a text's row depends on that text alone. Each fold learns from its own
training texts how rare each word is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from curation.core.matrix import BoolArray, ShareDone

COLUMNS = 2**18  # for words, and again for pieces; a power of two, so that hashing is cheap
CHUNK = 4096  # texts between two reports
LONGEST = 20_000  # characters of a text that are read; later ones rarely change its class


def normalize_text(text: str) -> str:
    """Return a text as it is compared with others: copies differ at most in case and spaces.

    >>> normalize_text("  Two\\n words ")
    'two words'
    """
    return " ".join(text.casefold().split())


def count_words(texts: Sequence[str], share_done: ShareDone) -> Any:
    """Return a sparse matrix of counts, (n, 2 * COLUMNS): words and pairs, then 3 to 5 letters."""
    from scipy.sparse import hstack, vstack
    from sklearn.feature_extraction.text import HashingVectorizer

    options = {"n_features": COLUMNS, "alternate_sign": False, "norm": None, "dtype": np.float32}
    words = HashingVectorizer(ngram_range=(1, 2), token_pattern=r"\w+", **options)
    pieces = HashingVectorizer(analyzer="char_wb", ngram_range=(3, 5), **options)
    blocks = []
    for start in range(0, len(texts), CHUNK):
        chunk = [text[:LONGEST] for text in texts[start : start + CHUNK]]
        blocks.append(hstack([words.transform(chunk), pieces.transform(chunk)], format="csr"))
        share_done(min(start + CHUNK, len(texts)) / len(texts))
    return vstack(blocks, format="csr")


def has_features(counts: Any) -> BoolArray:
    """Return which texts have any word or letter to learn from."""
    return np.asarray(np.diff(counts.indptr) > 0)
