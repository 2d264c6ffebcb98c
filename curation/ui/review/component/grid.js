// Many examples on the screen: select some, or all that match, and decide them as one.

import { SHORTCUTS, make, makeButton, makeContent } from "./view.js";
import { isolate, formatCount, plural } from "./words.js";

// The key, the action, the words on its button, and what is asked before it is done.
const BULK = [
  ["A", "relabel", "Take the suggestion", (examples) => `Take the suggestion for ${examples}`],
  ["X", "keep", "Keep the label", (examples) => `Keep the label of ${examples}`],
  ["B", "ambiguous", "Both", (examples) => `Give ${examples} both labels`],
  ["E", "exclude", "Exclude", (examples) => `Exclude ${examples}`],
  ["S", "skip", "Skip", (examples) => `Skip ${examples}`],
  ["N", "needs_review", "Second look", (examples) => `Ask for a second look at ${examples}`],
];
const GRID_KEYS = [
  ["Click, Space", "select one, or take it out again"],
  ["Drag", "select all that the band touches; Esc lets go"],
  ["Shift", "with a click or an arrow: select the range"],
  ["← → ↑ ↓", "move without selecting"],
  ["A, X, B, E, S, N", "decide for all that are selected, after a question"],
  ["Backspace, Z", "undo: all of the last decision come back"],
  ["H", "this help"],
];
const SLACK = 6; // pixels that a hand may tremble in a click; further is a drag
const EDGE = 48; // pixels from the edge of the window at which a drag scrolls on; less than a tile's scroll-margin

export class Grid {
  constructor(view, app) {
    this.view = view;
    this.app = app;
    this.reset();
    this.makeBar();
    const { tiles } = view.el;
    tiles.onclick = (event) => this.onClick(event);
    tiles.onpointerdown = (event) => this.onPress(event);
    tiles.onpointermove = (event) => this.onDrag(event);
    tiles.onpointerup = () => this.endDrag();
    tiles.onpointercancel = () => this.endDrag(true);
  }

  reset() {
    this.selected = new Set();
    this.everything = false; // all that match, also those on other pages
    this.focused = 0;
    this.anchor = 0;
    this.list = [];
    this.turned = -1; // the last message before another page was asked for
    this.nodes = new Map(); // id -> its tile, kept from answer to answer
  }

  makeBar() {
    const { gridbar } = this.view.el;
    this.count = make("span", { className: "count", data: { role: "status" } });
    this.allHere = makeButton("chip", "Select this page", () => this.selectPage());
    this.allMatch = makeButton("chip", "", () => {
      this.everything = true;
      this.mark();
    });
    const none = makeButton("chip", "Select none", () => {
      this.selected.clear();
      this.everything = false;
      this.mark();
    });
    const button = (key, action, words, onclick) =>
      make(
        "button",
        {
          type: "button",
          className: "action",
          onclick,
          data: { "data-bulk": action, "aria-keyshortcuts": SHORTCUTS[key] || key },
        },
        make("kbd", { textContent: key }),
        make("span", { textContent: words }),
      );
    this.actions = BULK.map(([key, action, words], place) =>
      button(key, action, words, () => this.ask(place)),
    );
    const undo = button("⌫", "undo", "Undo", () => this.app.undo());
    const help = button("H", "help", "Help", () => this.view.help(GRID_KEYS));
    gridbar.replaceChildren(
      this.count,
      this.allHere,
      this.allMatch,
      none,
      make("span", { className: "gap" }),
      ...this.actions,
      undo,
      help,
    );
  }

  accept(data) {
    for (const tile of data.tiles) if (tile.content) this.app.tiles.set(tile.id, tile.content);
    this.list = data.tiles;
    this.focused = Math.max(0, Math.min(this.focused, data.tiles.length - 1));
    this.anchor = Math.min(this.anchor, this.focused);
    if (data.seen > this.turned) this.app.page = data.page; // else it answers an older question
    const here = new Set(data.tiles.map((tile) => tile.id));
    for (const memory of [this.selected, this.nodes])
      for (const id of memory.keys()) if (!here.has(id)) memory.delete(id);
    for (const id of this.app.tiles.keys())
      if (this.app.tiles.size > 400 && !here.has(id)) this.app.tiles.delete(id);
  }

  lacks() {
    return this.list.some((tile) => !this.app.tiles.has(tile.id));
  }

  // What is decided and not yet answered is no longer shown as to do.
  pending(id) {
    const said = this.app.log.lastOn(id);
    return said && said.do !== "undo";
  }

  draw() {
    const { el } = this.view;
    const { data } = this.app;
    // Only what is new is put on the screen: a click or drag under way must keep its tiles.
    const nodes = this.list.map((tile) => this.tile(tile));
    if (
      nodes.length !== el.tiles.children.length ||
      nodes.some((node, place) => node !== el.tiles.children[place])
    )
      el.tiles.replaceChildren(...nodes);
    const turn = (text, page) =>
      Object.assign(
        makeButton("chip", text, () => this.turn(page)),
        { disabled: page < 0 || page >= data.pages },
      );
    el.pager.replaceChildren(
      turn("← Previous", data.page - 1),
      make("span", {
        className: "quiet",
        textContent: `page ${data.page + 1} of ${formatCount(data.pages)}`,
      }),
      turn("Next →", data.page + 1),
    );
    this.mark();
  }

  tile({ id, given, suggested }) {
    const { names, tiles } = this.app;
    const caption = `${isolate(names[given])} → ${isolate(names[suggested])}`;
    if (!this.nodes.has(id)) {
      this.nodes.set(
        id,
        make(
          "div",
          {
            className: "tile",
            data: { role: "option", "data-id": id, "aria-label": `${id}: ${caption}` },
          },
          make("div", { className: "shown" }),
          make("div", { className: "caption", textContent: caption }),
          make("div", { className: "id quiet", textContent: id }),
        ),
      );
    }
    const node = this.nodes.get(id);
    if (!node.firstChild.firstChild && tiles.has(id))
      node.firstChild.append(makeContent(tiles.get(id), `Example ${id}: ${caption}`));
    return node;
  }

  // Show which are selected, and how many.
  mark() {
    const { data } = this.app;
    const chosen = this.everything ? data.total : this.selected.size;
    const words = `${formatCount(chosen)} of ${formatCount(data.total)} selected`;
    if (this.count.textContent !== words) this.count.textContent = words;
    this.allMatch.textContent = `Select all ${formatCount(data.total)} that match`;
    for (const button of this.actions) button.disabled = !chosen || Boolean(data.closed);
    this.list.forEach(({ id }, place) => {
      const node = this.nodes.get(id);
      node.id = `tile-${place}`;
      node.setAttribute("aria-selected", String(this.everything || this.selected.has(id)));
      node.classList.toggle("focused", place === this.focused);
      node.classList.toggle("busy", Boolean(this.pending(id)));
    });
    this.view.el.tiles.setAttribute("aria-activedescendant", `tile-${this.focused}`);
  }

  turn(page) {
    const { app } = this;
    app.page = page;
    this.turned = app.sent;
    this.selected.clear();
    this.focused = this.anchor = 0;
    app.link("page", page ? String(page + 1) : null);
    app.send();
  }

  onClick(event) {
    const tile = event.target.closest(".tile");
    if (!tile || this.drag?.moved) return; // a drag ends with a click of its own
    const place = this.list.findIndex(({ id }) => id === tile.dataset.id);
    if (event.shiftKey) this.selectRange(this.anchor, place);
    else this.toggle(place);
    this.focused = place;
    this.mark();
  }

  // ---- select by drag: what the band touches, beside what was selected before

  onPress(event) {
    this.drag = null;
    if (event.button !== 0 || event.pointerType === "touch") return; // a finger scrolls
    const before = new Set(this.everything ? this.list.map(({ id }) => id) : this.selected);
    this.drag = { from: this.within(event), before, held: true, moved: false };
  }

  onDrag(event) {
    const { drag } = this;
    if (!drag?.held || !(event.buttons & 1)) return; // let go outside the window
    const { band, tiles } = this.view.el;
    const [from, to] = [drag.from, this.within(event)];
    if (!drag.moved && Math.hypot(to.x - from.x, to.y - from.y) < SLACK) return;
    if (!drag.moved) tiles.setPointerCapture(event.pointerId);
    drag.moved = true;
    const [left, right, top, bottom] = [
      Math.min(from.x, to.x),
      Math.max(from.x, to.x),
      Math.min(from.y, to.y),
      Math.max(from.y, to.y),
    ];
    Object.assign(band.style, {
      left: `${left}px`,
      top: `${top}px`,
      width: `${right - left}px`,
      height: `${bottom - top}px`,
    });
    band.hidden = false;
    const touches = ({ offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height }) =>
      x < right && x + width > left && y < bottom && y + height > top;
    const touched = this.list.filter(({ id }) => touches(this.nodes.get(id)));
    this.everything = false;
    this.selected = new Set([...drag.before, ...touched.map(({ id }) => id)]);
    if (touched.length) this.focused = this.anchor = this.list.indexOf(touched.at(-1));
    this.mark();
    const below = event.clientY > window.innerHeight - EDGE;
    if (below || event.clientY < EDGE)
      this.nodes
        .get((below ? touched.at(-1) : touched[0])?.id)
        ?.scrollIntoView({ block: "nearest" });
  }

  endDrag(undone = false) {
    if (!this.drag?.held) return false;
    this.drag.held = false;
    this.view.el.band.hidden = true;
    if (undone) this.selected = this.drag.before;
    this.mark();
    return this.drag.moved;
  }

  // Where the pointer is in the grid, however far that is scrolled.
  within({ clientX, clientY }) {
    const box = this.view.el.grid.getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  }

  // ---- select by click or key

  // From here on one by one: of all that match, those on this page stay selected.
  single() {
    if (this.everything) this.selected = new Set(this.list.map(({ id }) => id));
    this.everything = false;
  }

  toggle(place) {
    const tile = this.list[place];
    if (!tile) return;
    this.single();
    if (!this.selected.delete(tile.id)) this.selected.add(tile.id);
    this.anchor = place;
  }

  selectRange(from, to) {
    this.single();
    for (let place = Math.min(from, to); place <= Math.max(from, to); place++)
      this.selected.add(this.list[place].id);
  }

  selectPage() {
    this.everything = false;
    for (const tile of this.list) this.selected.add(tile.id);
    this.mark();
  }

  onKey(event, key) {
    if (key === "Escape" && this.endDrag(true)) return;
    const { openName } = this.view; // the question or the help, above the grid
    if (openName && !(openName === "help" && key === "h")) return;
    const move = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -this.columns(),
      ArrowDown: this.columns(),
    }[key];
    const bulk = BULK.findIndex(([each]) => each.toLowerCase() === key);
    if (move === undefined && bulk < 0 && ![" ", "z", "Backspace", "h"].includes(key)) return;
    event.preventDefault();
    if (move !== undefined) {
      if (!this.list.length) return;
      const to = Math.min(Math.max(this.focused + move, 0), this.list.length - 1);
      if (event.shiftKey) this.selectRange(this.focused, to);
      this.focused = to;
      this.mark();
      this.view.el.tiles.children[to]?.scrollIntoView({ block: "nearest" });
    } else if (event.repeat) return;
    else if (key === " ") {
      this.toggle(this.focused);
      this.mark();
    } else if (key === "h") this.view.help(GRID_KEYS);
    else if (bulk >= 0) {
      if (!this.actions[bulk].disabled) this.ask(bulk);
    } else this.app.undo();
  }

  columns() {
    return getComputedStyle(this.view.el.tiles).gridTemplateColumns.split(" ").length;
  }

  // One question with the number in it, then one operation.
  ask(bulk) {
    const { app, view } = this;
    const [, action, , phrase] = BULK[bulk];
    const ids = this.list
      .map((tile) => tile.id)
      .filter((id) => this.selected.has(id) && !this.pending(id));
    const count = this.everything ? app.data.total : ids.length;
    if (!count || app.data.closed) return;
    // What is on screen while the question is asked is what the answer means.
    const { match, last, classes } = app.data;
    const seen = (what) =>
      Object.fromEntries(
        this.list.filter(({ id }) => ids.includes(id)).map((tile) => [tile.id, tile[what]]),
      );
    const which = this.everything
      ? { all: true, match, last }
      : { ids, revisions: seen("revision"), suggested: seen("suggested") };
    const words = phrase(plural(count, "example"));
    const no = makeButton("action", "Cancel", () => view.closeLayer());
    const yes = makeButton("action primary", words, () => {
      view.closeLayer();
      app.say({ do: "many", action, count, classes, ...which });
      this.selected.clear();
      this.everything = false;
      app.draw();
      app.send();
    });
    view.layer(
      "confirm",
      make("h2", { textContent: `${words}?` }),
      make("p", {
        textContent: `${app.data.title}. They are stored as one: all or none, and one undo takes all of them back.`,
      }),
      make("div", { className: "choices" }, yes, no),
    );
    yes.focus();
  }
}
