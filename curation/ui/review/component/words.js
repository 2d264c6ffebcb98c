// What the page says, in words. Nothing here knows a screen, so node can test it.

/** @import { Counts, DecisionSummary, LatestDecision, Operation, Status } from "./protocol.js" */

/** @param {number} count */
export const formatCount = (count) => count.toLocaleString("en");

/**
 * @param {number} count
 * @param {string} noun
 */
export const plural = (count, noun) => `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;

/** @param {number | null | undefined} value */
export const formatProbability = (value) => value?.toFixed(2) ?? "–";

/**
 * Return a text for one of our sentences: one that changes the reading direction changes only its own.
 * @param {string} text
 */
export function isolate(text) {
  return /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069]/.test(text)
    ? `\u2068${text}\u2069`
    : text;
}

/**
 * Return what somebody decided, to follow their name.
 * @param {Pick<DecisionSummary, "action"> & Partial<DecisionSummary>} decision
 */
export function describeDecision({ action, label, labels, taken_back }) {
  if (taken_back) return "took the decision back";
  switch (action) {
    case "keep":
      return "kept the label";
    case "relabel":
      return `said it is ${isolate(label ?? "")}`;
    case "ambiguous":
      return labels?.length
        ? `said it is both: ${labels.map(isolate).join(", ")}`
        : "said it is both";
    case "exclude":
      return "excluded it";
    case "skip":
      return "skipped it";
    case "needs_review":
      return "asked for a second look";
    default:
      return action;
  }
}

/** @type {Record<string, string>} */
const DONE = {
  keep: "kept",
  ambiguous: "both",
  exclude: "excluded",
  skip: "skipped",
  needs_review: "second look",
  merge: "merged",
  is_a: "kind of",
  rename: "renamed",
  distinct: "distinct",
};

/**
 * Return the answer of a decision in a word or two: the new label, or what was done.
 * @param {Pick<LatestDecision, "action" | "label">} decision
 */
export function nameAnswer({ action, label }) {
  return action === "relabel" && label ? label : (DONE[action] ?? action);
}

/**
 * Return what an operation decided, and about what.
 * @param {LatestDecision} decision
 */
export function describeUnit(decision) {
  const { classes, count, id } = decision;
  const answer = isolate(nameAnswer(decision));
  if (classes.length) return `${classes.map(isolate).join(" and ")}, ${answer}`;
  if (count > 1 || id === null) return `${plural(count, "example")}, ${answer}`;
  return `${isolate(id)}, ${answer}`;
}

/**
 * Return where decisions that are not saved yet were made; "" if there are none.
 * @param {Pick<Operation, "curator" | "dataset">[]} operations
 */
export function describeElsewhere(operations) {
  if (!operations.length) return "";
  const places = new Set(
    operations.map(
      ({ curator, dataset }) =>
        `${isolate(dataset ?? "that dataset")} as ${isolate(curator ?? "that curator")}`,
    ),
  );
  return (
    `${plural(operations.length, "decision")} made elsewhere in this tab ${operations.length === 1 ? "is" : "are"} not saved yet. ` +
    `To save what is left, open Review of ${[...places].join(", and of ")}.`
  );
}

/** @param {number} count */
const needSecondLook = (count, still = "") =>
  `${formatCount(count)} ${still}${count === 1 ? "needs" : "need"} a second look`;

/**
 * Return how many of a list are left: those that still have the status it was made of.
 * @param {Status} status
 * @param {Counts} counts
 */
export function countLeft(status, counts) {
  return status === "skipped" || status === "needs_review" ? counts[status] : counts.undecided;
}

/**
 * Return the same in words; nothing is left of a list of decided examples.
 * @param {Status} status
 * @param {Counts} counts
 */
export function describeLeft(status, counts) {
  const left = countLeft(status, counts);
  switch (status) {
    case "decided":
      return "";
    case "all":
      return `${formatCount(left)} undecided`;
    case "skipped":
      return `${formatCount(left)} still skipped`;
    case "needs_review":
      return needSecondLook(left, "still ");
    case "disputed":
      return `${formatCount(left)} still disputed`;
    default:
      return `${formatCount(left)} left`;
  }
}

/**
 * Return what the grid holds.
 * @param {Status} status
 * @param {number} total
 */
export function describeGrid(status, total) {
  switch (status) {
    case "decided":
      return `${formatCount(total)} decided, to change together`;
    case "all":
      return `${formatCount(total)}, decided or not, to decide together`;
    case "skipped":
      return `${formatCount(total)} skipped, to decide together`;
    case "needs_review":
      return `${needSecondLook(total)}, to decide together`;
    default:
      return total === 1 ? "1 to decide" : `${formatCount(total)} to decide together`;
  }
}

/**
 * Return how many examples of a grid are selected, and how many are not to be had.
 * @param {number} chosen
 * @param {number} total
 * @param {number} taken
 */
export function describeSelected(chosen, total, taken) {
  const words = `${formatCount(chosen)} of ${formatCount(total)} selected`;
  return taken ? `${words} · ${formatCount(taken)} in front of somebody else` : words;
}

/**
 * Return the words on the button that selects all examples of a grid.
 * @param {number} total
 * @param {number} taken
 */
export function nameAllMatch(total, taken) {
  if (taken) return `Select the ${formatCount(total - taken)} that are free`;
  return total === 1
    ? "Select the one that matches"
    : `Select all ${formatCount(total)} that match`;
}

/**
 * Return that some examples are not decided along with all others of a list, before it is done.
 * @param {number} taken
 */
export const describeFree = (taken) =>
  taken
    ? `${formatCount(taken)} more ${taken === 1 ? "is" : "are"} in front of somebody else and left out. `
    : "";

/**
 * Return the same once it is done.
 * @param {number} count of those that were decided
 * @param {number} left
 * @returns {[string, string]}
 */
export const describeLeftOut = (count, left) => [
  `${plural(count, "example")} saved.`,
  `${formatCount(left)} ${left === 1 ? "is" : "are"} in front of somebody else and ` +
    `${left === 1 ? "was" : "were"} left out.`,
];

/**
 * Return what became of the examples of a finished list.
 * @param {Counts} counts
 */
export function describeDone(counts) {
  return (
    `${plural(counts.decided, "label")} decided, ${formatCount(counts.kept)} of them kept · ` +
    `${formatCount(counts.skipped)} skipped · ${needSecondLook(counts.needs_review)}.`
  );
}

/**
 * Return why nothing is left for this curator, though others are still deciding.
 * @param {number} taken examples that they have in front of them
 * @param {Counts} counts
 */
export function describeTaken(taken, counts) {
  const [are, them] = taken === 1 ? ["is", "it"] : ["are", "them"];
  return [
    "Nothing is left for you right now",
    describeDone(counts),
    `${plural(taken, "example")} of this list ${are} with other curators. If they leave ${them} for ` +
      "ten minutes, you can go on here.",
  ];
}

/**
 * Return why a list is empty: a heading, and what to do.
 * @param {Status} status
 * @returns {[string, string]}
 */
export function describeEmpty(status) {
  const other = (/** @type {string} */ verb) =>
    `No flagged label within these filters ${verb}. ` +
    "Choose another status above, or widen the filters.";
  switch (status) {
    case "decided":
      return ["Nothing is decided here yet", other("is decided")];
    case "skipped":
      return ["Nothing is skipped here", other("is skipped")];
    case "needs_review":
      return ["Nothing needs a second look here", other("needs a second look")];
    case "disputed":
      return ["Nothing is disputed", "Nobody has to settle anything. Choose another status above."];
    default:
      return [
        "This list is empty",
        "Nothing is flagged by this method, or nothing matches the search and the filters. " +
          "Widen them, choose “all examples” above, or another method in the sidebar.",
      ];
  }
}
