// Brings the log, the queue and the screen together: takes in answers, decides, draws.

/** @import { Action, BrowserMessage, ConflictAnswer, DecideFields, IssueKind } from "./protocol.js" */
/** @import { Item, Operation, OperationOrigin, ServerAnswer, TypicalExample, Content } from "./protocol.js" */
/** @import { SettledOperation } from "./operation_log.js" */
/**
 * @typedef {object} StreamlitComponent What Streamlit hands over at every answer.
 * @property {ServerAnswer} data
 * @property {HTMLElement} parentElement
 * @property {(name: string, value: BrowserMessage) => void} setStateValue
 */
/** @typedef {{ operation: Operation, answer: ConflictAnswer, classes: string }} OpenConflict */
/** @typedef {{ problem: string, remedy: string }} Alarm */
/** @typedef {{ note: string, kind: IssueKind | null }} Draft */
/**
 * @typedef {Pick<DecideFields, "action" | "label" | "labels" | "kind" | "note">
 *   & Partial<Pick<DecideFields, "do" | "classes">>} Choice
 */

import { Connection } from "./connection.js";
import { ExampleView } from "./example_view.js";
import { Grid } from "./grid.js";
import { Keyboard } from "./keyboard.js";
import { Notices } from "./notices.js";
import { OperationLog, Pace, StoredMap, newId } from "./operation_log.js";
import { PlaceMemory } from "./place_memory.js";
import { QueueWindow } from "./queue.js";

const QUEUES_KEPT = 3; // whose examples are kept for when one comes back to them
const DARK_BELOW = 384; // the sum of red, green and blue

/** @type {any} Set by the first answer, before anything reads it. */
const NOT_YET = null;

export class ReviewApp {
  constructor() {
    /** @type {Map<string, QueueWindow>} by queue */
    this.walks = new Map();
    /** @type {Map<number, TypicalExample[]>} by class */
    this.strips = new Map();
    /** @type {Map<string, Content>} small pictures by id */
    this.tiles = new Map();
    /** @type {string[] | null} of the classes */
    this.names = null;
    /** @type {number | null} of the grid; the link's until it is shown */
    this.page = null;
    /** @type {number | undefined} in the queue, of the example before this one */
    this.lastPlace = undefined;
    this.store = "";
    this.analysis = "";
    this.viewName = "";
    this.waiting = false; // for the server to say what comes next
    this.done = false; // with the queue
    this.focusSoon = false;
    this.savedAt = "";
    /** @type {ServerAnswer} */
    this.data = NOT_YET;
    /** @type {OperationLog} */
    this.log = NOT_YET;
    /** @type {Pace} */
    this.pace = NOT_YET;
    /** @type {StoredMap<OpenConflict>} by example */
    this.conflicts = NOT_YET;
    /** @type {StoredMap<Alarm>} by operation */
    this.alarms = NOT_YET;
    /** @type {StoredMap<Draft>} by example */
    this.drafts = NOT_YET;
    /** @type {QueueWindow} */
    this.walk = NOT_YET;
    /** @type {ExampleView} */
    this.view = NOT_YET;
    /** @type {Grid} */
    this.grid = NOT_YET;
    this.connection = new Connection(this);
    this.keyboard = new Keyboard(this);
    this.notices = new Notices(this);
    this.places = new PlaceMemory();
  }

  // ---- what the server says

  /** @param {StreamlitComponent} component */
  receive({ data, parentElement, setStateValue }) {
    this.connection.setStateValue = setStateValue;
    if (this.store !== data.store) this.openStorage(data.store);
    if (this.store !== data.store || this.analysis !== data.analysis) this.startOver(data);
    if (data.names) this.names = data.names;
    this.data = data;
    this.connection.receive(data);
    const { view } = this;
    if (!view || view.root !== parentElement || !parentElement.contains(view.el.stage)) {
      this.view = new ExampleView(parentElement, this);
      this.grid = new Grid(this.view, this);
    }
    followTheme(parentElement);
    const settled = this.log.settle(data.answers);
    this.openQueue(data);
    this.takeFocus(data.view);
    for (const each of settled) this.hear(each);
    this.accept(data);
    this.draw();
    if (data.view === "one" && data.large) this.view.layers.showLarge();
    const isUnsent = this.log.pending.some((each) => !(each.op_id in data.answers));
    if (!this.names || isUnsent || this.lacksContent()) this.connection.askOn(settled.length > 0);
  }

  /** @param {ServerAnswer} data */
  accept(data) {
    if (data.view === "grid") return this.grid.accept(data);
    for (const [label, examples] of Object.entries(data.strips))
      this.strips.set(Number(label), examples);
    this.walk.accept(data);
    if (data.large) this.view.layers.large = data.large; // only the last one is kept
    if (this.names) this.prepareItems();
  }

  /** @param {string} store */
  openStorage(store) {
    const storage = window.sessionStorage;
    this.log = new OperationLog(storage, store);
    this.pace = new Pace(storage, `curation.pace.${store}`);
    this.conflicts = new StoredMap(storage, `curation.conflicts.${store}`);
    this.alarms = new StoredMap(storage, `curation.alarms.${store}`);
    this.drafts = new StoredMap(storage, `curation.drafts.${store}`);
  }

  /**
   * Clear the screen for other examples, classes or suggestions.
   * @param {ServerAnswer} data
   */
  startOver({ store, analysis }) {
    Object.assign(this, { store, analysis, names: null, walk: NOT_YET, lastPlace: undefined });
    this.walks.clear();
    this.strips.clear();
    this.tiles.clear();
    this.view?.layers.close();
    this.view = NOT_YET;
  }

  /**
   * Give the keys to a view that was just chosen by a click, and not to the switch.
   * @param {string} name
   */
  takeFocus(name) {
    const isSwitched = this.viewName && this.viewName !== name;
    const group = "[role=radiogroup], [data-testid=stButtonGroup]";
    this.viewName = name;
    if (isSwitched && document.activeElement?.closest(group)) this.focusSoon = true;
  }

  /** @param {ServerAnswer} data */
  openQueue(data) {
    if (this.walk?.queue === data.queue) return;
    let walk = this.walks.get(data.queue);
    if (!walk) {
      walk = new QueueWindow(data.queue, this.log);
      walk.cursor = data.view === "grid" ? null : this.places.recall(data.queue);
      this.walks.set(data.queue, walk);
      const [oldest] = this.walks.keys();
      if (this.walks.size > QUEUES_KEPT) this.walks.delete(oldest);
    }
    this.walk = walk;
    this.waiting = false;
    this.keepPlace(); // a reload may come before the link has it
    this.view.shown = null;
    this.grid.reset();
  }

  /** @param {SettledOperation} settled */
  hear({ operation, answer }) {
    if (answer.status === "conflict") {
      this.conflicts.set(answer.id, { operation, answer, classes: this.data.classes });
    } else if (answer.status === "refused") {
      this.alarms.set(operation.op_id, { problem: answer.problem, remedy: answer.remedy });
    } else if (answer.status !== "failed") {
      this.savedAt = answer.time;
      this.walk.settle(answer);
      if (answer.id === null || operation.do === "undo" || operation.do === "many") return;
      // A conflict is settled by whoever answers again with the other's answer in view.
      const open = this.conflicts.get(answer.id);
      if (open && operation.revision >= open.answer.revision) this.conflicts.delete(answer.id);
    }
  }

  // ---- what the server is told

  /**
   * Return what we show and have, and all that is not answered.
   * @returns {Omit<BrowserMessage, "number">}
   */
  describe() {
    const { walk, view } = this;
    return {
      store: this.store,
      analysis: this.analysis,
      queue: walk.queue,
      operations: this.log.pending,
      cursor: walk.cursor,
      place: walk.here()?.place ?? this.lastPlace ?? -1,
      names: this.names !== null,
      items: [...walk.items.keys()],
      strips: [...this.strips.keys()],
      tiles: [...this.tiles.keys()],
      page: this.page,
      large: view.layers.lacksLarge() ? view.shown : null,
    };
  }

  /** Return whether something is still to come that the server has not sent yet. */
  lacksContent() {
    const { data, walk, strips } = this;
    if (data.view === "grid") return this.grid.lacksContent();
    const item = walk.item();
    const labels = item && data.kind !== "index" ? [item.given, item.suggested] : [];
    return (
      labels.some((label) => !strips.has(label)) ||
      (walk.cursor !== null && !walk.here()) ||
      this.view.layers.lacksLarge() ||
      walk.lacking().length > 0 ||
      walk.next() === null
    );
  }

  /** Return whether the last answer brought any content. */
  isNews() {
    const { data } = this;
    if (data.view === "grid") return data.tiles.some((tile) => tile.content);
    return Object.keys(data.items).length > 0 || Object.keys(data.strips).length > 0;
  }

  // ---- deciding

  canAct() {
    const { view, walk } = this;
    return !this.data.closed && view.root.isConnected && view.painted && view.shown === walk.cursor;
  }

  /**
   * Do what a key or a button says.
   * @param {string} action
   * @param {number} [value] a class, or a rank among the likeliest ones
   */
  act(action, value) {
    if (action === "help") return this.view.help();
    if (action === "undo") return this.undo();
    if (action === "left" || action === "right") return this.move(action === "left" ? -1 : 1);
    const { walk, view } = this;
    if (this.data.view === "grid" || !this.canAct() || walk.cursor === null) return;
    const choice = this.choose(action, value);
    if (!choice) return;
    this.decide(walk.cursor, { ...choice, kind: view.kind, note: view.el.note.value.trim() });
    this.advance();
  }

  /**
   * Return what an action means for the example on screen.
   * @param {string} action
   * @param {number} [value]
   * @returns {Pick<DecideFields, "action" | "label" | "labels"> | null}
   */
  choose(action, value) {
    const item = this.walk.item();
    if (!item) return null;
    // To give an example the label it has is to keep it.
    const relabel = (/** @type {number | undefined} */ label) => {
      if (label === undefined) return null;
      return label === item.given
        ? { action: /** @type {Action} */ ("keep") }
        : { action: /** @type {Action} */ ("relabel"), label };
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
    const { curator, dataset } = this.data;
    if (!this.log.pending.length) this.connection.quietSince = performance.now();
    this.log.add({ op_id: newId(), curator, dataset, ...operation });
  }

  /**
   * @param {string} id
   * @param {Choice} choice
   * @param {number} [revision] that the curator saw; else the last that came
   */
  decide(id, choice, revision) {
    const standing = this.walk.standing.get(id);
    const seconds = Math.round((performance.now() - this.view.paintedAt) / 10) / 100;
    this.say({
      // Where curators differ, and the screen says so, the next answer settles it for all of them.
      do: standing?.disputed ? "resolve" : "decide",
      id,
      classes: this.data.classes, // a label is a place among them
      ...choice,
      seconds,
      revision: revision ?? standing?.revision ?? 0,
      base: this.log.lastOn(id)?.op_id,
    });
    this.drafts.delete(id);
    this.pace.add(Date.now());
    this.connection.sendSoon();
  }

  advance() {
    const next = this.walk.next();
    if (next) this.goTo(next);
    else this.finish();
  }

  /** Ask the server whether that was all: nothing further is here. */
  finish() {
    this.view.veil();
    this.waiting = true;
    this.draw();
    this.connection.send();
  }

  /** @param {string} id */
  goTo(id) {
    this.moveCursor(id);
    this.draw();
    this.connection.sendSoon();
  }

  /** @param {string} id */
  moveCursor(id) {
    this.lastPlace = this.walk.here()?.place ?? this.lastPlace;
    this.walk.cursor = id;
    this.waiting = false;
    this.keepPlace();
  }

  keepPlace() {
    const { walk } = this;
    const { cursor, queue } = walk;
    if (cursor === null) return;
    const isStillShown = () => this.walk.cursor === cursor && this.view.root.isConnected;
    this.places.keep(queue, cursor, isStillShown);
  }

  /** @param {number} offset */
  move(offset) {
    if (!this.view.painted && !this.done) return;
    const id = this.walk.neighbour(offset);
    if (id) this.goTo(id);
  }

  undo() {
    if (this.data.closed) return;
    const top = this.log.top(this.data.latest);
    if (!top) return;
    const taken = this.log.pending.find((each) => each.op_id === top.op);
    if (top.id !== null && taken && "note" in taken && (taken.note || taken.kind))
      this.drafts.set(top.id, { note: taken.note, kind: taken.kind });
    this.say({ do: "undo", expect: top.op, id: top.id });
    if (top.id !== null && this.data.view === "one") return this.goTo(top.id);
    this.draw();
    this.connection.send();
  }

  /**
   * Settle a conflict: repeat one of the two answers, now with both in view.
   * @param {string} id
   * @param {"mine" | "theirs"} whose
   */
  settle(id, whose) {
    const conflict = this.conflicts.get(id);
    if (!conflict) return;
    const { operation, answer, classes } = conflict;
    const { again, kind } = answer.theirs;
    this.conflicts.delete(id);
    if (whose === "mine" && "note" in operation) {
      const { action, label, labels, note } = operation;
      const mine = { action, label, labels, kind: operation.kind, note, classes };
      this.decide(id, { ...mine, do: "resolve" }, answer.revision);
    } else if (whose === "theirs" && again && !answer.theirs.taken_back) {
      const label = again.label ?? undefined;
      const labels = again.labels ?? undefined;
      const theirs = { action: again.action, label, labels, kind, note: "", classes };
      this.decide(id, { ...theirs, do: "resolve" }, answer.revision);
    }
    this.draw();
  }

  // ---- drawing

  prepareItems() {
    const { walk, view } = this;
    for (const { id } of walk.steps) {
      const item = walk.items.get(id);
      if (item) view.prepare(id, item);
    }
    view.forget(walk.items);
  }

  draw() {
    const { view, walk, data, log } = this;
    if (!view?.root.isConnected || !this.names) return;
    const isGrid = data.view === "grid";
    if (this.waiting && !isGrid) this.stopWaiting();
    const isEmpty = isGrid
      ? data.total === 0 && !log.pending.length
      : !walk.steps.length && (walk.cursor === null || !data.counts.all);
    const isOver = this.waiting && walk.next() === undefined && !log.pending.length;
    this.done = !isGrid && walk.steps.length > 0 && isOver;
    const isNothing = isEmpty || this.done;
    view.el.empty.hidden = !isNothing;
    view.el.one.hidden = isGrid || isNothing;
    view.el.grid.hidden = !isGrid || isEmpty;
    if (isNothing || isGrid) view.el.veil.hidden = true;
    if (this.done) this.places.forget(walk.queue);
    if (isNothing) this.notices.drawEmpty(isEmpty);
    else if (isGrid) this.grid.draw();
    else this.drawOne();
    this.notices.draw();
    this.notices.drawLatest();
    const home = isGrid ? view.el.tiles : view.el.stage;
    if (this.focusSoon && home.offsetParent) {
      home.focus({ preventScroll: true });
      this.focusSoon = false;
    }
  }

  stopWaiting() {
    const next = this.walk.next();
    if (next) this.moveCursor(next);
  }

  drawOne() {
    const { view, walk } = this;
    const { cursor } = walk;
    const item = walk.item();
    if (cursor !== null && item) view.prepare(cursor, item);
    const isSaving = this.waiting && this.log.pending.length > 0;
    const isReady = Boolean(cursor && item && !this.waiting && view.nodes.get(cursor)?.ready);
    view.el.veil.hidden = isReady;
    view.el.veil.textContent = isSaving ? "Saving the last decisions…" : "Loading…";
    if (cursor && item && isReady) this.drawItem(cursor, item);
    else view.veil();
    view.drawButtons(this.data.closed);
  }

  /**
   * @param {string} id
   * @param {Item} item
   */
  drawItem(id, item) {
    const { view, walk } = this;
    const standing = walk.standing.get(id);
    if (view.shown !== id) view.show(id, item, standing?.mine);
    else if (!view.painted) view.awaitPaint(id);
    view.drawStanding(standing, this.log.lastOn(id));
    if (view.el.strips.querySelectorAll(".stamps").length < 2) view.drawStrips(item);
  }
}

/**
 * Choose between the two sets of colours; the theme may differ from the system's.
 * @param {HTMLElement} root
 */
function followTheme(root) {
  const section = root.querySelector(".review");
  if (!section) return;
  const ground = getComputedStyle(section).getPropertyValue("--st-background-color").trim();
  const parts = ground.match(/[0-9a-f]{2}/gi) ?? ["ff", "ff", "ff"];
  const sum = parts.slice(0, 3).reduce((total, part) => total + parseInt(part, 16), 0);
  section.classList.toggle("is-dark", sum < DARK_BELOW);
  section.classList.toggle("is-light", sum >= DARK_BELOW);
}
