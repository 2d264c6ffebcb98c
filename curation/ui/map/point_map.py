"""The map itself, and the part of it that was outlined."""

from __future__ import annotations

import numpy as np

from curation.core.matrix import IntArray
from curation.neighbours.map_area import Area, outline, read_area
from curation.ui.map import component
from curation.ui.map.point_choice import COLOURS, MapChoice
from curation.ui.shell import state
from curation.ui.shell.setup import Frame
from curation.wording import count_of

MAX_DRAWN = 200_000  # points; a million would take seconds to send
SEED = 0  # of the order in which points are drawn, so that no class lies on top of all others


def show_map(frame: Frame, choice: MapChoice) -> Area | None:
    """Show the map, and return the part of it that is selected."""
    area = _recall_area(choice)
    rows = pick_drawn(np.flatnonzero(choice.shown))
    codes = choice.colours.codes[rows]
    counts = np.bincount(
        choice.colours.codes[choice.shown], minlength=len(choice.colours.legend)
    ).tolist()
    about = {
        "points": f"{choice.neighbours.key} {choice.layout} {choice.colour_by}",
        "words": f"Map of {count_of(len(rows), 'example')}, coloured by "
        f"{COLOURS[choice.colour_by]}. Select what is in view with the button above.",
        "legend": [
            {"name": entry.name, "colour": entry.colour, "count": count}
            for entry, count in zip(choice.colours.legend, counts, strict=True)
        ],
        "outline": area.points if area else None,
    }

    def keep_area() -> None:
        drawn = outline(choice.layout, choice.neighbours, component.last_outline())
        state.keep("area", drawn.write() if drawn else "")

    component.show(component.pack_points(choice.places[rows], codes, about), keep_area)
    return area


def _recall_area(choice: MapChoice) -> Area | None:
    """Return the area in the link; one that was drawn on another map is dropped."""
    area = read_area(state.recall("area", ""))
    if area is None or area.layout != choice.layout or not area.fits(choice.neighbours):
        state.forget("area")
        return None
    return area


def pick_drawn(rows: IntArray) -> IntArray:
    """Return the rows to draw, in random order: all of them, or a sample of very many."""
    rng = np.random.default_rng(SEED)
    picked: IntArray = rng.permutation(rows)[:MAX_DRAWN]
    return picked
