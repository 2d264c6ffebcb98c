// Brings the log, the queue and the screen together: takes in answers, and walks through the queue.

/** @import { BrowserMessage, ConflictAnswer, Content, DecisionSummary } from "./protocol.js" */
/** @import { DisputeState, IssueKind, Operation, SavedAnswer } from "./protocol.js" */
/** @import { Drawing, NearExamples, ServerAnswer, TypicalExample } from "./protocol.js" */
/** @import { SettledOperation } from "./operation_log.js" */
/**
 * @typedef {object} StreamlitComponent What Streamlit hands over whenever it draws the page.
 * @property {Drawing} data
 * @property {HTMLElement} parentElement
 */
/**
 * @typedef {{ operation: Operation, answer: ConflictAnswer, judged: string,
 *   settled?: DecisionSummary | null }} OpenConflict `settled` is what stands once nobody differs
 */
/** @typedef {{ problem: string, remedy: string, calm?: boolean }} Alarm calm where nothing is wrong */
/** @typedef {{ note: string, kind: IssueKind | null }} Draft */

import { Connection } from "./connection.js";
import { Decisions } from "./decisions.js";
import { ExampleView } from "./example_view.js";
import { Grid } from "./grid.js";
import { History } from "./history.js";
import { Keyboard } from "./keyboard.js";
import { Notices } from "./notices.js";
import { OperationLog, Pace, StoredMap } from "./operation_log.js";
import { PlaceMemory } from "./place_memory.js";
import { QueueWindow } from "./queue.js";
import { Screen, followTheme } from "./screen.js";
import { describeLeftOut } from "./words.js";

const QUEUES_KEPT = 3; // whose examples are kept for when one comes back to them

// Widgets of the page around that are done with once something is chosen.
const CHOOSERS =
  "[role=radiogroup], [data-testid=stButtonGroup], [data-testid=stSelectbox], [data-testid=stButton]";

/** @type {any} Set by the first answer, before anything reads it. */
const NOT_YET = null;

export class ReviewApp {
  constructor() {
    /** @type {Map<string, QueueWindow>} by queue */
    this.walks = new Map();
    /** @type {Map<number, TypicalExample[]>} by class */
    this.strips = new Map();
    /** @type {Map<string, NearExamples>} by example */
    this.near = new Map();
    /** @type {string | null} the example that one left for one of its nearest */
    this.origin = null;
    /** @type {Map<string, Content>} small pictures by id */
    this.tiles = new Map();
    /** @type {string[] | null} of the dataset's classes */
    this.names = null;
    /** @type {string[]} the same for small tiles */
    this.shortNames = [];
    /** @type {number | null} of the grid; the link's until it is shown */
    this.page = null;
    /** @type {number | undefined} in the queue, of the example before this one */
    this.lastPlace = undefined;
    this.store = "";
    this.analysis = "";
    this.drawing = ""; // the last one that came
    /** @type {HTMLElement} where Streamlit draws us */
    this.root = NOT_YET;
    this.chosen = ""; // the view and the queue on screen
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
    this.decisions = new Decisions(this);
    this.history = new History(this);
    this.screen = new Screen(this);
    this.keyboard = new Keyboard(this);
    this.notices = new Notices(this);
    this.places = new PlaceMemory();
  }

  // ---- what the server says

  /**
   * Take in what the page was drawn with; the same drawing may come several times.
   * @param {StreamlitComponent} component
   */
  receive({ data: { address, number, answer }, parentElement }) {
    this.root = parentElement;
    const drawing = `${address} ${number}`;
    const isKnown = drawing === this.drawing;
    this.drawing = drawing;
    if (!isKnown) this.connection.meet(address);
    // What was answered meanwhile may be newer: an example decided since must not come back.
    const isOld = this.store === answer.store && answer.last < this.data.last;
    if (!isKnown && !isOld) return this.take(answer);
    this.bind();
    this.screen.draw();
    if (!isKnown) this.connection.sendNow();
  }

  /**
   * Take in an answer of the server.
   * @param {ServerAnswer} data
   */
  take(data) {
    if (!this.root.isConnected) return this.takeOutcomes(data); // another page is open
    if (this.store !== data.store) this.openStorage(data.store);
    if (this.store !== data.store || this.analysis !== data.analysis) this.startOver(data);
    if (data.names) this.names = data.names;
    if (data.short_names) this.shortNames = data.short_names;
    if (data.live && this.data?.last !== data.last) askAround();
    this.data = data;
    this.bind();
    const settled = this.log.settle(data.answers);
    this.openQueue(data);
    this.takeFocus(`${data.view} ${data.queue}`);
    for (const each of settled) this.hear(each);
    for (const [id, state] of Object.entries(data.conflicts)) this.followConflict(id, state);
    this.accept(data);
    this.screen.draw();
    if (data.view === "one" && data.large) this.view.layers.showLarge();
    const isUnsent = this.log.pending.some((each) => !(each.op_id in data.answers));
    if (!this.names || isUnsent || this.lacksContent()) this.connection.askOn(settled.length > 0);
  }

  /**
   * Take in what became of decisions, and nothing else of an answer.
   * @param {ServerAnswer} data
   */
  takeOutcomes({ store, answers }) {
    if (this.store === store) for (const each of this.log.settle(answers)) this.hear(each);
  }

  /** Put the view where Streamlit draws the component now, unless it is there. */
  bind() {
    const { view, root } = this;
    followTheme(root);
    if (view && view.root === root && root.contains(view.el.stage)) return;
    this.view = new ExampleView(root, this);
    this.grid = new Grid(this.view, this);
  }

  /** @param {ServerAnswer} data */
  accept(data) {
    if (data.view === "grid") return this.grid.accept(data);
    for (const [label, examples] of Object.entries(data.strips))
      this.strips.set(Number(label), examples);
    for (const [id, near] of Object.entries(data.near)) this.near.set(id, near);
    this.walk.accept(data);
    if (data.large) this.view.layers.large = data.large; // only the last one is kept
    if (this.names) this.screen.prepareItems();
  }

  /** @param {string} store */
  openStorage(store) {
    const storage = window.sessionStorage;
    this.log = new OperationLog(storage, store);
    this.connection.quietSince = performance.now(); // what is in it may have waited for long
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
    this.near.clear();
    this.tiles.clear();
    this.view?.layers.close();
    this.view = NOT_YET;
  }

  /**
   * Give the keys to a view or list that was just chosen, and not to what it was chosen with.
   * @param {string} chosen the view and the queue
   */
  takeFocus(chosen) {
    const isOther = this.chosen && this.chosen !== chosen;
    this.chosen = chosen;
    if (isOther && document.activeElement?.closest(CHOOSERS)) this.focusSoon = true;
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
      this.savedAt = answer.mine.time; // it is on record, though it does not stand
      this.conflicts.set(answer.id, { operation, answer, judged: this.data.judged });
    } else if (answer.status === "refused") {
      this.alarms.set(operation.op_id, { problem: answer.problem, remedy: answer.remedy });
    } else if (answer.status !== "failed") {
      this.savedAt = answer.time;
      this.walk.settle(answer);
      this.tellLeftOut(operation, answer);
      if (answer.id === null || !("revision" in operation)) return;
      // A conflict is settled by whoever answers again with the other's answer in view.
      const open = this.conflicts.get(answer.id);
      if (open && operation.revision >= open.answer.revision) this.conflicts.delete(answer.id);
    }
  }

  /**
   * Say how many of all that match were left out, because somebody else has them on screen.
   * @param {Operation} operation
   * @param {SavedAnswer} answer
   */
  tellLeftOut(operation, { count }) {
    if (operation.do !== "many" || !operation.all) return;
    const left = operation.count + (operation.taken ?? 0) - count;
    const [problem, remedy] = describeLeftOut(count, left);
    if (left > 0) this.alarms.set(operation.op_id, { problem, remedy, calm: true });
  }

  /**
   * Keep an open conflict up to date with what others said of it since.
   * @param {string} id
   * @param {DisputeState} state
   */
  followConflict(id, { disputed, revision, force }) {
    const open = this.conflicts.get(id);
    if (!open || this.log.lastOn(id) || revision < open.answer.revision) return;
    if (!disputed) this.conflicts.set(id, { ...open, settled: force });
    else if (force && revision > open.answer.revision)
      this.conflicts.set(id, { ...open, answer: { ...open.answer, revision, theirs: force } });
  }

  // ---- what the server is told

  /**
   * Return what we show and have, and what is not answered, the oldest first.
   * @param {number} limit characters of operations; the rest waits for the next message
   * @returns {Omit<BrowserMessage, "number">}
   */
  describe(limit) {
    const { walk, view } = this;
    return {
      store: this.store,
      analysis: this.analysis,
      queue: walk.queue,
      operations: this.log.first(limit),
      cursor: walk.cursor,
      place: walk.here()?.place ?? this.lastPlace ?? -1,
      names: this.names !== null,
      items: [...walk.items.keys()].filter((id) => walk.has(id)),
      strips: [...this.strips.keys()],
      tiles: [...this.tiles.keys()].filter((id) => this.tiles.get(id)?.kind !== "waiting"),
      near: [...this.near.keys()],
      page: this.page,
      large: view?.layers.lacksLarge() ? view.shown : null,
      conflicts: this.conflicts.ids(),
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
      this.view.near.isLacking() ||
      walk.lacking().length > 0 ||
      walk.next() === null
    );
  }

  /** Return whether the last answer brought any content. */
  isNews() {
    const { data } = this;
    if (data.view === "grid")
      return data.tiles.some(({ content }) => content && content.kind !== "waiting");
    const isHere = Object.values(data.items).some((item) => item.content.kind !== "waiting");
    return isHere || [data.strips, data.near].some((each) => Object.keys(each).length > 0);
  }

  /** Return the name of every class that can be chosen: the dataset's, then those that were added. */
  everyName() {
    return [...(this.names ?? []), ...this.data.added];
  }

  // ---- walking

  advance() {
    const next = this.walk.next();
    if (next) this.goTo(next);
    else this.finish();
  }

  /** Ask the server whether that was all: nothing further is here. */
  finish() {
    this.view.veil();
    this.waiting = true;
    this.screen.draw();
    this.connection.send();
  }

  /** @param {string} id */
  goTo(id) {
    this.moveCursor(id);
    this.screen.draw();
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
    if (!this.view.painted && !this.done)
      return this.notices.sayIgnored("the example is not there yet");
    const id = this.walk.neighbour(offset);
    if (id) this.goTo(id);
    else this.notices.sayIgnored(`there is none ${offset < 0 ? "before" : "after"} this one`);
  }
}

/** Have the page draw again what it shows of others, below us; see `news_watch.js`. */
function askAround() {
  /** @type {Window & { curationWatch?: { ask: () => void } }} */
  const page = window;
  page.curationWatch?.ask();
}
