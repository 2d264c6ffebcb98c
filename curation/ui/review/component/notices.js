// What the page says around the examples: how far, how fast, whether all is saved, what went
// wrong, who said otherwise, what was decided last, and that nothing is left.

import { make, makeButton } from "./view.js";
import {
  countLeft,
  doneInWords,
  emptyInWords,
  gridInWords,
  inWords,
  isolate,
  leftInWords,
  formatCount,
  plural,
} from "./words.js";

export const RETRY = 2500; // milliseconds after which what is not answered is sent again

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

export class Notices {
  constructor(app) {
    this.app = app;
  }

  say(name, words) {
    const node = this.app.view.el[name];
    if (node.textContent !== words) node.textContent = words;
  }

  draw() {
    this.drawWhere();
    this.drawSaved();
    this.drawAlarm();
    this.drawConflict();
  }

  drawWhere() {
    const { view, data, walk, done } = this.app;
    const { counts, forecast } = data;
    const here = done ? undefined : walk.here();
    const place = !here
      ? ""
      : here.place < 0
        ? "Reopened, outside this list"
        : `${formatCount(here.place + 1)} of ${formatCount(counts.all)}`;
    this.say("where", data.view === "grid" ? gridInWords(data.status, data.total) : place);
    this.say("title", counts.all ? data.title : "");
    const share = counts.decided
      ? `${Math.round((100 * (counts.decided - counts.kept)) / counts.decided)} % were real`
      : "";
    this.say(
      "pace",
      [
        `${formatCount(counts.decided)} decided`,
        forecast?.words ?? share,
        leftInWords(data.status, counts),
        this.pace(),
      ]
        .filter(Boolean)
        .join(" · "),
    );
    view.el.pace.title = forecast?.why ?? "";
    const settled = counts.all - countLeft(data.status, counts);
    view.el.progress.setAttribute("aria-valuemax", String(counts.all));
    view.el.progress.setAttribute("aria-valuenow", String(settled));
    view.el.bar.style.width = `${counts.all ? (100 * settled) / counts.all : 0}%`;
  }

  pace() {
    const pace = this.app.pace.perMinute(Date.now());
    return pace === null ? "" : `${pace} a minute`;
  }

  drawSaved() {
    const { view, data, log, savedAt, quietSince } = this.app;
    const waiting = log.pending.length;
    const slow = waiting && performance.now() - quietSince > 2 * RETRY;
    const elsewhere = log.elsewhere().length;
    const time = savedAt ? ` ${new Date(savedAt).toLocaleTimeString("en-GB")}` : "";
    this.say(
      "saved",
      data.closed
        ? "read only"
        : log.failure
          ? "NOT saved"
          : slow
            ? `no answer · ${waiting} not saved yet`
            : waiting
              ? `saving ${waiting}…`
              : elsewhere
                ? `${elsewhere} not saved elsewhere`
                : `all saved ✓${time}`,
    );
    view.el.saved.dataset.state =
      log.failure || slow || (elsewhere && !waiting) ? "bad" : waiting ? "busy" : "good";
  }

  // Show a notice, and make it anew only where it says something else than before.
  fill(node, said, parts) {
    const key = said ? JSON.stringify(said) : "";
    if (node.dataset.key === key) return;
    node.dataset.key = key;
    node.hidden = !said;
    if (said) node.replaceChildren(...parts());
  }

  drawAlarm() {
    const { app } = this;
    const { failure, pending } = app.log;
    const closed = app.data.closed && {
      problem: "Nothing can be decided here now.",
      remedy: app.data.closed,
    };
    const [op, refused] = app.alarms.first() || [];
    const said = failure || refused || closed;
    const more = app.alarms.size - 1;
    this.fill(app.view.el.alarm, said && [said, op, more, pending.length], () => {
      const kept = failure
        ? ` ${plural(pending.length, "decision")} kept in this tab and tried again every few seconds.`
        : "";
      const words = [
        make("b", { textContent: said.problem }),
        make("span", { textContent: `${said.remedy || ""}${kept}` }),
      ];
      if (failure) words.push(makeButton("chip", "Try again now", () => app.sendNow()));
      else if (refused)
        words.push(
          makeButton("chip", more ? `Close, ${formatCount(more)} more` : "Close", () => {
            app.alarms.delete(op);
            this.draw();
          }),
        );
      return words;
    });
  }

  drawConflict() {
    const { app } = this;
    const [id, found] = app.conflicts.first() || [];
    const more = app.conflicts.size - 1;
    this.fill(app.view.el.conflict, found && [id, found.answer.revision, more], () => {
      const { theirs, mine } = found.answer;
      const show = makeButton("chip", "Show it", (event) => {
        app.view.release(event);
        app.goTo(id);
      });
      const who =
        theirs.curator === app.data.curator ? "You, in another tab," : isolate(theirs.curator);
      return [
        make("b", { textContent: `Decided twice: ${isolate(id)}` }),
        make("span", {
          textContent: `${who} ${inWords(theirs)} while you looked at it; you ${inWords(mine)}. Both are on record.${more ? ` ${more} more after this.` : ""}`,
        }),
        // What they said may name a class that is gone: then it cannot be said again.
        ...(theirs.again || theirs.taken_back
          ? [
              makeButton("chip", theirs.taken_back ? "Leave it undecided" : "Theirs stands", () =>
                app.settle(id, "theirs"),
              ),
            ]
          : []),
        makeButton("chip strong", "Mine stands", () => app.settle(id, "mine")),
        ...(app.data.view === "grid" ? [] : [show]),
      ];
    });
  }

  drawLatest() {
    const { view, data, log, names } = this.app;
    const undone = new Set(
      log.pending.filter((each) => each.do === "undo").map((each) => each.expect),
    );
    const known = new Set(data.latest.map((each) => each.op));
    const fresh = log.pending
      .filter((each) => each.do !== "undo" && !known.has(each.op_id))
      .reverse()
      .map((each) => ({ ...each, op: each.op_id, label: names[each.label], saving: true }));
    const all = [...fresh, ...data.latest].filter((each) => !undone.has(each.op)).slice(0, 10);
    view.el.latest.replaceChildren(
      ...all.map((each) => {
        const what =
          each.action === "relabel" && each.label ? each.label : DONE[each.action] || each.action;
        const many = each.count > 1 ? ` × ${each.count}` : "";
        const chip = makeButton(
          "chip",
          `${isolate(what)}${many} ${each.saving ? "…" : "✓"}`,
          (event) => {
            if (each.id) {
              view.release(event);
              this.app.goTo(each.id);
            }
          },
        );
        chip.disabled = data.view === "grid";
        if (each.id)
          chip.title = chip.disabled
            ? `${each.id}: choose One by one to reopen it`
            : `Reopen ${each.id}`;
        return chip;
      }),
    );
    if (!all.length) view.el.latest.textContent = "nothing decided yet";
  }

  drawEmpty(nothing) {
    const { view, data } = this.app;
    const { counts, status } = data;
    view.veil();
    let [title, ...lines] = emptyInWords(status);
    const finished = !nothing || counts.all > 0;
    if (finished) {
      title =
        status === "undecided" ? "Everything in this list is decided" : "That was the last one";
      lines = [doneInWords(counts)];
      if (counts.skipped + counts.needs_review > 0)
        lines.push(
          "Choose “skipped” or “needs a second look” as the status above to go through those.",
        );
    }
    const children = [
      make("h2", { textContent: title }),
      ...lines.map((line) => make("p", { textContent: line })),
    ];
    if (data.export && finished)
      children.push(
        make("a", {
          href: data.export,
          target: "_self",
          textContent: "Export the cleaned labels →",
        }),
      );
    if (finished && data.latest.length)
      children.push(
        make(
          "p",
          {},
          makeButton("chip", "Undo the last one [Z]", () => this.app.undo()),
        ),
      );
    view.el.empty.replaceChildren(...children);
  }
}
