// Typical examples of the given and the suggested class, to compare the example with.

/** @import { ExampleView } from "./example_view.js" */
/** @import { Item } from "./protocol.js" */

import { make, makeContent } from "./elements.js";

export class TypicalStrips {
  /** @param {ExampleView} view */
  constructor(view) {
    this.app = view.app;
    this.el = view.el;
    /** @type {Map<number, HTMLElement>} typical examples by class */
    this.strips = new Map();
  }

  /** Return whether the examples of both classes have come. */
  isComplete() {
    return this.el.strips.querySelectorAll(".stamps").length >= 2;
  }

  /** @param {Item} item */
  draw(item) {
    const { app, el } = this;
    const labels = app.data.kind === "index" ? [] : [...new Set([item.given, item.suggested])];
    el.strips.hidden = !labels.length;
    el.strips.replaceChildren(...labels.map((label) => this.makeStrip(label)));
  }

  /**
   * Return typical examples of a class, below its name; they are made once and kept.
   * @param {number} label
   */
  makeStrip(label) {
    const { app } = this;
    const words = `typical ${app.names?.[label]}`;
    const strip = make(
      "div",
      { className: "strip" },
      make("span", { className: "quiet", textContent: words }),
    );
    const examples = app.strips.get(label);
    if (examples && !this.strips.has(label)) {
      const stamps = examples.map(({ id, content }) =>
        make("span", { className: "stamp", title: id }, makeContent(content, words)),
      );
      const none = "none: the model never agrees with this label";
      if (!stamps.length) stamps.push(make("span", { className: "quiet", textContent: none }));
      const className = app.data.kind === "text" ? "stamps words" : "stamps";
      this.strips.set(label, make("div", { className }, ...stamps));
    }
    const made = this.strips.get(label);
    if (examples && made) strip.append(made);
    return strip;
  }
}
