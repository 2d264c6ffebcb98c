"""Names of classes in a column of a table: the browser cuts a long one at its end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from curation.wording import shorten_apart

PADDING = 16  # pixels of a cell that hold no text
CHARACTER = 7.5  # pixels, of names in general


def name_cells(names: Sequence[str], pixels: int) -> list[str]:
    """Return what to write into a column of this width, so that no two names look alike there.

    A name that would be cut like another is cut where it differs. All others stay whole: whoever
    widens the column or copies a cell has the full name.

    >>> name_cells(["a long name of one", "a long name of two", "so very long a name"], 100)
    ['a long …one', 'a long …two', 'so very long a name']
    """
    length = int((pixels - PADDING) / CHARACTER)
    seen = length - 1  # characters before the browser's own dots
    begins = Counter(name[:seen] for name in dict.fromkeys(names))
    alike = [name for name in names if len(name) > length and begins[name[:seen]] > 1]
    cut = dict(zip(alike, shorten_apart(alike, length), strict=True))
    return [cut.get(name, name) for name in names]
