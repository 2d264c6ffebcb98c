// The buttons below an example, each with its key, and what all keys do.

/** @import { ExampleView } from "./example_view.js" */

import { make, makeKeyButton } from "./elements.js";

/** @type {[string, string][]} */
export const EXAMPLE_KEYS = [
  ["A", "take the suggested label"],
  ["X", "keep the given label"],
  ["1 – 9, 0", "one of the ten likeliest classes, by the key beside it"],
  ["T", "type to find any class, Enter to take it; or a new one, to add it"],
  ["B", "both labels are right, or there is no telling"],
  ["Shift+Enter", "with a class typed after T: that class and the given label, both"],
  ["E", "exclude the example"],
  ["Space", "skip for now"],
  ["N", "ask for a second look"],
  ["Backspace, Z", "undo: the example comes back to the screen"],
  ["Shift+Z, Ctrl+Y", "redo what was taken back last"],
  ["Q, W, U, I", "where curators differ: settle it with one of their answers"],
  ["← →", "move without deciding"],
  ["K", "kind of issue: error, ontological, multi-label"],
  ["M", "write a note"],
  ["P", "the picture smooth, or pixel by pixel"],
  ["S", "its size: natural, as large as fits, or one to one"],
  ["L, O", "brighter; more contrast"],
  ["F", "enlarge the picture; scroll to see all of a large one"],
  ["swipe", "on a phone: to the right takes the suggestion, to the left keeps the label"],
  ["H", "this help"],
];

// The key, the action, the words on the button (or the example's own), and its name if it differs.
/** @type {[string, string, string, string?][]} */
const BUTTONS = [
  ["A", "accept", ""],
  ["X", "keep", ""],
  ["B", "both", "Both"],
  ["E", "exclude", "Exclude"],
  ["Space", "skip", "Skip"],
  ["N", "second", "Second look"],
  ["⌫", "undo", "Undo", "Undo (Backspace or Z)"],
  ["←", "left", "", "Previous, without deciding"],
  ["→", "right", "", "Next, without deciding"],
  ["H", "help", "Help"],
];
const ALWAYS_ENABLED = ["left", "right", "help"]; // also where nothing can be decided

export class ActionBar {
  /** @param {ExampleView} view */
  constructor(view) {
    /** @type {Record<string, { button: HTMLButtonElement, label: HTMLElement }>} by action */
    this.buttons = {};
    for (const [key, action, words, name] of BUTTONS) {
      const label = make("span", { textContent: words });
      const data = { "data-action": action };
      const button = makeKeyButton(key, { className: `action ${action}`, data }, label);
      if (name) button.setAttribute("aria-label", name);
      button.onclick = (event) => view.act(event, action);
      this.buttons[action] = { button, label };
    }
    view.el.actions.replaceChildren(...Object.values(this.buttons).map((each) => each.button));
  }

  /**
   * @param {string} action
   * @param {string} words
   */
  setWords(action, words) {
    const { label } = this.buttons[action];
    label.textContent = label.title = words;
  }

  /** @param {string | null} closed why nothing can be decided */
  draw(closed) {
    for (const { button } of Object.values(this.buttons)) {
      button.disabled = Boolean(closed) && !ALWAYS_ENABLED.includes(button.dataset.action ?? "");
      if (button.disabled) button.title = closed ?? "";
    }
  }
}
