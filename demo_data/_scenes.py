"""The background of a drawn thing, and the light, shadow and grain of the photograph."""

import numpy as np
from _drawing import SIZE, Colour, Pen, blend, pick, tint, vary
from PIL import Image, ImageFilter

Picture = np.ndarray  # (SIZE, SIZE, 3) floats, 0 to 255


def clouds(rng: np.random.Generator, low: Colour, high: Colour, grid: int = 5) -> Picture:
    """Return soft patches between two colours; a finer grid gives smaller patches."""
    patches = Image.fromarray(rng.integers(0, 256, (grid, grid), dtype=np.uint8))
    share = np.asarray(patches.resize((SIZE, SIZE), Image.Resampling.BICUBIC)) / 255.0
    low_high = np.array([low, high], dtype=np.float32)
    return low_high[0] + share[:, :, None].astype(np.float32) * (low_high[1] - low_high[0])


def studio(rng: np.random.Generator) -> Picture:
    colour = vary(
        rng, pick(rng, [(205, 208, 212), (226, 218, 204), (186, 200, 214), (214, 200, 206)])
    )
    picture = clouds(rng, tint(colour, 0.94), tint(colour, 1.05), 3)
    floor = int(rng.integers(int(SIZE * 0.55), SIZE + 1))
    picture[floor:] *= 0.9
    return picture


def sky(rng: np.random.Generator) -> Picture:
    top = vary(rng, pick(rng, [(70, 130, 200), (110, 160, 215), (150, 165, 185), (225, 160, 120)]))
    bottom = blend(top, (245, 240, 235), 0.6)
    share = np.linspace(0, 1, SIZE)[:, None, None]
    picture = np.array(top) * (1 - share) + np.array(bottom) * share
    white = clouds(rng, (0, 0, 0), (1, 1, 1), 4)
    return picture + (250 - picture) * np.clip(white * 1.6 - 0.7, 0, 0.8)


def sand(rng: np.random.Generator) -> Picture:
    colour = vary(rng, pick(rng, [(214, 184, 138), (226, 200, 160), (204, 160, 116)]))
    ripples = np.asarray(
        Image.fromarray(rng.integers(0, 256, (26, 4), dtype=np.uint8)).resize(
            (SIZE, SIZE), Image.Resampling.BICUBIC
        )
    )
    shade = 0.93 + 0.12 * ripples[:, :, None] / 255.0
    return clouds(rng, tint(colour, 0.9), tint(colour, 1.06), 4) * shade


def stone(rng: np.random.Generator) -> Picture:
    colour = vary(rng, pick(rng, [(150, 146, 138), (170, 158, 142), (122, 124, 126)]))
    rough = clouds(rng, (225, 225, 225), (280, 280, 280), 22) / 255.0
    return clouds(rng, tint(colour, 0.85), tint(colour, 1.1), 6) * rough


def leaves(rng: np.random.Generator) -> Picture:
    dark = vary(rng, pick(rng, [(44, 74, 40), (60, 84, 46), (74, 80, 50)]))
    picture = (
        clouds(rng, dark, tint(dark, 1.7), 9) * 0.6 + clouds(rng, dark, tint(dark, 2), 4) * 0.4
    )
    return picture


def planks(rng: np.random.Generator) -> Picture:
    colour = vary(rng, pick(rng, [(166, 124, 84), (196, 160, 118), (124, 92, 66), (208, 190, 166)]))
    grain = np.asarray(
        Image.fromarray(rng.integers(0, 256, (60, 5), dtype=np.uint8)).resize(
            (SIZE, SIZE), Image.Resampling.BICUBIC
        )
    )
    picture = np.array(colour) * (0.86 + 0.2 * grain[:, :, None] / 255.0)
    width = int(rng.integers(16, 30))
    for top in range(int(rng.integers(width)), SIZE, width):
        picture[top : top + 1] *= 0.62
    return picture if rng.random() < 0.5 else picture.transpose(1, 0, 2)


def tiles(rng: np.random.Generator) -> Picture:
    """Return a tiled wall above a plain floor: a bathroom."""
    wall = vary(
        rng, pick(rng, [(206, 222, 226), (228, 226, 214), (176, 206, 204), (198, 206, 220)])
    )
    picture = clouds(rng, tint(wall, 0.95), tint(wall, 1.05), 4)
    width, floor = int(rng.integers(12, 20)), int(rng.integers(76, 92))
    picture[int(rng.integers(width)) :: width] *= 0.86
    picture[:, int(rng.integers(width)) :: width] *= 0.86
    picture[floor:] = np.array(
        vary(rng, pick(rng, [(150, 126, 104), (120, 128, 134), (188, 178, 164)]))
    )
    return picture


def desk(rng: np.random.Generator) -> Picture:
    return planks(rng) if rng.random() < 0.5 else studio(rng) * float(rng.uniform(0.55, 1.0))


def photograph(rng: np.random.Generator, thing: Pen, behind: Picture) -> Image.Image:
    """Return the thing before its background, with shadow, light from one side, and grain."""
    layer = thing.layer.resize((SIZE, SIZE), Image.Resampling.BOX)
    cover = np.asarray(layer.getchannel("A"))[:, :, None] / 255.0
    picture = behind * (1 - float(rng.uniform(0.35, 0.6)) * _shadow(rng, layer)[:, :, None])
    picture = picture * (1 - cover) + np.asarray(layer)[:, :, :3] * cover
    picture = picture * _light(rng)[:, :, None] * rng.uniform(0.96, 1.04, 3)
    picture = picture + rng.normal(0, rng.uniform(1.0, 4.5), (SIZE, SIZE, 1))
    image = Image.fromarray(np.clip(picture, 0, 255).round().astype(np.uint8))
    return image.filter(ImageFilter.GaussianBlur(0.7)) if rng.random() < 0.12 else image


def _shadow(rng: np.random.Generator, layer: Image.Image) -> np.ndarray:
    """Return how dark the thing's soft shadow is at each pixel, 0 to 1."""
    right, down = int(rng.integers(-5, 6)), int(rng.integers(2, 7))
    alpha = Image.new("L", (SIZE, SIZE))
    alpha.paste(layer.getchannel("A"), (right, down))
    return np.asarray(alpha.filter(ImageFilter.GaussianBlur(float(rng.uniform(2, 4))))) / 255.0


def _light(rng: np.random.Generator) -> np.ndarray:
    """Return the light at each pixel: brighter on one side, darker in the corners."""
    across, down = np.meshgrid(np.linspace(-1, 1, SIZE), np.linspace(-1, 1, SIZE))
    side_x, side_y = rng.uniform(-0.13, 0.13, 2)
    corners = float(rng.uniform(0.0, 0.14)) * (across * across + down * down) / 2
    return float(rng.uniform(0.84, 1.12)) + side_x * across + side_y * down - corners
