// The browser's memory of what was decided, and its way through a queue: run by node --test.
import assert from "node:assert/strict";
import test from "node:test";

import { ReviewApp } from "../../curation/ui/review/component/app.js";
import { Backoff } from "../../curation/ui/review/component/backoff.js";
import {
  ClassFinder,
  findClasses,
  isNewName,
} from "../../curation/ui/review/component/class_finder.js";
import { Decisions } from "../../curation/ui/review/component/decisions.js";
import { History } from "../../curation/ui/review/component/history.js";
import {
  OperationLog,
  Pace,
  StoredMap,
  newId,
} from "../../curation/ui/review/component/operation_log.js";
import { QueueWindow } from "../../curation/ui/review/component/queue.js";
import { Selection } from "../../curation/ui/review/component/selection.js";
import { judgeSwipe } from "../../curation/ui/review/component/swipe.js";
import {
  describeDecision,
  describeDone,
  describeElsewhere,
  describeEmpty,
  describeFree,
  describeGrid,
  describeLeft,
  describeLeftOut,
  describeSelected,
  describeUnit,
  isolate,
  nameAllMatch,
} from "../../curation/ui/review/component/words.js";

// As a browser's: what is kept are its own properties.
class Storage {
  getItem(key) {
    return this[key] ?? null;
  }
  setItem(key, value) {
    this[key] = value;
  }
}
const storage = () => new Storage();
const decide = (op_id, id) => ({ op_id, id, do: "decide", action: "keep" });
const saved = { status: "saved" };
const answer = (steps, more = {}) => ({
  steps,
  items: Object.fromEntries(steps.map(([id]) => [id, { id, content: { kind: "text" } }])),
  standing: {},
  start: steps[0]?.[0],
  ...more,
});

test("a message holds the oldest operations that fit, and at least one", () => {
  const log = new OperationLog(storage(), "k");
  assert.deepEqual(log.first(10), []);
  for (const id of ["a", "b", "c"]) log.add(decide(`op ${id}`, id));
  const size = JSON.stringify(log.pending[0]).length;
  const listFirst = (limit) => log.first(limit).map((each) => each.op_id);
  assert.deepEqual(listFirst(1), ["op a"]);
  assert.deepEqual(listFirst(2 * size), ["op a", "op b"]);
  assert.deepEqual(listFirst(3 * size), ["op a", "op b", "op c"]);
});

test("what is not answered survives a reload", () => {
  const kept = storage();
  const log = new OperationLog(kept, "k");
  log.add(decide("1", "a"));
  log.add(decide("2", "b"));
  log.settle({ 1: saved });
  assert.deepEqual(
    new OperationLog(kept, "k").pending.map((each) => each.op_id),
    ["2"],
  );
});

test("an answer to something unknown changes nothing", () => {
  const log = new OperationLog(storage(), "k");
  log.add(decide("1", "a"));
  assert.deepEqual(log.settle({ 9: saved }), []);
  assert.equal(log.pending.length, 1);
});

test("what could not be saved stays, with the reason, until it is", () => {
  const log = new OperationLog(storage(), "k");
  log.add(decide("1", "a"));
  log.settle({ 1: { status: "failed", problem: "disk full" } });
  assert.equal(log.failure.problem, "disk full");
  assert.equal(log.pending.length, 1);
  assert.equal(log.settle({ 1: saved }).length, 1);
  assert.equal(log.failure, null);
});

test("what was decided under another name or in another dataset is not forgotten", () => {
  const kept = storage();
  const [mine, other] = [new OperationLog(kept, "ana"), new OperationLog(kept, "ben")];
  mine.add(decide("1", "a"));
  kept.setItem("curation.pace.ben", "[1, 2, 3]");
  assert.deepEqual(mine.elsewhere(), []);
  assert.equal(describeElsewhere(mine.elsewhere()), "");
  other.add({ ...decide("2", "a"), curator: "ben", dataset: "demo:digits" });
  assert.deepEqual(
    mine.elsewhere().map((each) => each.op_id),
    ["2"],
  );
  assert.equal(
    describeElsewhere(mine.elsewhere()),
    "1 decision made elsewhere in this tab is not saved yet. " +
      "To save what is left, open Review of demo:digits as ben.",
  );
  other.settle({ 2: saved });
  assert.deepEqual(mine.elsewhere(), []);
});

test("a decision after one's own answer is made with that answer in view", () => {
  const walk = new QueueWindow("q", new OperationLog(storage(), "k"));
  walk.accept(answer([["a", 0, true]], { standing: { a: { revision: 3, mine: null } } }));
  walk.settle({ id: "a", revision: 7 });
  walk.settle({ id: "a", revision: 5 }); // an older one
  walk.settle({ id: "unknown", revision: 9 });
  assert.deepEqual([...walk.standing], [["a", { revision: 7, mine: null }]]);
});

test("an answer that came too late is saved and listed, and undo leaves it alone", () => {
  const operation = { op_id: "late", id: "b", do: "decide", action: "relabel", label: 1 };
  const mine = { id: "b", action: "relabel", label: "dog", time: "2026-01-02T10:00:00Z" };
  const app = {
    log: new OperationLog(storage(), "s"),
    conflicts: new StoredMap(storage(), "c"),
    data: { latest: [{ op: "one", id: "a" }], undone: [], classes: "" },
    savedAt: "2026-01-01T10:00:00Z",
  };
  const conflict = { status: "conflict", id: "b", mine, revision: 1 };
  ReviewApp.prototype.hear.call(app, { operation, answer: conflict });
  assert.equal(app.savedAt, mine.time);
  const history = new History(app);
  const list = () => history.listLatest().map(({ op, isLate }) => [op, isLate]);
  assert.deepEqual(list(), [
    ["late", true],
    ["one", false],
  ]);
  assert.equal(history.stacks().done.at(-1).op, "one");
  app.conflicts.set("b", { ...app.conflicts.get("b"), settled: null });
  assert.deepEqual(list(), [["one", false]]);
});

test("a conflict survives a reload until it is settled", () => {
  const kept = storage();
  const conflicts = new StoredMap(kept, "c");
  conflicts.set("a", { answer: 1 });
  conflicts.set("b", { answer: 2 });
  assert.deepEqual(new StoredMap(kept, "c").first(), ["a", { answer: 1 }]);
  conflicts.delete("a");
  conflicts.delete("unknown");
  const reloaded = new StoredMap(kept, "c");
  assert.deepEqual([reloaded.size, reloaded.get("b")], [1, { answer: 2 }]);
});

test("a storage that refuses to write stops nobody", () => {
  const refuses = {
    getItem: () => "{not json",
    setItem: () => {
      throw new Error("full");
    },
  };
  const log = new OperationLog(refuses, "k");
  log.add(decide("1", "a"));
  assert.equal(log.pending.length, 1);
});

test("the pace survives a reload, covers two minutes, and needs five decisions", () => {
  const kept = storage();
  const pace = new Pace(kept, "p");
  for (const second of [0, 10, 20, 30]) pace.add(1000 * second);
  assert.equal(pace.perMinute(40000), null);
  pace.add(40000);
  assert.equal(pace.perMinute(60000), 5); // five in the minute since the first
  assert.equal(new Pace(kept, "p").perMinute(60000), 5);
  assert.equal(pace.perMinute(121000), null); // the first is forgotten
  assert.equal(pace.perMinute(-1), null); // a clock that was set back
});

test("undo takes back the newest and redo restores it: what is unanswered, then what is known", () => {
  const log = new OperationLog(storage(), "k");
  const latest = [{ op: "s2" }, { op: "s1" }]; // newest first
  const tops = () => {
    const { done, undone } = log.stacks(latest, [{ op: "old" }], ["cat", "dog"]);
    return [done.at(-1)?.op, undone.at(-1)?.op];
  };
  const change = (name, expect) => log.add({ op_id: `${name} ${expect}`, do: name, expect });
  assert.deepEqual(tops(), ["s2", "old"]);
  log.add(decide("1", "a")); // what was taken back before is gone for good
  assert.deepEqual(tops(), ["1", undefined]);
  change("undo", "1");
  change("undo", "s2");
  assert.deepEqual(tops(), ["s1", "s2"]);
  change("redo", "s2");
  assert.deepEqual(tops(), ["s2", "1"]);
  change("undo", "s2");
  change("undo", "s1");
  assert.deepEqual(tops(), [undefined, "s1"]);
});

test("what the server has done already is not done again", () => {
  const log = new OperationLog(storage(), "k");
  log.add(decide("1", "a"));
  log.add({ op_id: "u", do: "undo", expect: "1" });
  const { done, undone } = log.stacks([{ op: "0" }], [{ op: "1" }], null);
  assert.deepEqual([done.map((each) => each.op), undone.map((each) => each.op)], [["0"], ["1"]]);
});

test("a unit is named by what it is about and what was said", () => {
  const unit = { op: "1", action: "relabel", id: "a", count: 1, label: "dog", classes: [] };
  assert.equal(describeUnit(unit), "a, dog");
  assert.equal(describeUnit({ ...unit, count: 12, action: "keep" }), "12 examples, kept");
  const classes = { ...unit, id: null, action: "merge", classes: ["cat", "dog"] };
  assert.equal(describeUnit(classes), "cat and dog, merged");
});

test("the next example is the next that is left and not yet decided here", () => {
  const log = new OperationLog(storage(), "k");
  const walk = new QueueWindow("q", log);
  walk.accept(
    answer([
      ["a", 0, true],
      ["b", 1, false],
      ["c", 2, true],
      ["d", 3, true],
    ]),
  );
  assert.equal(walk.cursor, "a");
  assert.equal(walk.next(), "c"); // b is done
  log.add(decide("1", "c"));
  assert.equal(walk.next(), "d");
  log.add({ op_id: "2", do: "undo", id: "c" });
  assert.equal(walk.next(), "c");
});

test("at the end of what is known the server is asked; at the end of all there is no next", () => {
  const log = new OperationLog(storage(), "k");
  const walk = new QueueWindow("q", log);
  walk.accept(answer([["a", 0, true]]));
  assert.equal(walk.next(), null);
  walk.accept(answer([["a", 0, true]], { whole: true }));
  assert.equal(walk.next(), undefined);
});

test("what was passed over comes up again", () => {
  const walk = new QueueWindow("q", new OperationLog(storage(), "k"));
  walk.accept(
    answer(
      [
        ["a", 0, true],
        ["b", 1, true],
      ],
      { whole: true, start: "b" },
    ),
  );
  assert.equal(walk.next(), "a");
});

test("left and right are neighbours whatever their state, and stop at the ends", () => {
  const walk = new QueueWindow("q", new OperationLog(storage(), "k"));
  walk.accept(
    answer(
      [
        ["a", 4, false],
        ["b", 5, true],
        ["c", 6, false],
        ["z", 9, true],
      ],
      { start: "b" },
    ),
  );
  assert.equal(walk.neighbour(-1), "a");
  assert.equal(walk.neighbour(1), "c");
  walk.cursor = "c";
  assert.equal(walk.neighbour(1), undefined); // 7 has not come yet: z is not a neighbour
});

test("an answer to an older message does not take us back", () => {
  const walk = new QueueWindow("q", new OperationLog(storage(), "k"));
  walk.accept(
    answer([
      ["a", 0, true],
      ["b", 1, true],
      ["c", 2, true],
    ]),
  );
  walk.cursor = "c";
  walk.accept(
    answer([
      ["a", 0, false],
      ["b", 1, false],
    ]),
  );
  assert.equal(walk.cursor, "c");
  assert.deepEqual(
    walk.steps.map((step) => step.id),
    ["a", "b", "c"],
  );
  assert.equal(walk.steps[0].todo, false);
});

test("a picture that comes late takes the place of the note that it is not here", () => {
  const walk = new QueueWindow("q", new OperationLog(storage(), "k"));
  const late = answer([["a", 0, true]]);
  late.items.a.content.kind = "waiting";
  walk.accept(late);
  assert.deepEqual(walk.lacking(), ["a"]); // so the server is asked again
  assert.equal(walk.item(), late.items.a); // and the example can be decided meanwhile
  const come = answer([["a", 0, true]]);
  walk.accept(come);
  assert.equal(walk.item(), come.items.a);
  assert.deepEqual(walk.lacking(), []);
});

test("an item never changes once it is there, and distant ones are dropped", () => {
  const walk = new QueueWindow("q", new OperationLog(storage(), "k"));
  walk.accept(answer([["a", 0, true]]));
  const first = walk.items.get("a");
  for (let place = 1; place < 100; place++) {
    walk.cursor = `i${place}`;
    walk.accept(
      answer([
        ["a", 0, true],
        [`i${place}`, place, true],
      ]),
    );
  }
  assert.equal(walk.items.get("a"), first);
  assert.ok(walk.items.size <= 60);
});

test("a finger decides if it moves far enough and mostly sideways", () => {
  assert.equal(judgeSwipe(150, 20, 380), "accept");
  assert.equal(judgeSwipe(-150, -20, 380), "keep");
  assert.equal(judgeSwipe(120, 0, 380), null); // 35 % of 380 are 133
  assert.equal(judgeSwipe(90, 0, 200), null); // and never less than 96
  assert.equal(judgeSwipe(150, 80, 380), null); // rather a scroll
});

test("classes are found by their beginning first", () => {
  assert.deepEqual(findClasses(["hot dog", "dog", "doge", "cat"], " DOG "), [1, 2, 0]);
  assert.deepEqual(findClasses(["dog"], ""), []);
});

test("a name is new unless a class has it, whatever its case, spaces and accents", () => {
  const names = ["hot dog", "caf\u00e9", "wolf (was dog)"];
  for (const typed of ["zebra", "hotdog", "dog"]) assert.equal(isNewName(names, typed), true);
  for (const typed of ["", " Hot  DOG ", "cafe\u0301", "hot\u200b dog", "Wolf", "z".repeat(201)])
    assert.equal(isNewName(names, typed), false, typed);
});

test("an added class is sent by its name, and another one by its place", () => {
  const decisions = new Decisions({
    names: ["cat", "dog"],
    everyName: () => ["cat", "dog", "zebra"],
  });
  assert.deepEqual(decisions.nameClass(1), { label: 1 });
  assert.deepEqual(decisions.nameClass(2), { new_class: "zebra" });
  const log = new OperationLog(storage(), "k");
  log.add({ op_id: "1", do: "decide", id: "a", action: "relabel", new_class: "zebra" });
  assert.equal(log.stacks([], [], ["cat", "dog"]).done[0].label, "zebra");
});

test("a class that cannot be added is said not to exist, and cannot be taken", () => {
  globalThis.document = { createElement: () => ({ setAttribute() {}, append() {} }) };
  const shown = { hidden: true, replaceChildren: (...lines) => (shown.lines = lines) };
  const find = { value: "", setAttribute() {} };
  const taken = [];
  const adding = { note: "", closed: "labels.npy has no room for it" };
  const app = {
    everyName: () => ["cat", "dog"],
    data: { adding },
    walk: { item: () => undefined },
    decisions: { act: (...given) => taken.push(given) },
  };
  new ClassFinder({ find, found: shown, stage: { focus() {} } }, app);
  const type = (text) => {
    find.value = text;
    find.oninput();
    return shown.lines.map((line) => line.textContent);
  };
  assert.deepEqual(type("zebra"), [
    "No class is called “zebra”, and labels.npy has no room for it",
  ]);
  assert.equal(shown.hidden, false);
  find.onkeydown({ key: "Enter" });
  assert.deepEqual(taken, []);
  assert.deepEqual(type("do"), ["dog"]);
  adding.closed = null;
  assert.deepEqual(type("do"), ["dog", "Add “do” as a new class"]);
  assert.deepEqual(type("zebra"), ["Add “zebra” as a new class"]);
  assert.deepEqual(type(" "), []);
  assert.equal(shown.hidden, true);
  delete globalThis.document;
});

test("operations have unique names, and decisions are put into words", () => {
  assert.equal(new Set(Array.from({ length: 1000 }, newId)).size, 1000);
  assert.equal(describeDecision({ action: "relabel", label: "dog" }), "said it is dog");
  assert.equal(describeDecision({ action: "keep", taken_back: true }), "took the decision back");
});

test("a name that changes the reading direction changes only its own", () => {
  assert.equal(isolate("cat"), "cat");
  assert.equal(isolate("a\u202egnp"), "\u2068a\u202egnp\u2069");
  assert.equal(
    describeDecision({ action: "relabel", label: "\u05d0" }),
    "said it is \u2068\u05d0\u2069",
  );
});

test("what is left is counted by the status that the list was made of", () => {
  const counts = {
    all: 1207,
    undecided: 1200,
    decided: 4,
    kept: 1,
    judged: 4,
    real: 3,
    skipped: 2,
    needs_review: 1,
  };
  const left = (status) => describeLeft(status, counts);
  assert.equal(left("undecided"), "1,200 left");
  assert.equal(left("all"), "1,200 undecided");
  assert.equal(left("skipped"), "2 still skipped");
  assert.equal(left("needs_review"), "1 still needs a second look");
  assert.equal(left("decided"), "");
  assert.equal(describeGrid("undecided", 1), "1 to decide");
  assert.equal(describeGrid("undecided", 2), "2 to decide together");
  assert.equal(describeGrid("decided", 4), "4 decided, to change together");
  assert.equal(describeGrid("needs_review", 2), "2 need a second look, to decide together");
  assert.equal(
    describeDone(counts),
    "4 labels decided, 1 of them kept · 2 skipped · 1 needs a second look.",
  );
});

test("an empty list says that no label has its status, and names the method only otherwise", () => {
  const advice = "Choose another status above, or widen the filters.";
  assert.deepEqual(describeEmpty("skipped"), [
    "Nothing is skipped here",
    `No flagged label within these filters is skipped. ${advice}`,
  ]);
  assert.deepEqual(describeEmpty("decided"), [
    "Nothing is decided here yet",
    `No flagged label within these filters is decided. ${advice}`,
  ]);
  assert.deepEqual(describeEmpty("needs_review"), [
    "Nothing needs a second look here",
    `No flagged label within these filters needs a second look. ${advice}`,
  ]);
  assert.deepEqual(describeEmpty("undecided"), [
    "This list is empty",
    "Nothing is flagged by this method, or nothing matches the search and the filters. " +
      "Widen them, choose “all examples” above, or another method in the sidebar.",
  ]);
});

test("a click or a key deselects one of all that match, and keeps the others on the page", () => {
  const list = ["a", "b", "c"].map((id) => ({ id }));
  const selection = new Selection();
  selection.everything = true;
  selection.toggle(list, 1);
  assert.deepEqual([...selection.ids], ["a", "c"]);
  selection.addRange(list, 2, 1);
  assert.deepEqual([...selection.ids].sort(), ["a", "b", "c"]);
  selection.accept(list.slice(0, 1), list);
  assert.deepEqual([[...selection.ids], selection.focused], [["a"], 0]);
});

test("what is not answered is sent again less and less often, and never in step", () => {
  const delays = (random) => {
    const backoff = new Backoff(2500, 30000, () => random);
    return [1, 2, 3, 4, 5, 6].map(() => (backoff.grow(), backoff.delay));
  };
  assert.deepEqual(delays(0.5), [5000, 10000, 20000, 30000, 30000, 30000]);
  assert.deepEqual(delays(0), [3750, 7500, 15000, 22500, 22500, 22500]);
  assert.ok(new Set([0.1, 0.2, 0.3].map((random) => delays(random)[3])).size === 3);
});

test("after an answer, the first retry comes soon again", () => {
  const backoff = new Backoff(2500, 30000);
  backoff.grow();
  backoff.grow();
  backoff.reset();
  assert.deepEqual([backoff.tries, backoff.delay], [0, 2500]);
});

test("what is selected stays so when the page is turned, and what was decided meanwhile does not", () => {
  const list = ["a", "b"].map((id) => ({ id }));
  const selection = new Selection();
  selection.addPage(list);
  selection.accept([{ id: "c" }, { id: "d" }], []); // another page
  selection.toggle([{ id: "c" }, { id: "d" }], 1);
  assert.deepEqual([...selection.ids], ["a", "b", "d"]);
  selection.accept([{ id: "c" }], [{ id: "c" }, { id: "d" }]); // the same page, without d
  assert.deepEqual([...selection.ids], ["a", "b"]);
});

test("what is in front of somebody else is counted, and said to be left out", () => {
  assert.equal(describeSelected(0, 1210, 0), "0 of 1,210 selected");
  assert.equal(describeSelected(7, 10, 3), "7 of 10 selected · 3 in front of somebody else");
  assert.equal(nameAllMatch(1210, 0), "Select all 1,210 that match");
  assert.equal(nameAllMatch(10, 3), "Select the 7 that are free");
  assert.equal(describeFree(0), "");
  assert.equal(describeFree(1), "1 more is in front of somebody else and left out. ");
  assert.deepEqual(describeLeftOut(7, 3), [
    "7 examples saved.",
    "3 are in front of somebody else and were left out.",
  ]);
});
