// Layers above the page: an enlarged picture, the help, a question to confirm.

/** @import { ReviewApp } from "./app.js" */
/** @import { ExampleView } from "./example_view.js" */
/** @import { EnlargedPicture } from "./protocol.js" */
/** @typedef {"zoom" | "help" | "confirm"} LayerName */

import { make, makeButton, makeContent } from "./elements.js";

const HELP_FOOTER =
  "Keys do nothing while you type, or before their example is on screen. " +
  "Nothing is final: undo goes back through all your decisions, even those of earlier days.";

export class Layers {
  /**
   * @param {ExampleView} view
   * @param {ReviewApp} app
   */
  constructor(view, app) {
    this.view = view;
    this.app = app;
    /** @type {HTMLElement | null} */
    this.open = null;
    /** @type {LayerName | null} */
    this.name = null;
    /** @type {EnlargedPicture | null} the last one that has come */
    this.large = null;
  }

  /**
   * Open a layer in place of the one that is open.
   * @param {LayerName} name
   * @param {...HTMLElement} children
   */
  show(name, ...children) {
    this.close();
    const close = makeButton("close", "Close [Esc]", () => this.close());
    const isModal = name !== "zoom"; // an enlarged picture leaves the keys to the example
    const sheet = make("div", { className: "sheet" }, ...children);
    if (name !== "confirm") sheet.append(close);
    const layer = make(
      "div",
      {
        className: `layer ${name}`,
        data: { role: "dialog", "aria-modal": String(isModal), "aria-label": name },
      },
      sheet,
    );
    layer.onclick = (event) => {
      if (event.target === layer || name === "zoom") this.close();
    };
    if (isModal) layer.onkeydown = (event) => this.holdFocus(event, layer);
    this.open = layer;
    this.name = name;
    this.view.root.querySelector(".review")?.append(layer);
    if (name === "help") close.focus();
  }

  /**
   * Let Tab go round within a layer that has to be answered or closed first.
   * @param {KeyboardEvent} event
   * @param {HTMLElement} layer
   */
  holdFocus(event, layer) {
    if (event.key !== "Tab") return;
    /** @type {NodeListOf<HTMLElement>} */
    const found = layer.querySelectorAll("button:enabled, input, select");
    const buttons = [...found];
    const active = /** @type {ShadowRoot | Document} */ (layer.getRootNode()).activeElement;
    const at = buttons.findIndex((button) => button === active);
    event.preventDefault();
    buttons.at((at + (event.shiftKey ? -1 : 1)) % buttons.length)?.focus();
  }

  /** Close what is open, and return whether anything was. */
  close() {
    const wasOpen = this.name !== null;
    this.open?.remove();
    this.open = this.name = null;
    if (wasOpen) this.view.takeKeys();
    return wasOpen;
  }

  // ---- the enlarged picture

  get isZoomed() {
    return this.name === "zoom";
  }

  /** Enlarge the picture, or close it. */
  toggleZoom() {
    if (this.isZoomed) this.close();
    else this.zoom();
  }

  /** Show the picture on screen at once, and a larger one in its place when that has come. */
  zoom() {
    const image = this.view.el.content.querySelector("img");
    if (!image) return void this.close();
    this.show("zoom", /** @type {HTMLElement} */ (image.cloneNode()), this.makeLegend());
    if (this.lacksLarge()) this.app.connection.sendSoon();
    else this.showLarge();
  }

  /** Return the labels and the keys of the example, to be in sight beside its enlarged picture. */
  makeLegend() {
    const { el, actions } = this.view;
    const labels = /** @type {HTMLElement} */ (el.labels.cloneNode(true));
    for (const each of labels.querySelectorAll("[data-el]")) each.removeAttribute("data-el");
    const buttons = Object.entries(actions.buttons).map(([action, { button }]) => {
      const copy = /** @type {HTMLButtonElement} */ (button.cloneNode(true));
      copy.removeAttribute("data-action"); // that names the one below the example
      copy.onclick = (event) => {
        event.stopPropagation();
        this.view.act(event, action);
      };
      return copy;
    });
    return make(
      "div",
      { className: "legend" },
      labels,
      make("div", { className: "actions" }, ...buttons),
    );
  }

  /** Return whether the enlarged picture has more detail than has come. */
  lacksLarge() {
    const { shown } = this.view;
    if (!this.isZoomed || shown === null || this.large?.id === shown) return false;
    const content = this.app.walk.items.get(shown)?.content;
    const image = this.view.nodes.get(shown)?.node;
    if (content?.kind !== "image" || !(image instanceof HTMLImageElement)) return false;
    return Math.max(...content.size) > Math.max(image.naturalWidth, image.naturalHeight);
  }

  /** Show the large picture at its own size; what does not fit is reached by scrolling. */
  async showLarge() {
    const { large, view } = this;
    if (!this.isZoomed || large?.id !== view.shown || large.content.kind !== "image") return;
    const small = this.open?.querySelector("img:not(.large)");
    if (!(small instanceof HTMLImageElement)) return;
    const image = /** @type {HTMLImageElement} */ (makeContent(large.content, small.alt));
    image.classList.add("large");
    const isDecoded = await image.decode().then(
      () => true,
      () => false,
    );
    if (!isDecoded || !small.isConnected) return; // closed, or another one by now
    small.replaceWith(image);
    image.parentElement?.scrollTo(
      (image.parentElement.scrollWidth - image.parentElement.clientWidth) / 2,
      (image.parentElement.scrollHeight - image.parentElement.clientHeight) / 2,
    );
  }

  // ---- the help

  /**
   * Show what the keys do, or close that.
   * @param {[string, string][]} keys
   */
  toggleHelp(keys) {
    if (this.name === "help") return void this.close();
    const rows = keys.flatMap(([key, words]) => [
      make("dt", {}, ...key.split(", ").map((each) => make("kbd", { textContent: each }))),
      make("dd", { textContent: words }),
    ]);
    this.show(
      "help",
      make("h2", { textContent: "Keys" }),
      make("dl", {}, ...rows),
      make("p", { className: "quiet", textContent: HELP_FOOTER }),
    );
  }
}
