"""What the Noise page does in a browser."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import curation
from curation.analysis.focus import find_most_confused
from curation.ui.noise.map_choice import FOCUS_CLASSES
from tests.browser.conftest import settle
from tests.folders import write_folder

MAP_ROOT = ".st-key-noise-map .js-plotly-plot"
MAP = f"{MAP_ROOT} .nsewdrag"
BYTES_LIMIT = 1_500_000


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    root = tmp_path_factory.mktemp("data")
    return {
        count: write_folder(root / f"c{count}", count, max(1000, 20 * count))
        for count in (2, 10, 60, 1000)
    }


def open_map(page, url):
    page.goto(url)
    page.wait_for_selector(MAP, state="attached")
    settle(page)
    assert not page.locator('[data-testid="stException"]').count()


def click_cell(page, row, column, rows, columns):
    page.wait_for_function(f"() => document.querySelectorAll('{MAP}').length == 1")
    settle(page)
    page.locator(MAP).hover(force=True)  # scrolls to it, and plotly listens from the first move on
    box = find_resting_box(page)
    page.mouse.move(
        box["x"] + box["width"] * (column + 0.3) / columns,
        box["y"] + box["height"] * (row + 0.3) / rows,
    )
    page.wait_for_selector(".hoverlayer .hovertext")
    page.mouse.down()
    page.mouse.up()


def find_resting_box(page):
    box = None
    while box != page.locator(MAP).bounding_box():
        box = page.locator(MAP).bounding_box()
        page.wait_for_timeout(300)
    return box


def wait_for_heading(page, text):
    page.wait_for_selector(f'h4.cu-cell:has-text("{text}")')


@pytest.mark.parametrize(("count", "scheme"), [(10, "light"), (60, "dark")])
def test_click_on_a_cell_shows_its_examples_and_changes_the_link(
    demo_server, folders, page, count, scheme
):
    page.emulate_media(color_scheme=scheme)
    open_map(page, demo_server.url("Noise", data=folders[count]))
    wait_for_heading(page, "Labelled class 0, probably class 1:")
    click_cell(page, 5, 6, count, count)
    wait_for_heading(page, "Labelled class 5, probably class 6:")
    assert "given=5&true=6" in page.url
    click_cell(page, 3, 3, count, count)
    wait_for_heading(page, "Labelled and confidently class 3:")


def test_two_classes_are_a_map_too(demo_server, folders, page):
    open_map(page, demo_server.url("Noise", data=folders[2]))
    wait_for_heading(page, "Labelled class 0, probably class 1:")
    click_cell(page, 1, 0, 2, 2)
    wait_for_heading(page, "Labelled class 1, probably class 0:")


def test_of_a_thousand_classes_the_most_confused_are_clicked_and_all_others_together(
    demo_server, folders, page
):
    dataset = curation.load(folders[1000])
    joint = curation.analyze(dataset.labels, dataset.pred_probs).joint
    shown = find_most_confused(joint, FOCUS_CLASSES)
    others = np.delete(joint, shown, axis=0)[:, shown].sum(axis=0)
    column = int(others.argmax())  # of a class that others are taken for
    page.emulate_media(color_scheme="dark")
    open_map(page, demo_server.url("Noise", data=folders[1000]))
    click_cell(page, 0, 1, len(shown) + 1, len(shown) + 1)
    wait_for_heading(page, f"Labelled class {shown[0]}, probably class {shown[1]}:")
    click_cell(page, len(shown), column, len(shown) + 1, len(shown) + 1)
    wait_for_heading(page, f"Labelled any other class, probably class {shown[column]}:")
    assert f"given=other&true={shown[column]}" in page.url
    page.get_by_role("link", name="Review these").wait_for()


def test_second_click_on_a_cell_keeps_it_and_its_frame(demo_server, folders, page):
    open_map(page, demo_server.url("Noise", data=folders[10]))
    marked = """() => document.querySelector('.st-key-noise-map .js-plotly-plot')
        .data.at(-1).selectedpoints"""
    for _ in range(2):
        click_cell(page, 5, 6, 10, 10)
        wait_for_heading(page, "Labelled class 5, probably class 6:")
        page.wait_for_function(f"() => ({marked})()?.[0] === 56")
    settle(page)
    assert page.evaluate(marked) == [56]


def test_map_is_saved_as_a_picture_for_print(demo_server, folders, page, tmp_path):
    open_map(page, demo_server.url("Noise", data=folders[10]))
    page.locator(MAP).hover(force=True)
    with page.expect_download() as download:
        page.locator('.st-key-noise-map [data-title*="png" i]').click()
    assert download.value.suggested_filename == "c10-Joint.png"
    download.value.save_as(tmp_path / "map.png")
    with Image.open(tmp_path / "map.png") as image:
        assert image.width == 3 * round(page.locator(MAP_ROOT).bounding_box()["width"])
        assert len(image.convert("RGB").getcolors(2**24) or []) > 20  # drawn, not blank


def test_cold_link_restores_the_view(demo_server, folders, page):
    open_map(
        page,
        demo_server.url(
            "Noise",
            data=folders[10],
            matrix="inverse_noise_matrix",
            scale="log",
            diagonal="on",
            given=4,
            true=5,
        ),
    )
    wait_for_heading(page, "Labelled class 4, probably class 5:")
    for name in ("Inverse noise matrix", "log"):
        chosen = page.get_by_role("radio", name=name, exact=True)
        assert chosen.get_attribute("aria-checked") == "true"
    assert (
        page.get_by_role("switch", name="Diagonal")
        .or_(page.get_by_label("Diagonal", exact=True))
        .first.is_checked()
    )


def test_thousand_classes_are_light_and_a_region_opens_from_the_overview(
    demo_server, folders, page
):
    received = 0

    def count(frame):
        nonlocal received
        received += len(frame)

    page.on("websocket", lambda socket: socket.on("framereceived", count))
    open_map(page, demo_server.url("Noise", data=folders[1000]))
    first, received = received, 0
    open_map(page, demo_server.url("Noise", data=folders[1000], shown="all"))
    print(f"1,000 classes: {first / 1e3:,.0f} kB, overview {received / 1e3:,.0f} kB")
    assert 0 < first < BYTES_LIMIT and 0 < received < BYTES_LIMIT
    click_cell(page, 70, 70, 100, 100)  # the largest of classes 700 to 709
    page.wait_for_selector("text=A region of 40 × 40 of 1,000 classes")
    wait_for_heading(page, "Labelled class 701, probably class 702:")
    assert "shown=region" in page.url
    page.wait_for_selector(".st-key-noise-map .js-plotly-plot .ytick >> text=/class 7[0-2]/")
    click_cell(page, 12, 12, 40, 40)  # around classes 701 and 702: from 681 and from 682 on
    wait_for_heading(page, "Labelled class 693, probably class 694:")


def is_in_sight(page, selector):
    box = page.locator(selector).bounding_box()
    return 0 <= box["y"] and box["y"] + box["height"] <= page.viewport_size["height"]


def test_click_on_a_narrow_page_changes_what_is_in_sight(demo_server, folders, page):
    page.set_viewport_size({"width": 1024, "height": 900})
    open_map(page, demo_server.url("Noise", data=folders[60]))
    click_cell(page, 50, 51, 60, 60)
    wait_for_heading(page, "Labelled class 50, probably class 51:")
    for place in ("start", "center", "end"):
        page.locator(MAP_ROOT).evaluate(f"map => map.scrollIntoView({{block: '{place}'}})")
        assert is_in_sight(page, "h4.cu-cell"), place
    page.locator(".cu-tile, .st-key-noise-cell .stPageLink").first.scroll_into_view_if_needed()
    heading, link = (
        page.locator(each).first.bounding_box()["y"]
        for each in ("h4.cu-cell", ".st-key-primary-cell-review")
    )
    assert heading < link


def test_pairs_are_chosen_by_keyboard(demo_server, folders, page):
    open_map(page, demo_server.url("Noise", data=folders[10]))
    wait_for_heading(page, "Labelled class 0, probably class 1:")
    page.wait_for_selector('[data-testid="stDataFrame"] canvas')
    page.get_by_role("button", name="Matrix as CSV").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "TD":
            break
    page.keyboard.press("ArrowDown")
    page.wait_for_function("() => location.search.includes('given=')")
    page.wait_for_selector('h4.cu-cell:not(:has-text("Labelled class 0,"))')
    settle(page)
    assert is_in_sight(page, "h4.cu-cell")
