// How pictures are shown: smooth or pixel by pixel, at which size, how bright. Each is one key, and
// this browser remembers it.

/** @import { ExampleView } from "./example_view.js" */
/** @typedef {"smooth" | "scale" | "light" | "contrast"} PictureSetting */

import { make, makeKeyButton } from "./elements.js";

const PICTURE_STORAGE = "curation.picture";

// The key, the setting, its name, and the values that the key goes through; the first is the default.
/** @type {[string, PictureSetting, string, string[]][]} */
const PICTURE_SETTINGS = [
  ["P", "smooth", "pixels", ["smooth", "sharp"]],
  ["S", "scale", "size", ["natural", "fit", "1:1"]],
  ["L", "light", "light", ["1", "1.5", "2.2", "3.3"]],
  ["O", "contrast", "contrast", ["1", "1.5", "2.2"]],
];

export const PICTURE_KEYS = PICTURE_SETTINGS.map(([key]) => key.toLowerCase());

export class PictureView {
  /** @param {ExampleView} view */
  constructor(view) {
    this.view = view;
    /** @type {Record<string, string>} by setting */
    this.chosen = { ...listDefaults(), ...readRemembered() };
    /** @type {Record<string, HTMLElement>} by setting */
    this.labels = {};
    const buttons = PICTURE_SETTINGS.map(([key, setting]) => {
      const label = (this.labels[setting] = make("span"));
      const data = { "data-picture": setting };
      const button = makeKeyButton(key, { className: "chip", data }, label);
      button.onclick = (event) => {
        view.release(event);
        this.next(setting);
      };
      return button;
    });
    view.el.picture.replaceChildren(...buttons);
    this.draw();
  }

  /**
   * Go on to the next value of the setting that a key changes.
   * @param {string} key
   */
  onKey(key) {
    const found = PICTURE_SETTINGS.find(([each]) => each.toLowerCase() === key);
    if (found) this.next(found[1]);
  }

  /** @param {PictureSetting} setting */
  next(setting) {
    const values = PICTURE_SETTINGS.find(([, each]) => each === setting)?.[3] ?? [];
    this.chosen[setting] = values[(values.indexOf(this.chosen[setting]) + 1) % values.length];
    try {
      window.localStorage.setItem(PICTURE_STORAGE, JSON.stringify(this.chosen));
    } catch {
      // The storage is full or forbidden: the setting lives as long as the page does.
    }
    this.draw();
  }

  draw() {
    const section = /** @type {HTMLElement | null} */ (this.view.root.querySelector(".review"));
    if (!section) return;
    const { smooth, scale, light, contrast } = this.chosen;
    section.dataset.pixels = smooth;
    section.dataset.scale = scale;
    section.style.setProperty("--light", light);
    section.style.setProperty("--contrast", contrast);
    for (const [, setting, name] of PICTURE_SETTINGS) {
      const value = this.chosen[setting];
      const words = /^[\d.]+$/.test(value) ? `${name} ${value}×` : `${name}: ${value}`;
      this.labels[setting].textContent = words;
    }
  }

  /**
   * Tell the style sheet how large a picture is, and hide the settings where there is none.
   * @param {HTMLElement} node
   * @param {number[] | undefined} size width and height of the original
   */
  fit(node, size) {
    this.view.el.picture.hidden = !size;
    if (!size) return;
    node.style.setProperty("--width", `${size[0]}px`);
    node.style.setProperty("--height", `${size[1]}px`);
  }
}

/** @returns {Record<string, string>} */
const listDefaults = () =>
  Object.fromEntries(PICTURE_SETTINGS.map(([, setting, , values]) => [setting, values[0]]));

/** Return what this browser remembers, without anything that is no longer a choice. */
function readRemembered() {
  try {
    const kept = JSON.parse(window.localStorage.getItem(PICTURE_STORAGE) || "{}");
    return Object.fromEntries(
      PICTURE_SETTINGS.filter(([, setting, , values]) => values.includes(kept[setting])).map(
        ([, setting]) => [setting, kept[setting]],
      ),
    );
  } catch {
    return {};
  }
}
