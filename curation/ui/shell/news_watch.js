// Asks now and then whether anything was decided elsewhere, while somebody looks at the page.

/**
 * @typedef {object} WatchComponent What Streamlit hands over at every answer.
 * @property {(name: string, value: number) => void} setTriggerValue
 * @property {HTMLElement} parentElement
 */
/**
 * @typedef {object} Watch
 * @property {() => void} ask the server, unless it is at work or a page was just left
 * @property {() => void} send
 */
/** @typedef {Window & { curationWatch?: Watch }} Watcher */

const ASK_NEWS_EVERY = 10000; // milliseconds
const AFTER_CLICK = 4000; // a message after a click on another page's link would bring this one back

/** @param {WatchComponent} component */
export default function ({ setTriggerValue, parentElement }) {
  /** @type {Watcher} */
  const page = window;
  const send = () => {
    if (parentElement.isConnected) setTriggerValue("asked", Date.now());
  };
  if (page.curationWatch) page.curationWatch.send = send;
  else page.curationWatch = startWatch(send);
}

/**
 * Return what asks by itself from now on, and can be told to.
 * @param {() => void} send
 */
function startWatch(send) {
  let lastClick = -AFTER_CLICK;
  const note = () => (lastClick = performance.now());
  document.addEventListener("pointerdown", note, true);
  // Enter follows a link, too; other keys do not.
  document.addEventListener("keydown", (event) => event.key === "Enter" && note(), true);
  /** @type {Watch} */
  const watch = {
    send,
    ask() {
      const app = document.querySelector("[data-testid=stApp]");
      const isIdle = app instanceof HTMLElement && app.dataset.testScriptState === "notRunning";
      const isQuiet = performance.now() - lastClick > AFTER_CLICK;
      if (isIdle && isQuiet && document.visibilityState === "visible") watch.send();
    },
  };
  setInterval(() => watch.ask(), ASK_NEWS_EVERY);
  return watch;
}
