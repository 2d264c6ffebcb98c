"""Hands on the review page: focus that comes back, pictures that can be judged, thumbs."""

from __future__ import annotations

from tests.browser.watching import painted, press, saved, stored, wait_past

RENDERING = "e => [getComputedStyle(e).imageRendering, e.getBoundingClientRect().width]"
CUT = """() => {  // whatever of the page is cut off, or lies over something else
  const root = [...document.querySelectorAll('.stBidiComponent *')].map(e => e.shadowRoot)
      .find(each => each?.querySelector('.review'));
  const wide = [...root.querySelectorAll('.one *')].filter(e => e.offsetParent)
      .filter(e => e.getBoundingClientRect().right > innerWidth + 1).map(e => e.className);
  const box = name => root.querySelector(name).getBoundingClientRect();
  const over = box('.panel').top < box('.stage').bottom - 1 ? ['panel over stage'] : [];
  return [...wide, ...over];
}"""


def test_space_skips_after_what_a_button_opened_was_closed_and_never_opens_it_again(review):
    tab = review()
    opener = tab.get_by_role("button", name="Method and threshold")
    inside = tab.get_by_test_id("stPopoverBody")
    skipped = []
    for close in (lambda: tab.keyboard.press("Escape"), opener.click):
        opener.click()
        inside.wait_for()
        close()
        inside.wait_for(state="hidden")
        skipped.append(("skip", press(tab, "Space")))
        assert not inside.is_visible()
    saved(tab)
    assert stored(review.since()) == skipped


def test_after_a_filter_was_chosen_the_keys_belong_to_the_example_again(review):
    tab = review()
    tab.get_by_role("combobox", name="Examples").click()
    tab.get_by_role("option", name="all examples").click()
    tab.locator("[data-el=title]", has_text="all examples").wait_for()
    shown = painted(tab)
    tab.wait_for_function("() => document.activeElement.closest('.stBidiComponent')")
    tab.keyboard.press("x")
    wait_past(tab, shown)
    saved(tab)
    assert stored(review.since()) == [("keep", shown)]


def test_a_small_picture_is_smooth_and_each_setting_is_one_key_and_remembered(review):
    tab = review()
    image = tab.locator(".content img")
    assert image.evaluate(RENDERING) == ["auto", 256]  # 32 pixels, eight times
    for key in "psl":
        tab.keyboard.press(key)
    rendering, width = image.evaluate(RENDERING)
    assert rendering == "pixelated" and width > 256
    assert "brightness(1.5)" in image.evaluate("e => getComputedStyle(e).filter")
    tab.reload()
    tab.wait_for_selector(".stage[data-painted]")
    assert image.evaluate(RENDERING) == ["pixelated", width]
    tab.keyboard.press("f")
    legend = tab.locator(".zoom .legend")
    assert "labelled" in legend.inner_text() and "Keep" in legend.inner_text()
    assert not review.since()  # looking decides nothing


def test_at_phone_and_tablet_width_nothing_is_cut_and_thumbs_find_the_buttons(review):
    tab = review()
    tab.set_viewport_size({"width": 420, "height": 900})
    tab.wait_for_function("() => innerWidth === 420")
    tab.wait_for_selector(".stage[data-painted]")
    assert tab.evaluate(CUT) == []
    for action in ("accept", "keep"):
        box = tab.locator(f"[data-action={action}]").bounding_box()
        assert box["height"] >= 44 and box["width"] >= 150
    shown = painted(tab)
    tab.locator("[data-action=keep]").click()
    wait_past(tab, shown)
    saved(tab)
    assert stored(review.since()) == [("keep", shown)]


def test_a_selection_over_two_pages_is_set_to_a_class_with_kind_and_note_in_one_step(review):
    tab = review(view="grid")
    tiles = tab.locator(".tile")
    chosen = [tiles.first.get_attribute("data-id")]
    assert tiles.first.locator(".chips span").all_inner_texts()
    tiles.first.click()
    tab.get_by_role("button", name="Next →").click()
    tab.wait_for_selector(f".tile:not([data-id='{chosen[0]}'])")
    tab.locator("[data-el=pager]", has_text="page 2 of").wait_for()
    chosen.append(tiles.nth(1).get_attribute("data-id"))
    tiles.nth(1).click()
    tab.locator(".count", has_text="2 of").wait_for()
    tab.locator(".tiles").focus()
    tab.keyboard.press("t")
    assert tab.locator(".layer .primary").is_disabled()  # no class yet
    tab.keyboard.type("eel")
    tab.get_by_role("combobox", name="Kind of issue").select_option("ontological")
    tab.get_by_role("textbox", name="Note").last.fill("long #thin")
    tab.get_by_role("button", name="Set 2 examples to eel", exact=True).click()
    saved(tab)
    entries = review.since()
    assert [each.example_id for each in entries] == chosen
    for each in entries:
        said = (each.action, each.label, each.kind, each.note)
        assert said == ("relabel", "eel", "ontological", "long #thin")
    width = tiles.first.bounding_box()["width"]
    tab.get_by_role("slider", name="Size of the pictures").fill("14")
    assert tiles.first.bounding_box()["width"] > 1.5 * width
