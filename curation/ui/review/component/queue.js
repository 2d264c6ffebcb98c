// What was decided and not yet answered, and which example comes next. Nothing here knows a
// screen, so that node can test it.

// A name for one operation, never used twice.
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (each) => each.toString(16).padStart(2, "0")).join("");
}

// A list in the tab's storage, which outlives a reload of the page.
class Kept {
  constructor(storage, key) {
    this.storage = storage;
    this.key = key;
  }

  read() {
    try {
      return JSON.parse(this.storage.getItem(this.key) || "[]");
    } catch {
      return [];
    }
  }

  write(list) {
    try {
      this.storage.setItem(this.key, JSON.stringify(list));
    } catch {
      // A full or forbidden storage: the list still lives as long as the page does.
    }
  }
}

// Operations that the server has not answered yet, oldest first. They are in the tab's storage
// before anything else happens to them.
export class Log {
  static PREFIX = "curation.log.";

  constructor(storage, store) {
    this.kept = new Kept(storage, Log.PREFIX + store);
    this.pending = this.kept.read();
    this.failure = null; // why the oldest one could not be saved, if so
  }

  add(operation) {
    this.pending.push(operation);
    this.kept.write(this.pending);
  }

  // Take in the server's answers; return those that are final, with their operations.
  settle(answers) {
    const settled = [];
    const waiting = [];
    this.failure = null;
    for (const operation of this.pending) {
      const answer = answers[operation.op_id];
      if (answer && answer.status !== "failed") settled.push({ operation, answer });
      else waiting.push(operation);
      if (answer && answer.status === "failed" && !this.failure) this.failure = answer;
    }
    if (settled.length) {
      this.pending = waiting;
      this.kept.write(waiting);
    }
    return settled;
  }

  // The last thing said of an example that is not answered yet, or undefined.
  lastOn(id) {
    return this.pending.findLast((each) => each.id === id || (each.ids && each.ids.includes(id)));
  }

  // What this tab decided under another name or of another dataset, and has not seen answered.
  elsewhere() {
    const { storage, key } = this.kept;
    return Object.keys(storage)
      .filter((each) => each.startsWith(Log.PREFIX) && each !== key)
      .flatMap((each) => new Kept(storage, each).read());
  }

  // What the next undo takes back, given the latest decisions the server knew of, newest first.
  top(latest) {
    const stack = latest.map((each) => ({ op: each.op, id: each.id })).reverse();
    for (const each of this.pending) {
      if (each.do === "undo") stack.pop();
      else stack.push({ op: each.op_id, id: each.id ?? (each.ids || [])[0] ?? null });
    }
    return stack.pop();
  }
}

// What a person has to answer or to close, by its id, oldest first.
export class Unsettled {
  constructor(storage, key) {
    this.kept = new Kept(storage, key);
    this.found = new Map(this.kept.read());
  }

  get size() {
    return this.found.size;
  }

  get(id) {
    return this.found.get(id);
  }

  // The oldest, as [id, what was found]; undefined if there is none.
  first() {
    return this.found.entries().next().value;
  }

  set(id, found) {
    this.found.set(id, found);
    this.kept.write([...this.found]);
  }

  delete(id) {
    if (this.found.delete(id)) this.kept.write([...this.found]);
  }
}

// How many decisions a minute were made in this tab, over the last two minutes.
export class Pace {
  static SPAN = 120000; // milliseconds
  static FEWEST = 5; // decisions below which there is no pace

  constructor(storage, key) {
    this.kept = new Kept(storage, key);
    this.times = this.kept.read();
  }

  add(now) {
    this.times = [...this.recent(now), now];
    this.kept.write(this.times);
  }

  recent(now) {
    return this.times.filter((each) => each <= now && now - each < Pace.SPAN);
  }

  // null where too few were made to tell.
  perMinute(now) {
    const times = this.recent(now);
    return times.length < Pace.FEWEST
      ? null
      : Math.round((60000 * times.length) / Math.max(now - times[0], 1000));
  }
}

// The part of a queue around the example on screen. `steps` are in the order they are walked;
// from the cursor to the last of them, nothing that is to do is missing.
export class Walk {
  constructor(queue, log) {
    this.queue = queue;
    this.log = log;
    this.cursor = null;
    this.steps = []; // {id, place, todo}
    this.whole = false; // the steps hold everything that is to do in the queue
    this.items = new Map(); // id -> what to show; never changes
    this.standing = new Map(); // id -> how it stands; changes with every answer
  }

  // Take in an answer of the server.
  accept(data) {
    for (const [id, item] of Object.entries(data.items || {})) {
      if (!this.items.has(id)) this.items.set(id, item);
    }
    for (const [id, how] of Object.entries(data.standing || {})) this.standing.set(id, how);
    const steps = (data.steps || []).map(([id, place, todo]) => ({ id, place, todo }));
    if (this.cursor === null) this.cursor = data.start ?? null;
    // An answer to an older question may not reach where we are by now.
    if (steps.some((step) => step.id === this.cursor) || !this.here()) {
      this.steps = steps;
      this.whole = Boolean(data.whole);
    } else {
      const fresh = new Map(steps.map((step) => [step.id, step.todo]));
      for (const step of this.steps) step.todo = fresh.get(step.id) ?? step.todo;
    }
    this.forget();
  }

  // Take in that something was saved: where the answer does not say how the example stands, what
  // is decided next was still said with this in view.
  settle({ id, revision }) {
    const how = this.standing.get(id);
    if (how) this.standing.set(id, { ...how, revision: Math.max(how.revision, revision) });
  }

  // Let go of items that are far away by now.
  forget(most = 60) {
    const near = new Set(this.steps.map((step) => step.id)).add(this.cursor);
    for (const id of this.items.keys()) {
      if (this.items.size <= most) break;
      if (!near.has(id)) this.items.delete(id);
    }
  }

  index() {
    return this.steps.findIndex((step) => step.id === this.cursor);
  }

  here() {
    return this.steps[this.index()];
  }

  // Whether a step is still to do, with what was said and not yet answered.
  isTodo(step) {
    const said = this.log.lastOn(step.id);
    return said ? said.do === "undo" : step.todo;
  }

  // The next example to do after the one on screen; null if the server has to be asked,
  // undefined if there is none.
  next() {
    const at = this.index();
    const onward = this.steps.slice(at + 1).find((step) => this.isTodo(step));
    if (onward) return onward.id;
    if (!this.whole) return null;
    const around = this.steps.slice(0, Math.max(at, 0)).find((step) => this.isTodo(step));
    return around ? around.id : undefined;
  }

  // The neighbour on one side, whatever its state; undefined at the end of the queue.
  neighbour(offset) {
    const here = this.here();
    if (!here) return undefined;
    if (here.place < 0) return this.steps[this.index() + 1]?.id;
    return this.steps.find((step) => step.place === here.place + offset)?.id;
  }

  // The ids around us whose content has not come yet.
  lacking() {
    return this.steps.map((step) => step.id).filter((id) => !this.items.has(id));
  }
}

// Which classes a typed text means: those that begin with it first, then those that hold it.
export function findClasses(names, typed, most = 8) {
  const wanted = typed.trim().toLowerCase();
  if (!wanted) return [];
  const found = [[], [], []];
  names.forEach((name, index) => {
    const plain = name.toLowerCase();
    if (plain === wanted) found[0].push(index);
    else if (plain.startsWith(wanted)) found[1].push(index);
    else if (plain.includes(wanted)) found[2].push(index);
  });
  return found.flat().slice(0, most);
}
