"""From a folder of class folders to the first issue: two clicks, no code."""

from __future__ import annotations

from tests.modelling.test_probability_maker import write_pictures


def test_two_clicks_lead_from_class_folders_to_the_first_issue(serve, page, tmp_path):
    folder = write_pictures(tmp_path / "photos")
    for k in range(3):  # three cats that lie among the dogs
        (folder / "cat" / f"{k:02}.png").rename(folder / "dog" / f"cat{k}.png")
    page.goto(serve(folder).url())
    page.get_by_role("button", name="Make probabilities").click()
    page.get_by_text("look wrong").first.wait_for()
    page.get_by_role("link", name="Review 3 issues").click()
    page.wait_for_selector(".stage[data-painted], .tile")
    page.get_by_text("dog").first.wait_for()
