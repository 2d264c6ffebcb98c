"""Style sheets: in files of their own, in one piece on every page, and true to the charts."""

import re
from pathlib import Path

import pytest

from curation.charts import heatmap_layout
from curation.charts.colours import DARK, LIGHT
from curation.ui.shell import styles


def test_no_style_is_written_in_python():
    for path in styles.FOLDER.rglob("*.py"):
        if path.name not in ("setup.py", "entrance_pages.py"):  # which put sheets on a page
            assert "<style" not in path.read_text(encoding="utf-8"), path


def test_every_sheet_except_the_dark_one_is_on_every_page():
    light, dark = (styles.list_sheets(dark=each) for each in (False, True))
    beside = {
        path for path in styles.FOLDER.rglob("*.css") if path.parent.name not in styles.SEPARATE
    }
    assert set(dark) == beside and len(dark) == len(light) + 1
    assert light[0] == styles.SHARED and dark[-1] == styles.DARK


@pytest.mark.parametrize(("sheet", "colours"), [(styles.SHARED, LIGHT), (styles.DARK, DARK)])
def test_pages_and_charts_have_the_same_background(sheet: Path, colours) -> None:
    (ground,) = re.findall(r"--cu-ground: (#\w+);", sheet.read_text(encoding="utf-8"))
    assert ground == colours.ground


def test_the_noise_page_leaves_as_much_room_as_the_map_takes():
    text = (styles.FOLDER / "noise/noise_map.css").read_text(encoding="utf-8")
    assert f"auto 1fr / {heatmap_layout.WIDTH}px" in text
    both = heatmap_layout.WIDTH + 240  # the map with its examples next to it
    assert re.findall(r"(m\w\w)-width: (\d+)px\)", text) == [
        ("min", str(both)),
        ("max", str(heatmap_layout.WIDTH - 1)),
        ("max", str(both - 1)),
    ]
    assert f"  min-width: {heatmap_layout.WIDTH}px;" in text
