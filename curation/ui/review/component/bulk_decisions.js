// One decision for all examples that are selected in the grid: which, the question, the operation.

/** @import { Grid } from "./grid.js" */
/** @import { Action, BulkFields, IssueKind } from "./protocol.js" */

import { KINDS } from "./annotation.js";
import { ABOUT_NEW, findClasses, isNewName, offerNew, tidyName } from "./class_finder.js";
import { isComposing, make, makeButton } from "./elements.js";
import { describeFree, isolate, plural } from "./words.js";

/**
 * The key, the action, the words on its button, and what is asked before it is done. The class is
 * null as long as none is chosen, and undefined where none has to be.
 * @typedef {[string, Action, string, (examples: string, name?: string | null) => string]} BulkChoice
 */

/** @type {BulkChoice[]} */
export const BULK = [
  ["A", "relabel", "Take the suggestion", (examples) => `Take the suggestion for ${examples}`],
  ["X", "keep", "Keep the label", (examples) => `Keep the label of ${examples}`],
  [
    "T",
    "relabel",
    "Set to class…",
    (examples, name) => `Set ${examples} to ${name ? isolate(name) : "a class"}`,
  ],
  ["B", "ambiguous", "Both", (examples) => `Give ${examples} both labels`],
  ["E", "exclude", "Exclude", (examples) => `Exclude ${examples}`],
  ["S", "skip", "Skip", (examples) => `Skip ${examples}`],
  ["N", "needs_review", "Second look", (examples) => `Ask for a second look at ${examples}`],
];
const SET_CLASS = "T";
const ALL_OR_NONE = "They are saved together, all or none, and one undo takes all of them back.";

export class BulkDecisions {
  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
  }

  /**
   * Ask one question with the number in it, then send one operation.
   * @param {number} place in BULK
   */
  ask(place) {
    const { grid } = this;
    const { layers } = grid.view;
    const [key, action, , phrase] = BULK[place];
    const operation = this.makeOperation(action);
    if (!operation.count || grid.data.closed) return;
    const examples = plural(operation.count, "example");
    const heading = make("h2");
    const note = make("input", { type: "text", maxLength: 2000, placeholder: "note, #tag" });
    note.setAttribute("aria-label", "Note");
    const kind = makeKindChoice();
    const no = makeButton("action", "Cancel", () => layers.close());
    const yes = makeButton("action primary", "", () => {
      layers.close();
      const more = {
        note: note.value.trim(),
        kind: /** @type {IssueKind | null} */ (kind.value || null),
      };
      this.decide({ ...operation, ...more });
    });
    const about = make("p", { className: "quiet" });
    const both = make("input", { type: "checkbox" });
    /** @type {number | string | null | undefined} a class, or the name of a new one */
    let chosen;
    const draw = () => {
      const isNew = typeof chosen === "string";
      const name = typeof chosen === "number" ? grid.app.everyName()[chosen] : chosen;
      const words = both.checked ? phraseBoth(examples, name) : phrase(examples, name);
      heading.textContent = `${words}${isNew ? ", a new class" : ""}?`;
      yes.textContent = words;
      yes.disabled = chosen === null;
      about.textContent = isNew ? `${grid.data.adding.note} ${ABOUT_NEW}` : "";
      operation.action = both.checked ? "ambiguous" : action;
      delete operation.label;
      delete operation.new_class;
      if (typeof chosen === "number")
        Object.assign(operation, grid.app.decisions.nameClass(chosen));
      else if (typeof chosen === "string") operation.new_class = chosen;
    };
    const choose = (/** @type {typeof chosen} */ label) => {
      chosen = label;
      draw();
    };
    both.onchange = draw;
    const field = key === SET_CLASS ? this.makeClassField(choose, yes) : null;
    choose(field ? null : undefined);
    layers.show(
      "confirm",
      heading,
      make("p", {
        textContent: `${grid.data.title}. ${describeFree(operation.taken ?? 0)}${ALL_OR_NONE}`,
      }),
      ...(field
        ? [
            field,
            make("label", { className: "tick" }, both, "and the label that each has: both"),
            about,
          ]
        : []),
      make("div", { className: "extra" }, kind, note),
      make("div", { className: "choices" }, yes, no),
    );
    (field?.querySelector("input") ?? yes).focus();
  }

  /**
   * Return a field for a class, with the classes that the typed text could mean below it. A new
   * one is only ever chosen by its button.
   * @param {(chosen: number | string | null) => void} choose
   * @param {HTMLButtonElement} yes
   */
  makeClassField(choose, yes) {
    const { app, data } = this.grid;
    const names = app.everyName();
    const input = make("input", { type: "text", placeholder: "type to find or add a class" });
    input.setAttribute("aria-label", "Class");
    const found = make("div", { className: "choices" });
    input.oninput = () => {
      const matches = findClasses(names, input.value);
      const name = tidyName(input.value);
      choose(matches[0] ?? null);
      const chips = matches.map((label) =>
        makeButton("chip", names[label], () => {
          input.value = names[label];
          choose(label);
          yes.focus();
        }),
      );
      if (!data.adding.closed && isNewName(names, name))
        chips.push(
          makeButton("chip", offerNew(name), () => {
            choose(name);
            yes.focus();
          }),
        );
      found.replaceChildren(...chips);
    };
    input.onkeydown = (event) => {
      if (event.key === "Enter" && !isComposing(event) && !yes.disabled) yes.focus();
    };
    return make("div", {}, input, found);
  }

  /**
   * Return the operation for what is selected: what was on screen is what it means.
   * @param {Action} action
   * @returns {BulkFields}
   */
  makeOperation(action) {
    const { grid } = this;
    const { match, last, judged, total, taken } = grid.data;
    if (grid.selection.everything)
      return { do: "many", action, count: total - taken, taken, judged, all: true, match, last };
    const tiles = grid.listSelected().filter(({ id }) => !grid.isPending(id));
    return {
      do: "many",
      action,
      count: tiles.length,
      judged,
      ids: tiles.map(({ id }) => id),
      given: Object.fromEntries(tiles.map(({ id, given }) => [id, given])),
      revisions: Object.fromEntries(tiles.map(({ id, revision }) => [id, revision])),
      suggested: Object.fromEntries(tiles.map(({ id, suggested }) => [id, suggested])),
    };
  }

  /** @param {BulkFields} operation */
  decide(operation) {
    const { app, selection } = this.grid;
    app.decisions.say(operation);
    selection.clear();
    app.screen.draw();
    app.connection.send();
  }
}

/**
 * @param {string} examples
 * @param {string | null} [name] of a class
 */
const phraseBoth = (examples, name) =>
  `Give ${examples} both their label and ${name ? isolate(name) : "a class"}`;

function makeKindChoice() {
  const none = make("option", { value: "", textContent: "no kind of issue" });
  const options = KINDS.map(([kind, name]) => make("option", { value: kind, textContent: name }));
  const choice = make("select", {}, none, ...options);
  choice.setAttribute("aria-label", "Kind of issue");
  return choice;
}
