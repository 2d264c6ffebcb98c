"""Drive the running dashboard over the demo data and write the README's pictures.

    python docs/screenshots.py [--mnist FOLDER]

Pictures go to docs/images/, those of MNIST only if its test set is available. The demo data is
copied first, so that no decision is left in it.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
from pathlib import Path
from typing import Any

import curation
from curation.review.audits import draw_audit
from devtools.serving import ROOT, Server, name_curator, open_browser, wait_until_drawn

IMAGES = ROOT / "docs" / "images"
MNIST = ROOT.parent / "shared" / "data" / "mnist"  # next to the project, if it is there
SIZE = {"width": 1440, "height": 900}


def take(browser: Any, url: str, name: str, *, dark: bool = False) -> None:
    """Write one picture of a page that has nothing more to draw."""
    context = browser.new_context(viewport=SIZE, color_scheme="dark" if dark else "light")
    name_curator(context, "ana")
    page = context.new_page()
    page.goto(url)
    wait_until_drawn(page)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(2500)  # charts fade in
    page.screenshot(path=IMAGES / f"{name}.png")
    context.close()
    print(f"docs/images/{name}.png")


def settle_some(path: Path, count: int = 60) -> None:
    """Take the suggestion for the worst examples, and keep every fifth as it is labelled."""
    dataset = curation.load(path)
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    decisions = [
        {"example_id": dataset.ids[row], "action": "keep"}
        if place % 5 == 4
        else {
            "example_id": dataset.ids[row],
            "action": "relabel",
            "label": int(findings.suggested_labels[row]),
        }
        for place, row in enumerate(findings.issues()[:count])
    ]
    with curation.open_store(dataset) as store:
        store.decide_many(decisions, curator="ana")


def audit_some(path: Path, size: int = 120) -> None:
    """Draw an audit and judge all of it by the true labels, which the demo data has."""
    dataset = curation.load(path)
    assert dataset.true_labels is not None
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    with curation.open_store(dataset) as store:
        known = [dataset.row_of[each.example_id] for each in store.current()]
        audit = draw_audit(store, findings, known=known, seed=7, size=size, curator="ana")
        true = {row: int(dataset.true_labels[row]) for row in audit.rows}
        decisions = [
            {"example_id": dataset.ids[row], "action": "keep"}
            if label == dataset.labels[row]
            else {"example_id": dataset.ids[row], "action": "relabel", "label": label}
            for row, label in true.items()
        ]
        store.decide_many(decisions, curator="ana")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    nearby = MNIST if MNIST.is_dir() else None
    parser.add_argument("--mnist", type=Path, default=nearby, help="a folder with mnist_test.npz")
    options = parser.parse_args()
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, open_browser() as browser:
        objects = Path(name) / "objects"
        shutil.copytree(ROOT / "demo_data" / "objects", objects)
        server = Server(objects, Path(name) / "server.log")
        try:
            take(browser, server.url(), "overview")
            take(browser, server.url("Noise", classes="similar"), "noise-dark", dark=True)
            take(browser, server.url("Overlap"), "overlap")
            take(browser, server.url("Review"), "review")
            take(browser, server.url("Review", view="grid"), "review-grid")
            settle_some(objects)
            take(browser, server.url("Export"), "export")
            audit_some(objects)
            take(browser, server.url("Quality"), "quality")
            if options.mnist:
                shutil.copy(options.mnist / "mnist_test.npz", name)
                mnist = Path(name) / "mnist_test.npz"
                take(browser, server.url("Review", data=mnist), "mnist-review")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
