// Elements of the page. Text of the dataset is only ever set as textContent.

/** @import { Content } from "./protocol.js" */

// The names of keys that are drawn as a symbol.
/** @type {Record<string, string>} */
const SHORTCUTS = { "⌫": "Backspace Z", "←": "ArrowLeft", "→": "ArrowRight" };

/**
 * Return a new element with these properties; `data` holds attributes.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown> & { data?: Record<string, string> }} props
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, props = {}, ...children) {
  const { data, ...rest } = props;
  const node = Object.assign(document.createElement(tag), rest);
  for (const [name, value] of Object.entries(data ?? {})) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/**
 * @param {string} className
 * @param {string} textContent
 * @param {(event: MouseEvent) => void} onclick
 */
export function makeButton(className, textContent, onclick) {
  return make("button", { type: "button", className, textContent, onclick });
}

/**
 * Return a button with its key before its words.
 * @param {string} key
 * @param {Record<string, unknown> & { data: Record<string, string> }} props
 * @param {HTMLElement} label
 */
export function makeKeyButton(key, props, label) {
  const data = { ...props.data, "aria-keyshortcuts": SHORTCUTS[key] || key };
  return make(
    "button",
    { type: "button", ...props, data },
    make("kbd", { textContent: key }),
    label,
  );
}

/**
 * Return a picture, a text, or the reason why there is neither.
 * @param {Content} content
 * @param {string} alt
 */
export function makeContent(content, alt) {
  if (content.kind === "image") {
    const image = make("img", { src: content.src, alt, draggable: false });
    if (content.tiny) image.classList.add("tiny");
    return image;
  }
  if (content.kind === "missing")
    return makeNotice("This example cannot be shown", content.reason, content.remedy);
  if (content.kind === "waiting")
    return makeNotice("The picture is not here yet", content.reason, content.remedy);
  if (content.kind === "index") {
    const quiet = "This dataset has neither pictures nor texts: judge by the numbers.";
    const notice = makeNotice(content.text, "", quiet);
    notice.classList.add("row");
    return notice;
  }
  const more = content.length > content.text.length;
  return make("div", {
    className: "text",
    tabIndex: 0,
    textContent: content.text + (more ? "…" : ""),
    data: { role: "document" },
  });
}

/**
 * @param {string} heading
 * @param {string} text
 * @param {string} quiet
 */
function makeNotice(heading, text, quiet) {
  return make(
    "div",
    { className: "none" },
    make("b", { textContent: heading }),
    ...(text ? [make("span", { textContent: text })] : []),
    make("span", { className: "quiet", textContent: quiet }),
  );
}

/**
 * Return whether a key is part of composing a character, as in Japanese; Safari sends 229.
 * @param {KeyboardEvent} event
 */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

/**
 * @typedef {Record<string, HTMLElement> & { find: HTMLInputElement, note: HTMLInputElement }} Elements
 */

/**
 * Return the elements of review.html that have a name, by their name.
 * @param {HTMLElement} root
 */
export function findElements(root) {
  /** @type {Record<string, HTMLElement>} */
  const found = {};
  for (const node of root.querySelectorAll("[data-el]"))
    if (node instanceof HTMLElement && node.dataset.el) found[node.dataset.el] = node;
  return /** @type {Elements} */ (found);
}
