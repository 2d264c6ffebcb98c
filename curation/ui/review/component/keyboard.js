// Which key does what, and when a key is meant for the page at all.

/** @import { ReviewApp } from "./app.js" */

import { isComposing } from "./elements.js";
import { PICTURE_KEYS } from "./picture_view.js";

// Elements that keep their keys to themselves.
const TYPING =
  "input, textarea, select, [contenteditable=true], [role=combobox], [role=listbox]:not(.tiles), " +
  "[role=slider], [role=radio]:not(.kind), [role=checkbox], [role=menu], [role=dialog], [role=tab]";
const PRESSED = "button, a, summary, [role=button]"; // by Enter and Space
const COVERING = "[role=dialog], [data-baseweb=popover] [role=listbox]"; // of Streamlit's
const MIN_VISIBLE = 60; // pixels of an example
const HELD = "a key that is held down counts once";

/** @type {Record<string, string>} */
const ACTIONS = {
  a: "accept",
  x: "keep",
  b: "both",
  e: "exclude",
  " ": "skip",
  n: "second",
  ArrowLeft: "left",
  ArrowRight: "right",
  h: "help",
};

export class Keyboard {
  /** @param {ReviewApp} app */
  constructor(app) {
    this.app = app;
    this.lastKey = ""; // before anything else was pressed or clicked
    this.isTabbed = false; // whether the focus was moved to where it is with Tab
    const capture = true; // before anybody else hears of it
    document.addEventListener("keydown", (event) => (this.lastKey = event.key), capture);
    document.addEventListener("pointerdown", () => (this.lastKey = ""), capture);
    document.addEventListener("focusin", () => (this.isTabbed = this.lastKey === "Tab"), capture);
    document.addEventListener("keydown", (event) => this.onKey(event));
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { app } = this;
    const { view } = app;
    if (!view?.root.isConnected || !app.data || isComposing(event)) return;
    if (event.key === "Escape" && view.layers.close()) return event.stopPropagation();
    const change = findChange(event);
    const isCombined = event.ctrlKey || event.metaKey || event.altKey;
    if ((isCombined && !change) || event.defaultPrevented) return;
    const path = event.composedPath().filter((node) => node instanceof Element);
    const target = path[0];
    // Enter held down on a button would press it again and again, and the next one it leads to.
    if (event.repeat && event.key === "Enter" && view.root.contains(target))
      if (target.closest(PRESSED)) return event.preventDefault();
    if (target?.closest(TYPING)) return;
    if (path.some((node) => node.matches(TYPING) && !view.root.contains(node))) return;
    if (document.querySelector(COVERING)) return;
    if (change) return this.onChangeKey(event, change);
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ((key === " " || key === "Enter") && target?.closest(PRESSED)) {
      // A button of the page around that was clicked, or got the focus back when what it opened
      // was closed, is not meant: Space is for the example.
      if (key === "Enter" || this.isTabbed || view.root.contains(target)) return;
      view.takeKeys();
    }
    if (app.data.view === "grid") app.grid.onKey(event, key);
    else this.onExampleKey(event, key);
  }

  /**
   * @param {KeyboardEvent} event
   * @param {"undo" | "redo"} change
   */
  onChangeKey(event, change) {
    const { history, view, notices } = this.app;
    event.preventDefault();
    if (event.repeat) return notices.sayIgnored(HELD);
    if (!view.layers.name || view.layers.isZoomed) history[change]();
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
      k: () => view.annotation.nextKind(),
      f: () => view.layers.toggleZoom(),
    };
    for (const each of PICTURE_KEYS) others[each] = () => view.picture.onKey(each);
    const rank = view.likeliest.findRank(key);
    const answer = view.disputes.findPlace(key);
    if (!action && !others[key] && rank < 0 && answer < 0) return app.notices.sayUnknownKey(key);
    event.preventDefault();
    if (event.repeat) return app.notices.sayIgnored(HELD);
    if (view.layers.name === "help" && action !== "help") return;
    if (action !== "help" && !this.isOnScreen()) return;
    if (answer >= 0) view.disputes.settle(answer);
    else if (others[key]) others[key]();
    else if (action) app.decisions.act(action);
    else app.decisions.act("rank", rank);
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
    app.notices.sayIgnored("the example was out of sight");
    return false;
  }
}

/**
 * Return whether a key means undo or redo.
 * @param {KeyboardEvent} event
 * @returns {"undo" | "redo" | null}
 */
function findChange({ key, ctrlKey, metaKey, altKey, shiftKey }) {
  if (altKey) return null;
  const isCommand = ctrlKey || metaKey;
  if (key === "Backspace") return isCommand ? null : "undo";
  if (key.toLowerCase() === "z") return shiftKey ? "redo" : "undo";
  return key.toLowerCase() === "y" && isCommand ? "redo" : null;
}
