"""`curate` and `curate PATH`: open the dashboard."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from curation.errors import InputError
from curation.paths import find_dashboard


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    parser = subparsers.add_parser("open", help="open the dashboard (the default)")
    parser.add_argument("path", nargs="?", type=Path, help="a dataset; without it, the demo data")
    parser.add_argument(
        "--store", help="where its decisions are kept: a file, or postgresql+psycopg://..."
    )
    parser.add_argument("--port", type=int, help="by default 8501, or the next that is free")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    parser.set_defaults(run=open_dashboard)


def open_dashboard(options: argparse.Namespace) -> int:
    """Start Streamlit on the dashboard and return its exit code when it ends."""
    if options.store and not options.path:
        raise InputError("--store was given without a dataset.", "Pass the dataset's path as well.")
    if options.path and not options.path.exists():
        raise InputError(f"There is nothing at {options.path}.", "Pass a folder or a file.")
    from streamlit.web import cli  # here, because it takes a second to load

    sys.argv = ["streamlit", "run", str(find_dashboard() / "app.py")]
    sys.argv += [f"--server.port={options.port}"] if options.port else []
    sys.argv += [f"--server.headless={str(options.no_browser).lower()}"]
    if options.path:
        sys.argv += ["--", "--data", str(options.path.resolve())]
        sys.argv += ["--store", options.store] if options.store else []
    result: int = cli.main(standalone_mode=False) or 0
    return result
