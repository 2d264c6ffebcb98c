// The examples most like the one on screen, with the labels they were given: a click opens one.

/** @import { ExampleView } from "./example_view.js" */
/** @import { Item, NearExample } from "./protocol.js" */

import { make, makeButton, makeContent } from "./elements.js";

export class NearExamplesView {
  /** @param {ExampleView} view */
  constructor(view) {
    this.view = view;
    this.app = view.app;
    this.el = view.el;
    this.drawn = ""; // the example whose nearest are on screen
  }

  /** Return whether the examples most like the one on screen are still to come. */
  isLacking() {
    const { shown } = this.view;
    return this.app.data.nearby && shown !== null && !this.app.near.has(shown);
  }

  /**
   * @param {string} id
   * @param {Item} item
   */
  draw(id, item) {
    const near = this.app.data.nearby ? this.app.near.get(id) : undefined;
    const { el } = this;
    el.near.hidden = !this.app.data.nearby;
    el.nearWords.textContent = near?.words ?? "";
    if (this.drawn === id && near) return;
    this.drawn = near ? id : "";
    const head = make("span", { className: "quiet", textContent: "more like this" });
    if (near) head.title = `Compared by ${near.source}`;
    const tiles = (near?.examples ?? []).map((each) => this.makeTile(each, item));
    const className = this.app.data.kind === "image" ? "nearest" : "nearest words";
    el.near.replaceChildren(
      make("div", { className: "near-head" }, head, ...this.makeBack(id)),
      make("div", { className }, ...tiles),
    );
  }

  /**
   * Return one example as a button, with its label below it.
   * @param {NearExample} example
   * @param {Item} item
   */
  makeTile({ id, given, content }, item) {
    const name = this.app.names?.[given] ?? "";
    const kind = given === item.given ? "is-given" : given === item.suggested ? "is-suggested" : "";
    const button = makeButton(`near-tile ${kind}`, "", (event) => {
      this.view.release(event);
      this.open(id);
    });
    const inner =
      content.kind === "index"
        ? make("span", { className: "id", textContent: id })
        : makeContent(content, `${id}, labelled ${name}`);
    if (inner.tabIndex === 0) inner.tabIndex = -1; // the button takes the focus
    button.append(
      make("span", { className: "stamp" }, inner),
      make("span", { className: "chip-label", textContent: name }),
    );
    button.title = `${id}, labelled ${name}`;
    button.setAttribute("aria-label", `Open ${id}, labelled ${name}`);
    return button;
  }

  /** @param {string} id */
  open(id) {
    if (this.app.origin === null) this.app.origin = this.view.shown;
    this.app.goTo(id);
  }

  /**
   * Return the way back, where one came here from the nearest of another example.
   * @param {string} id
   */
  makeBack(id) {
    const { origin } = this.app;
    if (origin === null) return [];
    if (origin === id || this.app.walk.steps.some((each) => each.id === id && each.place >= 0)) {
      this.app.origin = null;
      return [];
    }
    return [
      makeButton("chip", `← back to ${origin}`, (event) => {
        this.view.release(event);
        this.app.origin = null;
        this.app.goTo(origin);
      }),
    ];
  }
}
