"""Drawings of keyboards, and of their longest key."""

import numpy as np
from _drawing import Colour, Gradient, Pen, blend, box, pick, tint, vary

Rng = np.random.Generator


def draw_keyboard(pen: Pen, rng: Rng) -> None:
    """Draw a whole keyboard, seen from above."""
    case, cap = _keyboard_colours(rng)
    tall = float(rng.uniform(0.36, 0.46))
    pen.fill(
        box(-1, -tall, 1, tall, 0.06),
        Gradient((tint(case, 1.2), tint(case, 0.8)), (0, -tall), (0, tall)),
    )
    rows = int(rng.integers(4, 6))
    pitch = (2 * tall - 0.12) / rows
    accent = vary(rng, pick(rng, [(200, 70, 50), (60, 120, 180), cap, cap]))
    for row in range(rows - 1):
        _draw_key_row(pen, -tall + 0.06 + row * pitch, pitch, cap, accent, shift=row * 0.03)
    top = tall - 0.06 - pitch
    for left, right in ((-0.94, -0.74), (-0.72, -0.52), (0.56, 0.74), (0.76, 0.94)):
        _draw_key(pen, left, top, right, top + pitch, cap)
    _draw_key(pen, -0.5, top, 0.54, top + pitch, cap, legend=False)


def draw_space_bar(pen: Pen, rng: Rng) -> None:
    """Draw a space bar close up, between the keys around it."""
    case, cap = _keyboard_colours(rng)
    bar = cap if rng.random() < 0.75 else vary(rng, pick(rng, [(196, 80, 60), (90, 130, 170)]))
    pen.fill(box(-2, -0.62, 2, 1.5), tint(case, 0.85))
    pitch = 0.42
    for row in (-1, 0):
        shift = float(rng.uniform(0, 0.4))
        for column in range(-4, 5):
            left = column * pitch + shift
            _draw_key(pen, left, row * pitch - 0.2, left + pitch, row * pitch - 0.2 + pitch, cap)
    wide = float(rng.uniform(0.72, 0.9))
    _draw_key(pen, -wide - 0.7, 0.22, -wide, 0.64, cap)
    _draw_key(pen, wide, 0.22, wide + 0.7, 0.64, cap)
    _draw_key(pen, -wide, 0.22, wide, 0.64, bar, legend=False)
    pen.fill(box(-2, 0.66, 2, 1.5), Gradient((tint(case, 1.25), case), (0, 0.66), (0, 1.1)))


def _keyboard_colours(rng: Rng) -> tuple[Colour, Colour]:
    case, cap = pick(
        rng,
        [
            ((46, 48, 52), (70, 72, 78)),
            ((212, 206, 190), (234, 230, 216)),
            ((186, 190, 196), (246, 246, 246)),
            ((60, 66, 76), (222, 222, 218)),
            ((44, 60, 56), (28, 30, 32)),
        ],
    )
    return vary(rng, case, 10), vary(rng, cap, 8)


def _draw_key_row(
    pen: Pen, top: float, pitch: float, cap: Colour, accent: Colour, *, shift: float
) -> None:
    edges = [-0.94, *(-0.8 + shift + 0.135 * step for step in range(12)), 0.94]
    for index, (left, right) in enumerate(zip(edges, edges[1:], strict=False)):
        colour = accent if index == 0 and shift == 0 else cap
        _draw_key(pen, left, top, right, top + pitch, colour)


def _draw_key(
    pen: Pen, left: float, top: float, right: float, bottom: float, cap: Colour, legend: bool = True
) -> None:
    edge = (bottom - top) * 0.07
    corner = (bottom - top) * 0.16
    pen.fill(box(left + edge, top + edge, right - edge, bottom - edge, corner), tint(cap, 0.55))
    face = box(left + 2 * edge, top + edge, right - 2 * edge, bottom - 3 * edge, corner)
    pen.fill(face, Gradient((tint(cap, 1.12), tint(cap, 0.9)), (0, top), (0, bottom)))
    if legend:
        ink = (240, 240, 240) if sum(cap) < 380 else (60, 60, 64)
        x, y, size = left + 4.5 * edge, top + 4.5 * edge, (bottom - top) * 0.09
        pen.fill(box(x - size / 2, y - size, x + size, y + size), blend(cap, ink, 0.6))
