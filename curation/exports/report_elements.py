"""HTML for the report: escaped text, tables, tiles, and an inline style sheet."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence
from functools import cache
from importlib import resources

from curation.wording import list_first

# No scripts and no requests: no name or note can make the page do anything. Pictures are part of
# the page itself.
POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def show(value: object) -> str:
    """Return a value as escaped text, without markup or marks that reverse the text.

    >>> show("<b>&" + chr(0x202E) + "x")
    '&lt;b&gt;&amp;\\\\u202ex'
    """
    plain = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(value))
    return html.escape(plain)


def tile(number: str, words: str) -> str:
    return f'<div class="tile"><b>{show(number)}</b><span>{show(words)}</span></div>'


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], *, numbers: int = 0) -> str:
    """Return a table whose last `numbers` columns are numbers; empty if there are no rows."""
    body = "".join(f"<tr>{_cells('td', row, numbers)}</tr>" for row in rows)
    head = f"<thead><tr>{_cells('th', heads, numbers)}</tr></thead>"
    return f"<table>{head}<tbody>{body}</tbody></table>" if body else ""


def _cells(tag: str, cells: Sequence[object], numbers: int) -> str:
    text = len(cells) - numbers
    return "".join(
        f"<{tag}{' class=n' if place >= text else ''}>{show(cell)}</{tag}>"
        for place, cell in enumerate(cells)
    )


def bars(rows: Sequence[tuple[str, int]], *, rest: str = "") -> str:
    """Return counts as a table with a bar for each; the bar of `rest` is grey."""
    most = max((count for _, count in rows), default=0) or 1
    body = "".join(
        f"<tr><td>{show(name)}</td><td class=n>{count:,}</td><td class=wide>"
        f'<div class="bar{" rest" * (name == rest)}" style="width:{100 * count / most:.1f}%">'
        "</div></td></tr>"
        for name, count in rows
    )
    return f"<table><tbody>{body}</tbody></table>"


def list_as_code(names: Sequence[str], most: int = 20) -> str:
    """Return the first names as code, and how many more there are.

    >>> list_as_code(["a", "b", "c"], most=2)
    '<code>a</code> <code>b</code> and 1 more'
    """
    return list_first(names, most, show=lambda name: f"<code>{show(name)}</code>", between=" ")


@cache
def _read_style() -> str:
    return resources.files(__package__).joinpath("report.css").read_text(encoding="utf-8")


def page(title: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{show(title)}</title><style>\n{_read_style()}</style></head>\n"
        f"<body><main>{body}</main></body></html>\n"
    )
