// Any class by typing a part of its name, or a new one that no class has.

/** @import { ReviewApp } from "./app.js" */
/** @import { Elements } from "./elements.js" */

import { isComposing, make, makeButton } from "./elements.js";
import { isolate } from "./words.js";

const MAX_CLASSES_FOUND = 8;
const MAX_NAME_LENGTH = 200; // of a new class
const NEW = -1; // in the list of matches: the typed name as a new class
const CLOSE_DELAY = 150; // milliseconds, so that a click on the list still finds it

export const ABOUT_NEW =
  "Everyone can choose it from now on, as long as a decision names it. The model does not know it: " +
  "estimates leave its examples out.";

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
 * Return a typed name in one Unicode form, with single spaces.
 * @param {string} typed
 */
export const tidyName = (typed) => typed.normalize("NFC").trim().replace(/\s+/gu, " ");

/**
 * Return a name without what makes no difference to a person: case, spaces, hidden characters.
 * @param {string} name
 */
const foldName = (name) => tidyName(name.replace(/\p{Cf}/gu, "")).toLowerCase();

/**
 * Return whether a typed name is new: no class has it, or had it before it was renamed.
 * @param {string[]} names
 * @param {string} typed
 */
export function isNewName(names, typed) {
  const wanted = foldName(typed);
  if (!wanted || wanted.length > MAX_NAME_LENGTH) return false;
  return !names.some((name) => {
    const folded = foldName(name);
    return folded === wanted || folded.startsWith(`${wanted} (was `);
  });
}

/** @param {string} typed */
export const offerNew = (typed) => `Add “${isolate(tidyName(typed))}” as a new class`;

/**
 * @param {string} given
 * @param {string} other
 */
const nameBoth = (given, other) => `Both ${isolate(given)} and ${isolate(other)}`;

/**
 * Return the only line of the list if no class is found; it cannot be chosen.
 * @param {string} typed
 * @param {string | null} closed why no class can be added
 */
function makeNone(typed, closed) {
  return make("li", {
    textContent: `No class is called “${isolate(typed)}”${closed ? `, and ${closed}` : ""}`,
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
    const names = this.app.everyName();
    const { closed } = this.app.data.adding;
    this.matches = findClasses(names, find.value);
    if (!closed && isNewName(names, find.value)) this.matches.push(NEW);
    this.match = 0;
    const options = this.matches.map((label, place) =>
      this.makeOption(label, place, label === NEW ? offerNew(find.value) : names[label]),
    );
    const typed = find.value.trim();
    if (typed && !options.length) options.push(makeNone(typed, closed));
    found.hidden = !options.length;
    find.setAttribute("aria-expanded", String(!found.hidden));
    found.replaceChildren(...options);
    if (!found.hidden) find.scrollIntoView?.({ block: "nearest" }); // clear of the buttons below
  }

  /**
   * @param {number} label
   * @param {number} place
   * @param {string} textContent
   */
  makeOption(label, place, textContent) {
    const option = make("li", {
      id: `found-${place}`,
      className: label === NEW ? "new" : "",
      textContent,
      data: { role: "option", "aria-label": textContent, "aria-selected": String(place === 0) },
    });
    option.onmousedown = (event) => {
      event.preventDefault();
      this.take(label);
    };
    const given = this.app.walk.item()?.given;
    if (label !== NEW && given !== undefined && label !== given)
      option.append(this.makeBoth(label, given));
    return option;
  }

  /**
   * Return where a click gives the example a class and the label it has.
   * @param {number} label
   * @param {number} given
   */
  makeBoth(label, given) {
    const names = this.app.everyName();
    const words = nameBoth(names[given], names[label]);
    const both = make("span", {
      className: "both",
      textContent: "both",
      title: `${words} (Shift+Enter)`,
      data: { "aria-hidden": "true" }, // a line of a list holds no buttons; the key does the same
    });
    both.onmousedown = (event) => {
      event.preventDefault();
      event.stopPropagation(); // the line is for the class alone
      this.take(label, true);
    };
    return both;
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
    if (event.key === "Enter" && this.matches.length && !event.repeat) {
      event.preventDefault(); // or it would press the button that has the focus by then
      this.take(this.matches[this.match], event.shiftKey);
    }
    const move = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!move || !this.matches.length) return;
    event.preventDefault();
    this.match = (this.match + move + this.matches.length) % this.matches.length;
    [...found.children].forEach((option, place) =>
      option.setAttribute("aria-selected", String(place === this.match)),
    );
    find.setAttribute("aria-activedescendant", `found-${this.match}`);
  }

  /**
   * @param {number} label
   * @param {boolean} [isBoth] with the label that the example has
   */
  take(label, isBoth = false) {
    const typed = this.el.find.value;
    this.el.stage.focus();
    this.close();
    if (label === NEW) this.askToAdd(tidyName(typed));
    else this.app.decisions.act(isBoth ? "with" : "label", label);
  }

  /**
   * Ask before the example on screen gets a class that the dataset lacks.
   * @param {string} name
   */
  askToAdd(name) {
    const { app } = this;
    const { layers } = app.view;
    const { cursor } = app.walk;
    if (!app.decisions.canAct()) return app.notices.sayIgnored(app.decisions.whyNot());
    const add = (/** @type {boolean} */ isBoth) => {
      layers.close();
      this.clear();
      if (app.walk.cursor === cursor) app.decisions.addClass(name, isBoth);
    };
    const given = app.everyName()[app.walk.item()?.given ?? 0];
    const yes = makeButton("action primary", `Add ${isolate(name)}`, () => add(false));
    const both = makeButton("action", nameBoth(given, name), () => add(true));
    for (const each of [yes, both])
      each.onkeydown = (event) => event.repeat && event.preventDefault(); // a held Enter is no answer
    layers.show(
      "confirm",
      make("h2", { textContent: `${offerNew(name)}?` }),
      make("p", { textContent: `The dataset has no class of this name. ${app.data.adding.note}` }),
      make("p", { className: "quiet", textContent: ABOUT_NEW }),
      make(
        "div",
        { className: "choices" },
        yes,
        both,
        makeButton("action", "Cancel", () => layers.close()),
      ),
    );
    yes.focus();
  }
}
