// One example on the screen: its content, and what the model thinks of it.

/** @import { ReviewApp } from "./app.js" */
/** @import { DecisionSummary, Item, IssueKind, Operation, Standing } from "./protocol.js" */

import { ClassFinder } from "./class_finder.js";
import {
  findElements,
  isComposing,
  make,
  makeButton,
  makeContent,
  makeKeyButton,
} from "./elements.js";
import { Layers } from "./layers.js";
import { describeDecision, formatCount, formatProbability, isolate, plural } from "./words.js";

/** @type {[IssueKind, string, string][]} */
const KINDS = [
  ["error", "error", "The label is simply wrong"],
  ["ontological", "ontological", "The classes themselves overlap: one is a kind of the other"],
  ["multi_label", "multi-label", "Several classes are right"],
];

/** @type {[string, string][]} */
const KEYS = [
  ["A", "take the suggested label"],
  ["X", "keep the given label"],
  ["1 – 9, 0", "one of the ten likeliest classes, by the key beside it"],
  ["T", "type to find any class, Enter to take it"],
  ["B", "both labels are right, or there is no telling"],
  ["E", "exclude the example"],
  ["Space", "skip for now"],
  ["N", "ask for a second look"],
  ["Backspace, Z", "undo: the example comes back to the screen"],
  ["← →", "move without deciding"],
  ["K", "kind of issue: error, ontological, multi-label"],
  ["M", "write a note"],
  ["F", "enlarge the picture; scroll to see all of a large one"],
  ["H", "this help"],
];

const LIKELIEST_CLASSES = 10; // one for each digit key

// The key, the action, the words on the button (or the example's own), and its name if it differs.
/** @type {[string, string, string, string?][]} */
const BUTTONS = [
  ["A", "accept", ""],
  ["X", "keep", ""],
  ["B", "both", "Both"],
  ["E", "exclude", "Exclude"],
  ["Space", "skip", "Skip"],
  ["N", "second", "Second look"],
  ["⌫", "undo", "Undo", "Undo (Backspace or Z)"],
  ["←", "left", "", "Previous, without deciding"],
  ["→", "right", "", "Next, without deciding"],
  ["H", "help", "Help"],
];
const ALWAYS_ENABLED = ["left", "right", "help"]; // also where nothing can be decided

/** @param {{ note: string }} decision */
const quoteNote = ({ note }) => (note ? ` (“${isolate(note)}”)` : "");

/** @param {number} rank */
function makeBar(rank) {
  const key = make("kbd");
  const name = make("span", { className: "name" });
  const number = make("span", { className: "num" });
  const fill = make("i");
  const tick = make("u");
  const track = make("span", { className: "track" }, fill, tick);
  const button = make("button", { type: "button", className: "bar" }, key, name, track, number);
  return { rank, row: make("li", {}, button), button, key, name, number, fill, tick };
}

export class ExampleView {
  /**
   * @param {HTMLElement} root
   * @param {ReviewApp} app
   */
  constructor(root, app) {
    this.root = root;
    this.app = app;
    /** @type {string | null} the example on screen */
    this.shown = null;
    this.painted = false; // and whether a person can see it yet
    this.paintedAt = 0;
    /** @type {Map<string, { node: HTMLElement, ready: boolean }>} content by id, to be put on screen */
    this.nodes = new Map();
    /** @type {Map<number, HTMLElement>} typical examples by class */
    this.strips = new Map();
    /** @type {IssueKind | null} */
    this.kind = null;
    /** @type {Record<string, { button: HTMLButtonElement, label: HTMLElement }>} by action */
    this.buttons = {};
    /** @type {HTMLButtonElement[]} */
    this.kinds = [];
    this.el = findElements(root);
    this.layers = new Layers(this, app);
    this.finder = new ClassFinder(this.el, app);
    this.bars = Array.from({ length: LIKELIEST_CLASSES }, (_, rank) => makeBar(rank));
    this.makeActions();
    this.makeKinds();
    this.bind();
    this.veil();
  }

  // ---- what is made once

  makeActions() {
    for (const [key, action, words, name] of BUTTONS) {
      const label = make("span", { textContent: words });
      const data = { "data-action": action };
      const button = makeKeyButton(key, { className: `action ${action}`, data }, label);
      if (name) button.setAttribute("aria-label", name);
      button.onclick = (event) => this.act(event, action);
      this.buttons[action] = { button, label };
    }
    this.el.actions.replaceChildren(...Object.values(this.buttons).map((each) => each.button));
  }

  makeKinds() {
    this.kinds = KINDS.map(([kind, name, help]) => {
      const button = makeButton(`kind ${kind}`, name, (event) => {
        this.setKind(this.kind === kind ? null : kind);
        this.keepDraft();
        this.release(event);
      });
      button.title = help;
      button.dataset.kind = kind;
      button.setAttribute("role", "radio");
      button.setAttribute("aria-checked", "false");
      return button;
    });
    const heading = make("span", { className: "quiet", textContent: "kind [K]" });
    this.el.kinds.replaceChildren(heading, ...this.kinds);
  }

  bind() {
    const { bars, content, note, stage } = this.el;
    bars.replaceChildren(...this.bars.map((bar) => bar.row));
    for (const { button, rank } of this.bars)
      button.onclick = (event) => this.act(event, "rank", rank);
    note.oninput = () => this.keepDraft();
    note.onkeydown = (event) => {
      const isDone = event.key === "Enter" || event.key === "Escape";
      if (isDone && !isComposing(event)) stage.focus();
    };
    content.onclick = () => this.layers.toggleZoom();
  }

  /**
   * Give the keys back to the example after a click with the mouse; one by keyboard keeps its focus.
   * @param {MouseEvent} event
   */
  release(event) {
    if (event.detail > 0) this.el.stage.focus({ preventScroll: true });
  }

  /**
   * @param {MouseEvent} event
   * @param {string} action
   * @param {number} [value]
   */
  act(event, action, value) {
    // The second click of a double click lands on an example that nobody chose.
    if (event.detail > 1 && !["undo", "left", "right"].includes(action)) return;
    this.release(event);
    this.app.act(action, value);
  }

  help() {
    this.layers.toggleHelp(KEYS);
  }

  // ---- an example on the screen

  /**
   * Decode a picture before it is needed.
   * @param {string} id
   * @param {Item} item
   */
  prepare(id, item) {
    if (this.nodes.has(id)) return;
    const given = this.app.names?.[item.given];
    const node = makeContent(item.content, `Example ${id}, labelled ${given}`);
    const entry = { node, ready: !(node instanceof HTMLImageElement) };
    this.nodes.set(id, entry);
    if (!(node instanceof HTMLImageElement)) return;
    const done = () => {
      entry.ready = true;
      this.app.draw();
    };
    node.decode().then(done, done);
  }

  /**
   * Let go of the content of all other examples.
   * @param {Map<string, unknown>} kept
   */
  forget(kept) {
    for (const id of this.nodes.keys())
      if (!kept.has(id) && id !== this.shown) this.nodes.delete(id);
  }

  /**
   * @param {string} id
   * @param {Item} item
   * @param {DecisionSummary | null | undefined} mine
   */
  show(id, item, mine) {
    const { el, app } = this;
    const entry = this.nodes.get(id);
    const names = app.names ?? [];
    if (!entry) return;
    this.shown = id;
    this.veil();
    el.stage.dataset.id = id;
    el.content.replaceChildren(entry.node);
    el.content.scrollTop = 0;
    el.id.textContent = id;
    el.about.textContent = describeContent(item);
    el.given.textContent = names[item.given];
    el.suggested.textContent = names[item.suggested];
    el.givenNumbers.textContent = this.describeOdds(item, item.given);
    el.suggestedNumbers.textContent = this.describeOdds(item, item.suggested);
    el.why.textContent = `${item.why} Margin ${item.margin.toFixed(2).replace("-", "−")}.`;
    this.setWords("accept", `It is ${names[item.suggested]}`);
    this.setWords("keep", `Keep ${names[item.given]}`);
    this.drawBars(item, names);
    el.extras.hidden = !item.extras.length;
    el.extras.replaceChildren(
      ...item.extras.flatMap(([name, value]) => [
        make("dt", { textContent: name }),
        make("dd", { textContent: value }),
      ]),
    );
    const draft = app.drafts.get(id) ?? mine;
    this.setKind(draft?.kind ?? null);
    el.note.value = draft?.note ?? "";
    this.finder.clear();
    this.drawStrips(item);
    if (this.layers.isZoomed) this.layers.zoom();
    this.awaitPaint(id);
  }

  /**
   * @param {string} action
   * @param {string} words
   */
  setWords(action, words) {
    const { label } = this.buttons[action];
    label.textContent = label.title = words;
  }

  /**
   * @param {Item} item
   * @param {number} label
   */
  describeOdds(item, label) {
    const [probability, threshold] = item.odds[label];
    const typical = `${this.app.data.typical} ${formatProbability(threshold)}`;
    return `${formatProbability(probability)}  (${typical})`;
  }

  /**
   * @param {Item} item
   * @param {string[]} names
   */
  drawBars(item, names) {
    const isDigits = names.every((name) => /^[0-9]$/.test(name)); // then a digit means that class
    this.bars.forEach((bar, rank) => {
      bar.row.hidden = rank >= item.classes.length;
      if (bar.row.hidden) return;
      const [label, probability, threshold] = item.classes[rank];
      const number = formatProbability(probability);
      bar.key.textContent = isDigits ? names[label] : String((rank + 1) % 10);
      bar.name.textContent = bar.name.title = names[label];
      bar.number.textContent = number;
      bar.fill.style.width = `${100 * probability}%`;
      bar.tick.style.left = `${100 * (threshold ?? 2)}%`;
      bar.button.classList.toggle("is-given", label === item.given);
      bar.button.classList.toggle("is-suggested", label === item.suggested);
      bar.button.setAttribute(
        "aria-label",
        `${names[label]}, ${number}, ${this.app.data.typical} ${formatProbability(threshold)}`,
      );
    });
  }

  /** Let nothing be decided until the next example is painted. */
  veil() {
    this.painted = false;
    delete this.el.stage.dataset.painted;
  }

  /** @param {string} id */
  awaitPaint(id) {
    // The frame in which the example is drawn, and then the moment after it.
    requestAnimationFrame(() =>
      setTimeout(() => {
        if (this.shown !== id || !this.root.isConnected) return;
        this.painted = true;
        this.paintedAt = performance.now();
        this.el.stage.dataset.painted = id;
      }),
    );
  }

  /** @param {Item} item */
  drawStrips(item) {
    const { app, el } = this;
    const labels = app.data.kind === "index" ? [] : [...new Set([item.given, item.suggested])];
    el.strips.hidden = !labels.length;
    el.strips.replaceChildren(...labels.map((label) => this.makeStrip(label)));
  }

  /**
   * Return typical examples of a class, below its name; they are made once and kept.
   * @param {number} label
   */
  makeStrip(label) {
    const { app } = this;
    const words = `typical ${app.names?.[label]}`;
    const strip = make(
      "div",
      { className: "strip" },
      make("span", { className: "quiet", textContent: words }),
    );
    const examples = app.strips.get(label);
    if (examples && !this.strips.has(label)) {
      const stamps = examples.map(({ id, content }) =>
        make("span", { className: "stamp", title: id }, makeContent(content, words)),
      );
      const none = "none: the model never agrees with this label";
      if (!stamps.length) stamps.push(make("span", { className: "quiet", textContent: none }));
      const className = app.data.kind === "text" ? "stamps words" : "stamps";
      this.strips.set(label, make("div", { className }, ...stamps));
    }
    const made = this.strips.get(label);
    if (examples && made) strip.append(made);
    return strip;
  }

  /** @param {IssueKind | null} kind */
  setKind(kind) {
    this.kind = kind;
    for (const button of this.kinds)
      button.setAttribute("aria-checked", String(button.dataset.kind === kind));
  }

  nextKind() {
    const all = [null, ...KINDS.map(([kind]) => kind)];
    this.setKind(all[(all.indexOf(this.kind) + 1) % all.length]);
    this.keepDraft();
  }

  /** Keep the note and kind of an undecided example while another one is on screen. */
  keepDraft() {
    if (this.shown !== null)
      this.app.drafts.set(this.shown, { note: this.el.note.value, kind: this.kind });
  }

  /**
   * Show who decided what on the example, and what is not saved yet.
   * @param {Standing | undefined} standing
   * @param {Operation | undefined} pending
   */
  drawStanding(standing, pending) {
    const { said } = this.el;
    const parts = [];
    if (pending && pending.do !== "undo") parts.push("You decided this; saving…");
    else if (standing) {
      const { mine, others, disputed } = standing;
      if (mine) parts.push(`You ${describeDecision(mine)}${quoteNote(mine)}.`);
      for (const other of others)
        parts.push(`${isolate(other.curator)} ${describeDecision(other)}${quoteNote(other)}.`);
      if (disputed) parts.push("They differ: your answer settles it for everybody.");
    }
    said.textContent = parts.join(" ");
    said.hidden = !parts.length;
  }

  /** @param {string | null} closed why nothing can be decided */
  drawButtons(closed) {
    for (const { button } of Object.values(this.buttons)) {
      button.disabled = Boolean(closed) && !ALWAYS_ENABLED.includes(button.dataset.action ?? "");
      if (button.disabled) button.title = closed ?? "";
    }
  }
}

/** @param {Item} item */
function describeContent({ content }) {
  const parts = [];
  if (content.kind === "image")
    parts.push(`${content.size[0]} × ${content.size[1]} px`, content.note);
  if (content.kind === "text") {
    const shown = content.text.length;
    parts.push(plural(content.length, "character"));
    if (content.length > shown) parts.push(`the first ${formatCount(shown)} shown`);
  }
  return parts.filter(Boolean).join(" · ");
}
