// The part of a queue around the example on screen. Nothing here knows a screen, so node can test it.

/** @import { Item, OneAnswer, Standing } from "./protocol.js" */
/** @import { OperationLog } from "./operation_log.js" */
/** @typedef {{ id: string, place: number, todo: boolean }} Step */

const ITEMS_KEPT = 60;

/**
 * `steps` are in the order in which they are walked. From the cursor to the last of them, nothing
 * that is left to decide is missing.
 */
export class QueueWindow {
  /**
   * @param {string} queue
   * @param {OperationLog} log
   */
  constructor(queue, log) {
    this.queue = queue;
    this.log = log;
    /** @type {string | null} the example on screen */
    this.cursor = null;
    /** @type {Step[]} */
    this.steps = [];
    this.whole = false; // the steps hold everything that is left to decide in the queue
    /** @type {Map<string, Item>} by id; an item changes only when its picture comes */
    this.items = new Map();
    /** @type {Map<string, Standing>} by id; changes with every answer */
    this.standing = new Map();
  }

  /**
   * Take in an answer of the server.
   * @param {OneAnswer} data
   */
  accept(data) {
    for (const [id, item] of Object.entries(data.items)) {
      const isNews = item.content.kind !== "waiting" || !this.items.has(id);
      if (isNews && !this.has(id)) this.items.set(id, item);
    }
    for (const [id, standing] of Object.entries(data.standing)) this.standing.set(id, standing);
    const steps = data.steps.map(([id, place, todo]) => ({ id, place, todo }));
    if (this.cursor === null) this.cursor = data.start;
    // An answer to an older message may not reach as far as we are by now.
    if (steps.some((step) => step.id === this.cursor) || !this.here()) {
      this.steps = steps;
      this.whole = data.whole;
    } else {
      const fresh = new Map(steps.map((step) => [step.id, step.todo]));
      for (const step of this.steps) step.todo = fresh.get(step.id) ?? step.todo;
    }
    this.forget();
  }

  /**
   * Note that a decision was saved. Until the server says how the example stands, the next
   * decision is still made with this one in view.
   * @param {{ id: string | null, revision: number }} saved
   */
  settle({ id, revision }) {
    const standing = id === null ? undefined : this.standing.get(id);
    if (id === null || !standing) return;
    this.standing.set(id, { ...standing, revision: Math.max(standing.revision, revision) });
  }

  /** Let go of items that are far away by now. */
  forget() {
    const near = new Set([...this.steps.map((step) => step.id), this.cursor]);
    for (const id of this.items.keys()) {
      if (this.items.size <= ITEMS_KEPT) break;
      if (!near.has(id)) this.items.delete(id);
    }
  }

  index() {
    return this.steps.findIndex((step) => step.id === this.cursor);
  }

  /** @returns {Step | undefined} */
  here() {
    return this.steps[this.index()];
  }

  /** Return the item at the cursor, if it has come. */
  item() {
    return this.cursor === null ? undefined : this.items.get(this.cursor);
  }

  /**
   * Return whether a step is left to decide, with what was said and not yet answered.
   * @param {Step} step
   */
  isTodo(step) {
    const last = this.log.lastOn(step.id);
    return last ? last.do === "undo" : step.todo;
  }

  /**
   * Return the next example to decide after the one on screen: null if the server has to be
   * asked, undefined if there is none.
   */
  next() {
    const at = this.index();
    const onward = this.steps.slice(at + 1).find((step) => this.isTodo(step));
    if (onward) return onward.id;
    if (!this.whole) return null;
    return this.steps.slice(0, Math.max(at, 0)).find((step) => this.isTodo(step))?.id;
  }

  /**
   * Return the neighbour on one side, whatever its state; undefined at the end of the queue.
   * @param {number} offset
   */
  neighbour(offset) {
    const here = this.here();
    if (!here) return undefined;
    if (here.place < 0) return this.steps[this.index() + 1]?.id;
    return this.steps.find((step) => step.place === here.place + offset)?.id;
  }

  /**
   * Return whether an example and its content have come; a picture may still be on its way.
   * @param {string} id
   */
  has(id) {
    const item = this.items.get(id);
    return item !== undefined && item.content.kind !== "waiting";
  }

  /** Return the ids around us whose content has not come yet. */
  lacking() {
    return this.steps.map((step) => step.id).filter((id) => !this.has(id));
  }
}
