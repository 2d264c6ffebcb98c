// Which key does what, and when a key is meant for the page at all.

/** @import { ReviewApp } from "./app.js" */

import { isComposing } from "./elements.js";

// Elements that keep their keys to themselves.
const TYPING =
  "input, textarea, select, [contenteditable=true], [role=combobox], [role=listbox]:not(.tiles), " +
  "[role=slider], [role=radio]:not(.kind), [role=checkbox], [role=menu], [role=dialog], [role=tab]";
const PRESSED = "button, a, summary, [role=button]"; // by Enter and Space
const COVERING = "[role=dialog], [data-baseweb=popover] [role=listbox]"; // of Streamlit's
const MIN_VISIBLE = 60; // pixels of an example

/** @type {Record<string, string>} */
const ACTIONS = {
  a: "accept",
  x: "keep",
  b: "both",
  e: "exclude",
  " ": "skip",
  n: "second",
  z: "undo",
  Backspace: "undo",
  ArrowLeft: "left",
  ArrowRight: "right",
  h: "help",
};

export class Keyboard {
  /** @param {ReviewApp} app */
  constructor(app) {
    this.app = app;
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { app } = this;
    const { view } = app;
    if (!view?.root.isConnected || !app.data || isComposing(event)) return;
    if (event.key === "Escape" && view.layers.close()) return event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const path = event.composedPath().filter((node) => node instanceof Element);
    const target = path[0];
    // Enter held down on a button would press it again and again, and the next one it leads to.
    if (event.repeat && event.key === "Enter" && view.root.contains(target))
      if (target.closest(PRESSED)) return event.preventDefault();
    if (target?.closest(TYPING)) return;
    if (path.some((node) => node.matches(TYPING) && !view.root.contains(node))) return;
    if (document.querySelector(COVERING)) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ((key === " " || key === "Enter") && target?.closest(PRESSED)) return;
    if (app.data.view === "grid") app.grid.onKey(event, key);
    else this.onExampleKey(event, key);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {string} key
   */
  onExampleKey(event, key) {
    const { app } = this;
    const { view } = app;
    const action = ACTIONS[key];
    /** @type {Record<string, () => void>} */
    const others = {
      t: () => view.el.find.focus(),
      m: () => view.el.note.focus(),
      k: () => view.nextKind(),
      f: () => view.layers.toggleZoom(),
    };
    const rank = view.bars.findIndex((bar) => !bar.row.hidden && bar.key.textContent === key);
    if (!action && !others[key] && rank < 0) return;
    event.preventDefault();
    if (event.repeat) return; // a held key says nothing new
    if (view.layers.name === "help" && action !== "help") return;
    if (action !== "help" && !this.isOnScreen()) return;
    if (others[key]) others[key]();
    else if (action) app.act(action);
    else app.act("rank", rank);
  }

  /** Return whether the example is in sight; if not, scroll to it, and the next key decides. */
  isOnScreen() {
    const { app } = this;
    const { stage } = app.view.el;
    if (app.done) return true;
    if (document.visibilityState !== "visible") return false;
    const box = stage.getBoundingClientRect();
    if (box.bottom > MIN_VISIBLE && box.top < window.innerHeight - MIN_VISIBLE) return true;
    stage.scrollIntoView({ block: "nearest" });
    return false;
  }
}
