"""What the dashboard was started with: the arguments after `--`, and one environment variable."""

from __future__ import annotations

import argparse
import os
import sys

ACCESS_VARIABLE = "CURATION_ACCESS"  # names the access file, as --access does


def read_command() -> argparse.Namespace:
    """Return the arguments of `streamlit run app.py -- ...`, which `curate` passes on."""
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--data")
    parser.add_argument("--store")
    parser.add_argument("--fix", help="the overrides of `load`, as JSON")
    parser.add_argument("--folder", default="", help="the folder that other paths are relative to")
    parser.add_argument("--access", default=os.environ.get(ACCESS_VARIABLE))
    parser.add_argument("--framed-by", nargs="+", default=[], help="origins that may frame it")
    return parser.parse_known_args(sys.argv[1:])[0]
