"""Visits to the review page, and what it sends to the browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from tests.pages import visiting


def open_page(folder: Path, **parameters: object) -> AppTest:
    """Return the review page of a dataset once it shows a queue."""
    test = visiting.run(folder, "pages/3_Review.py", **parameters)
    while not test.get("bidi_component") and test.get("progress"):
        test.run()
    assert not test.exception
    return test


def sent_to_browser(test: AppTest) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(test.get("bidi_component")[0].proto.json)["answer"]
    return answer
