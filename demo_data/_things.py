"""Drawings of made things: missiles and other projectiles, tubs and baths.

Each function draws one example with the given pen; the random generator decides its looks.
"""

import numpy as np
from _drawing import (
    Colour,
    Gradient,
    Pen,
    arc,
    box,
    oval,
    pick,
    rounded,
    shiny,
    smooth,
    tint,
    vary,
)

Rng = np.random.Generator

STEEL, BRASS, COPPER = (168, 174, 184), (206, 164, 76), (188, 112, 70)


def draw_missile(pen: Pen, rng: Rng) -> None:
    """Draw a slim body with a pointed nose and fins, most of them trailing fire."""
    body = vary(
        rng, pick(rng, [(222, 224, 228), (176, 182, 188), (126, 136, 104), (206, 196, 170)])
    )
    trim = vary(rng, pick(rng, [(190, 44, 40), (44, 62, 110), (40, 42, 46), (214, 130, 40)]))
    half = float(rng.uniform(0.1, 0.15))
    if rng.random() < 0.9:
        _draw_exhaust(pen, rng, half)
    for side in (-1, 1):
        _draw_fins(pen, rng, side, half, trim)
    paint = rounded(body, (0, -half), (0, half))
    pen.fill(box(-0.66, -half, 0.5, half), paint)
    nose = [(0.49, -half), (0.66, -half * 0.86), (0.82, -half * 0.5), (0.97, 0)]
    nose = smooth([*nose, *((x, -y) for x, y in nose[-2::-1])])
    pen.fill(nose, rounded(pick(rng, [trim, body]), (0, -half), (0, half)))
    for place in rng.uniform(-0.5, 0.4, int(rng.integers(1, 4))):
        pen.fill(box(place, -half, place + 0.06, half), rounded(trim, (0, -half), (0, half)))
    pen.fill(box(-0.72, -half * 0.75, -0.65, half * 0.75), (52, 52, 56))


def _draw_fins(pen: Pen, rng: Rng, side: int, half: float, trim: Colour) -> None:
    reach = half + float(rng.uniform(0.16, 0.26))
    paint = Gradient((tint(trim, 1.25), tint(trim, 0.7)), (0, side * half), (0, side * reach))
    pen.fill([(-0.36, 0), (-0.6, side * reach), (-0.74, side * reach), (-0.66, 0)], paint)
    if rng.random() < 0.6:
        pen.fill(
            [(0.2, 0), (0.04, side * reach * 0.85), (-0.06, side * reach * 0.85), (-0.04, 0)], paint
        )


def _draw_exhaust(pen: Pen, rng: Rng, half: float) -> None:
    for _ in range(9):
        x, y = float(rng.uniform(-1.6, -1.0)), float(rng.uniform(-0.15, 0.15))
        grey = int(rng.integers(190, 240))
        pen.fill(oval(x, y, 0.2, 0.15), (grey, grey, grey))
    long = float(rng.uniform(0.25, 0.5))
    for share, colour in ((1.0, (240, 120, 30)), (0.72, (252, 196, 60)), (0.42, (255, 246, 200))):
        flame = [(-0.68, -half * share), (-0.8, -half * 1.1 * share), (-0.72 - long * share, 0)]
        pen.fill(smooth([*flame, (-0.8, half * 1.1 * share), (-0.68, half * share)]), colour)


def draw_projectile(pen: Pen, rng: Rng) -> None:
    """Draw something shot or thrown: a cartridge, a shell, an arrow or cannonballs."""
    draw = pick(rng, [_draw_cartridge, _draw_cartridge, _draw_shell, _draw_arrow, _draw_balls])
    draw(pen, rng)


def _draw_cartridge(pen: Pen, rng: Rng) -> None:
    half, shoulder = float(rng.uniform(0.2, 0.28)), float(rng.uniform(0.05, 0.25))
    case, tip = vary(rng, pick(rng, [BRASS, BRASS, STEEL])), vary(rng, pick(rng, [COPPER, STEEL]))
    neck = half * 0.8
    bullet = [(shoulder, -neck), (0.45, -neck * 0.9), (0.72, -neck * 0.5), (0.86, 0)]
    bullet = smooth([*bullet, *((x, -y) for x, y in bullet[-2::-1])])
    pen.fill(bullet, rounded(tip, (0, -neck), (0, neck)))
    body = [(-0.78, -half), (shoulder - 0.1, -half), (shoulder + 0.04, -neck)]
    paint = shiny(case, (0, -half), (0, half))
    pen.fill([*body, *((x, -y) for x, y in reversed(body))], paint)
    pen.fill(box(-0.82, -half * 0.82, -0.76, half * 0.82), tint(case, 0.55))
    pen.fill(box(-0.9, -half * 1.06, -0.81, half * 1.06, 0.02), paint)


def _draw_shell(pen: Pen, rng: Rng) -> None:
    half = float(rng.uniform(0.22, 0.3))
    body = vary(rng, pick(rng, [(96, 108, 74), (84, 92, 100), (150, 140, 96)]))
    outline = [(-0.8, -half), (0.1, -half), (0.45, -half * 0.8), (0.72, -half * 0.4), (0.82, 0)]
    curve = smooth(outline[1:])
    paint = rounded(body, (0, -half), (0, half))
    pen.fill([outline[0], *curve, *((x, -y) for x, y in reversed(curve)), (-0.8, half)], paint)
    pen.fill(box(0.7, -half * 0.3, 0.9, half * 0.3, 0.05), shiny(STEEL, (0, -0.1), (0, 0.1)))
    pen.fill(box(-0.62, -half * 1.04, -0.5, half * 1.04), shiny(COPPER, (0, -half), (0, half)))
    band = vary(rng, pick(rng, [(220, 190, 50), (190, 50, 40), (230, 230, 224)]))
    pen.fill(box(0.02, -half, 0.09, half), rounded(band, (0, -half), (0, half)))


def _draw_arrow(pen: Pen, rng: Rng) -> None:
    shaft = vary(rng, pick(rng, [(158, 110, 66), (60, 56, 54), (196, 160, 110)]))
    feather = vary(rng, pick(rng, [(196, 60, 50), (240, 236, 226), (60, 110, 170), (90, 140, 70)]))
    pen.fill(box(-0.92, -0.035, 0.8, 0.035), rounded(shaft, (0, -0.035), (0, 0.035)))
    for side in (-1, 1):
        vane = [(-0.5, 0), (-0.62, side * 0.17), (-0.95, side * 0.19), (-0.86, 0)]
        pen.fill(vane, Gradient((tint(feather, 0.7), feather), (0, 0), (0, side * 0.18)))
    pen.fill([(-0.5, 0.02), (-0.62, 0.06), (-0.93, 0.06), (-0.88, 0.02)], tint(feather, 0.8))
    head = [(0.7, -0.16), (1.02, 0), (0.7, 0.16), (0.77, 0)]
    pen.fill(head, shiny(STEEL, (0.8, -0.16), (0.8, 0.16)))


def _draw_balls(pen: Pen, rng: Rng) -> None:
    colour = vary(rng, pick(rng, [(70, 72, 78), (98, 90, 84), (140, 142, 148)]))
    places = pick(rng, [[(0, 0)], [(-0.4, 0.3), (0.4, 0.3), (0, -0.35)], [(-0.42, 0.1), (0.42, 0)]])
    radius = 0.62 if len(places) == 1 else 0.4
    for x, y in places:
        pen.fill(oval(x, y, radius, radius), tint(colour, 0.6))
        for step in range(1, 9):
            inner, shift = radius * (1 - step / 9), radius * step / 26
            shade = tint(colour, 0.6 + step * 0.11)
            pen.fill(oval(x - shift, y - shift * 1.3, inner, inner), shade)


def draw_tub(pen: Pen, rng: Rng) -> None:
    """Draw an open round vessel: staves with hoops, or a metal or plastic washtub."""
    top, bottom = float(rng.uniform(0.72, 0.88)), float(rng.uniform(0.5, 0.7))
    up, down = float(rng.uniform(-0.45, -0.2)), float(rng.uniform(0.5, 0.68))
    lip = float(rng.uniform(0.16, 0.26))
    wooden = rng.random() < 0.55
    plain = [(96, 150, 190), (196, 84, 74), (164, 172, 178), (164, 172, 178), (230, 190, 70)]
    colour = vary(
        rng, pick(rng, [(158, 108, 64), (186, 140, 90), (122, 82, 52)] if wooden else plain)
    )
    side = [(-top, up), *reversed(arc(0, down, bottom, lip * 0.7, 0, 180)), (top, up)]
    pen.fill(side, rounded(colour, (-top, 0), (top, 0)))
    (_draw_staves if wooden else _draw_handles)(pen, colour, (top, bottom, up, down, lip))
    pen.fill(oval(0, up, top, lip), tint(colour, 1.25))
    pen.fill(
        oval(0, up, top * 0.92, lip * 0.85),
        Gradient((tint(colour, 0.3), tint(colour, 0.75)), (0, up - lip), (0, up + lip)),
    )
    if rng.random() < 0.6:
        water = vary(rng, pick(rng, [(120, 170, 196), (96, 60, 70), (150, 176, 168)]))
        surface = oval(0, up + lip * 0.25, top * 0.8, lip * 0.58)
        pen.fill(surface, Gradient((tint(water, 0.75), tint(water, 1.3)), (-0.5, up), (0.5, up)))


def _draw_staves(pen: Pen, colour: Colour, shape: tuple[float, ...]) -> None:
    top, bottom, up, down, lip = shape
    for index in range(1, 10):
        x = -1 + index / 5
        drop = (1 - x * x) ** 0.5
        ends = [(x * top, up + lip * drop), (x * bottom, down + lip * 0.7 * drop)]
        pen.stroke(ends, 0.018, tint(colour, 0.5))
    for share in (0.3, 0.78):
        wide, level = top + (bottom - top) * share, up + (down - up) * share
        front = arc(0, level, wide, lip * 0.9, 0, 180)
        pen.stroke(front, 0.07, shiny((110, 108, 110), (-wide, 0), (wide, 0)))


def _draw_handles(pen: Pen, colour: Colour, shape: tuple[float, ...]) -> None:
    top, bottom, up, down, lip = shape
    for share in (0.35, 0.42, 0.7):
        wide, level = top + (bottom - top) * share, up + (down - up) * share
        pen.stroke(arc(0, level, wide, lip * 0.9, 0, 180), 0.022, tint(colour, 0.75))
    for side in (-1, 1):
        loop = arc(side * (top - 0.02), up + 0.12, 0.13, 0.15, -90 * side, 90 * side)
        pen.stroke(loop, 0.05, tint(colour, 0.6))


def draw_bathtub(pen: Pen, rng: Rng) -> None:
    """Draw a long white bath on feet or behind a panel, with its taps."""
    colour = vary(rng, pick(rng, [(240, 240, 238), (236, 230, 216), (214, 226, 230)]), 8)
    metal = vary(rng, pick(rng, [(180, 184, 190), BRASS, (120, 110, 104)]))
    on_feet = rng.random() < 0.65
    _draw_taps(pen, rng, metal)
    if on_feet:
        slope, dip = float(rng.uniform(0.0, 0.12)), 0.07
        _draw_bath_on_feet(pen, rng, colour, metal, slope)
    else:
        slope, dip = 0.0, 0.0
        _draw_bath_panel(pen, colour)
    level = -0.2 + dip
    rim = smooth([(-0.98, -0.2 - slope), (-0.4, level), (0.4, level), (0.98, -0.2)])
    pen.stroke([(x, y - 0.05) for x, y in rim], 0.13, tint(colour, 0.62))
    if rng.random() < 0.35:
        for x in rng.uniform(-0.75, 0.65, 11).tolist():
            size = float(rng.uniform(0.07, 0.15))
            pen.fill(oval(x, -0.2, size, size), rounded((244, 248, 252), (x, -0.5), (x, 0.1)))
    pen.stroke(rim, 0.1, Gradient((tint(colour, 1.1), tint(colour, 0.78)), (0, -0.24), (0, -0.08)))


def _draw_bath_panel(pen: Pen, colour: Colour) -> None:
    paint = Gradient((tint(colour, 1.02), tint(colour, 0.74)), (0, -0.2), (0, 0.6))
    pen.fill(box(-0.93, -0.2, 0.93, 0.6, 0.03), paint)
    for left in (-0.84, -0.26, 0.32):
        pen.fill(box(left, 0.02, left + 0.52, 0.46, 0.03), tint(colour, 0.74))
        pen.fill(box(left + 0.02, 0.04, left + 0.52, 0.46, 0.03), tint(colour, 0.9))
    pen.fill(box(-0.93, 0.55, 0.93, 0.62), tint(colour, 0.6))


def _draw_bath_on_feet(pen: Pen, rng: Rng, colour: Colour, metal: Colour, slope: float) -> None:
    for x in (-0.56, 0.56):
        pen.fill(
            smooth(
                [
                    (x - 0.1, 0.4),
                    (x + 0.1, 0.4),
                    (x + 0.07, 0.6),
                    (x + 0.12, 0.74),
                    (x - 0.12, 0.74),
                    (x - 0.06, 0.58),
                ],
                closed=True,
            ),
            tint(metal, 0.8),
        )
    outside = colour if rng.random() < 0.7 else vary(rng, (110, 140, 150), 40)
    basin = [
        (-0.94, -0.2 - slope),
        (-0.86, 0.14),
        (-0.66, 0.42),
        (-0.3, 0.5),
        (0.3, 0.5),
        (0.66, 0.42),
        (0.86, 0.14),
        (0.94, -0.2),
        (0.4, -0.13),
        (-0.4, -0.13),
    ]
    stops = (tint(outside, 1.05), outside, tint(outside, 0.82), tint(outside, 0.5))
    pen.fill(smooth(basin, closed=True), Gradient(stops, (0, -0.2), (0, 0.52)))


def _draw_taps(pen: Pen, rng: Rng, metal: Colour) -> None:
    x = float(rng.uniform(0.62, 0.8))
    paint = shiny(metal, (x - 0.1, 0), (x + 0.1, 0))
    pen.stroke([(x, -0.1), (x, -0.55), *arc(x - 0.12, -0.55, 0.12, 0.14, 0, -170, 14)], 0.07, paint)
    for side in (-0.13, 0.13):
        pen.fill(box(x + side - 0.02, -0.36, x + side + 0.02, -0.1), paint)
        pen.fill(box(x + side - 0.08, -0.4, x + side + 0.08, -0.34, 0.02), paint)
