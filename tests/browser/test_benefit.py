"""What cleaning is worth, in the browser: measured, drawn, and there after a reload."""

from __future__ import annotations

from tests.modelling.conftest import write_known


def test_a_click_measures_what_cleaning_is_worth_and_a_reload_shows_it(serve, page, tmp_path):
    server = serve(write_known(tmp_path / "pets"))
    page.goto(server.url("Benefit", runs=5))
    page.get_by_role("button", name="Measure it").click()
    for _ in range(2):
        page.get_by_text("Removing the ").first.wait_for()
        page.locator(".st-key-benefit-all .scatterlayer .trace").first.wait_for()
        assert page.locator(".st-key-benefit-all .scatterlayer .trace").count() == 6
        page.get_by_role("button", name="Download all figures as CSV").wait_for()
        assert not page.get_by_role("button", name="Measure it").count()
        page.reload()
