// Asks now and then whether anything was decided elsewhere, while somebody looks at the page.

/**
 * @typedef {object} WatchComponent What Streamlit hands over at every answer.
 * @property {(name: string, value: number) => void} setTriggerValue
 * @property {HTMLElement} parentElement
 */
/** @typedef {Window & { curationWatch?: { ask: () => void } }} Watcher */

const ASK_NEWS_EVERY = 10000; // milliseconds
const AFTER_INPUT = 4000; // a message after a click on another page's link would bring this one back

/** @param {WatchComponent} component */
export default function ({ setTriggerValue, parentElement }) {
  /** @type {Watcher} */
  const page = window;
  const isBound = page.curationWatch !== undefined;
  page.curationWatch = {
    ask: () => parentElement.isConnected && setTriggerValue("asked", Date.now()),
  };
  if (isBound) return;
  let lastInput = -AFTER_INPUT;
  const note = () => (lastInput = performance.now());
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, note, true);
  setInterval(() => {
    const app = document.querySelector("[data-testid=stApp]");
    const isIdle = app instanceof HTMLElement && app.dataset.testScriptState === "notRunning";
    const isQuiet = performance.now() - lastInput > AFTER_INPUT;
    if (isIdle && isQuiet && document.visibilityState === "visible") page.curationWatch?.ask();
  }, ASK_NEWS_EVERY);
}
