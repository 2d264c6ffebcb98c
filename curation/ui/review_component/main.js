// Brings the log, the walk and the screen together. Streamlit calls the default function at every
// answer of the server; all that lasts is kept on `window`, and listeners are bound once.

const WAIT = 300; // milliseconds after which a message is not waited for any longer
const RETRY = 2500; // and after which what is not answered is sent again
const LOOK = 15000; // how often an idle page asks what others did
const TYPING = "input, textarea, select, [contenteditable=true], [role=combobox], [role=listbox]:not(.tiles), [role=slider], [role=radio]:not(.kind), [role=checkbox], [role=menu], [role=dialog], [role=tab]";
const PRESSED = "button, a, summary, [role=button]";

class App {
  constructor() {
    this.walks = new Map();
    this.strips = new Map();
    this.tiles = new Map();
    this.conflicts = new Map();
    this.names = null;
    this.sent = 0; // the number of the last message
    this.heard = 0; // and of the last one answered
    this.sentAt = 0;
    this.page = 0;
    this.paces = [];
    document.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("beforeunload", (event) => {
      if (this.log?.pending.length) event.preventDefault();
    });
    setInterval(() => this.look(), 500);
  }

  // ---- talking with the server

  receive({ data, parentElement, setStateValue }) {
    this.setStateValue = setStateValue;
    if (this.store !== data.store) {
      this.log = new Log(window.sessionStorage, `curation.log.${data.store}`);
      this.store = data.store;
      this.names = null;
      for (const memory of [this.walks, this.strips, this.tiles, this.conflicts]) memory.clear();
    }
    if (data.names) this.names = data.names;
    this.data = data;
    this.heard = Math.max(this.heard, data.seen || 0);
    if (!this.view || this.view.root !== parentElement || !parentElement.contains(this.view.el.stage)) {
      this.view = new View(parentElement, this);
      this.grid = new Grid(this.view, this);
    }
    this.followTheme(parentElement);
    const settled = this.log.settle(data.answers);
    this.openWalk(data);
    for (const each of settled) this.hear(each);
    for (const [label, examples] of Object.entries(data.strips || {})) this.strips.set(Number(label), examples);
    if (data.view === "grid") this.grid.accept(data);
    else this.walk.accept(data);
    if (this.names && data.view !== "grid") this.prepareItems();
    this.draw();
    const unsent = this.log.pending.some((each) => !(each.op_id in data.answers));
    if (!this.names || unsent || this.lacks()) this.askOn(settled.length > 0);
  }

  // Ask for the rest at once while answers bring something, else a little later.
  askOn(progress) {
    const { data } = this;
    const news = [data.items, data.strips].some((each) => Object.keys(each || {}).length > 0)
      || (data.tiles || []).some((tile) => tile.content);
    clearTimeout(this.timer);
    if (this.log.failure) return; // tried again by `look`
    if (progress || news || data.seen === 0) this.send();
    else this.timer = setTimeout(() => this.send(), 500);
  }

  // The colours for kinds and states come in two sets; the theme may differ from the system's.
  followTheme(root) {
    const section = root.querySelector(".review");
    const ground = getComputedStyle(section).getPropertyValue("--st-background-color").trim();
    const [red, green, blue] = (ground.match(/[0-9a-f]{2}/gi) || ["ff", "ff", "ff"]).map((each) => parseInt(each, 16));
    section.classList.toggle("is-dark", red + green + blue < 384);
    section.classList.toggle("is-light", red + green + blue >= 384);
  }

  openWalk(data) {
    if (this.walk?.queue === data.queue) return;
    if (!this.walks.has(data.queue)) {
      const walk = new Walk(data.queue, this.log);
      walk.cursor = data.view === "grid" ? null : this.recallCursor(data);
      this.walks.set(data.queue, walk);
    }
    this.walk = this.walks.get(data.queue);
    if (this.view) this.view.shown = null;
    this.grid.reset();
  }

  lacks() {
    if (this.data.view === "grid") return this.grid.lacks();
    const item = this.walk.items.get(this.walk.cursor);
    const bare = item && this.data.kind !== "index"
      && [item.given, item.suggested].some((label) => !this.strips.has(label));
    const lost = this.walk.cursor !== null && !this.walk.here();
    return bare || lost || this.walk.lacking().length > 0 || this.walk.next() === null;
  }

  // Send all that is not answered, and what we show and have. At most one message is on its way,
  // unless the answer takes long: then what was decided since goes out all the same.
  send() {
    clearTimeout(this.timer);
    const quiet = this.heard >= this.sent ? 0 : Math.max(0, this.sentAt + WAIT - performance.now());
    if (quiet > 0) this.timer = setTimeout(() => this.send(), quiet);
    else this.sendNow();
  }

  // After the next example is painted: talking to the server must not hold it up. What was
  // decided is in the tab's storage by then. A hidden page paints nothing, and sends all the same.
  sendSoon() {
    let due = true;
    const once = () => { if (due) { due = false; this.send(); } };
    requestAnimationFrame(() => setTimeout(once));
    setTimeout(once, 120);
  }

  sendNow() {
    clearTimeout(this.timer);
    this.sent = Math.max(this.sent, this.heard) + 1;
    this.sentAt = performance.now();
    this.setStateValue("sent", {
      n: this.sent, store: this.store, queue: this.walk.queue, log: this.log.pending,
      at: this.walk.cursor, place: this.walk.here()?.place ?? this.lastPlace ?? -1,
      have: [...this.walk.items.keys()], strips: [...this.strips.keys()], names: Boolean(this.names),
      page: this.page, tiles: [...this.tiles.keys()],
    });
  }

  // Every half second: send again what got no answer, and now and then ask what others did.
  look() {
    this.warnElsewhere();
    if (!this.view?.root.isConnected || !this.data) return;
    const since = performance.now() - this.sentAt;
    const waiting = this.log.pending.length > 0 || (this.heard < this.sent && this.lacks());
    if (waiting && since > RETRY) this.sendNow();
    else if (!waiting && since > LOOK && document.visibilityState === "visible") this.sendNow();
    this.drawState();
  }

  // On another page nothing can be sent; what is not saved yet must not be forgotten there.
  warnElsewhere() {
    const count = this.view?.root.isConnected ? 0 : this.log?.pending.length || 0;
    this.banner ??= make("div", { data: { role: "alert", style: "position:fixed;bottom:1rem;left:50%;transform:translateX(-50%);background:#b3261e;color:#fff;padding:.6rem 1rem;border-radius:.5rem;z-index:999999" } });
    this.banner.textContent = `${plural(count, "decision")} not saved yet: go back to Review, which saves what is left.`;
    if (!count) this.banner.remove();
    else if (!this.banner.isConnected) document.body.append(this.banner);
  }

  // What became of one operation.
  hear({ operation, answer }) {
    if (answer.status === "saved" || answer.status === "undone") {
      this.savedAt = answer.time;
      this.alarm = null;
      if (answer.id) this.conflicts.delete(answer.id);
    } else if (answer.status === "conflict") {
      this.conflicts.set(answer.id, { operation, answer });
    } else {
      this.alarm = { problem: answer.problem, remedy: answer.remedy, id: operation.id };
    }
  }

  // ---- where we are, kept for a reload and for the link

  recallCursor(data) {
    try {
      const kept = JSON.parse(window.sessionStorage.getItem(`curation.cursor.${data.queue}`) || "null");
      const link = new URL(window.location.href).searchParams.get("at");
      return kept && kept.link === link ? kept.id : null;
    } catch {
      return null;
    }
  }

  keepCursor() {
    const { cursor, queue } = this.walk;
    const link = new URL(window.location.href).searchParams.get("at");
    const keep = (value) => {
      try {
        window.sessionStorage.setItem(`curation.cursor.${queue}`, JSON.stringify({ id: cursor, link: value }));
      } catch { /* then a reload starts at the link's example */ }
    };
    keep(link);
    clearTimeout(this.linkTimer);
    this.linkTimer = setTimeout(() => {
      if (this.walk.cursor !== cursor || !this.view.root.isConnected) return;
      const url = new URL(window.location.href);
      url.searchParams.set("at", cursor);
      window.history.replaceState(window.history.state, "", url);
      keep(cursor);
    }, 400);
  }

  // ---- deciding

  canAct() {
    const { view, walk } = this;
    return !this.data.closed && view.root.isConnected && view.painted && view.shown === walk.cursor;
  }

  act(action, value) {
    if (action === "help") return this.view.help();
    if (action === "undo") return this.undo();
    if (action === "left" || action === "right") return this.move(action === "left" ? -1 : 1);
    if (!this.canAct() || this.data.view === "grid") return;
    const item = this.walk.items.get(this.walk.cursor);
    const said = {
      accept: () => ({ action: "relabel", label: item.suggested }),
      keep: () => ({ action: "keep" }),
      both: () => ({ action: "ambiguous", labels: [item.given, item.suggested] }),
      exclude: () => ({ action: "exclude" }),
      skip: () => ({ action: "skip" }),
      second: () => ({ action: "needs_review" }),
      label: () => ({ action: "relabel", label: value }),
      rank: () => (item.classes[value] ? { action: "relabel", label: item.classes[value][0] } : null),
    }[action]?.();
    if (!said) return;
    // To give it the label it has is to keep it.
    if (said.action === "relabel" && said.label === item.given) { said.action = "keep"; delete said.label; }
    const note = this.view.el.note.value.trim();
    this.decide(this.walk.cursor, { ...said, kind: this.view.kind, note });
    this.advance();
  }

  decide(id, said, revision) {
    const before = this.log.lastOn(id);
    const seconds = Math.round((performance.now() - this.view.paintedAt) / 10) / 100;
    this.log.add({ op_id: newId(), do: "decide", id, ...said, seconds,
      revision: revision ?? this.walk.standing.get(id)?.revision ?? 0, base: before?.op_id });
    this.paces.push(performance.now());
    this.sendSoon();
  }

  advance() {
    const next = this.walk.next();
    if (next) this.goTo(next);
    else this.finish();
  }

  // Nothing further is at hand: the server knows whether that was all.
  finish() {
    this.view.veil();
    this.waiting = true;
    this.draw();
    this.send();
  }

  goTo(id) {
    this.lastPlace = this.walk.here()?.place ?? this.lastPlace;
    this.walk.cursor = id;
    this.waiting = false;
    this.keepCursor();
    this.draw();
    this.sendSoon();
  }

  move(offset) {
    if (!this.view.painted && !this.done) return;
    const id = this.walk.neighbour(offset);
    if (id) this.goTo(id);
  }

  undo() {
    if (this.data.closed) return;
    const top = this.log.top(this.data.latest);
    if (!top) return;
    this.log.add({ op_id: newId(), do: "undo", expect: top.op, id: top.id });
    if (top.id !== null && this.data.view !== "grid") this.goTo(top.id);
    else { this.draw(); this.send(); }
  }

  // Settle a conflict: repeat one of the two answers, now with both in view.
  settle(id, whose) {
    const { operation, answer } = this.conflicts.get(id);
    this.conflicts.delete(id);
    const { action, label, labels, kind, note } = operation;
    const again = answer.theirs.again;
    if (whose === "mine") this.decide(id, { action, label, labels, kind, note }, answer.revision);
    else if (!answer.theirs.taken_back) {
      this.decide(id, { action: again.action, label: again.label ?? undefined, labels: again.labels ?? undefined, kind: answer.theirs.kind, note: "" }, answer.revision);
    }
    this.draw();
  }

  // ---- keys

  onKey(event) {
    const { view } = this;
    if (!view?.root.isConnected || !this.data) return;
    if (event.key === "Escape" && view.closeLayer()) return event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const path = event.composedPath().filter((node) => node instanceof Element);
    if (path[0]?.closest?.(TYPING) || path.some((node) => node.matches(TYPING) && !view.root.contains(node))) return;
    if (document.querySelector("[role=dialog], [data-baseweb=popover] [role=listbox]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ((key === " " || key === "Enter") && path[0]?.closest?.(PRESSED)) return;
    if (this.data.view === "grid") return this.grid.onKey(event, key);
    const action = { a: "accept", x: "keep", b: "both", e: "exclude", " ": "skip", n: "second", z: "undo",
      Backspace: "undo", ArrowLeft: "left", ArrowRight: "right", h: "help" }[key];
    const other = { t: () => view.el.find.focus(), m: () => view.el.note.focus(), k: () => view.nextKind(), f: () => view.zoom() }[key];
    const rank = /^[0-9]$/.test(key) ? (Number(key) + 9) % 10 : -1;
    if (!action && !other && rank < 0) return;
    event.preventDefault();
    if (event.repeat) return; // a held key says nothing new
    if (view.openName === "help" && action !== "help") return;
    if (!this.onScreen() && action !== "help") return;
    if (other) other();
    else if (action) this.act(action);
    else this.act("rank", rank);
  }

  // An example scrolled out of sight comes back first; the next key decides.
  onScreen() {
    if (this.done) return true;
    const box = this.view.el.stage.getBoundingClientRect();
    if (document.visibilityState !== "visible") return false;
    if (box.bottom > 60 && box.top < window.innerHeight - 60) return true;
    this.view.el.stage.scrollIntoView({ block: "nearest" });
    return false;
  }

  // ---- drawing

  prepareItems() {
    const { walk, view } = this;
    for (const step of walk.steps) {
      const item = walk.items.get(step.id);
      if (item) view.prepare(step.id, item);
    }
    view.forget(new Set(walk.items.keys()));
  }

  draw() {
    const { view, walk, data } = this;
    if (!view?.root.isConnected || !this.names) return;
    if (this.waiting && data.view !== "grid") this.stopWaiting();
    const isGrid = data.view === "grid";
    const nothing = isGrid ? data.total === 0 && !this.log.pending.length : !walk.steps.length;
    this.done = !isGrid && walk.steps.length > 0 && this.waiting && walk.next() === undefined && !this.log.pending.length;
    view.el.empty.hidden = !(nothing || this.done);
    view.el.one.hidden = isGrid || nothing || this.done;
    view.el.grid.hidden = !isGrid || nothing;
    if (nothing || this.done || isGrid) view.el.veil.hidden = true;
    if (nothing || this.done) this.drawEmpty(nothing);
    else if (isGrid) this.grid.draw();
    else this.drawOne();
    this.drawState();
  }

  stopWaiting() {
    const next = this.walk.next();
    if (!next) return;
    this.waiting = false;
    this.lastPlace = this.walk.here()?.place ?? this.lastPlace;
    this.walk.cursor = next;
    this.keepCursor();
  }

  drawOne() {
    const { view, walk, data } = this;
    const item = walk.items.get(walk.cursor);
    const ready = item && view.isReady(walk.cursor) && !this.waiting;
    view.el.veil.hidden = ready;
    view.el.veil.textContent = this.waiting && this.log.pending.length ? "Saving the last decisions…" : "Loading…";
    if (item && !view.nodes.has(walk.cursor)) view.prepare(walk.cursor, item);
    if (ready && view.shown !== walk.cursor) view.show(walk.cursor, item, walk.standing.get(walk.cursor)?.mine);
    else if (ready && !view.painted) view.awaitPaint(walk.cursor);
    if (!ready) view.veil();
    if (ready) {
      view.drawStanding(walk.standing.get(walk.cursor), this.log.lastOn(walk.cursor));
      if (view.el.strips.querySelectorAll(".stamps").length < 2) view.drawStrips(item);
    }
    for (const { button } of Object.values(view.buttons)) {
      button.disabled = Boolean(data.closed) && !["left", "right", "help"].includes(button.dataset.action);
      if (button.disabled) button.title = data.closed;
    }
    this.drawLatest();
  }

  drawLatest() {
    const undone = new Set(this.log.pending.filter((each) => each.do === "undo").map((each) => each.expect));
    const known = new Set(this.data.latest.map((each) => each.op));
    const named = (each) => ({ ...each, op: each.op_id, label: this.names[each.label], saving: true });
    const fresh = this.log.pending.filter((each) => each.do !== "undo" && !known.has(each.op_id)).map(named).reverse();
    const all = [...fresh, ...this.data.latest].filter((each) => !undone.has(each.op)).slice(0, 10);
    const words = { keep: "kept", ambiguous: "both", exclude: "excluded", skip: "skipped", needs_review: "second look" };
    this.view.el.latest.replaceChildren(...all.map((each) => {
      const what = each.action === "relabel" && each.label ? each.label : words[each.action] || each.action;
      const many = each.count > 1 ? ` × ${each.count}` : "";
      const chip = make("button", { type: "button", className: "chip", title: each.id ? `Reopen ${each.id}` : "",
        textContent: `${what}${many} ${each.saving ? "…" : "✓"}` });
      if (each.id) chip.onclick = (event) => { this.view.release(event); this.goTo(each.id); };
      return chip;
    }));
    if (!all.length) this.view.el.latest.textContent = "nothing decided yet";
  }

  drawState() {
    const { view, data, log, walk } = this;
    const { counts } = data;
    const here = walk.here();
    const total = counts.all;
    const left = data.status === "undecided" ? counts.undecided : total;
    const grid = data.view === "grid";
    this.say("where", grid ? `${(data.total ?? 0).toLocaleString("en")} to decide together` : this.done || !here ? "" : here.place < 0 ? "Reopened, outside this list"
      : `${(here.place + 1).toLocaleString("en")} of ${total.toLocaleString("en")}`);
    this.say("title", total ? data.title : "");
    const settled = counts.decided;
    const share = settled ? ` · ${Math.round(100 * (settled - counts.kept) / settled)} % were real` : "";
    const real = data.forecast ? ` · ${data.forecast.words}` : share;
    view.el.pace.title = data.forecast?.why ?? "";
    this.say("pace", `${settled.toLocaleString("en")} decided${real} · ${left.toLocaleString("en")} left${this.pace()}`);
    view.el.progress.setAttribute("aria-valuemax", String(total));
    view.el.progress.setAttribute("aria-valuenow", String(total - counts.undecided));
    view.el.bar.style.width = `${total ? 100 * (total - counts.undecided) / total : 0}%`;
    const time = this.savedAt ? new Date(this.savedAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" }) : "";
    const slow = log.pending.length && performance.now() - this.sentAt > 2 * RETRY;
    const words = data.closed ? "read only" : log.failure ? "NOT saved" : slow ? `no connection · ${log.pending.length} not saved yet`
      : log.pending.length ? `saving ${log.pending.length}…` : time ? `all saved ✓ ${time}` : "all saved ✓";
    this.say("saved", words);
    view.el.saved.dataset.state = log.failure || slow ? "bad" : log.pending.length ? "busy" : "good";
    this.drawAlarm();
    this.drawConflict();
  }

  pace() {
    const now = performance.now();
    this.paces = this.paces.filter((each) => now - each < 120000);
    return this.paces.length < 5 ? "" : ` · ${Math.round(60000 * this.paces.length / Math.max(now - this.paces[0], 1000))} a minute`;
  }

  say(name, words) {
    const node = this.view.el[name];
    if (node.textContent !== words) node.textContent = words;
  }

  drawAlarm() {
    const { alarm } = this.view.el;
    const failure = this.log.failure;
    const said = failure || this.alarm || (this.data.closed ? { problem: "Nothing can be decided here now.", remedy: this.data.closed } : null);
    const key = said ? JSON.stringify(said) : "";
    if (alarm.dataset.key === key) return;
    alarm.dataset.key = key;
    alarm.hidden = !said;
    if (!said) return;
    const button = make("button", { type: "button", className: "chip", textContent: failure ? "Try again now" : "Close" });
    button.onclick = () => { if (failure) this.sendNow(); else { this.alarm = null; this.drawState(); } };
    const count = failure ? ` ${plural(this.log.pending.length, "decision")} kept in this tab and tried again every few seconds.` : "";
    alarm.replaceChildren(make("b", { textContent: said.problem }), make("span", { textContent: `${said.remedy || ""}${count}` }));
    if (failure || this.alarm) alarm.append(button);
  }

  drawConflict() {
    const { conflict } = this.view.el;
    const [id, found] = this.conflicts.entries().next().value || [];
    const key = id === undefined ? "" : `${id}-${found.answer.revision}-${this.conflicts.size}`;
    if (conflict.dataset.key === key) return;
    conflict.dataset.key = key;
    conflict.hidden = id === undefined;
    if (id === undefined) return;
    const { theirs, mine } = found.answer;
    const theirButton = make("button", { type: "button", className: "chip", textContent: theirs.taken_back ? "Leave it undecided" : "Theirs stands" });
    const myButton = make("button", { type: "button", className: "chip strong", textContent: "Mine stands" });
    const show = make("button", { type: "button", className: "chip", textContent: "Show it" });
    theirButton.onclick = () => this.settle(id, "theirs");
    myButton.onclick = () => this.settle(id, "mine");
    show.onclick = (event) => { this.view.release(event); this.goTo(id); };
    const more = this.conflicts.size > 1 ? ` ${this.conflicts.size - 1} more after this.` : "";
    conflict.replaceChildren(make("b", { textContent: `Decided twice: ${isolate(id)}` }),
      make("span", { textContent: `${isolate(theirs.curator)} ${inWords(theirs)} while you looked at it; you ${inWords(mine)}. Both are on record.${more}` }),
      theirButton, myButton, ...(this.data.view === "grid" ? [] : [show]));
  }

  drawEmpty(nothing) {
    const { counts, status } = this.data;
    const { empty } = this.view.el;
    this.view.veil();
    const lines = [];
    let title = "No example matches";
    if (!nothing || (this.data.view === "grid" && counts.all > 0)) {
      title = status === "undecided" ? "Everything in this list is decided" : "That was the last one";
      lines.push(`${plural(counts.decided, "label")} settled, ${counts.kept.toLocaleString("en")} of them kept · ${counts.skipped} skipped · ${counts.needs_review} need a second look.`);
      if (counts.skipped + counts.needs_review > 0) lines.push("Choose “skipped” or “needs a second look” as the status above to go through those.");
      lines.push("Undo [Z] takes you back to the last one.");
    } else {
      lines.push("No label is flagged by this method with these filters. Widen the filters above, or choose another method in the sidebar.");
    }
    const children = [make("h2", { textContent: title }), ...lines.map((line) => make("p", { textContent: line }))];
    if (this.data.export && !nothing) {
      const link = make("a", { href: this.data.export, textContent: "Export the cleaned labels →" });
      link.target = "_self";
      children.push(link);
    }
    empty.replaceChildren(...children);
  }
}

export default function (component) {
  window.curationReview ??= new App();
  window.curationReview.receive(component);
}
