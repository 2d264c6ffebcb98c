// Reports a plain click on the tile of an example, so that the session goes on to its page.

/**
 * @typedef {object} TriggerComponent What Streamlit hands over at every answer.
 * @property {(name: string, value: string) => void} setTriggerValue
 */
/** @typedef {Window & { curationOpen?: (address: string) => void }} Listener */

/** @param {TriggerComponent} component */
export default function ({ setTriggerValue }) {
  /** @type {Listener} */
  const page = window;
  const isBound = page.curationOpen !== undefined;
  page.curationOpen = (address) => setTriggerValue("opened", address);
  if (isBound) return;
  document.addEventListener("click", (event) => {
    const link = event.target instanceof Element ? event.target.closest("a.cu-open") : null;
    const isPlain = !event.button && !(event.ctrlKey || event.metaKey || event.shiftKey);
    if (!(link instanceof HTMLAnchorElement) || !isPlain) return;
    event.preventDefault();
    page.curationOpen?.(link.search);
  });
}
