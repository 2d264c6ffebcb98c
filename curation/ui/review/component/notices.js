// What the page says around the examples: how far we are, whether all is saved, what went wrong,
// who decided otherwise, what was decided last, and that nothing is left.

/** @import { ReviewApp, OpenConflict } from "./app.js" */
/** @import { DecisionSummary, LatestDecision } from "./protocol.js" */

import { make, makeButton } from "./elements.js";
import {
  countLeft,
  describeDecision,
  describeDone,
  describeEmpty,
  describeGrid,
  describeLeft,
  describeTaken,
  describeUnit,
  formatCount,
  isolate,
  nameAnswer,
  plural,
} from "./words.js";

const MAX_LATEST = 10;
const IGNORED_SHOWN = 2500; // milliseconds

export class Notices {
  /** @param {ReviewApp} app */
  constructor(app) {
    this.app = app;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.ignoredTimer = undefined;
  }

  /**
   * @param {string} name
   * @param {string} words
   */
  say(name, words) {
    const node = this.app.view.el[name];
    if (node.textContent !== words) node.textContent = words;
  }

  draw() {
    this.drawWhere();
    this.drawSaved();
    this.drawAlarm();
    this.drawConflict();
    this.drawDisputes();
  }

  // ---- how far we are

  drawWhere() {
    const { view, data } = this.app;
    const { counts } = data;
    const isGrid = data.view === "grid";
    const forecast = isGrid ? null : data.forecast;
    this.say("where", isGrid ? describeGrid(data.status, data.total) : this.describePlace());
    this.say("title", counts.all ? data.title : "");
    const parts = [
      `${formatCount(counts.decided)} decided`,
      forecast?.words ?? this.describeShare(),
      describeLeft(data.status, counts),
      this.describePace(),
    ];
    this.say("pace", parts.filter(Boolean).join(" · "));
    view.el.pace.title = forecast?.why ?? "";
    const settled = counts.all - countLeft(data.status, counts);
    view.el.progress.setAttribute("aria-valuemax", String(counts.all));
    view.el.progress.setAttribute("aria-valuenow", String(settled));
    view.el.bar.style.width = `${counts.all ? (100 * settled) / counts.all : 0}%`;
  }

  describePlace() {
    const { walk, done, data } = this.app;
    const here = done ? undefined : walk.here();
    if (!here) return "";
    if (here.place < 0) return "Reopened, outside this list";
    return `${formatCount(here.place + 1)} of ${formatCount(data.counts.all)}`;
  }

  describeShare() {
    const { judged, real } = this.app.data.counts;
    return judged ? `${Math.round((100 * real) / judged)} % were real` : "";
  }

  describePace() {
    const pace = this.app.pace.perMinute(Date.now());
    return pace === null ? "" : `${pace} per minute`;
  }

  // ---- whether all is saved

  drawSaved() {
    const [state, words] = this.findSavedState();
    this.say("saved", words);
    this.app.view.el.saved.dataset.state = state;
  }

  /** @returns {["good" | "busy" | "bad", string]} */
  findSavedState() {
    const { data, log, savedAt, connection } = this.app;
    const waiting = log.pending.length;
    const elsewhere = log.elsewhere().length;
    const isSlow = connection.isSlow();
    const state =
      log.failure || isSlow || (elsewhere && !waiting) ? "bad" : waiting ? "busy" : "good";
    if (data.closed) return [state, "read only"];
    if (log.failure) return [state, "NOT saved"];
    if (isSlow) return [state, `no answer · ${waiting} not saved yet`];
    if (waiting) return [state, `saving ${waiting}…`];
    if (elsewhere) return [state, `${elsewhere} not saved elsewhere`];
    const time = savedAt ? ` ${new Date(savedAt).toLocaleTimeString("en-GB")}` : "";
    return [state, `all saved ✓${time}`];
  }

  // ---- what went wrong

  /**
   * Show a notice; it is made again only when it says something else than before.
   * @param {HTMLElement} node
   * @param {unknown[] | null} contents what it says; null hides it
   * @param {() => HTMLElement[]} makeParts
   */
  fill(node, contents, makeParts) {
    const key = contents ? JSON.stringify(contents) : "";
    if (node.dataset.key === key) return;
    node.dataset.key = key;
    node.hidden = !contents;
    if (contents) node.replaceChildren(...makeParts());
  }

  drawAlarm() {
    const { app } = this;
    const { failure, pending } = app.log;
    const { closed, looking } = app.data;
    const [op, refused] = app.alarms.first() ?? [];
    const closing = looking
      ? "You can look here, but not decide."
      : "Nothing can be decided here now.";
    const readOnly = closed ? { problem: closing, remedy: closed, calm: looking } : null;
    const alarm = failure ?? refused ?? readOnly;
    app.view.el.alarm.classList.toggle("calm", Boolean(alarm && "calm" in alarm && alarm.calm));
    const more = app.alarms.size - 1;
    this.fill(app.view.el.alarm, alarm && [alarm, op, more, pending.length], () => {
      const kept = failure
        ? ` ${plural(pending.length, "decision")} kept in this tab; saving is tried again every few seconds.`
        : "";
      /** @type {HTMLElement[]} */
      const parts = [
        make("b", { textContent: alarm?.problem }),
        make("span", { textContent: `${alarm?.remedy ?? ""}${kept}` }),
      ];
      if (failure) parts.push(makeButton("chip", "Try again now", () => app.connection.sendNow()));
      else if (op !== undefined) parts.push(this.makeClose(op, more));
      return parts;
    });
  }

  /**
   * @param {string} op
   * @param {number} more
   */
  makeClose(op, more) {
    return makeButton("chip", more ? `Close, ${formatCount(more)} more` : "Close", () => {
      this.app.alarms.delete(op);
      this.draw();
    });
  }

  // ---- who decided otherwise

  drawConflict() {
    const { app } = this;
    const [id, conflict] = app.conflicts.first() ?? [];
    const more = app.conflicts.size - 1;
    const contents = conflict
      ? [id, conflict.answer.revision, conflict.settled === undefined, more]
      : null;
    this.fill(app.view.el.conflict, contents, () => {
      if (id === undefined || !conflict) return [];
      return conflict.settled === undefined
        ? this.makeConflict(id, conflict, more)
        : this.makeSettled(id, conflict.settled, more);
    });
  }

  /**
   * Return the notice of a conflict that somebody settled.
   * @param {string} id
   * @param {DecisionSummary | null} settled what stands; null where nothing does
   * @param {number} more
   */
  makeSettled(id, settled, more) {
    const who =
      settled?.curator === this.app.data.curator ? "You" : isolate(settled?.curator ?? "");
    const words = settled ? `${who} ${describeDecision(settled)}.` : "Nothing is decided now.";
    const close = makeButton("chip", "Close", () => {
      this.app.conflicts.delete(id);
      this.draw();
    });
    /** @type {HTMLElement[]} */
    const parts = [
      make("b", { textContent: `Settled: ${isolate(id)}` }),
      make("span", { textContent: `${words}${more ? ` ${more} more after this.` : ""}` }),
      close,
    ];
    if (this.app.data.view === "one")
      parts.push(makeButton("chip", "Show it", (event) => this.reopen(id, event)));
    return parts;
  }

  // ---- what is disputed

  drawDisputes() {
    const { view, data } = this.app;
    const { disputes, disputesLink } = view.el;
    disputes.hidden = !data.disputed || !data.disputes;
    if (disputes.hidden) return;
    const are = data.disputed === 1 ? "is" : "are";
    this.say("disputesLink", `${plural(data.disputed, "example")} ${are} disputed: show →`);
    disputesLink.setAttribute("href", data.disputes ?? "");
  }

  /**
   * @param {string} id
   * @param {OpenConflict} conflict
   * @param {number} more
   */
  makeConflict(id, { answer: { theirs, mine, settles } }, more) {
    const { app } = this;
    const who =
      theirs.curator === app.data.curator ? "You, in another tab," : isolate(theirs.curator);
    const words =
      `${who} ${describeDecision(theirs)} while you looked at it; you ${describeDecision(mine)}. ` +
      `Both are on record${settles ? "" : ", and a lead settles it"}.${more ? ` ${more} more after this.` : ""}`;
    /** @type {HTMLElement[]} */
    const parts = [
      make("b", { textContent: `Decided twice: ${isolate(id)}` }),
      make("span", { textContent: words }),
    ];
    // Their answer may name a class that is gone, and then cannot be given again.
    const agree = settles ? "Theirs stands" : "I agree with theirs";
    const label = theirs.taken_back ? "Leave it undecided" : agree;
    const insist = settles ? "Mine stands" : "I stay with mine";
    if (theirs.again || theirs.taken_back)
      parts.push(makeButton("chip", label, () => app.decisions.settle(id, "theirs")));
    parts.push(makeButton("chip strong", insist, () => app.decisions.settle(id, "mine")));
    if (app.data.view === "one")
      parts.push(makeButton("chip", "Show it", (event) => this.reopen(id, event)));
    return parts;
  }

  /**
   * @param {string} id
   * @param {MouseEvent} event
   */
  reopen(id, event) {
    this.app.view.release(event);
    this.app.goTo(id);
  }

  // ---- what was decided last

  drawLatest() {
    const { view, log, history } = this.app;
    const { undone } = history.stacks();
    const unsaved = new Set(log.pending.map((each) => each.op_id));
    const chips = history
      .listLatest()
      .slice(0, MAX_LATEST)
      .map((each) =>
        this.makeChip(each, each.isLate ? "too late" : unsaved.has(each.op) ? "…" : "✓"),
      );
    view.el.latest.replaceChildren(...chips);
    if (!chips.length) view.el.latest.textContent = "nothing decided yet";
    const taken = undone.at(-1);
    this.say("taken", taken ? `Took back: ${describeUnit(taken)}.` : "");
    view.el.redo.hidden = !taken;
    view.el.redo.onclick = (event) => {
      view.release(event);
      history.redo();
    };
  }

  /**
   * @param {LatestDecision} decision
   * @param {string} outcome whether it is saved, and stands
   */
  makeChip(decision, outcome) {
    const { id, count } = decision;
    const isGrid = this.app.data.view === "grid";
    const many = count > 1 ? ` × ${count}` : "";
    const words = `${isolate(nameAnswer(decision))}${many} ${outcome}`;
    const chip = makeButton("chip", words, (event) => id && this.reopen(id, event));
    chip.disabled = isGrid;
    if (id) chip.title = isGrid ? `${id}: choose One by one to reopen it` : `Reopen ${id}`;
    return chip;
  }

  // ---- keys that did nothing

  /**
   * Say for a moment why a key or a click did nothing.
   * @param {string} why
   */
  sayIgnored(why) {
    const { ignored } = this.app.view.el;
    this.say("ignored", `Ignored: ${why}.`);
    ignored.classList.add("shown");
    clearTimeout(this.ignoredTimer);
    this.ignoredTimer = setTimeout(() => ignored.classList.remove("shown"), IGNORED_SHOWN);
  }

  /**
   * Say that a letter or digit means nothing here; other keys are the browser's.
   * @param {string} key
   */
  sayUnknownKey(key) {
    if (/^[a-z0-9]$/.test(key))
      this.sayIgnored(`no key ${key.toUpperCase()} here; H lists the keys`);
  }

  // ---- nothing is left

  /** @param {boolean} isEmpty whether nothing was there to begin with */
  drawEmpty(isEmpty) {
    const { view, data } = this.app;
    const isFinished = !isEmpty || data.counts.all > 0;
    const [heading, ...lines] = isFinished ? this.describeFinished() : describeEmpty(data.status);
    view.veil();
    /** @type {HTMLElement[]} */
    const parts = [
      make("h2", { textContent: heading }),
      ...lines.map((line) => make("p", { textContent: line })),
    ];
    const href = data.quality ?? data.export;
    if (data.taken > 0) {
      parts.push(
        make(
          "p",
          {},
          makeButton("chip", "Look again", () => location.reload()),
        ),
      );
    } else if (isFinished && href) {
      const textContent = data.quality
        ? "See what the audit says →"
        : "Export the cleaned labels →";
      parts.push(make("a", { href, target: "_self", textContent }));
    }
    if (isFinished && data.latest.length) {
      const undo = makeButton("chip", "Undo the last one [Z]", () => this.app.history.undo());
      parts.push(make("p", {}, undo));
    }
    view.el.empty.replaceChildren(...parts);
  }

  /** @returns {string[]} */
  describeFinished() {
    const { counts, status, taken } = this.app.data;
    if (taken > 0) return describeTaken(taken, counts);
    const lines = [
      status === "undecided" ? "Nothing is left in this list" : "That was the last one",
      describeDone(counts),
    ];
    if (counts.skipped + counts.needs_review > 0)
      lines.push("To go through the others, choose “skipped” or “needs a second look” above.");
    return lines;
  }
}
