// Any class by typing a part of its name.

/** @import { ReviewApp } from "./app.js" */
/** @import { Elements } from "./elements.js" */

import { isComposing, make } from "./elements.js";
import { isolate } from "./words.js";

const MAX_CLASSES_FOUND = 8;
const CLOSE_DELAY = 150; // milliseconds, so that a click on the list still finds it

/**
 * Return the classes that a typed text means: those that begin with it, then those that hold it.
 * @param {string[]} names
 * @param {string} typed
 */
export function findClasses(names, typed) {
  const wanted = typed.trim().toLowerCase();
  if (!wanted) return [];
  /** @type {[number[], number[], number[]]} */
  const [same, starting, holding] = [[], [], []];
  names.forEach((name, index) => {
    const plain = name.toLowerCase();
    if (plain === wanted) same.push(index);
    else if (plain.startsWith(wanted)) starting.push(index);
    else if (plain.includes(wanted)) holding.push(index);
  });
  return [...same, ...starting, ...holding].slice(0, MAX_CLASSES_FOUND);
}

/**
 * Return the only line of the list if no class is found; it cannot be chosen.
 * @param {string} typed
 */
function makeNone(typed) {
  return make("li", {
    textContent: `No class is called “${isolate(typed)}”`,
    data: { role: "option", "aria-selected": "false", "aria-disabled": "true" },
  });
}

export class ClassFinder {
  /**
   * @param {Elements} el
   * @param {ReviewApp} app
   */
  constructor(el, app) {
    this.el = el;
    this.app = app;
    /** @type {number[]} the classes in the list */
    this.matches = [];
    this.match = 0; // the place of the selected one
    const { find } = el;
    find.oninput = () => this.list();
    find.onfocus = () => this.list();
    find.onkeydown = (event) => this.onKey(event);
    find.onblur = () => setTimeout(() => !find.matches(":focus") && this.close(), CLOSE_DELAY);
  }

  list() {
    const { find, found } = this.el;
    this.matches = findClasses(this.app.names ?? [], find.value);
    this.match = 0;
    const options = this.matches.map((label, place) => this.makeOption(label, place));
    const typed = find.value.trim();
    if (typed && !options.length) options.push(makeNone(typed));
    found.hidden = !options.length;
    find.setAttribute("aria-expanded", String(!found.hidden));
    found.replaceChildren(...options);
  }

  /**
   * @param {number} label
   * @param {number} place
   */
  makeOption(label, place) {
    const option = make("li", {
      id: `found-${place}`,
      textContent: this.app.names?.[label],
      data: { role: "option", "aria-selected": String(place === 0) },
    });
    option.onmousedown = (event) => {
      event.preventDefault();
      this.take(label);
    };
    return option;
  }

  close() {
    this.matches = []; // Enter must not take a class that nobody sees
    this.el.found.hidden = true;
    this.el.find.setAttribute("aria-expanded", "false");
  }

  clear() {
    this.el.find.value = "";
    this.close();
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const { find, found, stage } = this.el;
    if (isComposing(event)) return;
    if (event.key === "Escape") stage.focus();
    if (event.key === "Enter" && this.matches.length && !event.repeat)
      this.take(this.matches[this.match]);
    const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!move || !this.matches.length) return;
    event.preventDefault();
    this.match = (this.match + move + this.matches.length) % this.matches.length;
    [...found.children].forEach((option, place) =>
      option.setAttribute("aria-selected", String(place === this.match)),
    );
    find.setAttribute("aria-activedescendant", `found-${this.match}`);
  }

  /** @param {number} label */
  take(label) {
    this.el.stage.focus();
    this.close();
    this.app.decisions.act("label", label);
  }
}
