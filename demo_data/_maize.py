"""Drawings of maize: loose, peeled, and in its husk."""

import math

import numpy as np
from _drawing import Colour, Gradient, Pen, arc, oval, pick, rounded, smooth, tint, vary

Rng = np.random.Generator


def draw_corn(pen: Pen, rng: Rng) -> None:
    """Draw peeled cobs side by side, or a bowl of loose kernels."""
    yellow = _kernel_colour(rng)
    if rng.random() < 0.45:
        _draw_bowl(pen, rng, yellow)
        return
    count = int(rng.integers(2, 4))
    for index in range(count):
        off = (index - (count - 1) / 2) * 0.52
        _draw_cob(pen, rng, off, float(rng.uniform(-0.06, 0.06)), vary(rng, yellow, 6), 0.24)


def _kernel_colour(rng: Rng) -> Colour:
    return vary(rng, pick(rng, [(244, 204, 60), (250, 216, 90), (236, 184, 44)]), 8)


def _draw_cob(pen: Pen, rng: Rng, x: float, y: float, yellow: Colour, half: float) -> None:
    cob = smooth(
        [
            (x, -0.85 + y),
            (x + half * 0.8, -0.6 + y),
            (x + half, 0.1 + y),
            (x + half * 0.8, 0.7 + y),
            (x, 0.84 + y),
            (x - half * 0.8, 0.7 + y),
            (x - half, 0.1 + y),
            (x - half * 0.8, -0.6 + y),
        ],
        closed=True,
    )
    pen.fill(cob, tint(yellow, 0.62))
    kernels = pen.another()
    kernels.fill(cob, tint(yellow, 0.62))
    for row in range(-11, 12):
        for column in range(-3, 4):
            across = math.sin(column * 0.42) * half * 1.06
            light = 1.16 - 0.13 * abs(column + 0.7) + float(rng.uniform(-0.05, 0.05))
            spot = (x + across, row * 0.078 + y + column % 2 * 0.03)
            kernels.fill(oval(*spot, half * 0.2, 0.036), tint(yellow, light))
    pen.fill_with(cob, kernels)


def _draw_bowl(pen: Pen, rng: Rng, yellow: Colour) -> None:
    china = vary(rng, pick(rng, [(90, 120, 170), (230, 228, 222), (170, 80, 60), (110, 140, 110)]))
    pen.fill(
        [(-0.9, 0.0), *reversed(arc(0, 0.0, 0.88, 0.72, 0, 180)), (0.9, 0.0)],
        rounded(china, (-0.9, 0), (0.9, 0)),
    )
    pen.fill(oval(0, 0, 0.92, 0.34), tint(china, 1.2))
    pen.fill(oval(0, 0.01, 0.85, 0.29), tint(yellow, 0.55))
    for _ in range(150):
        angle, reach = float(rng.uniform(0, 360)), float(rng.uniform(0, 1)) ** 0.5
        x, y = 0.78 * reach * math.cos(math.radians(angle)), math.sin(math.radians(angle))
        y = 0.25 * reach * y - 0.16 * (1 - reach)
        shade = tint(yellow, float(rng.uniform(0.8, 1.15)))
        pen.fill(oval(x, y, 0.075, 0.052, float(rng.uniform(0, 180))), tint(shade, 0.7))
        pen.fill(oval(x - 0.008, y - 0.012, 0.06, 0.04, angle), shade)


def draw_ear(pen: Pen, rng: Rng) -> None:
    """Draw one ear of maize in its husk, opened a little, with its silk."""
    husk = vary(rng, pick(rng, [(150, 178, 84), (128, 160, 72), (184, 190, 116)]))
    for _ in range(12):
        tip = (float(rng.uniform(-0.32, 0.32)), float(rng.uniform(-1.06, -0.88)))
        silk = vary(rng, (186, 146, 90), 22)
        pen.stroke(smooth([(0, -0.6), (tip[0] * 0.4, -0.84), tip]), 0.025, silk)
    _draw_cob(pen, rng, 0, -0.02, _kernel_colour(rng), 0.3)
    pen.fill([(-0.08, 0.78), (0.08, 0.78), (0.06, 1.02), (-0.06, 1.02)], tint(husk, 0.75))
    openness = float(rng.uniform(0.04, 0.2))
    for side in (-1, 1):
        _draw_husk(pen, side, openness, float(rng.uniform(-0.5, -0.2)), husk)


def _draw_husk(pen: Pen, side: int, openness: float, top: float, husk: Colour) -> None:
    leaves = (
        (openness + 0.44, top, tint(husk, 0.78)),
        (openness + 0.3, top + 0.16, tint(husk, 1.08)),
        (0.24, 0.2 + openness, tint(husk, 0.94)),
    )
    for reach, tip, colour in leaves:
        leaf = smooth(
            [
                (side * reach, tip),
                (side * 0.42, 0.3),
                (side * 0.26, 0.78),
                (0, 0.92),
                (side * 0.02, 0.62),
                (side * 0.14, 0.34),
            ],
            closed=True,
        )
        stops = (tint(colour, 1.15), colour, tint(colour, 0.7))
        pen.fill(leaf, Gradient(stops, (side * 0.05, 0), (side * 0.5, 0)))
        pen.stroke(
            smooth([(side * reach, tip), (side * 0.3, 0.4), (side * 0.06, 0.88)]),
            0.014,
            tint(colour, 0.7),
        )
