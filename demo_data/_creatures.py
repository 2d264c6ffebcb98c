"""Drawings of lizards and snakes.

Each function draws one example with the given pen; the random generator decides its looks.
"""

import math

import numpy as np
from _drawing import (
    Colour,
    Gradient,
    Pen,
    Points,
    blend,
    move,
    oval,
    pick,
    ribbon,
    rounded,
    smooth,
    tint,
    vary,
    width_at,
)

Rng = np.random.Generator

GREENS = [(92, 168, 52), (66, 150, 60), (130, 180, 50), (60, 140, 84)]
SANDS = [(196, 160, 110), (176, 136, 92), (206, 176, 130), (160, 130, 100)]


def draw_green_lizard(pen: Pen, rng: Rng) -> None:
    """Draw a slim lizard from above: four legs out, a long tail in a bend."""
    skin = vary(rng, pick(rng, GREENS))
    bend = float(rng.uniform(0.1, 0.34)) * pick(rng, [-1, 1])
    spine = smooth(
        [
            (-0.72, bend * 0.3),
            (-0.45, 0),
            (0.0, -bend * 0.4),
            (0.3, 0),
            (0.62, bend),
            (0.95, bend * 0.4),
        ],
        steps=12,
    )
    for x, way in ((-0.38, -1), (0.02, 1)):
        for side in (-1, 1):
            _draw_lizard_leg(pen, x, side, way, tint(skin, 0.75))
    widths = [0.06, 0.2, 0.24, 0.26, 0.25, 0.2, 0.12, 0.08, 0.05, 0.03, 0.01]
    pen.stroke(spine, [width * 1.14 for width in widths], tint(skin, 0.5))
    pen.stroke(spine, widths, tint(skin, 0.88))
    pen.stroke(spine, [width * 0.6 for width in widths], skin)
    pen.stroke(spine, [width * 0.2 for width in widths], tint(skin, 1.3))
    _draw_flecks(pen, rng, spine, widths, tint(skin, 0.45), 26)
    _draw_lizard_head(pen, rng, skin, bend * 0.3)


def _draw_lizard_leg(pen: Pen, x: float, side: int, way: int, colour: Colour) -> None:
    foot = (x + way * 0.14, side * 0.4)
    pen.stroke(smooth([(x, 0), (x - way * 0.05, side * 0.24), foot]), [0.11, 0.09, 0.05], colour)
    for spread in (-50, -20, 10, 40):
        toe = move([(0, 0), (0, side * 0.13)], *foot, spread)
        pen.stroke(toe, 0.026, colour)


def _draw_lizard_head(pen: Pen, rng: Rng, skin: Colour, level: float) -> None:
    head = smooth(
        [
            (-0.95, level * 1.2),
            (-0.86, level - 0.09),
            (-0.66, level - 0.12),
            (-0.52, level * 0.5 - 0.08),
            (-0.52, level * 0.5 + 0.08),
            (-0.66, level + 0.12),
            (-0.86, level + 0.09),
        ],
        closed=True,
    )
    throat = skin if rng.random() < 0.7 else blend(skin, (60, 110, 200), 0.6)
    pen.fill(head, Gradient((tint(throat, 1.2), tint(skin, 0.9)), (-0.95, 0), (-0.5, 0)))
    for side in (-1, 1):
        pen.fill(oval(-0.72, level + side * 0.09, 0.04, 0.03), (24, 22, 18))
        pen.fill(oval(-0.73, level + side * 0.085, 0.012, 0.01), (240, 240, 220))


def _draw_flecks(
    pen: Pen, rng: Rng, spine: Points, widths: list[float], colour: Colour, count: int
) -> None:
    for place in rng.uniform(0.12, 0.75, count).tolist():
        x, y = spine[int(place * (len(spine) - 1))]
        off = width_at(widths, place) * float(rng.uniform(-0.4, 0.4))
        pen.fill(oval(x, y + off, 0.016, 0.012), colour)


def draw_chameleon(pen: Pen, rng: Rng) -> None:
    """Draw a chameleon from the side: crest, round eye, curled tail, feet around a branch."""
    skin = vary(rng, pick(rng, [*GREENS, (50, 150, 130), (150, 170, 60), (90, 150, 110)]))
    band = vary(rng, pick(rng, [(230, 200, 70), (40, 110, 140), (190, 90, 50), tint(skin, 0.6)]))
    _draw_branch(pen, rng)
    tail = [(0.34, 0.05), (0.62, 0.02), *_spiral(0.66, 0.34, 0.3, 1.6)]
    pen.stroke(smooth(tail, steps=4), [0.24, 0.16, 0.12, 0.09, 0.06, 0.03], tint(skin, 0.85))
    for x in (-0.3, 0.22):
        _draw_chameleon_leg(pen, x, tint(skin, 0.7))
    body = smooth(
        [
            (-0.48, -0.22),
            (-0.2, -0.46),
            (0.1, -0.44),
            (0.36, -0.16),
            (0.46, 0.08),
            (0.2, 0.2),
            (-0.14, 0.26),
            (-0.46, 0.12),
        ],
        closed=True,
    )
    pattern = pen.another()
    pattern.fill(oval(0, 0, 2, 2), rounded(skin, (0, -0.55), (0, 0.42)))
    for x in np.arange(-0.4, 0.45, float(rng.uniform(0.14, 0.24))).tolist():
        pattern.stroke(smooth([(x, -0.5), (x + 0.06, -0.1), (x, 0.3)]), [0.02, 0.08, 0.02], band)
    pen.fill_with(body, pattern)
    _draw_chameleon_head(pen, skin, band)


def _spiral(x: float, y: float, radius: float, turns: float) -> Points:
    steps = int(turns * 14)
    points = []
    for step in range(steps + 1):
        angle, share = math.radians(-90 + 360 * turns * step / steps), 1 - 0.85 * step / steps
        points.append((x + radius * share * math.cos(angle), y + radius * share * math.sin(angle)))
    return points


def _draw_branch(pen: Pen, rng: Rng) -> None:
    wood = vary(rng, pick(rng, [(112, 82, 56), (140, 112, 80), (90, 84, 66)]))
    tilt = float(rng.uniform(-0.06, 0.06))
    path = smooth([(-1.4, 0.46 - tilt), (-0.4, 0.5), (0.4, 0.46), (1.4, 0.5 + tilt)])
    pen.stroke(path, [0.2, 0.15, 0.15, 0.12], rounded(wood, (0, 0.38), (0, 0.6)))
    if rng.random() < 0.5:
        leaf = smooth([(-0.85, 0.46), (-0.75, 0.2), (-0.55, 0.08), (-0.6, 0.32)], closed=True)
        pen.fill(leaf, Gradient(((120, 170, 70), (50, 100, 40)), (-0.85, 0.4), (-0.55, 0.1)))


def _draw_chameleon_leg(pen: Pen, x: float, colour: Colour) -> None:
    pen.stroke(smooth([(x, 0.1), (x - 0.09, 0.28), (x + 0.04, 0.42)]), [0.14, 0.09, 0.08], colour)
    for side in (-1, 1):
        toe = smooth(
            [(x + 0.03, 0.4), (x + 0.03 + side * 0.08, 0.46), (x + 0.03 + side * 0.07, 0.56)]
        )
        pen.stroke(toe, 0.06, colour)


def _draw_chameleon_head(pen: Pen, skin: Colour, band: Colour) -> None:
    head = smooth(
        [
            (-0.95, -0.06),
            (-0.86, -0.26),
            (-0.68, -0.42),
            (-0.42, -0.6),
            (-0.36, -0.3),
            (-0.38, 0.06),
            (-0.6, 0.12),
            (-0.86, 0.08),
        ],
        closed=True,
    )
    pen.fill(head, rounded(tint(skin, 1.06), (-0.7, -0.6), (-0.6, 0.25)))
    pen.stroke(smooth([(-0.93, -0.02), (-0.74, 0.02), (-0.56, -0.02)]), 0.025, tint(skin, 0.4))
    pen.stroke(smooth([(-0.84, -0.28), (-0.62, -0.42), (-0.43, -0.57)]), 0.035, tint(skin, 0.6))
    pen.fill(oval(-0.67, -0.17, 0.13, 0.13), tint(skin, 0.6))
    pen.fill(oval(-0.67, -0.17, 0.11, 0.11), blend(tint(skin, 1.15), band, 0.35))
    pen.fill(oval(-0.69, -0.17, 0.045, 0.045), (20, 20, 18))
    pen.fill(oval(-0.7, -0.185, 0.014, 0.014), (250, 250, 240))


def draw_horned_viper(pen: Pen, rng: Rng) -> None:
    """Draw a thick snake in a coil, its broad head on top, a horn over each eye."""
    skin, mark = _snake_colours(rng)
    coil = [(x, y * 0.86) for x, y in _spiral(0, 0.06, float(rng.uniform(0.72, 0.86)), 1.7)]
    path = [(0.62, -0.82), (0.35, -0.78), *coil[1:]] if rng.random() < 0.6 else coil
    path = smooth(path, steps=5)
    _draw_snake(pen, path, [0.03, 0.2, 0.32, 0.34, 0.32, 0.26, 0.16], skin, mark)
    turn = float(rng.uniform(100, 260))
    neck = smooth([path[-4], path[-1], *move([(-0.14, 0), (-0.3, 0)], *path[-1], turn)])
    pen.stroke(neck, [0.19, 0.15], tint(skin, 0.42))
    pen.stroke(neck, [0.17, 0.13], tint(skin, 0.9))
    _draw_snake_head(pen, skin, *neck[-1], turn, horns=True, size=1.6)


def draw_sidewinder(pen: Pen, rng: Rng) -> None:
    """Draw a thin snake in open loops across the sand, above the tracks it left."""
    skin, mark = _snake_colours(rng)
    _draw_tracks(pen, int(rng.integers(3, 6)))
    wave, loops = float(rng.uniform(0.26, 0.36)), float(rng.uniform(1.6, 2.2))
    path = []
    for step in range(91):
        angle = 2 * math.pi * loops * step / 90
        x = -0.86 + 1.6 * step / 90 - 0.08 * math.sin(2 * angle)
        path.append((x, -0.2 - wave * math.sin(angle)))
    for step in range(5):
        pen.fill(oval(path[0][0] - step * 0.04, -0.2 + step * 0.05, 0.04, 0.032), (112, 88, 64))
    _draw_snake(pen, path, [0.06, 0.13, 0.19, 0.21, 0.2, 0.16, 0.09], skin, mark)
    (x, y), (before_x, before_y) = path[-1], path[-4]
    turn = math.degrees(math.atan2(before_y - y, before_x - x))
    _draw_snake_head(pen, skin, x, y, turn, horns=False, size=0.85)


def _draw_tracks(pen: Pen, count: int) -> None:
    """Draw the slanting marks that a sidewinder leaves, each with a lit edge."""
    for index in range(count):
        x = -0.75 + index * 0.36
        track = smooth([(x, 0.92), (x + 0.1, 0.62), (x + 0.32, 0.36), (x + 0.46, 0.38)])
        pen.stroke(track, [0.02, 0.06, 0.05, 0.02], (166, 134, 98))
        pen.stroke([(px + 0.03, py + 0.02) for px, py in track], 0.012, (222, 196, 156))


def _snake_colours(rng: Rng) -> tuple[Colour, Colour]:
    skin = vary(rng, pick(rng, SANDS))
    return skin, blend(skin, pick(rng, [(90, 60, 40), (110, 80, 60), (70, 60, 56)]), 0.75)


def _draw_snake(pen: Pen, path: Points, widths: list[float], skin: Colour, mark: Colour) -> None:
    """Draw the body bit by bit from the tail, so that later loops lie over earlier ones."""
    pieces = max(10, len(path) // 6)
    cuts = [round(step * (len(path) - 1) / pieces) for step in range(pieces + 1)]
    for index, (start, end) in enumerate(zip(cuts, cuts[1:], strict=False)):
        part = path[max(0, start - 1) : min(len(path), end + 2)]
        ends = [width_at(widths, place / (len(path) - 1)) for place in (start, end)]
        for share, colour in ((1.12, tint(skin, 0.42)), (1.0, tint(skin, 0.82)), (0.62, skin)):
            pen.fill(ribbon(part, [width * share for width in ends]), colour)
        if index % 2:
            pen.fill(ribbon(part[1:-1] or part, [width * 0.55 for width in ends]), mark)
        pen.fill(ribbon(part, [width * 0.1 for width in ends]), tint(skin, 1.2))


def _draw_snake_head(
    pen: Pen, skin: Colour, x: float, y: float, turn: float, *, horns: bool, size: float
) -> None:
    def place(points: Points) -> Points:
        return move([(px * size, py * size) for px, py in points], x, y, turn)

    shape = smooth(
        [
            (-0.22, 0),
            (-0.17, -0.07),
            (0.0, -0.14),
            (0.1, -0.1),
            (0.12, 0),
            (0.1, 0.1),
            (0.0, 0.14),
            (-0.17, 0.07),
        ],
        closed=True,
    )
    pen.fill(place([(px * 1.1, py * 1.12) for px, py in shape]), tint(skin, 0.4))
    start, end = place([(-0.22, 0), (0.12, 0)])
    pen.fill(place(shape), Gradient((tint(skin, 1.25), tint(skin, 0.92)), start, end))
    for side in (-1, 1):
        stripe = [(-0.08, side * 0.08), (0.02, side * 0.11), (0.09, side * 0.08)]
        pen.stroke(place(stripe), 0.03 * size, tint(skin, 0.5))
        pen.fill(place(oval(-0.09, side * 0.065, 0.034, 0.026)), (240, 200, 90))
        pen.fill(place(oval(-0.09, side * 0.065, 0.014, 0.026)), (20, 14, 10))
        if horns:
            horn = [(-0.12, side * 0.07), (-0.04, side * 0.08), (-0.13, side * 0.25)]
            pen.fill(place(horn), (64, 44, 32))
