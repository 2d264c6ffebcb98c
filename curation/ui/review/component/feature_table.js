// The values of an example that is a row of a table, each against the given and the suggested class.

/** @import { Feature, Item, TypicalValue } from "./protocol.js" */

import { make } from "./elements.js";
import { describeEvidence, describeTypical, formatNumber } from "./feature_words.js";

const HOW =
  "Most telling first. A bar is the middle 80 % of a class with its median, or the share that has " +
  "this value; the thick mark is this example.";

/**
 * Return the title and the values of an example, large and aligned.
 * @param {Item} item
 * @param {string[]} names
 */
export function makeFeatureTable(item, names) {
  const title = item.content.kind === "index" ? item.content.text : "";
  return make(
    "div",
    { className: "features", tabIndex: 0, data: { role: "document" } },
    make("b", { className: "feature-title", textContent: title }),
    make("span", { className: "quiet", textContent: HOW }),
    ...item.features.map((feature) =>
      makeFeature(feature, names[item.given], names[item.suggested]),
    ),
  );
}

/**
 * @param {Feature} feature
 * @param {string} given
 * @param {string} suggested
 */
function makeFeature(feature, given, suggested) {
  const range = findRange(feature);
  const words = describeEvidence(feature.evidence, given, suggested);
  return make(
    "div",
    { className: "feature" },
    make(
      "div",
      { className: "feature-name" },
      make("span", { textContent: feature.name }),
      ...(words ? [make("small", { className: "quiet", textContent: words })] : []),
    ),
    make("div", { className: "feature-value", textContent: feature.value || "–" }),
    make(
      "div",
      { className: "feature-lines" },
      ...makeLine("is-given", given, feature.given, feature, range),
      ...makeLine("is-suggested", suggested, feature.suggested, feature, range),
    ),
  );
}

/**
 * Return the smallest and the largest number of a line, so that both classes share one scale.
 * @param {Feature} feature
 * @returns {[number, number]}
 */
function findRange({ number, given, suggested }) {
  const ends = [number, given?.low, given?.high, suggested?.low, suggested?.high];
  const numbers = ends.filter((each) => typeof each === "number");
  if (!numbers.length) return [0, 1];
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)];
  const room = (high - low) * 0.04 || 1;
  return [low - room, high + room];
}

/**
 * Return what is typical of one class: its name, a bar, and the same in words.
 * @param {string} className
 * @param {string} name
 * @param {TypicalValue | null} typical
 * @param {Feature} feature
 * @param {[number, number]} range
 */
function makeLine(className, name, typical, { number }, [low, high]) {
  if (!typical) return [];
  const place = (/** @type {number} */ value) => (100 * (value - low)) / (high - low);
  const track = make("span", { className: "track" });
  const bar = make("i");
  if (typical.low !== null && typical.high !== null) {
    bar.style.marginLeft = `${place(typical.low)}%`;
    bar.style.width = `${Math.max(place(typical.high) - place(typical.low), 1)}%`;
    if (typical.middle !== null) {
      const middle = make("b", { title: `median ${formatNumber(typical.middle)}` });
      middle.style.left = `calc(${place(typical.middle)}% - 1px)`;
      track.append(middle);
    }
  } else bar.style.width = `${100 * (typical.share ?? 0)}%`;
  track.prepend(bar);
  if (number !== null) {
    const mark = make("u", { title: formatNumber(number) });
    mark.style.left = `calc(${place(number)}% - 1px)`;
    track.append(mark);
  }
  const words = describeTypical(typical);
  return [
    make(
      "div",
      { className: `feature-line ${className}` },
      make("span", { className: "name", textContent: name, title: name }),
      track,
      make("span", { className: "num", textContent: words, title: words }),
    ),
  ];
}
