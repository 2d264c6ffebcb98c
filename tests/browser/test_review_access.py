"""Who can use the review page, and what it makes of hostile text and of a store it cannot write."""

from __future__ import annotations

import csv
import sqlite3
from pathlib import Path

import numpy as np
import pytest

import curation
from curation.store import open_store
from devtools.serving import name_curator, wait_until_drawn
from tests import small_set
from tests.browser.conftest import Served
from tests.browser.watching import painted, press, saved

CONTRAST = (Path(__file__).parent / "contrast.js").read_text()

FOCUS = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (!at?.getRootNode().host) return null;
  const drawn = at.matches('.tiles') ? at.querySelector('.focused') : at;
  const style = getComputedStyle(drawn);
  const { outlineStyle, outlineWidth } = style;
  return [at.className || at.tagName, at.textContent, outlineStyle, parseFloat(outlineWidth)];
}"""

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(2)><svg/onload=alert(3)>",
    "**bold** _it_ `code` # head :red[boom] :smile: $x^2$ ~~gone~~ [x](javascript:alert(4))",
    "![x](http://evil.example/a.png) <style>*{display:none}</style> &lt;b&gt; &amp;",
    "a\u202egnp.exe\u202c \u05d0\u05d1\u05d2 \u2067x\u2069 \u200f!",
    "zero\u200bwidth\u200d joi\u2060ned \ufeffmark \u00ad soft",
    "line one\n  line two\ttabbed\n\n\n   indented   spaces   ",
    "👩‍👩‍👧‍👦 🏳️‍🌈 e\u0301 Z̸̧̢͓͙ ﷽ 漢字 \U0001f9d1\U0001f3ff",
    "null", "None", "undefined", "NaN", "{{7*7}} ${7*7} %s %{x}", "0", "=1+1",
    "é" * 19_000 + " <b>end</b> " + "word " * 200,
)  # fmt: skip


@pytest.fixture(scope="module")
def server(demo_server, tmp_path_factory):
    folder = tmp_path_factory.mktemp("access")
    data = small_set.write_images(folder / "set", 240, 60, rng=np.random.default_rng(3))
    return Served(demo_server, data)


def too_faint(page):
    found = page.evaluate(CONTRAST)
    assert len(found) > 20  # it did look
    return [each for each in found if each[2] < 4.5]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_text_has_enough_contrast(server, page, theme):
    page.emulate_media(color_scheme=theme, reduced_motion="reduce")
    name_curator(page.context, theme)
    page.goto(server.url("Review"))
    press(page, "x")
    press(page, "n")
    saved(page)
    wait_until_drawn(page)  # what is being drawn again is faded meanwhile
    assert not too_faint(page)
    page.keyboard.press("ArrowLeft")
    page.get_by_text("You asked for a second look.").wait_for()
    for _ in range(3):
        page.keyboard.press("k")
        assert not too_faint(page)
    page.keyboard.press("t")
    page.keyboard.type("e")
    page.get_by_role("option", name="eel").wait_for()
    assert not too_faint(page)
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.get_by_role("dialog", name="help").wait_for()
    assert not too_faint(page)
    page.keyboard.press("Escape")
    page.get_by_text("Grid", exact=True).click()
    page.locator(".tile img").nth(20).wait_for()
    page.locator(".tile").nth(1).click()
    assert not too_faint(page)
    page.keyboard.press("e")
    page.get_by_role("heading", name="Exclude 1 example?").wait_for()
    assert not too_faint(page)


def test_everything_works_by_keyboard_with_a_visible_focus(server, page):
    name_curator(page.context, "keys")
    page.goto(server.url("Review", queue="everyone"))
    first = press(page, "a")
    second = painted(page)
    page.keyboard.press("k")
    assert (
        page.get_by_role("radio", name="error", exact=True).get_attribute("aria-checked") == "true"
    )
    page.keyboard.press("m")
    page.keyboard.type("axe")
    page.keyboard.press("Enter")
    page.keyboard.press("t")
    page.keyboard.type("ee")
    page.keyboard.press("Enter")
    page.wait_for_selector(f".stage[data-painted]:not([data-painted='{second}'])")
    saved(page)
    with open_store(curation.load(server_data(server))) as store:
        one, two = (store.history(each)[-1] for each in (first, second))
    assert (one.action, one.label) == ("relabel", "dog")
    assert (two.action, two.label, two.kind, two.note) == ("relabel", "eel", "error", "axe")

    page.get_by_role("button", name="It is dog").focus()
    reached = {}
    for _ in range(12):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        if focus is None:
            break
        reached[focus[1]] = focus
        assert focus[2] == "solid" and focus[3] >= 2, focus
    assert {"XKeep cat", "BBoth", "EExclude", "NSecond look", "⌫Undo", "HHelp"} <= set(reached)
    third = painted(page)
    page.get_by_role("button", name="Exclude").focus()
    page.keyboard.press("Enter")  # a button under the focus is pressed once, and keeps the focus
    page.wait_for_selector(f".stage[data-painted]:not([data-painted='{third}'])")
    assert "EExclude" in page.evaluate(FOCUS)

    page.get_by_role("radio", name="One by one").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    page.locator(".tile").first.wait_for()
    page.get_by_role("button", name="Select none").focus()
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUS)[0] == "tiles":
            break
    assert page.evaluate(FOCUS)[2:] == ["solid", 2]
    page.keyboard.press("Space")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Shift+ArrowRight")
    tiles = page.get_by_role("listbox", name="Examples")
    assert tiles.get_attribute("aria-activedescendant") == "tile-2"
    assert tiles.get_by_role("option", selected=True).count() == 3
    page.keyboard.press("x")
    page.get_by_role("dialog", name="confirm").wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("status").filter(has_text="0 of 54 selected").wait_for()
    page.keyboard.press("z")
    page.get_by_role("status").filter(has_text="0 of 57 selected").wait_for()
    saved(page)


def test_where_classes_are_digits_a_digit_key_means_that_class(serve, page, tmp_path):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(1))
    table = folder / "labels.csv"
    text = table.read_text()
    for name, digit in (("cat", "7"), ("dog", "8"), ("eel", "9")):
        text = text.replace(f",{name},", f",{digit},")
    table.write_text(text)
    page.goto(serve(folder).url("Review"))
    shown = {press(page, "9"): ("relabel", "9"), press(page, "8"): ("relabel", "8")}
    shown[press(page, "7")] = ("keep", None)  # the label it has
    page.keyboard.press("1")  # no class of that name, and nothing happens
    saved(page)
    with open_store(curation.load(folder)) as store:
        assert {each.example_id: (each.action, each.label) for each in store.log()} == shown


def server_data(server):
    return server.data


def test_everything_has_its_role_and_every_picture_its_words(server, page):
    with open_store(curation.load(server_data(server))) as store:
        store.decide_classes("is_a", "cat", "dog", into="dog", curator="roles")
    name_curator(page.context, "roles")
    page.goto(server.url("Review", queue="everyone"))
    painted(page)
    assert page.locator("[data-el=latest] .chip").all_inner_texts() == ["kind of ✓"]
    page.locator(".stamp img").nth(9).wait_for()
    for role, name in (
        ("region", "Review of labels"), ("progressbar", "Decided"), ("list", "Likeliest classes"),
        ("combobox", "Any other class"), ("radiogroup", "Kind of issue"), ("toolbar", "Decide"),
        ("textbox", "Note"), ("button", "Undo (Backspace or Z)"),
    ):  # fmt: skip
        assert page.get_by_role(role, name=name, exact=True).count() >= 1, (role, name)
    assert page.get_by_role("status").filter(has_text="all saved").count() == 1
    shortcuts = page.locator("[aria-keyshortcuts]").evaluate_all(
        "all => all.map(each => each.getAttribute('aria-keyshortcuts'))"
    )
    named = {"Backspace Z", "Shift+Z Control+Y", "ArrowLeft", "ArrowRight", "Space"}
    assert set(shortcuts) == {*"AXBEHSN", *"PLOT", *named}
    pictures = page.locator(".review img")
    assert pictures.count() > 10
    assert all(each.get_attribute("alt") for each in pictures.all())


def write_hostile(folder):
    folder.mkdir()
    count = 20 * len(HOSTILE)
    names = ["<b>cat</b> **x**", "a\u202egnp.exe", "null"]
    labels = np.arange(count) % 3
    labels[: len(HOSTILE)] = 0
    probabilities = np.full((count, 3), 0.08)
    probabilities[np.arange(count), labels] = 0.84
    probabilities[: len(HOSTILE)] = [0.02, 0.96, 0.02]
    np.save(folder / "probs.npy", probabilities)
    (folder / "classes.txt").write_text("\n".join(names))
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "label", "text", "<i>other</i>"])
        for row in range(count):
            text = HOSTILE[row] if row < len(HOSTILE) else f"plain {row}"
            writer.writerow([f"<u>{row}</u>", names[labels[row]], text, text[:500]])
    return folder


def test_hostile_text_is_shown_letter_by_letter_and_nothing_of_it_runs(serve, page, tmp_path):
    alarms = []
    page.on("dialog", lambda dialog: (alarms.append(dialog.message), dialog.accept()))
    page.on(
        "request", lambda request: alarms.append(request.url) if "evil" in request.url else None
    )
    page.goto(serve(write_hostile(tmp_path / "set")).url("Review"))
    for seen in range(len(HOSTILE)):
        example = painted(page)
        text = HOSTILE[int(example[3:-4])]
        assert page.locator(".content .text").evaluate("e => e.textContent") == text
        assert page.locator("[data-el=id]").evaluate("e => e.textContent") == example
        assert page.locator("[data-el=extras] dt").all_text_contents() == ["<i>other</i>"]
        assert page.locator("[data-el=extras] dd").evaluate("e => e.textContent") == text[:500]
        assert page.locator("[data-el=given]").evaluate("e => e.textContent") == "<b>cat</b> **x**"
        assert (
            page.locator("[data-el=suggested]").evaluate("e => e.textContent") == "a\u202egnp.exe"
        )
        assert page.get_by_role("button", name="Keep <b>cat</b> **x**").is_visible()
        page.keyboard.press("ArrowRight")
        if seen < len(HOSTILE) - 1:
            page.wait_for_selector(f".stage[data-painted]:not([data-painted='{example}'])")
    page.get_by_text("Grid", exact=True).click()
    tiles = page.locator(".tile")
    tiles.nth(len(HOSTILE) - 1).wait_for()
    for tile in tiles.all():
        text = HOSTILE[int(tile.get_attribute("data-id")[3:-4])]
        assert tile.locator(".text").evaluate("e => e.textContent") == (
            text if len(text) <= 280 else f"{text[:280]}…"
        )
    assert not alarms


@pytest.mark.fault(
    74,
    "BLOCK",
    says="Nothing can be decided here now. … can only be read. Make the file and its folder "
    "writable, then open the dataset again.",
)
def test_a_store_that_cannot_be_written_says_so_before_any_key(serve, page, tmp_path, messages):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(1))
    dataset = curation.load(folder)
    with open_store(dataset) as store:
        store.decide(str(dataset.ids[0]), "keep", curator="ana")
    place = folder / ".curation"
    for path in (*place.iterdir(), place):
        path.chmod(path.stat().st_mode & ~0o222)
    page.goto(serve(folder).url("Review"))
    shown = painted(page)
    alarm = page.get_by_role("alert").filter(has_text="Nothing can be decided here now.")
    messages.add("BLOCK", alarm.inner_text())
    assert "can only be read. Make the file and its folder writable" in alarm.inner_text()
    assert not too_faint(page)
    saved_words = page.locator(".saved")
    assert saved_words.inner_text() == "read only"
    for key in "axen b1z":
        page.keyboard.press(key)
    page.get_by_role("button", name="It is dog").click(force=True)
    page.wait_for_timeout(500)
    assert painted(page) == shown and saved_words.inner_text() == "read only"
    assert page.get_by_role("button", name="Keep cat").is_disabled()
    page.get_by_text("Grid", exact=True).click()
    page.locator(".tile").nth(2).click()
    assert page.get_by_role("button", name="Keep the label").is_disabled()
    page.keyboard.press("x")
    assert not page.get_by_role("dialog").count()
    with open_store(dataset) as store:
        assert len(store.log()) == 1


@pytest.mark.fault(
    76,
    "BLOCK",
    says="NOT saved: … was locked by another program for 10 seconds. … 3 decisions kept in "
    "this tab; saving is tried again every few seconds.",
)
def test_a_locked_store_is_reported_and_decisions_are_saved_once_it_is_free(
    serve, page, tmp_path, messages
):
    folder = small_set.write_texts(tmp_path / "set", 90, 30, rng=np.random.default_rng(1))
    dataset = curation.load(folder)
    page.goto(serve(folder).url("Review"))
    decided = [press(page, "x")]
    saved(page)
    with sqlite3.connect(folder / ".curation" / "decisions.db", isolation_level=None) as lock:
        lock.execute("BEGIN IMMEDIATE")
        decided += [press(page, "x") for _ in range(3)]
        alarm = page.get_by_role("alert").filter(has_text="kept in this tab")
        words = []  # what the page says about saving until the store gives up
        while not alarm.is_visible():
            words.append(page.locator(".saved").inner_text())
            page.wait_for_timeout(100)
        assert not [each for each in words if each.startswith("all saved")]
        assert "no answer · 3 not saved yet" in words  # however often the page is drawn meanwhile
        messages.add("BLOCK", alarm.inner_text())
        assert "3 decisions" in alarm.inner_text()
        assert page.locator(".saved").inner_text() == "NOT saved"
        lock.execute("ROLLBACK")
    lock.close()
    saved(page)
    assert not alarm.is_visible()
    with open_store(dataset) as store:
        assert [(each.action, each.example_id) for each in store.log()] == [
            ("keep", each) for each in decided
        ]
