"""Print the time from a key press to the next example, compared with Streamlit's own buttons.

    python benchmarks/review.py            1k, 100k, 1.28M examples; half an hour, 2 GB of disk
    python benchmarks/review.py --quick    small data, in a minute or two

Both pages run in the same Chromium on the same examples, one after the other. Times are taken in
the browser: from the `keydown` event to the frame after the next example is on the screen. The
native page is the usual Streamlit one: a button with a shortcut, a rerun, `st.image` or `st.text`.
First item: from opening the address to the first example painted, the server warm; the median of
a few openings, each followed by one of a Streamlit page that holds a single caption. No page on
Streamlit can be there sooner than that one, so the limit is on what Review adds to it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from pathlib import Path

from devtools.review_timing import (
    BARE,
    KEYS,
    KINDS,
    MAX_FIRST_MS,
    MAX_MEDIAN_MS,
    MAX_P95_MS,
    Measured,
    make_data,
    measure,
)
from devtools.serving import Server, open_browser

NATIVE = """
import sys
from pathlib import Path
import pandas as pd
import streamlit as st
st.set_page_config(layout="wide")

@st.cache_data
def read(folder):
    return pd.read_csv(Path(folder) / "labels.csv", nrows=500, dtype=str)

folder = sys.argv[2]  # after --data
table = read(folder)
st.session_state.setdefault("at", 0)
def decide():
    st.session_state.at += 1
row = table.iloc[st.session_state.at]
if "image" in table:
    st.image(str(Path(folder) / row["image"]), width=720)
else:
    st.text(row["text"])
st.caption(f"shown {row['id']}")
st.button("Keep", on_click=decide, shortcut="x")
"""


def report(measured: Measured, name: str, verdict: str) -> None:
    print(
        f"{name:34} median {measured.median:6.1f} ms  p95 {measured.p95:6.1f} ms"
        f"  {len(measured.times):3} of {KEYS} keys  first item {measured.first / 1000:5.2f} s ="
        f" bare page {measured.bare / 1000:.2f} s {measured.added / 1000:+.2f} s"
        f"  {verdict}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="small data only")
    parser.add_argument("--only", help="one kind, such as 'image 224'")
    chosen = parser.parse_args()
    sizes = [1_000, 20_000] if chosen.quick else [1_000, 100_000, 1_281_167]
    kinds = [chosen.only] if chosen.only else list(KINDS)
    medians = " or ".join(f"{each:.0f}" for each in sorted({*MAX_MEDIAN_MS.values()}))
    print(
        f"limits: median {medians} ms (20,000 characters), p95 {MAX_P95_MS:.0f} ms, "
        f"first item {MAX_FIRST_MS / 1000:.1f} s after a bare page"
    )
    print(f"load of this machine now: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores\n")
    rows: list[tuple[str, Measured]] = []
    with tempfile.TemporaryDirectory() as temporary, open_browser() as browser:
        room = Path(temporary)
        for name, source in (("native", NATIVE), ("bare", BARE)):
            (room / f"{name}.py").write_text(source)
        bare = Server(None, room / "log", app=str(room / "bare.py"))
        for size in sizes:
            for kind in kinds:
                folder = make_data(room / f"{kind} {size}", kind, size)
                server = Server(folder, room / "log")
                rows.append((kind, measure(browser, server.url("Review"), bare.url(), 600)))
                server.stop()
                verdict = "ok" if rows[-1][1].meets(kind) else "TOO SLOW"
                report(rows[-1][1], f"{kind:11} {size:>9,} review", verdict)
                if size == sizes[0]:
                    server = Server(folder, room / "log", app=str(room / "native.py"))
                    measured = measure(browser, server.url(), bare.url(), 60)
                    server.stop()
                    report(measured, f"{kind:11} {size:>9,} native button", "")
                shutil.rmtree(folder)
        bare.stop()
    sys.exit(0 if all(measured.meets(kind) for kind, measured in rows) else 1)


if __name__ == "__main__":
    main()
