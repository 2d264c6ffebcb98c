"""120 hostile texts in every field of a dataset, on every page: they are shown, and do nothing."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import numpy as np
import pytest

import curation
from curation.store import open_store
from tests.browser.conftest import settle
from tests.browser.test_every_page import PAGES
from tests.hostile_texts import HOSTILE_TEXTS

NUMBER = len(HOSTILE_TEXTS)
EACH = 6  # examples of each class; one of them is taken for the next class
OURS = re.compile(r"^(http://localhost:\d+/|data:|blob:|file:///.*\.html$|about:)")

# Everything in the page, also in shadow roots, that would run a script or ask another server.
FIND_HARM = """(page = document) => {
  const found = [];
  const foreign = (url) => {
    if (!url) return false;
    const at = new URL(url, location.href);
    return at.protocol === 'javascript:' || at.protocol === 'mailto:'
      || (at.protocol === 'data:' && !at.href.startsWith('data:image/'))
      || (/^https?:$/.test(at.protocol) && at.hostname !== 'localhost');
  };
  const look = (root) => {
    for (const e of root.querySelectorAll('*')) {
      const tag = e.tagName.toLowerCase();
      for (const { name, value } of e.attributes) {
        const harm = (/^on/i.test(name) && value.includes('PWNED')) || name === 'ping'
          || (name === 'style' && /evil|expression/.test(value))
          || (/^(srcdoc|srcset)$/i.test(name) && /PWNED|evil/.test(value))
          || (/^(href|src|xlink:href|action|formaction|data|poster|background)$/i.test(name)
              && foreign(value));
        if (harm) found.push(`<${tag} ${name}="${value}">`);
      }
      if (/^(script|style)$/.test(tag) && /PWNED|evil/.test(e.textContent)) found.push(tag);
      if (/^(base|object|embed|dialog)$/.test(tag)) found.push(tag);
      if (e.shadowRoot) look(e.shadowRoot);
    }
  };
  look(page);
  return found;
}"""
# The texts of which a page that trusts them would build something harmful; nothing of it runs here.
BUILD = f"""(texts) => texts.filter((text) => {{
  const page = document.implementation.createHTMLDocument();
  page.body.innerHTML = text;
  return ({FIND_HARM})(page).length;
}})"""


def write_dataset(folder: Path, *, pictures: bool = False) -> Path:
    """Write a dataset whose classes, ids, texts or file names, and header are hostile."""
    rows = np.arange(NUMBER * EACH)
    labels = rows // EACH
    taken_for = np.where(rows % EACH == 0, (labels + 1) % NUMBER, labels)
    probs = np.full((len(rows), NUMBER), 0.1 / NUMBER)
    probs[rows, taken_for] += 0.9
    folder.mkdir()
    np.save(folder / "probs.npy", probs.astype(np.float32))
    (folder / "classes.json").write_text(json.dumps(HOSTILE_TEXTS))
    with (folder / "labels.csv").open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file, escapechar=None)
        table.writerow(["id", "label", "image" if pictures else "text", *HOSTILE_TEXTS[:5]])
        for row, label in zip(rows, labels, strict=True):
            text = HOSTILE_TEXTS[label]
            shown = f"{row}{text}.png" if pictures else f"{text} {row}"
            table.writerow([f"{text}{row}", text, shown, *[text] * 5])
    return folder


def decide(folder: Path) -> curation.Dataset:
    """Decide some examples under hostile names and with hostile notes."""
    dataset = curation.load(folder)
    with open_store(dataset) as store:
        for number, text in list(enumerate(HOSTILE_TEXTS))[::2]:
            name = text.replace("\0", "")[:80]
            store.decide(str(dataset.ids[number * EACH]), "exclude", curator=name, note=text)
        for number in (0, 2, 4):
            first, second = dataset.class_ids[number : number + 2]
            store.decide_classes(
                "distinct", first, second, curator="tess", note=HOSTILE_TEXTS[number]
            )
    return dataset


@pytest.fixture
def harmless(page):
    """Return a check that nothing was said, asked or built by a hostile text up to now."""
    said, asked = [], []
    page.on("dialog", lambda dialog: (said.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: asked.append(request.url))

    def check():
        assert not said
        assert not [url for url in asked if not OURS.match(url)]
        assert page.evaluate(f"() => ({FIND_HARM})()") == []

    return check


def test_the_check_finds_what_a_page_that_trusts_the_texts_would_build(demo_server, page):
    page.goto(demo_server.url())  # in by the link; then a page with nothing of ours on it
    settle(page)
    page.goto(demo_server.url("_stcore/health"))
    assert len(page.evaluate(BUILD, list(HOSTILE_TEXTS))) >= 75
    assert page.evaluate(BUILD, ["plain", "<b>bold</b>", "<a href='/Review'>x</a>"]) == []


@pytest.mark.fault(56, "HOLDS")
def test_hostile_texts_in_every_field_do_nothing_on_any_page(serve, page, harmless, tmp_path):
    folder = write_dataset(tmp_path / "<img src=x onerror=alert('PWNED')>")
    dataset = decide(folder)
    served = serve(folder)
    link = "".join(HOSTILE_TEXTS)[:3000].replace("\0", "")
    for name, selector in PAGES.items():
        page.goto(served.url(name))
        page.wait_for_selector(selector, state="attached")
        settle(page)
        harmless()
        if name == "Review":
            page.keyboard.press("ArrowRight")
            page.get_by_text("Grid", exact=True).click()
            page.locator(".tile").nth(5).wait_for()
            harmless()
        hostile = dict.fromkeys(("given", "true", "at", "search", "note", "method", "pair"), link)
        page.goto(served.url(name, **hostile))
        settle(page)
        harmless()
    with open_store(dataset) as store:
        out = curation.export(dataset, store, tmp_path / "out").folder
    for report in sorted(out.glob("*.html")):
        page.goto(report.as_uri())
        harmless()


@pytest.mark.fault(56, "HOLDS")
def test_hostile_file_names_and_paths_in_messages_do_nothing(demo_server, page, harmless, tmp_path):
    folder = write_dataset(tmp_path / "set", pictures=True)
    page.goto(demo_server.url(data=folder))
    page.get_by_text("missing.").first.wait_for()
    settle(page)
    harmless()
    page.goto(demo_server.url("Review", data=folder))
    page.wait_for_selector(PAGES["Review"])
    harmless()
    for first in range(0, NUMBER, 40):
        path = " ".join(HOSTILE_TEXTS[first : first + 40]).replace("\0", "")
        page.goto(demo_server.url(data=path))
        page.get_by_text("there is no such file or folder").first.wait_for()
        settle(page)
        harmless()
