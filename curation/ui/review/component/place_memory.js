// Where a curator is in a queue, kept for a reload in the tab's storage and in the page's address.

const LINK_DELAY = 400; // milliseconds on one example before the address names it

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
 * @param {string} queue
 * @param {string} id
 * @param {string | null} link
 */
function write(queue, id, link) {
  try {
    window.sessionStorage.setItem(keyOf(queue), JSON.stringify({ id, link }));
  } catch {
    // Then a reload starts at the example that the address names.
  }
}

export class PlaceMemory {
  constructor() {
    this.timer = 0;
  }

  /**
   * Return the example that this tab showed last in a queue, unless the address names another.
   * @param {string} queue
   * @returns {string | null}
   */
  recall(queue) {
    try {
      const kept = JSON.parse(window.sessionStorage.getItem(keyOf(queue)) || "null");
      return kept && kept.link === readLink() ? kept.id : null;
    } catch {
      return null;
    }
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
