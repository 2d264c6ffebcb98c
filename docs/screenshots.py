"""Drive the running dashboard over the demo data and write the README's pictures.

    python docs/screenshots.py [--only NAME ...] [--mnist FOLDER]

Pictures go to docs/images/, those of MNIST only if its test set is available. The demo data is
copied first, so that no decision is left in it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import curation
from curation.neighbours.map_area import NAME_LENGTH, Area
from curation.review.audits import draw_audit
from devtools.serving import ROOT, Server, name_curator, open_browser, wait_until_drawn

IMAGES = ROOT / "docs" / "images"
MNIST = ROOT.parent / "shared" / "data" / "mnist"  # next to the project, if it is there
SIZE = {"width": 1440, "height": 900}
MEASURED = "text=With all issues removed"
MAP = ".st-key-map-parts"
WORK_MS = 900_000  # for a model to be trained some hundred times
OUTLINE = ((300, 2300), (1500, 2300), (1500, 3800), (300, 3800))  # on the map


def take_picture(
    browser: Any, url: str, name: str, *, dark: bool = False, press: str = "", until: str = ""
) -> None:
    """Write one picture of a page that has nothing more to draw.

    `press` is a button that starts work, unless it was done before, and `until` what shows that it
    is done.
    """
    context = browser.new_context(viewport=SIZE, color_scheme="dark" if dark else "light")
    name_curator(context, "ana")
    page = context.new_page()
    page.goto(url)
    wait_until_drawn(page)
    start = page.get_by_role("button", name=press)
    if press and start.count():
        start.click()
        page.mouse.move(0, 0)  # nothing is under the pointer in the picture
        page.locator(until).first.wait_for(timeout=WORK_MS)
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


def outline_part(path: Path) -> str:
    """Return a part of the map, as a link names it; what the map is made of is then at hand."""
    key = curation.find_neighbours(curation.load(path)).key
    return Area("pca", key[:NAME_LENGTH], OUTLINE).write()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    nearby = MNIST if MNIST.is_dir() else None
    parser.add_argument("--mnist", type=Path, default=nearby, help="a folder with mnist_test.npz")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="such as overview or map")
    options = parser.parse_args()
    IMAGES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, open_browser() as browser:
        os.environ["XDG_CACHE_HOME"] = str(Path(name) / "cache")  # as if nothing was opened before
        objects = Path(name) / "objects"
        shutil.copytree(ROOT / "demo_data" / "objects", objects)
        server = Server(objects, Path(name) / "server.log")

        def take(page: str, picture: str, *, dark=False, press="", until="", **link: Any) -> None:
            if picture in (options.only or [picture]):
                url = server.url(page, **link)
                take_picture(browser, url, picture, dark=dark, press=press, until=until)

        try:
            take("", "overview")
            take("Noise", "noise-dark", dark=True, classes="similar")
            take("Overlap", "overlap")
            take("Review", "review")
            take("Review", "review-grid", view="grid")
            settle_some(objects)
            take("Export", "export")
            audit_some(objects)
            take("Quality", "quality")
            part = {"area": outline_part(objects)}
            take("Map", "map", press="Find similar examples", until=MAP, **part)
            worth = {"data": "demo:reviews", "runs": 5}
            take("Benefit", "benefit", press="Measure it", until=MEASURED, **worth)
            if options.mnist:
                shutil.copy(options.mnist / "mnist_test.npz", name)
                mnist = Path(name) / "mnist_test.npz"
                take("Review", "mnist-review", data=mnist)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
