"""Visiting the dashboard without a browser, on small datasets made for the occasion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from streamlit.testing.v1 import AppTest

from curation.ui.shell import curator_name
from tests.problems import noisy_problem

ROOT = Path(__file__).parents[2]
NARROW = 626  # pixels that a table has beside the sidebar in a window of 1024
PETS = ("cat", "dog", "eel")


def save(
    root: Path, *, n: int = 300, names: tuple[str, ...] = PETS, noise: float = 0.2, **kind: Any
) -> Path:
    """Write a dataset of labels and probabilities, and return its folder."""
    root.mkdir()
    labels, pred_probs, _ = noisy_problem(
        np.random.default_rng(0), n=n, m=len(names), noise=noise, sharpness=9, **kind
    )
    np.save(root / "labels.npy", labels)
    np.save(root / "probs.npy", pred_probs)
    (root / "classes.json").write_text(json.dumps(list(names)))
    return root


def run(
    data: object = None, page: str = "overview.py", /, *, curator: str = "ana", **parameters: object
) -> AppTest:
    """Return a page after its first run, opened by a link with these parameters.

    The session knows who the curator is; "" if it does not.
    """
    app = AppTest.from_file(str(ROOT / "overview.py"), default_timeout=60)
    app.session_state[curator_name.KEPT_NAME] = curator
    if page != "overview.py":
        app.switch_page(page)  # its path is found from overview.py's, as the server finds it
    given = {"data": data, **parameters}
    for name, value in given.items():
        if value is not None:
            app.query_params[name] = str(value)
    return app.run()


def link(app: AppTest) -> dict[str, str]:
    """Return the parameters of the page's link."""
    given: dict[str, Any] = dict(app.query_params)
    return {name: each if isinstance(each, str) else each[-1] for name, each in given.items()}


def width_of(table: Any, last: str) -> int:
    """Return how many pixels a table takes up to and with a column."""
    config = json.loads(table.proto.columns)
    names = list(table.value.columns)
    return sum(config[name]["width"] for name in names[: names.index(last) + 1])


def seen(app: AppTest) -> str:
    """Return all that a person could read on the page, sidebar and folded parts too."""
    texts = []
    for element in [*app.main, *app.sidebar]:
        proto = getattr(element, "proto", None)
        places = [element.__dict__.get("value"), element.__dict__.get("label")]
        places += [getattr(proto, field, None) for field in ("body", "label", "text")]
        texts += [place for place in places if isinstance(place, str)]
    return "\n".join(texts)


def click(app: AppTest, key: str) -> AppTest:
    """Press a button, and return the page after it."""
    return app.button(key=key).click().run()


def click_label(app: AppTest, label: str) -> AppTest:
    """Press the first button that says this, as those of forms do, and return the page after it."""
    return next(each for each in app.button if each.label == label).click().run()


def open_path(app: AppTest, path: object) -> AppTest:
    """Type a path into the field that opens a dataset, and return the page that opens."""
    app.text_input(key="path-to-open").set_value(str(path))
    return click_label(app, "Open this path")
