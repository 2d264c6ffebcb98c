"""What the browser code of the review page must never do."""

from __future__ import annotations

from pathlib import Path

import curation


def test_the_browser_code_never_writes_text_as_markup():
    folder = Path(curation.__file__).parent / "ui" / "review" / "component"
    for script in folder.glob("*.js"):
        for markup in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert markup not in script.read_text(), f"{script.name} uses {markup}"
