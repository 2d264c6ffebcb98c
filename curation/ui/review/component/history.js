// Undo and redo: what they take back or restore, and when they ask first.

/** @import { ReviewApp } from "./app.js" */
/** @import { LatestDecision } from "./protocol.js" */

import { make, makeButton } from "./elements.js";
import { describeUnit } from "./words.js";

export class History {
  /** @param {ReviewApp} app */
  constructor(app) {
    this.app = app;
  }

  /** Return what can be undone and what can be redone, the next one last. */
  stacks() {
    const { log, data, names } = this.app;
    return log.stacks(data.latest, data.undone, names);
  }

  /**
   * Return what this curator answered last, the newest first. Answers that came too late are first
   * as long as nobody has settled them; undo leaves them alone.
   */
  listLatest() {
    const late = [...this.app.conflicts.values.values()]
      .filter(({ settled }) => settled === undefined)
      .map(({ operation, answer: { id, mine } }) => ({
        op: operation.op_id,
        count: 1,
        id,
        action: mine.action,
        label: mine.label,
        classes: [],
        isLate: true,
      }));
    const done = this.stacks().done.map((each) => ({ ...each, isLate: false }));
    return [...done, ...late].reverse();
  }

  undo() {
    this.change("undo", this.stacks().done.at(-1));
  }

  redo() {
    this.change("redo", this.stacks().undone.at(-1));
  }

  /**
   * @param {"undo" | "redo"} what
   * @param {LatestDecision | undefined} unit
   */
  change(what, unit) {
    const { notices, data } = this.app;
    if (data.closed) notices.sayIgnored("nothing can be decided here now");
    else if (!unit) notices.sayIgnored(`nothing is left to ${what}`);
    else if (unit.classes.length) this.ask(what, unit);
    else this.carryOut(what, unit);
  }

  /**
   * Ask before a decision about classes is touched: it was made on another page.
   * @param {"undo" | "redo"} what
   * @param {LatestDecision} unit
   */
  ask(what, unit) {
    const { layers } = this.app.view;
    const words = what === "undo" ? "Take it back" : "Restore it";
    const yes = makeButton("action primary", words, () => {
      layers.close();
      this.carryOut(what, unit);
    });
    const no = makeButton("action", "Leave it as it is", () => layers.close());
    layers.show(
      "confirm",
      make("h2", { textContent: `${words}: ${describeUnit(unit)}?` }),
      make("p", { textContent: "This is a decision about classes, made on the Overlap page." }),
      make("div", { className: "choices" }, yes, no),
    );
    no.focus();
  }

  /**
   * @param {"undo" | "redo"} what
   * @param {LatestDecision} unit
   */
  carryOut(what, unit) {
    const { app } = this;
    const { id } = unit;
    const pending = app.log.pending.find((each) => each.op_id === unit.op);
    if (what === "undo" && id !== null && pending && "seconds" in pending)
      if (pending.note || pending.kind)
        app.drafts.set(id, { note: pending.note, kind: pending.kind });
    app.decisions.say({ do: what, expect: unit.op, id });
    const isOne = id !== null && app.data.view === "one";
    if (isOne && what === "undo") return app.goTo(id);
    if (isOne && app.walk.cursor === id) return app.advance();
    app.screen.draw();
    app.connection.send();
  }
}
