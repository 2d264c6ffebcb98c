"""A curator's whole way in a real browser, and verdicts of real people given by their keys."""

from __future__ import annotations

import csv
import json
import shutil

import numpy as np

import curation
from curation.store import open_store
from devtools.serving import ROOT, name_curator
from tests import shared_data
from tests.browser.conftest import settle
from tests.browser.test_noise import MAP, click_cell
from tests.browser.watching import PRESSED, painted, press, press_each, saved


def find_queue(dataset, given, true):
    """Return the flagged examples of a pair of classes, the most suspect first."""
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    flagged = np.flatnonzero(findings.masks["confident_joint"])
    rows = [
        row
        for row in flagged
        if dataset.labels[row] == given and findings.suggested_labels[row] == true
    ]
    rows.sort(key=lambda row: findings.normalized_margin[row])
    return [str(dataset.ids[row]) for row in rows]


def read_labels(path):
    with path.open(newline="") as file:
        return {row["id"]: row["label"] for row in csv.DictReader(file)}


def test_from_the_map_to_the_cleaned_file(serve, page, tmp_path):
    folder = tmp_path / "objects"
    shutil.copytree(
        ROOT / "demo_data" / "objects", folder, ignore=shutil.ignore_patterns(".curation")
    )
    dataset = curation.load(folder)
    given, true = (dataset.class_names.index(name) for name in ("tub", "bathtub"))
    queue, classes = find_queue(dataset, given, true), len(dataset.class_names)
    before = read_labels(folder / "labels.csv")
    assert len(queue) > 15
    page.goto(serve(folder).url())
    page.get_by_text("The twelve most suspect labels").wait_for()

    # the map, a cell of it, and exactly its examples
    page.get_by_role("link", name="Noise", exact=True).click()
    page.wait_for_selector(MAP, state="attached")
    click_cell(page, given, true, classes, classes)
    page.wait_for_selector('h4.cu-cell:has-text("Labelled tub, probably bathtub:")')
    page.get_by_role("link", name=f"Review these {len(queue)} →").click()
    painted(page)
    page.get_by_text(f"1 of {len(queue)}", exact=True).wait_for()

    # ten by keyboard, three taken back, a reload
    keys = ["a", "x", "a", "e", "b", "n", "Space", "a", "x", "e"]
    shown = [press(page, key) for key in keys]
    assert shown == queue[:10]
    for example in reversed(shown[7:]):
        page.keyboard.press("z")
        page.wait_for_selector(f".stage[data-painted='{example}']")
    saved(page)
    page.reload()
    page.wait_for_selector(f".stage[data-painted='{shown[7]}']")

    # the next four at once, by drag
    page.get_by_text("Grid", exact=True).click()
    tiles = page.locator(".tile")
    page.get_by_text(f"{len(queue) - 7} to decide together").wait_for()
    tiles.nth(len(queue) - 8).locator("img").wait_for()
    listed = [tile.get_attribute("data-id") for tile in tiles.all()]
    assert listed == queue[7:][: len(listed)]
    first, last = tiles.nth(0).bounding_box(), tiles.nth(3).bounding_box()
    page.mouse.move(first["x"] + 9, first["y"] + 9)
    page.mouse.down()
    page.mouse.move(last["x"] + 40, last["y"] + 40, steps=6)
    page.mouse.up()
    page.get_by_role("status").filter(has_text=f"4 of {len(queue) - 7} selected").wait_for()
    page.keyboard.press("a")
    page.get_by_role("heading", name="Take the suggestion for 4 examples?").wait_for()
    page.keyboard.press("Enter")
    page.get_by_text(f"{len(queue) - 11} to decide together").wait_for()
    saved(page)

    decided = dict(zip(shown[:7], [PRESSED[key] for key in keys[:7]], strict=True))
    decided |= dict.fromkeys(listed[:4], "relabel")
    with open_store(dataset) as store:
        standing = {each.example_id: each for each in store.current()}
        assert {example: each.action for example, each in standing.items()} == decided
        bulk = {each.op_id for example, each in standing.items() if example in listed[:4]}
        assert len(bulk) == 1

    # what the page hands out is what was decided, and nothing else
    expected = dict(before)
    for example, action in decided.items():
        if action == "relabel":
            expected[example] = dataset.class_ids[true]
        if action == "exclude":
            del expected[example]
    page.get_by_role("link", name="Export", exact=True).click()
    settle(page)
    with page.expect_download() as download:
        page.get_by_role("button", name="Download cleaned_labels.csv").click()
    assert read_labels(download.value.path()) == expected
    page.get_by_role("textbox", name="Folder on this machine").fill(str(tmp_path / "out"))
    page.keyboard.press("Enter")
    settle(page)
    page.get_by_role("button", name="Write files").click()
    page.get_by_text("files were written to").wait_for()
    assert read_labels(tmp_path / "out" / "cleaned_labels.csv") == expected
    with (tmp_path / "out" / "corrections.csv").open(newline="") as file:
        assert {row["id"] for row in csv.DictReader(file)} == set(decided)


OPENED_BY_LINK = 3
VERDICTS = {"given": "x", "guessed": "a", "neither": "e"}  # the key that says the same


def test_the_verdicts_of_five_people_on_real_digits(serve, page, tmp_path):
    """Each judges alone what the confusion baseline flags, 87 of the 100; votes have no names.

    In the other 13 the guess is the given label, so that a vote for it counts twice there. No
    method flags those: some are opened by their links, and get what most said, that the label
    stands.
    """
    path = tmp_path / "mnist_test.npz"
    path.write_bytes((shared_data.find("mnist") / "mnist_test.npz").read_bytes())
    verdicts = json.loads((shared_data.find("mnist") / "verdicts.json").read_text())
    votes = {
        str(int(name[6:])): [VERDICTS[word] for word, count in said.items() for _ in range(count)]
        for name, said in verdicts.items()
    }
    dataset = curation.load(path)
    findings = curation.analyze(dataset.labels, dataset.pred_probs, dataset.class_names)
    flagged = {str(dataset.ids[row]) for row in np.flatnonzero(findings.masks["confusion"])}
    assert len(flagged) == 87 and flagged < set(votes)
    assert all(len(votes[example]) == 5 for example in flagged)
    server, given = serve(path), {}
    for judge in range(5):
        curator = f"judge {judge}"
        name_curator(page.context, curator)
        page.goto(server.url("Review", method="confusion", queue="everyone"))
        page.get_by_text("1 of 87", exact=True).wait_for()
        keys = {example: votes[example][judge] for example in flagged}
        assert press_each(page, keys) == keys
        given |= {(curator, example): key for example, key in keys.items()}
        page.get_by_role("heading", name="Nothing is left in this list").wait_for()
        saved(page)
    name_curator(page.context, "five people")
    for example in sorted(set(votes) - flagged)[:OPENED_BY_LINK]:
        page.goto(server.url("Review", id=example))
        page.wait_for_selector(f".stage[data-painted='{example}']")
        page.keyboard.press("x")
        saved(page)
        given["five people", example] = "x"
    assert len(given) == 5 * 87 + OPENED_BY_LINK
    with open_store(dataset) as store:
        entries = store.log()
    assert len(entries) == len(given)
    assert {(each.curator, each.example_id): each.action for each in entries} == {
        who: PRESSED[key] for who, key in given.items()
    }
    for each in entries:
        if each.action == "relabel":
            suggested = findings.suggested_labels[dataset.row_of[each.example_id]]
            assert each.label == dataset.class_names[suggested]
