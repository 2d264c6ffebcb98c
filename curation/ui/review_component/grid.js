// Many examples on the screen: select some, or all that match, and decide them as one.

const BULK = [["A", "relabel", "Take the suggestion"], ["X", "keep", "Keep the label"], ["E", "exclude", "Exclude"],
  ["S", "skip", "Skip"], ["N", "needs_review", "Second look"]];

class Grid {
  constructor(view, app) {
    this.view = view;
    this.app = app;
    this.reset();
    this.makeBar();
    view.el.tiles.onclick = (event) => this.onClick(event);
  }

  reset() {
    this.selected = new Set();
    this.everything = false; // all that match, also those on other pages
    this.focused = 0;
    this.anchor = 0;
    this.list = [];
  }

  makeBar() {
    const { gridbar } = this.view.el;
    this.count = make("span", { className: "count" });
    const tool = (text, work) => Object.assign(make("button", { type: "button", className: "chip", textContent: text }), { onclick: work });
    this.allHere = tool("Select this page", () => this.selectPage());
    this.allMatch = tool("Select all that match", () => { this.everything = true; this.draw(); });
    const none = tool("Select none", () => { this.selected.clear(); this.everything = false; this.draw(); });
    this.actions = BULK.map(([key, action, words]) => {
      const button = make("button", { type: "button", className: "action", data: { "data-bulk": action } },
        make("kbd", { textContent: key }), make("span", { textContent: words }));
      button.onclick = () => this.ask(action, words);
      return button;
    });
    const undo = make("button", { type: "button", className: "action", data: { "data-bulk": "undo" } },
      make("kbd", { textContent: "⌫" }), make("span", { textContent: "Undo" }));
    undo.onclick = () => this.app.undo();
    gridbar.replaceChildren(this.count, this.allHere, this.allMatch, none, make("span", { className: "gap" }), ...this.actions, undo);
  }

  accept(data) {
    for (const tile of data.tiles) if (tile.content) this.app.tiles.set(tile.id, tile.content);
    this.list = data.tiles;
    this.app.page = data.page;
    const here = new Set(data.tiles.map((tile) => tile.id));
    for (const id of this.selected) if (!here.has(id)) this.selected.delete(id);
    for (const id of this.app.tiles.keys()) if (this.app.tiles.size > 400 && !here.has(id)) this.app.tiles.delete(id);
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
    const { data, names } = this.app;
    const chosen = this.everything ? data.total : this.selected.size;
    this.count.textContent = `${chosen.toLocaleString("en")} of ${data.total.toLocaleString("en")} selected`;
    this.allMatch.textContent = `Select all ${data.total.toLocaleString("en")} that match`;
    for (const button of this.actions) button.disabled = !chosen || Boolean(data.closed);
    el.tiles.replaceChildren(...this.list.map((tile, place) => {
      const content = this.app.tiles.get(tile.id);
      const on = this.everything || this.selected.has(tile.id);
      const caption = `${names[tile.given]} → ${names[tile.suggested]}`;
      tile.node ??= make("div", { className: "shown" }, makeContent(content, `Example ${tile.id}: ${caption}`));
      const node = make("div", { className: "tile", data: { role: "option", "aria-selected": String(on), "data-place": place, "data-id": tile.id, "aria-label": `${tile.id}: ${caption}` } },
        tile.node, make("div", { className: "caption", textContent: caption }), make("div", { className: "id quiet", textContent: tile.id }));
      node.classList.toggle("focused", place === this.focused);
      node.classList.toggle("busy", Boolean(this.pending(tile.id)));
      return node;
    }));
    const turn = (text, page) => {
      const button = make("button", { type: "button", className: "chip", textContent: text, disabled: page < 0 || page >= data.pages });
      button.onclick = () => this.turn(page);
      return button;
    };
    el.pager.replaceChildren(turn("← Previous", data.page - 1), make("span", { className: "quiet", textContent: `page ${data.page + 1} of ${data.pages.toLocaleString("en")}` }), turn("Next →", data.page + 1));
  }

  turn(page) {
    this.app.page = page;
    this.selected.clear();
    this.focused = this.anchor = 0;
    this.app.send();
  }

  onClick(event) {
    const tile = event.target.closest(".tile");
    if (!tile) return;
    const place = Number(tile.dataset.place);
    if (event.shiftKey) this.selectRange(this.anchor, place);
    else this.toggle(place);
    this.focused = place;
    this.draw();
  }

  toggle(place) {
    const { id } = this.list[place];
    this.everything = false;
    if (!this.selected.delete(id)) this.selected.add(id);
    this.anchor = place;
  }

  selectRange(from, to) {
    this.everything = false;
    for (let place = Math.min(from, to); place <= Math.max(from, to); place++) this.selected.add(this.list[place].id);
  }

  selectPage() {
    this.everything = false;
    for (const tile of this.list) this.selected.add(tile.id);
    this.draw();
  }

  onKey(event, key) {
    if (this.asking) return;
    const move = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -this.columns(), ArrowDown: this.columns() }[key];
    const bulk = { a: 0, x: 1, e: 2, s: 3, n: 4 }[key];
    if (move === undefined && bulk === undefined && ![" ", "z", "Backspace", "h"].includes(key)) return;
    event.preventDefault();
    if (move !== undefined) {
      const to = Math.min(Math.max(this.focused + move, 0), this.list.length - 1);
      if (event.shiftKey) this.selectRange(this.focused, to);
      this.focused = to;
      this.draw();
      this.view.el.tiles.children[to]?.scrollIntoView({ block: "nearest" });
    } else if (event.repeat) return;
    else if (key === " ") { this.toggle(this.focused); this.draw(); }
    else if (key === "h") this.view.help();
    else if (bulk !== undefined) { if (!this.actions[bulk].disabled) this.ask(BULK[bulk][1], BULK[bulk][2]); }
    else this.app.undo();
  }

  columns() {
    return getComputedStyle(this.view.el.tiles).gridTemplateColumns.split(" ").length;
  }

  // One question with the number in it, then one operation.
  ask(action, words) {
    const { app, view } = this;
    const ids = this.list.map((tile) => tile.id).filter((id) => this.selected.has(id) && !this.pending(id));
    const count = this.everything ? app.data.total : ids.length;
    if (!count || app.data.closed) return;
    const yes = make("button", { type: "button", className: "action primary", textContent: `${words}: ${plural(count, "example")}` });
    const no = make("button", { type: "button", className: "action", textContent: "Cancel" });
    no.onclick = () => view.closeLayer();
    yes.onclick = () => {
      view.closeLayer();
      const revisions = Object.fromEntries(this.list.filter((tile) => ids.includes(tile.id)).map((tile) => [tile.id, tile.revision]));
      const which = this.everything ? { all: true, queue: app.walk.queue } : { ids, revisions };
      app.log.add({ op_id: newId(), do: "many", action, count, ...which });
      this.selected.clear();
      this.everything = false;
      app.draw();
      app.send();
    };
    view.layer("confirm", make("h2", { textContent: `${words} for ${plural(count, "example")}?` }),
      make("p", { textContent: `${app.data.title}. They are stored as one: all or none, and one undo takes all of them back.` }), make("div", { className: "choices" }, yes, no));
    yes.focus();
  }
}
