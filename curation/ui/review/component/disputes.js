// An example on which curators differ: their answers side by side, with a key for each.

/** @import { ReviewApp } from "./app.js" */
/** @import { ExampleView } from "./example_view.js" */
/** @import { DisputedAnswer, Standing } from "./protocol.js" */

import { make, makeKeyButton } from "./elements.js";
import { describeDecision, isolate } from "./words.js";

export const ANSWER_KEYS = ["Q", "W", "U", "I"];

export class Disputes {
  /**
   * @param {ExampleView} view
   * @param {ReviewApp} app
   */
  constructor(view, app) {
    this.view = view;
    this.app = app;
    /** @type {DisputedAnswer[]} on screen, in the order of their keys */
    this.shown = [];
  }

  /**
   * Show the answers that differ; nothing where nobody does, or the curator has just settled it.
   * @param {Standing | undefined} standing
   * @param {boolean} isSettled
   */
  draw(standing, isSettled) {
    const { answers } = this.view.el;
    const found = isSettled ? [] : (standing?.answers ?? []).slice(0, ANSWER_KEYS.length);
    const key = JSON.stringify([this.view.shown, found, this.app.data.closed]);
    if (answers.dataset.key === key) return;
    answers.dataset.key = key;
    answers.hidden = !found.length;
    this.shown = found;
    answers.replaceChildren(...found.map((each, place) => this.makeCard(each, place)));
  }

  /**
   * @param {DisputedAnswer} disputed
   * @param {number} place
   */
  makeCard({ answer, reasons }, place) {
    const words = make("b", { textContent: describeAnswer(answer) });
    const why = reasons.map(([curator, note]) =>
      make(
        "span",
        {},
        make("span", { className: "quiet", textContent: `${isolate(curator)} ` }),
        note ? `“${isolate(note)}”` : "",
      ),
    );
    const label = make("span", { className: "answer" }, words, ...why);
    const data = { "data-answer": String(place) };
    const card = makeKeyButton(ANSWER_KEYS[place], { className: "action dispute", data }, label);
    card.disabled = Boolean(this.app.data.closed) || !answer.again;
    if (!answer.again) card.title = "One of its classes is gone";
    card.onclick = (event) => {
      if (event.detail > 1) return; // of a double click, the second hits the next example
      this.view.release(event);
      this.settle(place);
    };
    return card;
  }

  /**
   * Return which of the answers on screen a key stands for; -1 if none.
   * @param {string} key
   */
  findPlace(key) {
    const place = ANSWER_KEYS.indexOf(key.toUpperCase());
    return place < this.shown.length ? place : -1;
  }

  /**
   * Settle the example on screen with one of the answers, and go on to the next.
   * @param {number} place
   */
  settle(place) {
    const { app, view } = this;
    const { answer } = this.shown[place] ?? {};
    const { cursor } = app.walk;
    if (!answer?.again || cursor === null) return;
    if (!app.decisions.canAct()) return app.notices.sayIgnored(app.decisions.whyNot());
    const { action, label, new_class, labels } = answer.again;
    const { note, kind } = view.annotation.read();
    app.decisions.decide(cursor, {
      do: "resolve",
      action,
      label: label ?? undefined,
      new_class: new_class ?? undefined,
      labels: labels ?? undefined,
      kind: kind ?? answer.kind,
      note,
    });
    app.advance();
  }
}

/** @param {DisputedAnswer["answer"]} answer */
function describeAnswer(answer) {
  const words = describeDecision(answer);
  return words.charAt(0).toUpperCase() + words.slice(1);
}
