// What a curator decides: what a key or button means, and the operation that it becomes.

/** @import { ReviewApp } from "./app.js" */
/** @import { Action, DecideFields, Operation, OperationOrigin } from "./protocol.js" */
/**
 * @typedef {Pick<DecideFields, "action" | "label" | "new_class" | "labels" | "kind" | "note">
 *   & Partial<Pick<DecideFields, "do" | "judged" | "accepts">>} Choice
 */

import { newId } from "./operation_log.js";

export class Decisions {
  /** @param {ReviewApp} app */
  constructor(app) {
    this.app = app;
  }

  canAct() {
    const { view, walk } = this.app;
    return (
      !this.app.data.closed && view.root.isConnected && view.painted && view.shown === walk.cursor
    );
  }

  whyNot() {
    return this.app.data.closed
      ? "nothing can be decided here now"
      : "the example is not there yet";
  }

  /**
   * Do what a key or a button says.
   * @param {string} action
   * @param {number} [value] a class, or a rank among the likeliest ones
   */
  act(action, value) {
    if (action === "help") return this.app.view.help();
    if (action === "undo") return this.app.history.undo();
    if (action === "left" || action === "right") return this.app.move(action === "left" ? -1 : 1);
    const { walk, view } = this.app;
    if (this.app.data.view === "grid" || walk.cursor === null) return;
    if (!this.canAct()) return this.app.notices.sayIgnored(this.whyNot());
    if (action === "with" && value === walk.item()?.given)
      return this.app.notices.sayIgnored("the example has this label already");
    const choice = this.choose(action, value);
    if (!choice) return;
    this.decide(walk.cursor, { ...choice, ...view.annotation.read() });
    this.app.advance();
  }

  /**
   * Give the example on screen a class that the dataset lacks, alone or with the label it has.
   * @param {string} name
   * @param {boolean} isBoth
   */
  addClass(name, isBoth) {
    const { walk, view, notices } = this.app;
    if (walk.cursor === null) return;
    if (!this.canAct()) return notices.sayIgnored(this.whyNot());
    const labels = isBoth ? walk.item()?.given : undefined;
    /** @type {Pick<DecideFields, "action" | "labels">} */
    const choice =
      labels === undefined ? { action: "relabel" } : { action: "ambiguous", labels: [labels] };
    this.decide(walk.cursor, { ...choice, new_class: name, ...view.annotation.read() });
    this.app.advance();
  }

  /**
   * Return how to name a class in an operation: an added one by its name, since others may add or
   * take back classes before this arrives.
   * @param {number} label its place among all that can be chosen
   * @returns {Pick<DecideFields, "label" | "new_class">}
   */
  nameClass(label) {
    const { names } = this.app;
    return names && label >= names.length ? { new_class: this.app.everyName()[label] } : { label };
  }

  /**
   * Return what an action means for the example on screen.
   * @param {string} action
   * @param {number} [value]
   * @returns {Pick<DecideFields, "action" | "label" | "new_class" | "labels"> | null}
   */
  choose(action, value) {
    const item = this.app.walk.item();
    if (!item) return null;
    // To give an example the label it has is to keep it.
    const relabel = (/** @type {number | undefined} */ label) => {
      if (label === undefined) return null;
      return label === item.given
        ? { action: /** @type {Action} */ ("keep") }
        : { action: /** @type {Action} */ ("relabel"), ...this.nameClass(label) };
    };
    switch (action) {
      case "accept":
        return relabel(item.suggested);
      case "label":
        return relabel(value);
      case "rank":
        return relabel(item.classes[value ?? -1]?.[0]);
      case "both":
        return { action: "ambiguous", labels: [item.given, item.suggested] };
      case "with": {
        if (value === undefined) return null;
        const { label, new_class } = this.nameClass(value);
        const labels = label === undefined ? [item.given] : [item.given, label];
        return { action: "ambiguous", labels, new_class };
      }
      case "second":
        return { action: "needs_review" };
      case "keep":
      case "exclude":
      case "skip":
        return { action };
      default:
        return null;
    }
  }

  /** @param {Operation extends infer Each ? Each extends Operation ? Omit<Each, keyof OperationOrigin> : never : never} operation */
  say(operation) {
    const { curator, dataset } = this.app.data;
    if (!this.app.log.pending.length) this.app.connection.quietSince = performance.now();
    this.app.log.add({ op_id: newId(), curator, dataset, ...operation });
  }

  /**
   * @param {string} id
   * @param {Choice} choice
   * @param {number} [revision] that the curator saw; else the last that came
   */
  decide(id, choice, revision) {
    const standing = this.app.walk.standing.get(id);
    const seconds = Math.round((performance.now() - this.app.view.paintedAt) / 10) / 100;
    this.say({
      // Where curators differ, and the screen says so, the next answer settles it for all of them.
      do: standing?.disputed ? "resolve" : "decide",
      id,
      judged: this.app.data.judged, // a label is a place among its classes
      given: this.app.walk.items.get(id)?.given,
      ...choice,
      seconds,
      revision: revision ?? standing?.revision ?? 0,
      base: this.app.log.lastOn(id)?.op_id,
    });
    this.app.drafts.delete(id);
    this.app.pace.add(Date.now());
    this.app.connection.sendSoon();
  }

  /**
   * Settle a conflict: repeat one of the two answers, now with both in view.
   * @param {string} id
   * @param {"mine" | "theirs"} whose
   */
  settle(id, whose) {
    const conflict = this.app.conflicts.get(id);
    if (!conflict) return;
    const { operation, answer, judged } = conflict;
    const { again } = answer.theirs;
    this.app.conflicts.delete(id);
    if (whose === "mine" && "seconds" in operation) {
      const { action, label, new_class, labels, kind, note } = operation;
      const mine = { action, label, new_class, labels, kind, note, judged };
      this.decide(id, { ...mine, do: "resolve" }, answer.revision);
    } else if (whose === "theirs" && again && !answer.theirs.taken_back) {
      const label = again.label ?? undefined;
      const new_class = again.new_class ?? undefined;
      const labels = again.labels ?? undefined;
      const { kind } = answer.theirs;
      const theirs = { action: again.action, label, new_class, labels, kind, note: "", judged };
      // Whoever leaves it at another's answer says nothing if that no longer stands.
      this.decide(id, { ...theirs, do: "resolve", accepts: true }, answer.revision);
    }
    this.app.screen.draw();
  }
}
