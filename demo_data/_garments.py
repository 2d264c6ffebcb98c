"""Drawings of things worn: swimsuits and armour."""

import numpy as np
from _drawing import (
    Colour,
    Gradient,
    Pen,
    Points,
    arc,
    blend,
    mirror,
    oval,
    pick,
    shiny,
    smooth,
    tint,
    vary,
)

Rng = np.random.Generator

METALS = [(176, 182, 192), (158, 164, 176), (206, 164, 84), (176, 120, 78), (122, 128, 138)]
DYES = [
    (196, 48, 66),
    (36, 60, 120),
    (30, 30, 36),
    (28, 140, 140),
    (240, 130, 60),
    (230, 200, 60),
    (150, 70, 150),
    (232, 120, 160),
    (60, 150, 90),
]


def draw_maillot(pen: Pen, rng: Rng) -> None:
    """Draw a one-piece swimsuit, on a dress form or laid flat."""
    dye, other = vary(rng, pick(rng, DYES)), vary(rng, pick(rng, [*DYES, (245, 245, 240)]))
    waist, cut = float(rng.uniform(0.3, 0.36)), float(rng.uniform(0.28, 0.5))
    neck = float(rng.uniform(-0.5, -0.2))
    if rng.random() < 0.6:
        _draw_dress_form(pen, rng, waist)
    for side in (-1, 1):
        strap = smooth([(side * 0.34, -0.52), (side * 0.3, -0.72), (side * 0.2, -0.88)])
        pen.stroke(strap, float(rng.uniform(0.07, 0.11)), tint(dye, 0.8))
    outline = _suit_outline(waist, cut, neck)
    pattern = pen.another()
    stops = (tint(dye, 0.6), tint(dye, 1.15), tint(dye, 1.05), tint(dye, 0.6))
    pattern.fill(oval(0, 0, 1.5, 1.5), Gradient(stops, (-0.48, 0), (0.48, 0)))
    pick(rng, [_plain, _stripes, _spots, _panel])(pattern, rng, other)
    pen.fill_with(outline, pattern)
    pen.stroke(
        smooth([(-0.36, -0.56), (-0.2, neck - 0.03), (0, neck), (0.2, neck - 0.03), (0.36, -0.56)]),
        0.035,
        tint(dye, 0.55),
    )
    for side in (-1, 1):
        leg = [(side * 0.44, cut), (side * 0.28, cut + 0.26), (side * 0.09, 0.86)]
        pen.stroke(smooth(leg), 0.03, tint(dye, 0.55))


def _suit_outline(waist: float, cut: float, neck: float) -> Points:
    front = smooth([(0, neck), (0.2, neck - 0.03), (0.36, -0.58)])
    side = smooth([(0.4, -0.54), (0.38, -0.36), (0.43, -0.18), (waist, 0.12), (0.45, cut)])
    leg = smooth([(0.45, cut), (0.28, cut + 0.26), (0.08, 0.88)])
    return mirror([*front, *side, *leg])


def _draw_dress_form(pen: Pen, rng: Rng, waist: float) -> None:
    skin = vary(rng, pick(rng, [(224, 212, 196), (196, 168, 140), (150, 112, 88), (212, 214, 216)]))
    body = smooth(
        [
            (0.1, -0.98),
            (0.12, -0.86),
            (0.46, -0.74),
            (0.5, -0.6),
            (0.41, -0.4),
            (0.44, -0.18),
            (waist + 0.02, 0.12),
            (0.47, 0.42),
            (0.46, 0.7),
            (0.4, 1.0),
            (0.06, 1.0),
            (0.0, 0.9),
        ]
    )
    stops = (tint(skin, 0.68), tint(skin, 1.1), skin, tint(skin, 0.62))
    pen.fill(mirror(body), Gradient(stops, (-0.5, 0), (0.5, 0)))


def _plain(pattern: Pen, rng: Rng, colour: Colour) -> None:
    """Leave the cloth as it is."""


def _stripes(pattern: Pen, rng: Rng, colour: Colour) -> None:
    gap, slope = float(rng.uniform(0.16, 0.3)), float(rng.choice([0.0, 0.0, 0.25]))
    for level in np.arange(-1.2, 1.2, gap).tolist():
        pattern.stroke([(-0.6, level + slope), (0.6, level - slope)], gap * 0.42, _lit(colour))


def _spots(pattern: Pen, rng: Rng, colour: Colour) -> None:
    gap = float(rng.uniform(0.15, 0.22))
    for row in range(-7, 8):
        for column in range(-5, 6):
            pattern.fill(oval((column + row % 2 / 2) * gap, row * gap, gap / 4, gap / 4), colour)


def _panel(pattern: Pen, rng: Rng, colour: Colour) -> None:
    wide = float(rng.uniform(0.14, 0.24))
    for side in (-1, 1):
        path = smooth([(side * 0.5, -0.6), (side * 0.42, 0.1), (side * 0.52, 0.9)])
        pattern.stroke(path, wide * 1.6, colour)


def _lit(colour: Colour) -> Gradient:
    return Gradient((tint(colour, 0.65), colour, tint(colour, 0.65)), (-0.48, 0), (0.48, 0))


def draw_breastplate(pen: Pen, rng: Rng) -> None:
    """Draw the plate that covers the chest, and nothing else."""
    metal = vary(rng, pick(rng, METALS))
    neck, waist = float(rng.uniform(-0.62, -0.5)), float(rng.uniform(0.36, 0.46))
    _draw_chest(pen, metal, neck, waist)
    pen.stroke([(0, neck + 0.08), (0, 0.66)], [0.02, 0.04, 0.02], tint(metal, 1.5))
    pen.stroke([(0.03, neck + 0.08), (0.03, 0.66)], [0.01, 0.03, 0.01], tint(metal, 0.55))
    if rng.random() < 0.4:
        _draw_emblem(pen, rng, metal)
    for x, y in ((0.5, -0.66), (0.58, 0.05), (0.46, 0.5)):
        for side in (-1, 1):
            pen.fill(oval(side * x * 0.9, y, 0.035, 0.035), tint(metal, 1.4))


def _draw_chest(pen: Pen, metal: Colour, neck: float, waist: float) -> None:
    half = [
        (0, neck),
        (0.22, neck - 0.04),
        (0.38, -0.78),
        (0.58, -0.72),
        (0.54, -0.4),
        (0.66, -0.16),
        (0.64, 0.12),
        (waist + 0.06, 0.5),
        (waist + 0.04, 0.68),
        (0, 0.78),
    ]
    outline = mirror(smooth(half))
    pen.fill(outline, tint(metal, 0.45))
    inner = [(x * 0.94, y * 0.95 + 0.01) for x, y in outline]
    pen.fill(inner, shiny(metal, (-0.62, -0.2), (0.62, 0.2)))
    collar = smooth([(-0.36, -0.74), (-0.22, neck), (0, neck + 0.05), (0.22, neck), (0.36, -0.74)])
    pen.stroke(collar, 0.06, tint(metal, 1.25))


def _draw_emblem(pen: Pen, rng: Rng, metal: Colour) -> None:
    colour = pick(rng, [(206, 164, 84), (150, 40, 40), tint(metal, 0.5)])
    if rng.random() < 0.5:
        pen.fill([(-0.06, -0.4), (0.06, -0.4), (0.06, 0.3), (-0.06, 0.3)], colour)
        pen.fill([(-0.28, -0.2), (0.28, -0.2), (0.28, -0.08), (-0.28, -0.08)], colour)
    else:
        pen.fill(oval(0, -0.1, 0.2, 0.24), colour)
        pen.fill(oval(0, -0.1, 0.12, 0.16), tint(colour, 0.6))


def draw_cuirass(pen: Pen, rng: Rng) -> None:
    """Draw breast and back together: shoulder guards, modelled chest, belt and skirt of plates."""
    metal = vary(rng, pick(rng, METALS))
    cloth = vary(rng, pick(rng, [(140, 36, 36), (92, 60, 40), (44, 50, 90), (60, 60, 60)]))
    _draw_skirt(pen, rng, metal, cloth)
    _draw_chest(pen, metal, float(rng.uniform(-0.62, -0.5)), float(rng.uniform(0.4, 0.46)))
    _draw_muscles(pen, metal)
    for side in (-1, 1):
        _draw_shoulder(pen, side, metal)
    belt = [(-0.52, 0.42), (-0.2, 0.5), (0.2, 0.5), (0.52, 0.42)]
    pen.stroke(smooth(belt), 0.11, tint(cloth, 0.8))
    pen.fill(oval(0, 0.5, 0.09, 0.08), (214, 176, 90))


def _draw_skirt(pen: Pen, rng: Rng, metal: Colour, cloth: Colour) -> None:
    leather = rng.random() < 0.5
    for index in range(-4, 5):
        x, low = index * 0.125, 1.0 - 0.012 * index * index
        strip = [(x - 0.07, 0.5), (x + 0.07, 0.5), (x * 1.3 + 0.075, low), (x * 1.3 - 0.075, low)]
        colour = cloth if leather else metal
        paint = Gradient(
            (tint(colour, 0.6), tint(colour, 1.15), tint(colour, 0.55)),
            (x - 0.08, 0.7),
            (x + 0.08, 0.7),
        )
        pen.fill(strip, paint)
        pen.fill(oval(x * 1.27, low - 0.06, 0.03, 0.03), (214, 176, 90))


def _draw_muscles(pen: Pen, metal: Colour) -> None:
    dark, light = tint(metal, 0.5), tint(metal, 1.45)
    for side in (-1, 1):
        chest = arc(side * 0.26, -0.3, 0.24, 0.2, 0, 180, 20)
        pen.stroke(chest, [0.01, 0.045, 0.01], dark)
        pen.stroke([(x, y - 0.03) for x, y in chest], [0.0, 0.025, 0.0], light)
        for level in (0.02, 0.18, 0.32):
            pen.stroke(arc(side * 0.12, level - 0.04, 0.11, 0.06, 0, 180, 12), 0.025, dark)
    pen.stroke([(0, -0.4), (0, 0.4)], 0.025, dark)


def _draw_shoulder(pen: Pen, side: int, metal: Colour) -> None:
    for step in (3, 2, 1, 0):
        x, y = side * (0.62 + 0.07 * step), -0.66 + 0.12 * step
        paint = shiny(blend(metal, (80, 80, 90), 0.15), (x - 0.2, y - 0.1), (x + 0.2, y + 0.2))
        pen.fill(oval(x, y, 0.24 - 0.02 * step, 0.15, side * 38), tint(metal, 0.4))
        pen.fill(oval(x, y - 0.02, 0.22 - 0.02 * step, 0.125, side * 38), paint)
