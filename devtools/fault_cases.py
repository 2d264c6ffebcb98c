"""The numbered cases of bad input and bad luck that the tests try; docs/faults.md lists them.

A test proves a case by `@pytest.mark.fault(number, outcome, says="...")`. To add a case, add it to
`CASES` and mark the test that proves it.
"""

from __future__ import annotations

from collections.abc import Mapping

# What can come of a case.
OUTCOMES: Mapping[str, str] = {
    "BLOCK": "it is refused and nothing is changed; a message says why and what to do",
    "WARN": "it goes on; the warning stays on the pages and in the export",
    "AUTO": "a harmless fix is made and reported",
    "SKIP": "that example shows the reason instead of its picture or text; the rest works",
    "HOLDS": "nothing is lost, doubled, changed, run or sent",
}

# The first case of each section, and its heading.
SECTIONS: Mapping[int, str] = {
    1: "Labels and probabilities",
    30: "Tables",
    43: "Pictures and texts",
    51: "Security",
    66: "Decisions, exports and the machine",
}

# Cases that no test proves, and why.
NOT_BUILT: Mapping[int, str] = {
    64: "object storage is not supported; files are read from the file system alone",
}

CASES: Mapping[int, str] = {
    1: "another number of labels than rows of probabilities",
    2: "transposed probabilities",
    3: "a NaN among the probabilities",
    4: "an infinity among the probabilities",
    5: "logits or log-probabilities",
    6: "percentages from 0 to 100",
    7: "rows that do not add up to 1",
    8: "a row of zeros",
    9: "probabilities in float16",
    10: "rows that are shifted, shuffled or sorted differently",
    11: "columns of classes in another order",
    12: "named columns in another order, unknown or missing",
    13: "a label that has no column",
    14: "labels counted from 1",
    15: "-1, “unlabeled” or an empty cell as a label",
    16: "NaN, None or NA as a label",
    17: "labels as floats, booleans, bytes, categories or text",
    18: "labels as a column, one-hot or several for an example",
    19: "a class without examples",
    20: "a class with one to four examples",
    21: "one class only",
    22: "no rows, or one",
    23: "probabilities predicted on training data",
    24: "constant or uniform predictions",
    25: "one probability per example",
    26: "ids that repeat, and identical rows",
    27: "a shuffled pandas index",
    28: "more rows and classes than memory holds",
    29: "arrays of objects, complex numbers or with a mask",
    30: "007 and 01 as ids or labels",
    31: "classes called NA, None, null, nan, N/A or True",
    32: "a byte order mark, CRLF, CR, or no newline at the end",
    33: "UTF-16 or Latin-1",
    34: "semicolons or tabs between the cells",
    35: "rows with more or fewer cells than the header",
    36: "columns that repeat, no label column, an empty file, a header alone",
    37: "NUL bytes, a cell of 10 MB, a text of a million characters",
    38: "integers above 2^53 beside a missing cell",
    39: "class names that differ only in case, spaces or Unicode form",
    40: "emoji, right-to-left text, control characters and newlines in class names",
    41: "cleaned labels, compared with the source",
    42: "a file that is cut short",
    43: "a picture that is missing, empty, cut short or not a picture",
    44: "a picture that EXIF says to turn",
    45: "CMYK, palettes and transparency",
    46: "16 bits of grey",
    47: "animations and documents of several pages",
    48: "100 megapixels in 11 kB",
    49: "EPS, PDF, FITS, PSD and SVG",
    50: "10,000 pictures, one in twenty corrupt",
    51: "file names that lead outside the dataset",
    52: "links that lead outside the dataset, also swapped in after the check",
    53: "pickles under any name",
    54: "headers and archives that claim or unpack to far more than the file",
    55: "archive entries that lead outside",
    56: "120 hostile texts in every field of a dataset, on every page",
    57: "cells that a spreadsheet would run as formulas",
    58: "SQL in a search, and columns that do not exist",
    59: "the address that the server listens on",
    60: "requests of other sites, and without the token",
    61: "a request of someone who is not signed in, or whose role is too low",
    62: "guessing the token or forging the cookie that lets people in; there are no passwords",
    63: "an unexpected error, with secrets in it",
    64: "object storage that is not configured, redirects or stops answering",
    65: "an upload that is too large or of another kind",
    66: "the server is killed at a random moment",
    67: "a power cut leaves half a write-ahead log",
    68: "a double click, a held key, the same message twice",
    69: "an action while the last one is being stored, and a closed tab",
    70: "two curators decide the same example",
    71: "a reload, five minutes offline, a restart of the server",
    72: "undo and redo",
    73: "a full disk",
    74: "a read-only database or folder",
    75: "a database that is corrupt, empty, missing, deleted or replaced",
    76: "a database that others lock, share or keep on a network folder",
    77: "a dataset that changed after decisions were made",
    78: "an export is killed",
    79: "a database of an older or a newer version",
    80: "a backup while 20 writers work, restored elsewhere",
    81: "a clock that goes back",
    82: "a PostgreSQL server that dies, or whose answer is lost",
    83: "an SQLite library with a known fault",
    84: "Ctrl-C or SIGTERM with 20 open tabs",
}
