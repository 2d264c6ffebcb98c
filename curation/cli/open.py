"""`curate` and `curate PATH`: open the dashboard."""

from __future__ import annotations

import argparse
import json
import os
import sys
from pathlib import Path
from typing import Any

from curation.cli.check import add_load_flags, read_load_flags
from curation.errors import InputError
from curation.paths import find_dashboard
from curation.storage.remote_address import find_address


def add_parser(subparsers: argparse._SubParsersAction[Any]) -> None:
    parser = subparsers.add_parser("open", help="open the dashboard (the default)")
    parser.add_argument(
        "path", nargs="?", metavar="PATH",
        help="a dataset, also in object storage (s3://bucket/folder); without it, the demo data",
    )  # fmt: skip
    parser.add_argument(
        "--store", help="where its decisions are kept: a file, or postgresql+psycopg://..."
    )
    parser.add_argument(
        "--access", type=Path, metavar="FILE",
        help="who may sign in, and what they may do (or set CURATION_ACCESS); without it, only "
        "this machine is served, and only to whoever has the printed link",
    )  # fmt: skip
    parser.add_argument(
        "--host", help="the address to listen on; without --access, one of this machine"
    )
    parser.add_argument("--port", type=int, help="by default 8501, or the next free port")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser window")
    parser.add_argument(
        "--framed-by", nargs="+", default=[], metavar="ORIGIN",
        help="servers of this machine whose pages may show the dashboard in a frame, such as a "
        "notebook's: http://localhost:8888",
    )  # fmt: skip
    add_load_flags(parser)
    parser.set_defaults(run=open_dashboard)


def open_dashboard(options: argparse.Namespace) -> int:
    """Start Streamlit on the dashboard and return its exit code when it ends."""
    if options.store and not options.path:
        raise InputError("--store was given without a dataset.", "Pass the dataset's path as well.")
    fixes = read_load_flags(options)
    if fixes and not options.path:
        flag = "--" + next(iter(fixes)).replace("_", "-")
        raise InputError(f"{flag} was given without a dataset.", "Pass the dataset's path as well.")
    data = _find_data(options.path) if options.path else None
    from streamlit.web import cli  # imported here, because it takes a second

    from curation.ui.server.access_file import read_access
    from curation.ui.server.addresses import THIS_MACHINE, check_address, check_framing
    from curation.ui.server.command_line import ACCESS_VARIABLE
    from curation.ui.server.trusted_proxy import FORWARDED_VARIABLE

    access = options.access or os.environ.get(ACCESS_VARIABLE)
    if access:
        read_access(Path(access))  # what is wrong in it is said before anything starts
    address = options.host or os.environ.get("STREAMLIT_SERVER_ADDRESS") or THIS_MACHINE
    check_address(address, signs_in=bool(access))
    check_framing(options.framed_by, signs_in=bool(access))
    os.environ[FORWARDED_VARIABLE] = ""  # no header changes where a request comes from
    sys.argv = ["streamlit", "run", str(find_dashboard() / "app.py")]
    sys.argv += [f"--server.address={address}"]
    sys.argv += [f"--server.port={options.port}"] if options.port else []
    sys.argv += [f"--server.headless={str(options.no_browser).lower()}"]
    sys.argv += ["--", "--folder", os.getcwd()]
    sys.argv += ["--access", str(Path(access).resolve())] if access else []
    sys.argv += ["--framed-by", *options.framed_by] if options.framed_by else []
    if data:
        sys.argv += ["--data", data]
        sys.argv += ["--store", _absolute(options.store)] if options.store else []
        sys.argv += ["--fix", json.dumps(fixes)] if fixes else []
    # Streamlit reads settings and secrets from the working folder. That may be a dataset's folder,
    # and a dataset may come from anyone.
    os.chdir(find_dashboard())
    result: int = cli.main(standalone_mode=False) or 0
    return result


def _find_data(place: str) -> str:
    """Return the whole path or the address of a dataset; stop if there is nothing at a path."""
    address = find_address(place)
    if address is not None:
        return str(address)
    if not Path(place).exists():
        raise InputError(f"There is no file or folder {place}.", "Pass a folder or a file.")
    return str(Path(place).resolve())


def _absolute(store: str) -> str:
    """Return where decisions are kept, whatever the working folder is."""
    return store if "://" in store else str(Path(store).resolve())
