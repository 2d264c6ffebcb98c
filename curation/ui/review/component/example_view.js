// One example on the screen: its content, and what the model thinks of it.

/** @import { ReviewApp } from "./app.js" */
/** @import { DecisionSummary, Item, Operation, Standing } from "./protocol.js" */

import { ActionBar, EXAMPLE_KEYS } from "./action_bar.js";
import { Annotation } from "./annotation.js";
import { ClassFinder } from "./class_finder.js";
import { Disputes } from "./disputes.js";
import { findElements, make, makeContent } from "./elements.js";
import { makeFeatureTable } from "./feature_table.js";
import { Layers } from "./layers.js";
import { LikeliestClasses } from "./likeliest_classes.js";
import { NearExamplesView } from "./near_examples.js";
import { PictureView } from "./picture_view.js";
import { Swipe } from "./swipe.js";
import { TypicalStrips } from "./typical_strips.js";
import { describeDecision, formatCount, formatProbability, isolate, plural } from "./words.js";

/** @param {{ note: string }} decision */
const quoteNote = ({ note }) => (note ? ` (“${isolate(note)}”)` : "");

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
    /** @type {Map<string, { item: Item, node: HTMLElement, ready: boolean }>} content by id, to be put on screen */
    this.nodes = new Map();
    this.el = findElements(root);
    this.layers = new Layers(this, app);
    this.finder = new ClassFinder(this.el, app);
    this.likeliest = new LikeliestClasses(this);
    this.strips = new TypicalStrips(this);
    this.near = new NearExamplesView(this);
    this.annotation = new Annotation(this);
    this.actions = new ActionBar(this);
    this.picture = new PictureView(this);
    this.disputes = new Disputes(this, app);
    this.swipe = new Swipe(this, app);
    this.el.content.onclick = () => this.layers.toggleZoom();
    this.veil();
  }

  /** Move the focus to what is decided: the example, or the grid. */
  takeKeys() {
    (this.el.grid.hidden ? this.el.stage : this.el.tiles).focus({ preventScroll: true });
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
    this.app.decisions.act(action, value);
  }

  help() {
    this.layers.toggleHelp(EXAMPLE_KEYS);
  }

  // ---- an example on the screen

  /**
   * Decode a picture before it is needed.
   * @param {string} id
   * @param {Item} item
   */
  prepare(id, item) {
    if (this.nodes.get(id)?.item === item) return;
    const given = this.app.names?.[item.given];
    const node = item.features.length
      ? makeFeatureTable(item, this.app.names ?? [])
      : makeContent(item.content, `Example ${id}, labelled ${given}`);
    const entry = { item, node, ready: !(node instanceof HTMLImageElement) };
    const known = this.nodes.get(id); // a note that its picture is not here yet
    if (known) known.item = item;
    else this.nodes.set(id, entry);
    if (!(node instanceof HTMLImageElement)) {
      if (known) this.replace(id, entry);
      return;
    }
    const done = () => {
      entry.ready = true;
      if (known) this.replace(id, entry);
      this.app.screen.draw();
    };
    node.decode().then(done, done);
  }

  /**
   * Put what has come at last in the place of the note that it is not here.
   * @param {string} id
   * @param {{ item: Item, node: HTMLElement, ready: boolean }} entry
   */
  replace(id, entry) {
    this.nodes.set(id, entry);
    if (this.shown !== id) return;
    const { content } = entry.item;
    this.el.content.replaceChildren(entry.node);
    this.picture.fit(entry.node, content.kind === "image" ? content.size : undefined);
    this.el.about.textContent = describeContent(entry.item);
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
    const { content } = item;
    this.picture.fit(entry.node, content.kind === "image" ? content.size : undefined);
    el.id.textContent = id;
    el.about.textContent = describeContent(item);
    el.given.textContent = names[item.given];
    el.suggested.textContent = names[item.suggested];
    el.givenNumbers.textContent = this.describeOdds(item, item.given);
    el.suggestedNumbers.textContent = this.describeOdds(item, item.suggested);
    const margin = app.data.blind ? "" : ` Margin ${item.margin.toFixed(2).replace("-", "−")}.`;
    el.why.textContent = item.why + margin;
    this.actions.setWords("accept", `It is ${names[item.suggested]}`);
    this.actions.setWords("keep", `Keep ${names[item.given]}`);
    this.likeliest.draw(item, names);
    el.extras.hidden = !item.extras.length;
    el.extras.replaceChildren(
      ...item.extras.flatMap(([name, value]) => [
        make("dt", { textContent: name }),
        make("dd", { textContent: value }),
      ]),
    );
    this.annotation.show(app.drafts.get(id) ?? mine);
    this.finder.clear();
    this.strips.draw(item);
    this.near.draw(id, item);
    if (this.layers.isZoomed) this.layers.zoom();
    this.awaitPaint(id);
  }

  /**
   * @param {Item} item
   * @param {number} label
   */
  describeOdds(item, label) {
    if (this.app.data.blind) return "";
    const [probability, threshold] = item.odds[label];
    const typical = `${this.app.data.typical} ${formatProbability(threshold)}`;
    return `${formatProbability(probability)}  (${typical})`;
  }

  /** Let nothing be decided until the next example is painted. */
  veil() {
    this.painted = false;
    this.swipe?.cancel(); // it was meant for the example before
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
      const { mine, disputed } = standing;
      const others = disputed ? [] : standing.others; // shown side by side
      if (mine && !disputed) parts.push(`You ${describeDecision(mine)}${quoteNote(mine)}.`);
      for (const other of others)
        parts.push(`${isolate(other.curator)} ${describeDecision(other)}${quoteNote(other)}.`);
      if (disputed)
        parts.push(
          standing.answers.some(({ settles }) => settles)
            ? "Curators differ: your answer settles it for everybody."
            : "Curators differ: a lead settles it, and sees your answer too.",
        );
    }
    this.disputes.draw(standing, Boolean(pending && pending.do !== "undo"));
    said.textContent = parts.join(" ");
    said.hidden = !parts.length;
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
  if (content.kind === "index") parts.push(`row ${formatCount(content.row)} of the label file`);
  return parts.filter(Boolean).join(" · ");
}
