// What this tab decided and the server has not answered yet. It is kept in the tab's storage, so
// it survives a reload. Nothing here knows a screen, so node can test it.

/** @import { BulkOperation, DecideOperation, FailedAnswer, LatestDecision } from "./protocol.js" */
/** @import { Operation, OperationAnswer } from "./protocol.js" */
/** @typedef {{ operation: Operation, answer: OperationAnswer }} SettledOperation */

/**
 * Return a name for one operation, never used twice.
 * @returns {string}
 */
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
}

/**
 * A list in the tab's storage, which survives a reload of the page.
 * @template T
 */
class StoredList {
  /**
   * @param {Storage} storage
   * @param {string} key
   */
  constructor(storage, key) {
    this.storage = storage;
    this.key = key;
  }

  /** @returns {T[]} */
  read() {
    try {
      return JSON.parse(this.storage.getItem(this.key) || "[]");
    } catch {
      return [];
    }
  }

  /** @param {T[]} list */
  write(list) {
    try {
      this.storage.setItem(this.key, JSON.stringify(list));
    } catch {
      // The storage is full or forbidden: the list still lives as long as the page does.
    }
  }
}

/**
 * Operations that the server has not answered yet, oldest first. They are written to the tab's
 * storage before anything else happens to them.
 */
export class OperationLog {
  static PREFIX = "curation.log.";

  /**
   * @param {Storage} storage
   * @param {string} store
   */
  constructor(storage, store) {
    /** @type {StoredList<Operation>} */
    this.kept = new StoredList(storage, OperationLog.PREFIX + store);
    this.pending = this.kept.read();
    /** @type {FailedAnswer | null} why the oldest one could not be saved, if so */
    this.failure = null;
  }

  /** @param {Operation} operation */
  add(operation) {
    this.pending.push(operation);
    this.kept.write(this.pending);
  }

  /**
   * Return the oldest operations that fit into a message; at least one, if there is any.
   * @param {number} limit characters
   */
  first(limit) {
    let size = 0;
    const isTooMuch = (/** @type {Operation} */ each) =>
      (size += JSON.stringify(each).length) > limit;
    const end = this.pending.findIndex((each, place) => isTooMuch(each) && place > 0);
    return end < 0 ? this.pending : this.pending.slice(0, end);
  }

  /**
   * Take in the server's answers; return those that are final, with their operations.
   * @param {Record<string, OperationAnswer>} answers
   */
  settle(answers) {
    /** @type {SettledOperation[]} */
    const settled = [];
    /** @type {Operation[]} */
    const waiting = [];
    this.failure = null;
    for (const operation of this.pending) {
      const answer = answers[operation.op_id];
      if (answer && answer.status !== "failed") settled.push({ operation, answer });
      else waiting.push(operation);
      if (answer && answer.status === "failed" && !this.failure) this.failure = answer;
    }
    if (settled.length) {
      this.pending = waiting;
      this.kept.write(waiting);
    }
    return settled;
  }

  /**
   * Return the last operation on an example that is not answered yet.
   * @param {string | null} id
   */
  lastOn(id) {
    return this.pending.findLast((each) =>
      each.do === "many" ? each.ids?.includes(/** @type {string} */ (id)) : each.id === id,
    );
  }

  /** Return what this tab decided under another name or in another dataset, not answered yet. */
  elsewhere() {
    const { storage, key } = this.kept;
    return Object.keys(storage)
      .filter((each) => each.startsWith(OperationLog.PREFIX) && each !== key)
      .flatMap((each) =>
        /** @type {StoredList<Operation>} */ (new StoredList(storage, each)).read(),
      );
  }

  /**
   * Return what can be undone and what can be redone, the next one last, with what is not answered.
   * @param {LatestDecision[]} latest the latest decisions that the server knew, newest first
   * @param {LatestDecision[]} taken those that could be redone, the next one first
   * @param {string[] | null} names of the classes
   */
  stacks(latest, taken, names) {
    const done = [...latest].reverse();
    const undone = [...taken].reverse();
    const known = new Set([...latest, ...taken].map((each) => each.op));
    for (const each of this.pending) {
      if ("expect" in each) {
        const [from, to] = each.do === "undo" ? [done, undone] : [undone, done];
        const top = from.at(-1);
        // Otherwise the server has done it already.
        if (top?.op === each.expect) to.push(/** @type {LatestDecision} */ (from.pop()));
      } else if (!known.has(each.op_id)) {
        undone.length = 0;
        done.push(summarize(each, names));
      }
    }
    return { done, undone };
  }
}

/**
 * Return what an operation decides, as the server lists it once it is stored.
 * @param {DecideOperation | BulkOperation} operation
 * @param {string[] | null} names of the classes
 * @returns {LatestDecision}
 */
function summarize(operation, names) {
  const { op_id: op, action } = operation;
  if (operation.do === "many")
    return {
      op,
      action,
      id: operation.ids?.[0] ?? null,
      count: operation.count,
      label: null,
      classes: [],
    };
  const own = operation.label === undefined ? null : (names?.[operation.label] ?? null);
  const label = operation.new_class ?? own;
  return { op, action, id: operation.id, count: 1, label, classes: [] };
}

/**
 * Values by id, oldest first: conflicts and alarms that a person has not answered, unsaved notes.
 * @template T
 */
export class StoredMap {
  /**
   * @param {Storage} storage
   * @param {string} key
   */
  constructor(storage, key) {
    /** @type {StoredList<[string, T]>} */
    this.kept = new StoredList(storage, key);
    this.values = new Map(this.kept.read());
  }

  get size() {
    return this.values.size;
  }

  /** @param {string} id */
  get(id) {
    return this.values.get(id);
  }

  ids() {
    return [...this.values.keys()];
  }

  /** Return the oldest one and its id; undefined if there is none. */
  first() {
    return this.values.entries().next().value;
  }

  /**
   * @param {string} id
   * @param {T} value
   */
  set(id, value) {
    this.values.set(id, value);
    this.kept.write([...this.values]);
  }

  /** @param {string} id */
  delete(id) {
    if (this.values.delete(id)) this.kept.write([...this.values]);
  }
}

/** How many decisions were made in this tab per minute, over the last two minutes. */
export class Pace {
  static SPAN = 120000; // milliseconds
  static MIN_DECISIONS = 5; // below this there is no pace

  /**
   * @param {Storage} storage
   * @param {string} key
   */
  constructor(storage, key) {
    /** @type {StoredList<number>} */
    this.kept = new StoredList(storage, key);
    this.times = this.kept.read();
  }

  /** @param {number} now */
  add(now) {
    this.times = [...this.recent(now), now];
    this.kept.write(this.times);
  }

  /** @param {number} now */
  recent(now) {
    return this.times.filter((each) => each <= now && now - each < Pace.SPAN);
  }

  /**
   * Return decisions per minute, or null if there were too few to tell.
   * @param {number} now
   */
  perMinute(now) {
    const times = this.recent(now);
    if (times.length < Pace.MIN_DECISIONS) return null;
    return Math.round((60000 * times.length) / Math.max(now - times[0], 1000));
  }
}
