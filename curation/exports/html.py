"""HTML for the report: text that stays text, tables, tiles, and a style without outside help."""

from __future__ import annotations

import html
from collections.abc import Iterable, Sequence

# No script, no request: whatever a name or a note holds, the page cannot be made to do anything.
POLICY = "default-src 'none'; style-src 'unsafe-inline'"

STYLE = """
:root{color-scheme:light dark;--ground:#fff;--ink:#1b2430;--soft:#5b6673;--line:#dfe4ea;
--panel:#f5f7fa;--accent:#0b5fa5;--suspect:#c44e00;--quiet:#8a94a0}
@media (prefers-color-scheme:dark){:root{--ground:#11161d;--ink:#e6ebf1;--soft:#9aa7b5;
--line:#2b3440;--panel:#1a212b;--accent:#6db3f2;--suspect:#ff9a4d;--quiet:#6b7684}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);
font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1000px;margin:0 auto;padding:40px 24px 64px}
h1{font-size:28px;margin:0 0 4px;letter-spacing:-.01em}
h2{font-size:19px;margin:44px 0 10px;padding-top:18px;border-top:1px solid var(--line)}
h3{font-size:15px;margin:22px 0 6px}
p{margin:6px 0;max-width:72ch}.soft{color:var(--soft)}
h1+p{max-width:none}.rest{background:var(--quiet)!important}
.tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(165px,1fr));gap:12px;margin:26px 0}
.tile{background:var(--panel);border-radius:10px;padding:14px 16px}
.tile b{display:block;font-size:26px;line-height:1.2;font-variant-numeric:tabular-nums}
.tile span{color:var(--soft);font-size:13px}
table{border-collapse:collapse;width:100%;font-size:14px;margin:8px 0}
th,td{text-align:left;padding:5px 10px 5px 0;border-bottom:1px solid var(--line);
vertical-align:top;overflow-wrap:anywhere}
th{color:var(--soft);font-weight:600}.n{text-align:right;font-variant-numeric:tabular-nums;
white-space:nowrap;padding-right:18px}
.bar{height:9px;border-radius:3px;background:var(--accent);min-width:2px}.wide{width:38%}
.pair{display:grid;grid-template-columns:1fr 1fr;gap:28px}.note{border-left:3px solid
var(--suspect);background:var(--panel);padding:8px 14px;margin:10px 0;border-radius:0 6px 6px 0}
figure{margin:14px 0}figcaption{color:var(--soft);font-size:13px;margin-top:6px;max-width:72ch}
svg{max-width:100%;height:auto;display:block}svg text{fill:var(--ink);font-size:11px}
svg .small{font-size:9px}svg .soft{fill:var(--soft)}
svg .right{fill:var(--quiet)}svg .wrong{fill:var(--suspect)}
svg .frame{fill:none;stroke:var(--line)}
code{font:13px ui-monospace,Menlo,Consolas,monospace;background:var(--panel);padding:1px 5px;
border-radius:4px;overflow-wrap:anywhere}
dt{font-weight:600;margin-top:10px}dd{margin:2px 0 0}
@media (max-width:760px){.pair{grid-template-columns:1fr}}
@media print{main{max-width:none;padding:0}h2,h3{break-after:avoid}
figure,.tile,tr,.note{break-inside:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
"""


def show(value: object) -> str:
    """Return anything as text for the page: nothing in it is markup, or turns the text around.

    >>> show("<b>&" + chr(0x202E) + "x")
    '&lt;b&gt;&amp;\\\\u202ex'
    """
    plain = "".join(c if c.isprintable() else repr(c)[1:-1] for c in str(value))
    return html.escape(plain)


def tile(number: str, words: str) -> str:
    return f'<div class="tile"><b>{show(number)}</b><span>{show(words)}</span></div>'


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], *, numbers: int = 0) -> str:
    """Return a table; the last `numbers` columns are numbers. Empty where there are no rows."""
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
    """Return counts as a table with a bar beside each; that of `rest` in grey."""
    most = max((count for _, count in rows), default=0) or 1
    body = "".join(
        f"<tr><td>{show(name)}</td><td class=n>{count:,}</td><td class=wide>"
        f'<div class="bar{" rest" * (name == rest)}" style="width:{100 * count / most:.1f}%">'
        "</div></td></tr>"
        for name, count in rows
    )
    return f"<table><tbody>{body}</tbody></table>"


def some(names: Sequence[str], most: int = 20) -> str:
    """Return a few of some names as code, saying how many more there are.

    >>> some(["a", "b", "c"], most=2)
    '<code>a</code> <code>b</code> and 1 more'
    """
    shown = " ".join(f"<code>{show(each)}</code>" for each in names[:most])
    return shown if len(names) <= most else f"{shown} and {len(names) - most:,} more"


def page(title: str, body: str) -> str:
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{show(title)}</title><style>{STYLE}</style></head>\n"
        f"<body><main>{body}</main></body></html>\n"
    )
