// What a curator adds to a decision: the kind of issue and a note, kept while it is undecided.

/** @import { ExampleView } from "./example_view.js" */
/** @import { IssueKind } from "./protocol.js" */

import { isComposing, make, makeButton } from "./elements.js";

/** @type {[IssueKind, string, string][]} */
export const KINDS = [
  ["error", "error", "The label is simply wrong"],
  ["ontological", "ontological", "The classes themselves overlap: one is a kind of the other"],
  ["multi_label", "multi-label", "Several classes are right"],
];

export class Annotation {
  /** @param {ExampleView} view */
  constructor(view) {
    this.view = view;
    /** @type {IssueKind | null} */
    this.kind = null;
    /** @type {HTMLButtonElement[]} */
    this.kinds = [];
    this.makeKinds();
    const { note, stage } = view.el;
    note.oninput = () => this.keepDraft();
    note.onkeydown = (event) => {
      const isDone = event.key === "Enter" || event.key === "Escape";
      if (isDone && !isComposing(event)) stage.focus();
    };
  }

  makeKinds() {
    this.kinds = KINDS.map(([kind, name, help]) => {
      const button = makeButton(`kind ${kind}`, name, (event) => {
        this.setKind(this.kind === kind ? null : kind);
        this.keepDraft();
        this.view.release(event);
      });
      button.title = help;
      button.dataset.kind = kind;
      button.setAttribute("role", "radio");
      button.setAttribute("aria-checked", "false");
      return button;
    });
    const heading = make("span", { className: "quiet", textContent: "kind [K]" });
    this.view.el.kinds.replaceChildren(heading, ...this.kinds);
  }

  /** Return what goes with the decision on the example on screen. */
  read() {
    return { kind: this.kind, note: this.view.el.note.value.trim() };
  }

  /** @param {{ note: string, kind: IssueKind | null } | null | undefined} draft */
  show(draft) {
    this.setKind(draft?.kind ?? null);
    this.view.el.note.value = draft?.note ?? "";
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
    const { shown, el, app } = this.view;
    if (shown !== null) app.drafts.set(shown, { note: el.note.value, kind: this.kind });
  }
}
