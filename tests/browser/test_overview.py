"""The first page in a real browser: cold, in both themes, slow, hostile."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.browser.conftest import GROUNDS, find_ground, open_page, settle
from tests.pages.visiting import save

PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)>",
    "<svg/onload=alert(3)>",
    '"><iframe src=javascript:alert(4)>',
    "![x](http://evil.example/a.png)",
    "[x](javascript:alert(5))",
    "<style>@import 'http://evil.example/a.css'</style>",
    "<div style=background:url(http://evil.example/b.png)>",
    ":red[boom] **bold** :smile: $x^2$ `code`",
    "<a href=http://evil.example>x</a>",
    "%{hovertext}<b>{{7*7}}",
    "a\u202egnp.exe",
    "https://evil.example/d www.evil.example me@evil.example",
)

FOREIGN_LINK = "a[href^='mailto:'], a[href^='http']:not([href^='http://localhost:'])"


def read(page):
    settle(page)
    return page.locator("body").inner_text()


def path_box(page):
    return page.get_by_role("textbox", name="Path on this machine")


def test_the_demo_opens_cold_and_whole(demo_server, page):
    page.goto(demo_server.url())
    page.get_by_text("The twelve most suspect labels").wait_for()
    page.get_by_text("Strongest overlap").wait_for()
    page.locator(".cu-tile img").nth(11).wait_for()
    page.locator(".js-plotly-plot").nth(2).wait_for()
    page.get_by_test_id("stDataFrame").wait_for()
    assert re.search(r"About \d+ of 1,700 labels look wrong", read(page))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_each_theme_has_its_own_background(demo_server, chromium, theme):
    with open_page(chromium, theme=theme) as page:
        page.goto(demo_server.url())
        page.get_by_text("Strongest overlap").wait_for()
        assert find_ground(page) == GROUNDS[theme]


def test_the_link_that_has_the_focus_is_marked(demo_server, page):
    page.goto(demo_server.url())
    settle(page)
    page.get_by_role("link", name="Overview", exact=True).focus()
    page.keyboard.press("Tab")
    focused = "() => document.activeElement.innerText"
    assert page.evaluate(focused) == "Noise"
    outline = "() => getComputedStyle(document.activeElement).outlineStyle"
    assert page.evaluate(outline) == "solid"


def test_a_link_restores_the_settings_and_a_reload_keeps_them(demo_server, page, tmp_path):
    data = save(tmp_path / "pets")
    page.goto(demo_server.url(data=data, method="confusion", threshold="90"))
    page.get_by_text("57 flagged").wait_for()
    page.reload()
    page.get_by_text("57 flagged").wait_for()
    page.get_by_text("Method and threshold").click()
    choices = page.get_by_test_id("stPopoverBody").get_by_role("combobox")
    choices.nth(2).wait_for()
    chosen = [each.input_value() for each in choices.all()]
    assert chosen[:2] == ["Confusion baseline — 57 flagged", "90th percentile of self-confidence"]


def test_a_path_is_opened_and_put_into_the_link(demo_server, page, tmp_path):
    data = save(tmp_path / "pets")
    page.goto(demo_server.url(given="3"))
    page.get_by_text("Open another dataset").click()
    path_box(page).fill(str(data))
    page.get_by_role("button", name="Open this path").click()
    page.get_by_text("About 43 of 300 labels look wrong").wait_for()
    assert "pets" in page.url and "given" not in page.url
    page.reload()
    page.get_by_text("About 43 of 300 labels look wrong").wait_for()


def test_a_click_anywhere_in_a_row_shows_the_issues_of_its_class(demo_server, page, tmp_path):
    page.set_viewport_size({"width": 1440, "height": 2400})
    page.goto(demo_server.url(data=save(tmp_path / "pets")))
    page.locator(".js-plotly-plot").nth(2).wait_for()
    settle(page)
    table = page.get_by_test_id("stDataFrame").bounding_box()
    page.mouse.click(table["x"] + 90, table["y"] + 38 + 17)  # its name
    page.get_by_text("like another class, most suspect first").wait_for()
    chosen = page.locator(".st-key-primary-review-class").inner_text()
    page.keyboard.press("ArrowDown")  # the table still has the keyboard
    page.wait_for_function(
        "was => document.querySelector('.st-key-primary-review-class').innerText !== was",
        arg=chosen,
    )
    assert re.search(r"issues=\d", page.url)


def test_a_slow_dataset_shows_how_far_it_is_is_shared_and_can_be_cancelled(
    demo_server, page, tmp_path
):
    slow = tmp_path / "slow"
    slow.mkdir()
    np.save(slow / "labels.npy", np.arange(3_000_000) % 1000)
    shape = (3_000_000, 1000)  # a file of holes: it takes no room, but every row is looked at
    np.lib.format.open_memmap(slow / "probs.npy", "w+", np.float32, shape).flush()
    page.goto(demo_server.url(data=slow))
    page.get_by_text("Checking the probabilities").wait_for()
    page.wait_for_function("() => parseInt(document.body.innerText.match(/(\\d+)%/)?.[1]) >= 13")
    other = page.context.new_page()
    other.goto(demo_server.url(data=slow))
    other.get_by_text("Checking the probabilities").wait_for()
    share = int(re.search(r"(\d+)%", other.locator("body").inner_text())[1])
    assert share >= 13  # not begun anew
    page.get_by_role("button", name="Cancel").click()
    page.get_by_text("Opening was cancelled").wait_for()
    other.get_by_text("Opening was cancelled").wait_for()
    path_box(page).fill(str(save(tmp_path / "pets")))
    page.get_by_role("button", name="Open this path").click()
    page.get_by_text("About 43 of 300 labels look wrong").wait_for()


def test_a_blocked_dataset_is_fixed_by_its_button(demo_server, page, tmp_path):
    data = save(tmp_path / "pets")
    np.save(data / "probs.npy", np.log(np.load(data / "probs.npy")) + 3)
    page.goto(demo_server.url(data=data))
    page.get_by_text("needs a decision before it can be opened").wait_for()
    page.get_by_role("button", name="Apply softmax").click()
    page.get_by_text("About 43 of 300 labels look wrong").wait_for()
    page.get_by_role("button", name="Undo").click()
    page.get_by_text("needs a decision before it can be opened").wait_for()


def test_hostile_text_is_shown_and_does_nothing(demo_server, page, tmp_path):
    out, dialogs = [], []
    page.on("request", lambda request: out.append(request.url))
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    data = save(tmp_path / "<img src=x onerror=alert(0)>", n=1200, names=PAYLOADS, noise=0.4)
    labels = np.load(data / "labels.npy")
    texts = [PAYLOADS[row % len(PAYLOADS)].replace('"', '""') for row in range(len(labels))]
    rows = [f'"{text}{row}","{text}",{labels[row]}' for row, text in enumerate(texts)]
    (data / "labels.csv").write_text("id,text,label\n" + "\n".join(rows) + "\n")
    (data / "labels.npy").unlink()
    page.goto(demo_server.url(data=data))
    page.get_by_text("The twelve most suspect labels").wait_for()
    page.get_by_text("<img src=x onerror=alert(0)>").first.wait_for()
    page.get_by_text("Open another dataset").click()
    path_box(page).wait_for()
    settle(page)
    assert page.locator(FOREIGN_LINK).count() == 0
    ours = re.compile(r"^(http://localhost:|data:|blob:)")
    assert not dialogs and not [url for url in out if not ours.match(url)]
    hostile = (
        "<svg/onload=alert(9)> ![x](http://evil.example/c.png) http://evil.example www.evil.xyz"
    )
    page.goto(demo_server.url(data=hostile))
    page.get_by_text("there is no such file or folder").first.wait_for()
    settle(page)
    assert page.locator(FOREIGN_LINK).count() == 0
    assert not dialogs and not [url for url in out if not ours.match(url)]
