// Where a curator is in a queue, kept for a reload in the tab's storage and in the page's address.

const LINK_DELAY = 400; // milliseconds on one example before the address names it
const LINKS_KEPT = 20; // examples that the address named lately
const OPENED = "curationReviewOpened"; // set on the window once a queue was opened in it

const readLink = () => new URL(window.location.href).searchParams.get("at");
/** @param {string} queue */
const keyOf = (queue) => `curation.cursor.${queue}`;

/**
 * Put a value into the page's address, so that a reload or a colleague finds it there.
 * @param {string} name
 * @param {string | null} value
 */
export function setLink(name, value) {
  const url = new URL(window.location.href);
  if (url.searchParams.get(name) === value) return;
  if (value === null) url.searchParams.delete(name);
  else url.searchParams.set(name, value);
  window.history.replaceState(window.history.state, "", url);
}

/**
 * Keep the example on screen, and the examples that the address has named in this tab.
 * @param {string} queue
 * @param {string} id
 * @param {string | null} link
 */
function write(queue, id, link) {
  try {
    const before = read(queue)?.links ?? [];
    const links = [link, ...before.filter((each) => each !== link)].slice(0, LINKS_KEPT);
    window.sessionStorage.setItem(keyOf(queue), JSON.stringify({ id, links }));
  } catch {
    // Then a reload starts at the example that the address names.
  }
}

/**
 * @param {string} queue
 * @returns {{ id: string, links: (string | null)[] } | null}
 */
function read(queue) {
  try {
    const kept = JSON.parse(window.sessionStorage.getItem(keyOf(queue)) || "null");
    return kept && Array.isArray(kept.links) ? kept : null;
  } catch {
    return null;
  }
}

/** Return whether the page was just reloaded; false once the queue was opened after that. */
function isReload() {
  if (Reflect.get(window, OPENED)) return false;
  Reflect.set(window, OPENED, true);
  const [entry] = performance.getEntriesByType("navigation");
  return entry instanceof PerformanceNavigationTiming && entry.type === "reload";
}

export class PlaceMemory {
  constructor() {
    this.timer = 0;
  }

  /**
   * Return the example that this tab showed last in a queue, unless the address names another.
   *
   * The server may put an older address back: one that it read before the curator moved on. So
   * after a reload, any address that this tab has written counts as its own.
   * @param {string} queue
   * @returns {string | null}
   */
  recall(queue) {
    const kept = read(queue);
    if (!kept) return null;
    const own = isReload() ? kept.links : kept.links.slice(0, 1);
    return own.includes(readLink()) ? kept.id : null;
  }

  /**
   * Note the example on screen at once, and put it into the address a little later.
   * @param {string} queue
   * @param {string} id
   * @param {() => boolean} isStillShown
   */
  keep(queue, id, isStillShown) {
    write(queue, id, readLink());
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!isStillShown()) return;
      setLink("at", id);
      write(queue, id, id);
    }, LINK_DELAY);
  }

  /**
   * Forget the place in a queue: a finished one opens at its end.
   * @param {string} queue
   */
  forget(queue) {
    clearTimeout(this.timer);
    setLink("at", null);
    window.sessionStorage.removeItem(keyOf(queue));
  }
}
