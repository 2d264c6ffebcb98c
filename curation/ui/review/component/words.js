// What the page says, in words. Nothing here knows a screen, so that node can test it.

export const formatCount = (count) => (count ?? 0).toLocaleString("en");
export const plural = (count, noun) => `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;

// A text for a sentence of ours: one that turns the direction of reading turns only itself.
export function isolate(text) {
  return /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069]/.test(text)
    ? `\u2068${text}\u2069`
    : text;
}

// What a decision says, in words.
export function inWords(said) {
  if (said.taken_back) return "took the decision back";
  switch (said.action) {
    case "keep":
      return "kept the label";
    case "relabel":
      return `said it is ${isolate(said.label)}`;
    case "ambiguous":
      return said.labels && said.labels.length
        ? `said both: ${said.labels.map(isolate).join(", ")}`
        : "said it is ambiguous";
    case "exclude":
      return "excluded it";
    case "skip":
      return "skipped it";
    case "needs_review":
      return "asked for a second look";
    default:
      return said.action;
  }
}

// What was decided under another name or of another dataset, and is not saved yet; "" if nothing.
export function elsewhereInWords(operations) {
  if (!operations.length) return "";
  const places = [
    ...new Set(
      operations.map(
        ({ curator, dataset }) =>
          `${isolate(dataset ?? "that dataset")} as ${isolate(curator ?? "that curator")}`,
      ),
    ),
  ];
  return `${plural(operations.length, "decision")} not saved yet, made elsewhere in this tab: open Review of ${places.join(", and of ")}, which saves what is left.`;
}

const need = (count, still = "") =>
  `${formatCount(count)} ${still}${count === 1 ? "needs" : "need"} a second look`;

// How many of a list are still to do: those that have the status it was made of.
export function countLeft(status, counts) {
  return status === "skipped" || status === "needs_review" ? counts[status] : counts.undecided;
}

// The same in words; of what is decided nothing is left.
export function leftInWords(status, counts) {
  const left = countLeft(status, counts);
  switch (status) {
    case "decided":
      return "";
    case "all":
      return `${formatCount(left)} undecided`;
    case "skipped":
      return `${formatCount(left)} still skipped`;
    case "needs_review":
      return need(left, "still ");
    default:
      return `${formatCount(left)} left`;
  }
}

// What the grid holds.
export function gridInWords(status, total) {
  switch (status) {
    case "decided":
      return `${formatCount(total)} decided, to change together`;
    case "all":
      return `${formatCount(total)}, decided or not, to decide together`;
    case "skipped":
      return `${formatCount(total)} skipped, to decide together`;
    case "needs_review":
      return `${need(total)}, to decide together`;
    default:
      return `${formatCount(total)} to decide together`;
  }
}

// How a list stands that was gone through.
export function doneInWords(counts) {
  return `${plural(counts.decided, "label")} settled, ${formatCount(counts.kept)} kept · ${formatCount(counts.skipped)} skipped · ${need(counts.needs_review)}.`;
}

// Why a list is empty: a heading, and what to do.
export function emptyInWords(status) {
  const [heading, lacks] = {
    decided: ["Nothing is decided here yet", "is decided"],
    skipped: ["Nothing is skipped here", "is skipped"],
    needs_review: ["Nothing needs a second look here", "needs a second look"],
  }[status] || ["No example matches"];
  return [
    heading,
    lacks
      ? `No flagged label that these filters let through ${lacks}. Choose another status above, or widen the filters.`
      : "No label is flagged by this method with these filters. Widen the filters above, or choose another method in the sidebar.",
  ];
}
