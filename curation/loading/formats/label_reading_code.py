"""Lines of Python that read the cleaned labels back; the report shows them."""

from __future__ import annotations

import json


def quote(text: str) -> str:
    """Return a text as Python writes it, in double quotes."""
    return json.dumps(text, ensure_ascii=False)


def read_column(read: str, column: str) -> list[str]:
    """Return the lines that take the labels as text from a table, read by this expression."""
    return [
        f"cleaned = {read}",
        f'labels = cleaned[{quote(column)}].astype("string").astype(object)',
    ]


def read_csv(name: str, column: str, delimiter: str = ",", encoding: str = "utf-8") -> list[str]:
    """Return the lines that take the labels from a CSV file, exactly as written.

    >>> read_csv("cleaned_labels.csv", "label", ";")[0]
    'cleaned = pd.read_csv("cleaned_labels.csv", converters={"label": str}, sep=";")'
    """
    read = f"pd.read_csv({quote(name)}, converters={{{quote(column)}: str}}"
    if delimiter != ",":
        read += f", sep={quote(delimiter)}"
    if encoding not in ("utf-8", "ascii"):
        read += f", encoding={quote(encoding)}"
    return [f"cleaned = {read})", f"labels = cleaned[{quote(column)}]"]
