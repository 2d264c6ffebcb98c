// Brings the log, the walk and the screen together. Streamlit calls the default function at every
// answer of the server; all that lasts is kept on `window`, and listeners are bound once.

import { Grid } from "./grid.js";
import { Notices, RETRY } from "./notices.js";
import { Log, Pace, Unsettled, Walk, newId } from "./queue.js";
import { View, isComposing, make } from "./view.js";
import { elsewhereInWords, plural } from "./words.js";

const WAIT = 300; // milliseconds after which a message is not waited for any longer
const SILENCE = 8000; // without any answer, after which the whole page is asked for
const LOOK = 15000; // how often an idle page asks what others did
const TYPING =
  "input, textarea, select, [contenteditable=true], [role=combobox], [role=listbox]:not(.tiles), [role=slider], [role=radio]:not(.kind), [role=checkbox], [role=menu], [role=dialog], [role=tab]";
const WALKS = 3; // queues whose examples are kept for when one comes back to them
const PRESSED = "button, a, summary, [role=button]";

class App {
  constructor() {
    this.walks = new Map();
    this.strips = new Map();
    this.tiles = new Map();
    this.names = null;
    this.sent = 0; // the number of the last message
    this.heard = 0; // and of the last one answered
    this.sentAt = 0;
    this.quietSince = 0; // since when decisions wait without a word from the server
    this.wokenAt = 0;
    this.page = null; // of the grid; the link's until it is shown
    this.notices = new Notices(this);
    document.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("beforeunload", (event) => {
      if (this.log && (this.log.pending.length || this.log.elsewhere().length))
        event.preventDefault();
    });
    setInterval(() => this.look(), 500);
  }

  // ---- talking with the server

  receive({ data, parentElement, setStateValue }) {
    this.setStateValue = setStateValue;
    this.quietSince = performance.now();
    if (this.store !== data.store) {
      this.log = new Log(window.sessionStorage, data.store);
      this.pace = new Pace(window.sessionStorage, `curation.pace.${data.store}`);
      this.conflicts = new Unsettled(window.sessionStorage, `curation.conflicts.${data.store}`);
      this.alarms = new Unsettled(window.sessionStorage, `curation.alarms.${data.store}`);
      this.drafts = new Unsettled(window.sessionStorage, `curation.drafts.${data.store}`);
    }
    if (this.store !== data.store || this.of !== data.of) this.startOver(data);
    if (data.names) this.names = data.names;
    this.data = data;
    this.heard = Math.max(this.heard, data.seen || 0);
    if (
      !this.view ||
      this.view.root !== parentElement ||
      !parentElement.contains(this.view.el.stage)
    ) {
      this.view = new View(parentElement, this);
      this.grid = new Grid(this.view, this);
    }
    this.followTheme(parentElement);
    const settled = this.log.settle(data.answers);
    this.openWalk(data);
    this.takeFocus(data.view);
    for (const each of settled) this.hear(each);
    for (const [label, examples] of Object.entries(data.strips || {}))
      this.strips.set(Number(label), examples);
    if (data.view === "grid") this.grid.accept(data);
    else this.walk.accept(data);
    if (data.large) this.large = data.large; // only the last one is kept
    if (this.names && data.view !== "grid") this.prepareItems();
    this.draw();
    if (data.large) this.view.showLarge();
    const unsent = this.log.pending.some((each) => !(each.op_id in data.answers));
    if (!this.names || unsent || this.lacks()) this.askOn(settled.length > 0);
  }

  // Other examples, classes or suggestions, or read anew: nothing of before may stay on screen.
  startOver({ store, of }) {
    Object.assign(this, { store, of, names: null, large: null, walk: null, lastPlace: undefined });
    for (const memory of [this.walks, this.strips, this.tiles]) memory.clear();
    this.view?.closeLayer();
    this.view = null;
  }

  // Ask for the rest at once while answers bring something, else a little later.
  askOn(progress) {
    const { data } = this;
    const news =
      [data.items, data.strips].some((each) => Object.keys(each || {}).length > 0) ||
      (data.tiles || []).some((tile) => tile.content);
    clearTimeout(this.timer);
    if (this.log.failure) return; // tried again by `look`
    if (progress || news || data.seen === 0) this.send();
    else this.timer = setTimeout(() => this.send(), 500);
  }

  // The colours for kinds and states come in two sets; the theme may differ from the system's.
  followTheme(root) {
    const section = root.querySelector(".review");
    const ground = getComputedStyle(section).getPropertyValue("--st-background-color").trim();
    const [red, green, blue] = (ground.match(/[0-9a-f]{2}/gi) || ["ff", "ff", "ff"]).map((each) =>
      parseInt(each, 16),
    );
    section.classList.toggle("is-dark", red + green + blue < 384);
    section.classList.toggle("is-light", red + green + blue >= 384);
  }

  // Whoever chose another view by a click wants its keys, and not those of the switch.
  takeFocus(name) {
    const switched = this.viewName && this.viewName !== name;
    this.viewName = name;
    if (
      switched &&
      document.activeElement?.closest("[role=radiogroup], [data-testid=stButtonGroup]")
    )
      this.focusSoon = true;
  }

  openWalk(data) {
    if (this.walk?.queue === data.queue) return;
    if (!this.walks.has(data.queue)) {
      const walk = new Walk(data.queue, this.log);
      walk.cursor = data.view === "grid" ? null : this.recallCursor(data);
      this.walks.set(data.queue, walk);
      if (this.walks.size > WALKS) this.walks.delete(this.walks.keys().next().value);
    }
    this.walk = this.walks.get(data.queue);
    this.waiting = false;
    if (this.walk.cursor !== null) this.keepCursor(); // a reload may come before the link has it
    if (this.view) this.view.shown = null;
    this.grid.reset();
  }

  lacks() {
    if (this.data.view === "grid") return this.grid.lacks();
    const item = this.walk.items.get(this.walk.cursor);
    const bare =
      item &&
      this.data.kind !== "index" &&
      [item.given, item.suggested].some((label) => !this.strips.has(label));
    const lost = this.walk.cursor !== null && !this.walk.here();
    return (
      bare ||
      lost ||
      this.view.lacksLarge() ||
      this.walk.lacking().length > 0 ||
      this.walk.next() === null
    );
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
    const once = () => {
      if (due) {
        due = false;
        this.send();
      }
    };
    requestAnimationFrame(() => setTimeout(once));
    setTimeout(once, 120);
  }

  sendNow() {
    clearTimeout(this.timer);
    this.sent = Math.max(this.sent, this.heard) + 1;
    this.sentAt = performance.now();
    this.setStateValue("sent", {
      n: this.sent,
      store: this.store,
      of: this.of,
      queue: this.walk.queue,
      log: this.log.pending,
      at: this.walk.cursor,
      place: this.walk.here()?.place ?? this.lastPlace ?? -1,
      have: [...this.walk.items.keys()],
      strips: [...this.strips.keys()],
      names: Boolean(this.names),
      page: this.page,
      tiles: [...this.tiles.keys()],
      large: this.view.lacksLarge() ? this.view.shown : null,
    });
  }

  // Every half second: send again what got no answer, and now and then ask what others did.
  look() {
    this.warnElsewhere();
    if (!this.view?.root.isConnected || !this.data) return;
    const since = performance.now() - this.sentAt;
    const waiting = this.log.pending.length > 0 || (this.heard < this.sent && this.lacks());
    const silent = performance.now() - Math.max(this.quietSince, this.wokenAt);
    const atWork =
      document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "running";
    if (waiting && silent > SILENCE && !atWork) this.wake();
    else if (waiting && since > RETRY) this.sendNow();
    else if (!waiting && since > LOOK && document.visibilityState === "visible") this.sendNow();
    if (this.names) this.notices.draw();
  }

  // A server that was started again may not know the part of the page that we talk to: have it
  // draw all of it. What we said last goes with that. One that is at work answers by itself.
  wake() {
    this.wokenAt = performance.now();
    document.querySelector(".st-key-review-wake button")?.click();
  }

  // On another page nothing can be sent, nor here what was said under another name or of another
  // dataset; what is not saved yet must not be forgotten.
  warnElsewhere() {
    if (!this.log) return;
    const here = this.view?.root.isConnected ? [] : this.log.pending;
    const words = here.length
      ? `${plural(here.length, "decision")} not saved yet: go back to Review, which saves what is left.`
      : elsewhereInWords(this.log.elsewhere());
    this.banner ??= make("div", {
      data: {
        role: "alert",
        style:
          "position:fixed;bottom:1rem;left:1rem;max-width:17rem;background:#b3261e;color:#fff;padding:.6rem 1rem;border-radius:.5rem;z-index:999999",
      },
    });
    if (this.banner.textContent !== words) this.banner.textContent = words;
    if (!words) this.banner.remove();
    else if (!this.banner.isConnected) document.body.append(this.banner);
  }

  // What became of one operation.
  hear({ operation, answer }) {
    if (answer.status === "saved" || answer.status === "undone") {
      this.savedAt = answer.time;
      this.walk.settle(answer);
      // Settled by whoever spoke again with the other's answer in view.
      const open = this.conflicts.get(answer.id);
      if (open && operation.do !== "undo" && operation.revision >= open.answer.revision)
        this.conflicts.delete(answer.id);
    } else if (answer.status === "conflict") {
      this.conflicts.set(answer.id, { operation, answer, classes: this.data.classes });
    } else {
      this.alarms.set(operation.op_id, { problem: answer.problem, remedy: answer.remedy });
    }
  }

  // ---- where we are, kept for a reload and for the link

  recallCursor(data) {
    try {
      const kept = JSON.parse(
        window.sessionStorage.getItem(`curation.cursor.${data.queue}`) || "null",
      );
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
        window.sessionStorage.setItem(
          `curation.cursor.${queue}`,
          JSON.stringify({ id: cursor, link: value }),
        );
      } catch {
        /* then a reload starts at the link's example */
      }
    };
    keep(link);
    clearTimeout(this.linkTimer);
    this.linkTimer = setTimeout(() => {
      if (this.walk.cursor !== cursor || !this.view.root.isConnected) return;
      this.link("at", cursor);
      keep(cursor);
    }, 400);
  }

  // A list that was gone through is opened again at its end.
  forgetCursor() {
    clearTimeout(this.linkTimer);
    this.link("at", null);
    window.sessionStorage.removeItem(`curation.cursor.${this.walk.queue}`);
  }

  // Put something into the page's address, so that a reload or a friend finds it there.
  link(name, value) {
    const url = new URL(window.location.href);
    if (url.searchParams.get(name) === value) return;
    if (value === null) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    window.history.replaceState(window.history.state, "", url);
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
      rank: () =>
        item.classes[value] ? { action: "relabel", label: item.classes[value][0] } : null,
    }[action]?.();
    if (!said) return;
    // To give it the label it has is to keep it.
    if (said.action === "relabel" && said.label === item.given) {
      said.action = "keep";
      delete said.label;
    }
    const note = this.view.el.note.value.trim();
    this.decide(this.walk.cursor, { ...said, kind: this.view.kind, note });
    this.advance();
  }

  say(operation) {
    const { curator, dataset } = this.data;
    if (!this.log.pending.length) this.quietSince = performance.now();
    this.log.add({ op_id: newId(), curator, dataset, ...operation });
  }

  decide(id, said, revision) {
    const before = this.log.lastOn(id);
    const standing = this.walk.standing.get(id);
    const seconds = Math.round((performance.now() - this.view.paintedAt) / 10) / 100;
    // A label is a place among the classes; `said` may say which classes, else those of now.
    // Where curators differ, and say so on screen, the next answer settles it for all of them.
    this.say({
      do: standing?.disputed ? "resolve" : "decide",
      id,
      classes: this.data.classes,
      ...said,
      seconds,
      revision: revision ?? standing?.revision ?? 0,
      base: before?.op_id,
    });
    this.drafts.delete(id);
    this.pace.add(Date.now());
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
    const taken = this.log.pending.find((each) => each.op_id === top.op);
    if (taken?.note || taken?.kind) this.drafts.set(top.id, { note: taken.note, kind: taken.kind });
    this.say({ do: "undo", expect: top.op, id: top.id });
    if (top.id !== null && this.data.view !== "grid") this.goTo(top.id);
    else {
      this.draw();
      this.send();
    }
  }

  // Settle a conflict: repeat one of the two answers, now with both in view.
  settle(id, whose) {
    const { operation, answer, classes } = this.conflicts.get(id);
    this.conflicts.delete(id);
    const { action, label, labels, kind, note } = operation;
    const again = answer.theirs.again;
    if (whose === "mine")
      this.decide(
        id,
        { do: "resolve", action, label, labels, kind, note, classes },
        answer.revision,
      );
    else if (!answer.theirs.taken_back) {
      this.decide(
        id,
        {
          do: "resolve",
          action: again.action,
          label: again.label ?? undefined,
          labels: again.labels ?? undefined,
          kind: answer.theirs.kind,
          note: "",
          classes,
        },
        answer.revision,
      );
    }
    this.draw();
  }

  // ---- keys

  onKey(event) {
    const { view } = this;
    if (!view?.root.isConnected || !this.data || isComposing(event)) return;
    if (event.key === "Escape" && view.closeLayer()) return event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const path = event.composedPath().filter((node) => node instanceof Element);
    // Enter held down on a button would press it again and again, and the next one it leads to.
    if (
      event.repeat &&
      event.key === "Enter" &&
      view.root.contains(path[0]) &&
      path[0].closest(PRESSED)
    )
      return event.preventDefault();
    if (
      path[0]?.closest?.(TYPING) ||
      path.some((node) => node.matches(TYPING) && !view.root.contains(node))
    )
      return;
    if (document.querySelector("[role=dialog], [data-baseweb=popover] [role=listbox]")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if ((key === " " || key === "Enter") && path[0]?.closest?.(PRESSED)) return;
    if (this.data.view === "grid") return this.grid.onKey(event, key);
    const action = {
      a: "accept",
      x: "keep",
      b: "both",
      e: "exclude",
      " ": "skip",
      n: "second",
      z: "undo",
      Backspace: "undo",
      ArrowLeft: "left",
      ArrowRight: "right",
      h: "help",
    }[key];
    const other = {
      t: () => view.el.find.focus(),
      m: () => view.el.note.focus(),
      k: () => view.nextKind(),
      f: () => view.zoom(),
    }[key];
    const rank = view.bars.findIndex((bar) => !bar.row.hidden && bar.key.textContent === key);
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
    const nothing = isGrid
      ? data.total === 0 && !this.log.pending.length
      : !walk.steps.length && (walk.cursor === null || !data.counts.all);
    this.done =
      !isGrid &&
      walk.steps.length > 0 &&
      this.waiting &&
      walk.next() === undefined &&
      !this.log.pending.length;
    view.el.empty.hidden = !(nothing || this.done);
    view.el.one.hidden = isGrid || nothing || this.done;
    view.el.grid.hidden = !isGrid || nothing;
    if (nothing || this.done || isGrid) view.el.veil.hidden = true;
    if (this.done) this.forgetCursor();
    if (nothing || this.done) this.notices.drawEmpty(nothing);
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
    view.el.veil.textContent =
      this.waiting && this.log.pending.length ? "Saving the last decisions…" : "Loading…";
    if (item && !view.nodes.has(walk.cursor)) view.prepare(walk.cursor, item);
    if (ready && view.shown !== walk.cursor)
      view.show(walk.cursor, item, walk.standing.get(walk.cursor)?.mine);
    else if (ready && !view.painted) view.awaitPaint(walk.cursor);
    if (!ready) view.veil();
    if (ready) {
      view.drawStanding(walk.standing.get(walk.cursor), this.log.lastOn(walk.cursor));
      if (view.el.strips.querySelectorAll(".stamps").length < 2) view.drawStrips(item);
    }
    for (const { button } of Object.values(view.buttons)) {
      button.disabled =
        Boolean(data.closed) && !["left", "right", "help"].includes(button.dataset.action);
      if (button.disabled) button.title = data.closed;
    }
  }
}

export default function (component) {
  window.curationReview ??= new App();
  window.curationReview.receive(component);
}
