// One example on the screen. Text of the dataset is only ever set as textContent.

import { findClasses } from "./queue.js";
import { inWords, isolate, formatCount, plural } from "./words.js";

const KINDS = [
  ["error", "error", "The label is simply wrong"],
  ["ontological", "ontological", "The classes themselves overlap: one is a kind of the other"],
  ["multi_label", "multi-label", "Several classes are right"],
];

const KEYS = [
  ["A", "take the suggested label"],
  ["X", "keep the given label"],
  ["1 – 9, 0", "one of the ten likeliest classes, by the key beside it"],
  ["T", "type to find any class, Enter to take it"],
  ["B", "both labels are right, or it cannot be told"],
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

// What the keys are called that are drawn as a sign.
export const SHORTCUTS = { "⌫": "Backspace Z", "←": "ArrowLeft", "→": "ArrowRight" };

export function make(tag, props = {}, ...children) {
  const { data, ...rest } = props;
  const node = Object.assign(document.createElement(tag), rest);
  for (const [name, value] of Object.entries(data || {})) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export function makeButton(className, textContent, onclick) {
  return make("button", { type: "button", className, textContent, onclick });
}

// Whether a key belongs to a word that is being put together, as in Japanese: 229 is Safari's sign.
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

const two = (value) => (value === null || value === undefined ? "–" : value.toFixed(2));
const noted = ({ note }) => (note ? ` (“${isolate(note)}”)` : "");

// A picture, a text, or the reason why there is neither. Pictures are made once and kept.
export function makeContent(content, alt) {
  if (!content) return make("div", { className: "none", textContent: "…" });
  if (content.kind === "image") {
    const image = make("img", { src: content.src, alt, draggable: false });
    if (content.tiny) image.classList.add("tiny");
    return image;
  }
  if (content.kind === "missing") {
    return make(
      "div",
      { className: "none" },
      make("b", { textContent: "It cannot be shown" }),
      make("span", { textContent: content.reason }),
      make("span", { className: "quiet", textContent: content.remedy }),
    );
  }
  if (content.kind === "index") {
    return make(
      "div",
      { className: "none" },
      make("b", { textContent: content.text }),
      make("span", {
        className: "quiet",
        textContent: "This dataset has neither pictures nor texts: judge by the numbers.",
      }),
    );
  }
  const more = content.length > content.text.length;
  const text = make("div", {
    className: "text",
    tabIndex: 0,
    textContent: content.text + (more ? "…" : ""),
  });
  text.setAttribute("role", "document");
  return text;
}

export class View {
  constructor(root, app) {
    this.root = root;
    this.app = app;
    this.shown = null; // the example on screen
    this.painted = false; // and whether a person can see it yet
    this.paintedAt = 0;
    this.nodes = new Map(); // id -> its content, ready to be put on screen
    this.strips = new Map();
    this.matches = []; // the classes that a typed text means
    this.el = {};
    for (const node of root.querySelectorAll("[data-el]")) this.el[node.dataset.el] = node;
    this.makeBars();
    this.makeActions();
    this.makeKinds();
    this.bind();
    this.veil();
  }

  // ---- what is made once

  makeBars() {
    this.bars = [];
    for (let rank = 0; rank < 10; rank++) {
      const [key, name, number, fill, tick] = ["kbd", "span", "span", "i", "u"].map((tag) =>
        make(tag),
      );
      const button = make(
        "button",
        { type: "button", className: "bar" },
        key,
        name,
        make("span", { className: "track" }, fill, tick),
        number,
      );
      button.onclick = (event) => this.act(event, "rank", rank);
      name.className = "name";
      number.className = "num";
      this.bars.push({ row: make("li", {}, button), button, key, name, number, fill, tick });
    }
    this.el.bars.replaceChildren(...this.bars.map((bar) => bar.row));
  }

  makeActions() {
    const spec = [
      ["A", "accept", "primary"],
      ["X", "keep", "primary"],
      ["B", "both"],
      ["E", "exclude"],
      ["Space", "skip"],
      ["N", "second"],
      ["⌫", "undo"],
      ["←", "left"],
      ["→", "right"],
      ["H", "help"],
    ];
    const words = {
      both: "Both",
      exclude: "Exclude",
      skip: "Skip",
      second: "Second look",
      undo: "Undo",
      left: "",
      right: "",
      help: "Help",
    };
    const names = {
      left: "Previous, without deciding",
      right: "Next, without deciding",
      undo: "Undo (Backspace or Z)",
    };
    this.buttons = {};
    for (const [key, action, look] of spec) {
      const label = make("span", { textContent: words[action] || "" });
      const button = make(
        "button",
        {
          type: "button",
          className: `action ${look || ""} ${action}`,
          data: { "data-action": action, "aria-keyshortcuts": SHORTCUTS[key] || key },
        },
        make("kbd", { textContent: key }),
        label,
      );
      if (names[action]) button.setAttribute("aria-label", names[action]);
      button.onclick = (event) => this.act(event, action);
      this.buttons[action] = { button, label };
    }
    this.el.actions.replaceChildren(...Object.values(this.buttons).map((each) => each.button));
  }

  makeKinds() {
    this.kinds = KINDS.map(([kind, name, help]) => {
      const button = make("button", {
        type: "button",
        className: `kind ${kind}`,
        textContent: name,
        title: help,
        data: { role: "radio", "aria-checked": "false", "data-kind": kind },
      });
      button.onclick = (event) => {
        this.setKind(this.kind === kind ? null : kind);
        this.keepDraft();
        this.release(event);
      };
      return button;
    });
    this.el.kinds.replaceChildren(
      make("span", { className: "quiet", textContent: "kind [K]" }),
      ...this.kinds,
    );
  }

  bind() {
    const { find, note, content } = this.el;
    find.oninput = () => this.listClasses();
    find.onkeydown = (event) => this.onFindKey(event);
    note.oninput = () => this.keepDraft();
    find.onfocus = () => this.listClasses();
    find.onblur = () =>
      setTimeout(() => {
        if (!find.matches(":focus")) this.closeClasses();
      }, 150);
    note.onkeydown = (event) => {
      if ((event.key === "Enter" || event.key === "Escape") && !isComposing(event))
        this.el.stage.focus();
    };
    content.onclick = () => this.zoom();
  }

  // A click with the mouse gives the keys back to the example; one by keyboard keeps its focus.
  release(event) {
    if (event && event.detail > 0) this.el.stage.focus({ preventScroll: true });
  }

  act(event, action, value) {
    // The second click of a double click lands on an example that nobody chose.
    if (event?.detail > 1 && !["undo", "left", "right"].includes(action)) return;
    this.release(event);
    this.app.act(action, value);
  }

  // ---- an example on the screen

  // Decode a picture before it can be asked for.
  prepare(id, item) {
    if (this.nodes.has(id)) return;
    const node = makeContent(item.content, `Example ${id}, labelled ${this.app.names[item.given]}`);
    const entry = { node, ready: item.content.kind !== "image" };
    this.nodes.set(id, entry);
    if (entry.ready) return;
    const done = () => {
      entry.ready = true;
      this.app.draw();
    };
    node.decode().then(done, done);
  }

  forget(kept) {
    for (const id of this.nodes.keys())
      if (!kept.has(id) && id !== this.shown) this.nodes.delete(id);
  }

  isReady(id) {
    return Boolean(this.nodes.get(id)?.ready);
  }

  show(id, item, mine) {
    const { el, app } = this;
    const names = app.names;
    this.shown = id;
    this.veil();
    el.stage.dataset.id = id;
    el.content.replaceChildren(this.nodes.get(id).node);
    el.content.scrollTop = 0;
    el.id.textContent = id;
    const { content } = item;
    const parts = [];
    if (content.kind === "image")
      parts.push(`${content.size[0]} × ${content.size[1]} px`, content.note);
    if (content.kind === "text")
      parts.push(
        plural(content.length, "character"),
        content.length > content.text.length
          ? `the first ${formatCount(content.text.length)} shown`
          : "",
      );
    el.about.textContent = parts.filter(Boolean).join(" · ");
    el.given.textContent = names[item.given];
    el.suggested.textContent = names[item.suggested];
    const odds = (label) =>
      `${two(item.odds[label][0])}  (${app.data.typical} ${two(item.odds[label][1])})`;
    el.givenNumbers.textContent = odds(item.given);
    el.suggestedNumbers.textContent = odds(item.suggested);
    el.why.textContent = `${item.why} Margin ${item.margin.toFixed(2).replace("-", "−")}.`;
    const words = { accept: `It is ${names[item.suggested]}`, keep: `Keep ${names[item.given]}` };
    for (const [action, each] of Object.entries(words))
      this.buttons[action].label.textContent = this.buttons[action].label.title = each;
    const digits = names.every((name) => /^[0-9]$/.test(name)); // then a digit means that class
    this.bars.forEach((bar, rank) => {
      const [label, probability, typical] = item.classes[rank] || [];
      bar.row.hidden = label === undefined;
      if (label === undefined) return;
      bar.key.textContent = digits ? names[label] : String((rank + 1) % 10);
      bar.name.textContent = bar.name.title = names[label];
      bar.number.textContent = two(probability);
      bar.fill.style.width = `${100 * probability}%`;
      bar.tick.style.left = `${100 * (typical ?? 2)}%`;
      bar.button.classList.toggle("is-given", label === item.given);
      bar.button.classList.toggle("is-suggested", label === item.suggested);
      bar.button.setAttribute(
        "aria-label",
        `${names[label]}, ${two(probability)}, ${app.data.typical} ${two(typical)}`,
      );
    });
    el.extras.hidden = !item.extras.length;
    el.extras.replaceChildren(
      ...item.extras.flatMap(([name, value]) => [
        make("dt", { textContent: name }),
        make("dd", { textContent: value }),
      ]),
    );
    const said = app.drafts.get(id) ?? mine;
    this.setKind(said?.kind ?? null);
    el.note.value = said?.note ?? "";
    el.find.value = "";
    this.closeClasses();
    this.drawStrips(item);
    if (this.zoomed) this.zoom(true);
    this.awaitPaint(id);
  }

  // Nothing can be decided until the next example is painted.
  veil() {
    this.painted = false;
    delete this.el.stage.dataset.painted;
  }

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

  drawStrips(item) {
    const labels = this.app.data.kind === "index" ? [] : [...new Set([item.given, item.suggested])];
    this.el.strips.hidden = !labels.length;
    this.el.strips.replaceChildren(
      ...labels.map((label) => {
        const examples = this.app.strips.get(label);
        const name = make("span", {
          className: "quiet",
          textContent: `typical ${this.app.names[label]}`,
        });
        const strip = make("div", { className: "strip" }, name);
        if (!examples) return strip;
        const key = `${label}`;
        if (!this.strips.has(key)) {
          this.strips.set(
            key,
            make(
              "div",
              { className: `stamps ${this.app.data.kind === "text" ? "words" : ""}` },
              ...examples.map((each) =>
                make(
                  "span",
                  { className: "stamp", title: each.id },
                  makeContent(each.content, `typical ${this.app.names[label]}`),
                ),
              ),
            ),
          );
          if (!examples.length)
            this.strips.get(key).append(
              make("span", {
                className: "quiet",
                textContent: "none: the model never agrees with this label",
              }),
            );
        }
        strip.append(this.strips.get(key));
        return strip;
      }),
    );
  }

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

  // What is said of the example on screen and not decided yet outlives a look at another one.
  keepDraft() {
    if (this.shown !== null)
      this.app.drafts.set(this.shown, { note: this.el.note.value, kind: this.kind });
  }

  // How the example stands: who said what, and what of it is not saved yet.
  drawStanding(standing, pending) {
    const { said } = this.el;
    const parts = [];
    if (pending && pending.do !== "undo") parts.push("you decided this; saving…");
    else if (standing) {
      if (standing.mine) parts.push(`You ${inWords(standing.mine)}${noted(standing.mine)}.`);
      for (const other of standing.others)
        parts.push(`${isolate(other.curator)} ${inWords(other)}${noted(other)}.`);
      if (standing.disputed) parts.push("They differ: your answer settles it for everybody.");
    }
    said.textContent = parts.join(" ");
    said.hidden = !parts.length;
  }

  // ---- any class by typing

  listClasses() {
    const { find, found } = this.el;
    this.matches = findClasses(this.app.names, find.value);
    this.match = 0;
    found.hidden = !this.matches.length;
    find.setAttribute("aria-expanded", String(!found.hidden));
    found.replaceChildren(
      ...this.matches.map((label, place) => {
        const option = make("li", {
          id: `found-${place}`,
          textContent: this.app.names[label],
          data: { role: "option", "aria-selected": String(place === 0) },
        });
        option.onmousedown = (event) => {
          event.preventDefault();
          this.takeClass(label);
        };
        return option;
      }),
    );
  }

  closeClasses() {
    this.matches = []; // what nobody sees, nobody takes
    this.el.found.hidden = true;
    this.el.find.setAttribute("aria-expanded", "false");
  }

  onFindKey(event) {
    const { find, found, stage } = this.el;
    if (isComposing(event)) return;
    if (event.key === "Escape") stage.focus();
    if (event.key === "Enter" && this.matches.length && !event.repeat)
      this.takeClass(this.matches[this.match]);
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!move || !this.matches.length) return;
    event.preventDefault();
    this.match = (this.match + move + this.matches.length) % this.matches.length;
    [...found.children].forEach((option, place) =>
      option.setAttribute("aria-selected", String(place === this.match)),
    );
    find.setAttribute("aria-activedescendant", `found-${this.match}`);
  }

  takeClass(label) {
    this.el.stage.focus();
    this.closeClasses();
    this.app.act("label", label);
  }

  // ---- layers above: an enlarged picture, the help

  layer(name, ...children) {
    this.closeLayer();
    const close = makeButton("close", "Close [Esc]", () => this.closeLayer());
    const modal = name !== "zoom"; // an enlarged picture leaves the keys to the example
    this.open = make(
      "div",
      {
        className: `layer ${name}`,
        data: { role: "dialog", "aria-modal": String(modal), "aria-label": name },
      },
      make("div", { className: "sheet" }, ...children, ...(name === "confirm" ? [] : [close])),
    );
    this.open.onclick = (event) => {
      if (event.target === this.open || name === "zoom") this.closeLayer();
    };
    if (modal) this.open.onkeydown = (event) => this.holdFocus(event);
    this.openName = name;
    this.root.querySelector(".review").append(this.open);
    if (name === "help") close.focus();
  }

  // Tab goes round within a layer that has to be answered or closed first.
  holdFocus(event) {
    if (event.key !== "Tab") return;
    const buttons = [...this.open.querySelectorAll("button")];
    const at = buttons.indexOf(this.open.getRootNode().activeElement);
    event.preventDefault();
    buttons.at((at + (event.shiftKey ? -1 : 1)) % buttons.length).focus();
  }

  closeLayer() {
    this.open?.remove();
    const was = this.openName;
    this.open = this.openName = null;
    this.zoomed = false;
    if (was) (this.el.grid.hidden ? this.el.stage : this.el.tiles).focus({ preventScroll: true });
    return Boolean(was);
  }

  // The picture on screen at once, and a larger one in its place when that has come.
  zoom(stay) {
    const image = this.el.content.querySelector("img");
    if (!image || (this.zoomed && !stay)) return void this.closeLayer();
    this.layer("zoom", image.cloneNode());
    this.zoomed = true;
    if (this.lacksLarge()) this.app.sendSoon();
    else this.showLarge();
  }

  // Whether the picture that is enlarged has more to show than has come.
  lacksLarge() {
    const { walk, large } = this.app;
    const item = walk.items.get(this.shown);
    if (!this.zoomed || !item || large?.id === this.shown) return false;
    const { naturalWidth, naturalHeight } = this.nodes.get(this.shown).node;
    return Math.max(...item.content.size) > Math.max(naturalWidth, naturalHeight);
  }

  // At its own size: what does not fit is reached by scrolling.
  async showLarge() {
    const {
      open,
      app: { large },
    } = this;
    if (!this.zoomed || large?.id !== this.shown || large.content.kind !== "image") return;
    const small = open.querySelector("img:not(.large)");
    if (!small) return;
    const image = makeContent(large.content, small.alt);
    image.classList.add("large");
    const good = await image.decode().then(
      () => true,
      () => false,
    );
    if (!good || !small.isConnected) return; // closed, or another one by now
    small.replaceWith(image);
    const sheet = image.parentElement;
    sheet.scrollTo(
      (sheet.scrollWidth - sheet.clientWidth) / 2,
      (sheet.scrollHeight - sheet.clientHeight) / 2,
    );
  }

  help(keys = KEYS) {
    if (this.openName === "help") return void this.closeLayer();
    this.layer(
      "help",
      make("h2", { textContent: "Keys" }),
      make(
        "dl",
        {},
        ...keys.flatMap(([key, words]) => [
          make("dt", {}, ...key.split(", ").map((each) => make("kbd", { textContent: each }))),
          make("dd", { textContent: words }),
        ]),
      ),
      make("p", {
        className: "quiet",
        textContent:
          "Keys are silent while you type. A key counts only once its example is on screen. Nothing is final: undo goes back through all your decisions, also tomorrow.",
      }),
    );
  }
}
