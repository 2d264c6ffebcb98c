// The likeliest classes of an example as bars, each with its key.

/** @import { ExampleView } from "./example_view.js" */
/** @import { Item } from "./protocol.js" */

import { make } from "./elements.js";
import { formatProbability } from "./words.js";

const LIKELIEST_CLASSES = 10; // one for each digit key

/** @param {number} rank */
function makeBar(rank) {
  const key = make("kbd");
  const name = make("span", { className: "name" });
  const number = make("span", { className: "num" });
  const fill = make("i");
  const tick = make("u");
  const track = make("span", { className: "track" }, fill, tick);
  const button = make("button", { type: "button", className: "bar" }, key, name, track, number);
  return { rank, row: make("li", {}, button), button, key, name, number, fill, tick };
}

export class LikeliestClasses {
  /** @param {ExampleView} view */
  constructor(view) {
    this.app = view.app;
    this.bars = Array.from({ length: LIKELIEST_CLASSES }, (_, rank) => makeBar(rank));
    view.el.bars.replaceChildren(...this.bars.map((bar) => bar.row));
    for (const { button, rank } of this.bars)
      button.onclick = (event) => view.act(event, "rank", rank);
  }

  /**
   * Return the place among the bars that a key means; -1 if it means none.
   * @param {string} key
   */
  findRank(key) {
    return this.bars.findIndex((bar) => !bar.row.hidden && bar.key.textContent === key);
  }

  /**
   * @param {Item} item
   * @param {string[]} names
   */
  draw(item, names) {
    const isDigits = names.every((name) => /^[0-9]$/.test(name)); // then a digit means that class
    this.bars.forEach((bar, rank) => {
      bar.row.hidden = rank >= item.classes.length;
      if (bar.row.hidden) return;
      const { blind, typical } = this.app.data;
      const [label, probability, threshold] = item.classes[rank];
      const number = blind ? "" : formatProbability(probability);
      bar.key.textContent = isDigits ? names[label] : String((rank + 1) % 10);
      bar.name.textContent = bar.name.title = names[label];
      bar.number.textContent = number;
      bar.fill.style.width = blind ? "0" : `${100 * probability}%`;
      bar.tick.style.left = `${100 * (blind ? 2 : (threshold ?? 2))}%`;
      bar.button.classList.toggle("is-given", label === item.given);
      bar.button.classList.toggle("is-suggested", label === item.suggested);
      bar.button.setAttribute(
        "aria-label",
        blind
          ? names[label]
          : `${names[label]}, ${number}, ${typical} ${formatProbability(threshold)}`,
      );
    });
  }
}
