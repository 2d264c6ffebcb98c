// Many examples on the screen: select some, or all that match, and decide them together.

/** @import { ReviewApp } from "./app.js" */
/** @import { ExampleView } from "./example_view.js" */
/** @import { GridAnswer, Tile } from "./protocol.js" */

import { BULK, BulkDecisions } from "./bulk_decisions.js";
import { DragSelect } from "./drag_select.js";
import { make, makeButton, makeContent, makeKeyButton } from "./elements.js";
import { setLink } from "./place_memory.js";
import { Selection } from "./selection.js";
import { describeSelected, formatCount, isolate, nameAllMatch, nameAnswer } from "./words.js";

/** @type {[string, string][]} */
const GRID_KEYS = [
  ["Click, Space", "select one, or deselect it"],
  ["Drag", "select all that the band touches; Esc cancels it"],
  ["Shift", "with a click or an arrow: select the range"],
  ["← → ↑ ↓", "move without selecting"],
  ["A, X, B, E, S, N", "decide for all that are selected; you are asked to confirm"],
  ["T", "give all that are selected one class"],
  ["Backspace, Z", "undo: every example of the last decision comes back"],
  ["Shift+Z, Ctrl+Y", "redo what was taken back last"],
  ["H", "this help"],
];
const OTHER_KEYS = [" ", "h"];
const TILES_KEPT = 400;
const TILE_SIZE = "curation.tile"; // in the browser's storage
const DEFAULT_TILE_SIZES = { image: "6", text: "11", index: "6" }; // rem

export class Grid {
  /**
   * @param {ExampleView} view
   * @param {ReviewApp} app
   */
  constructor(view, app) {
    this.view = view;
    this.app = app;
    this.selection = new Selection();
    /** @type {Tile[]} */
    this.list = [];
    /** @type {Map<string, HTMLElement>} tiles by id, kept from answer to answer */
    this.nodes = new Map();
    /** @type {Map<string, Tile>} what was on screen of those that are selected, by id */
    this.known = new Map();
    this.shownPage = -1;
    this.turned = -1; // the last message before another page was asked for
    this.count = make("span", { className: "count", data: { role: "status" } });
    this.allMatch = makeButton("chip", "", () => {
      this.selection.everything = true;
      this.mark();
    });
    this.actions = BULK.map(([key, action, words], place) =>
      this.makeAction(key, action, words, () => this.bulk.ask(place)),
    );
    this.makeBar();
    this.dragging = new DragSelect(this);
    this.bulk = new BulkDecisions(this);
    view.el.tiles.onclick = (event) => this.onClick(event);
  }

  reset() {
    this.selection = new Selection();
    this.list = [];
    this.nodes.clear();
    this.known.clear();
    this.shownPage = -1;
    this.turned = -1;
  }

  /** Return the answer that is on screen. */
  get data() {
    return /** @type {GridAnswer} */ (this.app.data);
  }

  makeBar() {
    const page = makeButton("chip", "Select this page", () => {
      this.selection.addPage(this.list);
      this.mark();
    });
    const none = makeButton("chip", "Select none", () => {
      this.selection.clear();
      this.mark();
    });
    this.view.el.gridbar.replaceChildren(
      this.count,
      page,
      this.allMatch,
      none,
      makeSizeSlider(this.view.el.grid, this.data.kind),
      make("span", { className: "gap" }),
      ...this.actions,
      this.makeAction("⌫", "undo", "Undo", () => this.app.history.undo()),
      this.makeAction("H", "help", "Help", () => this.help()),
    );
  }

  /**
   * @param {string} key
   * @param {string} action
   * @param {string} words
   * @param {() => void} onclick
   */
  makeAction(key, action, words, onclick) {
    const props = { className: "action", onclick, data: { "data-bulk": action } };
    return makeKeyButton(key, props, make("span", { textContent: words }));
  }

  help() {
    this.view.layers.toggleHelp(GRID_KEYS);
  }

  /** @param {GridAnswer} data */
  accept(data) {
    const { app } = this;
    for (const { id, content } of data.tiles) if (content) app.tiles.set(id, content);
    this.selection.accept(data.tiles, this.shownPage === data.page ? this.list : []);
    this.list = data.tiles;
    this.shownPage = data.page;
    for (const id of this.known.keys()) if (!this.selection.ids.has(id)) this.known.delete(id);
    for (const tile of data.tiles) this.known.set(tile.id, tile);
    if (data.answered > this.turned) app.page = data.page; // else it answers an older message
    const here = new Set(data.tiles.map(({ id }) => id));
    for (const id of this.nodes.keys()) if (!here.has(id)) this.nodes.delete(id);
    for (const id of app.tiles.keys())
      if (app.tiles.size > TILES_KEPT && !here.has(id)) app.tiles.delete(id);
  }

  /** Return the tiles that are selected, also those on other pages, in the order of selecting. */
  listSelected() {
    return [...this.selection.ids].flatMap((id) => this.known.get(id) ?? []);
  }

  lacksContent() {
    return this.list.some(({ id }) => (this.app.tiles.get(id)?.kind ?? "waiting") === "waiting");
  }

  /**
   * Return whether an example is decided and not yet answered: it is no longer left to decide.
   * @param {string} id
   */
  isPending(id) {
    const last = this.app.log.lastOn(id);
    return last !== undefined && last.do !== "undo";
  }

  // ---- drawing

  draw() {
    const { tiles, pager } = this.view.el;
    const { page, pages } = this.data;
    // Only what is new is put on the screen: a click or drag under way must keep its tiles.
    const nodes = this.list.map((tile) => this.makeTile(tile));
    const isSame =
      nodes.length === tiles.children.length &&
      nodes.every((node, place) => node === tiles.children[place]);
    if (!isSame) tiles.replaceChildren(...nodes);
    const words = `page ${formatCount(page + 1)} of ${formatCount(pages)}`;
    pager.replaceChildren(
      this.makeTurn("← Previous", page - 1),
      make("span", { className: "quiet", textContent: words }),
      this.makeTurn("Next →", page + 1),
    );
    this.mark();
  }

  /**
   * @param {string} words
   * @param {number} page
   */
  makeTurn(words, page) {
    const button = makeButton("chip", words, () => this.turn(page));
    button.disabled = page < 0 || page >= this.data.pages;
    return button;
  }

  /** @param {Tile} tile */
  makeTile({ id, given, suggested, force }) {
    const [names, short] = [this.app.names ?? [], this.app.shortNames];
    const caption = `${isolate(names[given])} → ${isolate(names[suggested])}`;
    let node = this.nodes.get(id);
    if (!node) {
      node = make(
        "div",
        {
          className: "tile",
          data: { role: "option", "data-id": id },
        },
        make("div", { className: "shown" }),
        make(
          "div",
          { className: "chips", title: `${id}: ${caption}` },
          make("span", { className: "given", textContent: short[given] }),
          make("span", { className: "suggested", textContent: short[suggested] }),
          make("span", { className: "outcome", hidden: true }),
        ),
      );
      this.nodes.set(id, node);
    }
    const words = force ? isolate(nameAnswer(force)) : "";
    const mark = /** @type {HTMLElement} */ (node.querySelector(".outcome"));
    mark.hidden = !words;
    if (mark.textContent !== words) mark.textContent = words;
    node.setAttribute("aria-label", `${id}: ${caption}${words && `, ${words}`}`);
    const shown = node.firstElementChild;
    const content = this.app.tiles.get(id);
    if (content && shown instanceof HTMLElement && shown.dataset.kind !== content.kind) {
      shown.dataset.kind = content.kind; // a picture may take the place of a note
      shown.replaceChildren(makeContent(content, `Example ${id}: ${caption}`));
    }
    return node;
  }

  /** Show which are selected, and how many. */
  mark() {
    const { selection } = this;
    const { total, taken, closed } = this.data;
    const chosen = selection.everything ? total - taken : selection.ids.size;
    const words = describeSelected(chosen, total, taken);
    if (this.count.textContent !== words) this.count.textContent = words;
    this.allMatch.textContent = nameAllMatch(total, taken);
    for (const button of this.actions) button.disabled = !chosen || Boolean(closed);
    this.list.forEach(({ id }, place) => {
      const node = this.nodes.get(id);
      if (!node) return;
      node.id = `tile-${place}`;
      node.setAttribute("aria-selected", String(selection.has(id)));
      node.classList.toggle("focused", place === selection.focused);
      node.classList.toggle("busy", this.isPending(id));
    });
    this.view.el.tiles.setAttribute("aria-activedescendant", `tile-${selection.focused}`);
  }

  /** @param {number} page */
  turn(page) {
    const { app, selection } = this;
    app.page = page;
    this.turned = app.connection.sent;
    selection.moveTo(0);
    setLink("page", page ? String(page + 1) : null);
    app.connection.send();
  }

  // ---- clicks and keys

  /** @param {MouseEvent} event */
  onClick(event) {
    const tile = event.target instanceof Element ? event.target.closest(".tile") : null;
    if (!tile || this.dragging.moved) return; // a drag ends with a click of its own
    const { selection, list } = this;
    const place = list.findIndex(({ id }) => id === tile.getAttribute("data-id"));
    if (event.shiftKey) selection.addRange(list, selection.anchor, place);
    else selection.toggle(list, place);
    selection.focused = place;
    this.mark();
  }

  /**
   * @param {KeyboardEvent} event
   * @param {string} key
   */
  onKey(event, key) {
    if (key === "Escape" && this.dragging.end(true)) return;
    const { name } = this.view.layers; // the question or the help, above the grid
    if (name && !(name === "help" && key === "h")) return;
    const step = this.findStep(key);
    const bulk = BULK.findIndex(([each]) => each.toLowerCase() === key);
    if (!step && bulk < 0 && !OTHER_KEYS.includes(key)) return this.app.notices.sayUnknownKey(key);
    event.preventDefault();
    if (step) this.moveFocus(step, event.shiftKey);
    else if (event.repeat) return;
    else if (key === " ") {
      this.selection.toggle(this.list, this.selection.focused);
      this.mark();
    } else if (key === "h") this.help();
    else if (!this.actions[bulk].disabled) this.bulk.ask(bulk);
    else this.app.notices.sayIgnored("nothing is selected");
  }

  /**
   * Return how many places an arrow key moves the focus; 0 for any other key.
   * @param {string} key
   */
  findStep(key) {
    if (!key.startsWith("Arrow")) return 0;
    const columns = getComputedStyle(this.view.el.tiles).gridTemplateColumns.split(" ").length;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
    return steps[/** @type {keyof typeof steps} */ (key)] ?? 0;
  }

  /**
   * @param {number} step
   * @param {boolean} isRange
   */
  moveFocus(step, isRange) {
    const { selection, list } = this;
    if (!list.length) return;
    const to = Math.min(Math.max(selection.focused + step, 0), list.length - 1);
    if (isRange) selection.addRange(list, selection.focused, to);
    selection.focused = to;
    this.mark();
    this.view.el.tiles.children[to]?.scrollIntoView({ block: "nearest" });
  }
}

/**
 * Return a slider for the size of the tiles, which this browser remembers; texts need larger ones.
 * @param {HTMLElement} grid
 * @param {keyof typeof DEFAULT_TILE_SIZES} kind
 */
function makeSizeSlider(grid, kind) {
  const key = kind === "text" ? `${TILE_SIZE}.text` : TILE_SIZE;
  const slider = make("input", { type: "range", min: "4", max: "16", step: "0.5" });
  slider.setAttribute("aria-label", "Size of the pictures");
  const show = () => grid.style.setProperty("--tile", `${slider.value}rem`);
  try {
    slider.value = window.localStorage.getItem(key) || DEFAULT_TILE_SIZES[kind];
  } catch {
    slider.value = DEFAULT_TILE_SIZES[kind];
  }
  slider.oninput = () => {
    show();
    try {
      window.localStorage.setItem(key, slider.value);
    } catch {
      // The storage is full or forbidden: the size lives as long as the page does.
    }
  };
  show();
  return slider;
}
