// Draws what is to be seen now: one example, the grid, or that nothing is left.

/** @import { ReviewApp } from "./app.js" */
/** @import { Item } from "./protocol.js" */

const DARK_BELOW = 384; // the sum of red, green and blue

export class Screen {
  /** @param {ReviewApp} app */
  constructor(app) {
    this.app = app;
  }

  prepareItems() {
    const { walk, view } = this.app;
    for (const { id } of walk.steps) {
      const item = walk.items.get(id);
      if (item) view.prepare(id, item);
    }
    view.forget(walk.items);
  }

  draw() {
    const { view, walk, data, log } = this.app;
    if (!view?.root.isConnected || !this.app.names) return;
    const isGrid = data.view === "grid";
    if (this.app.waiting && !isGrid) this.stopWaiting();
    const isEmpty = isGrid
      ? !data.tiles.length && data.total === data.taken && !log.pending.length
      : !walk.steps.length && (walk.cursor === null || !data.counts.all);
    const isOver = this.app.waiting && walk.next() === undefined && !log.pending.length;
    this.app.done = !isGrid && walk.steps.length > 0 && isOver;
    const isNothing = isEmpty || this.app.done;
    view.el.empty.hidden = !isNothing;
    view.el.one.hidden = isGrid || isNothing;
    view.el.grid.hidden = !isGrid || isEmpty;
    if (isNothing || isGrid) view.el.veil.hidden = true;
    if (this.app.done) this.app.places.forget(walk.queue);
    if (isNothing) this.app.notices.drawEmpty(isEmpty);
    else if (isGrid) this.app.grid.draw();
    else this.drawOne();
    this.app.notices.draw();
    this.app.notices.drawLatest();
    const home = isGrid ? view.el.tiles : view.el.stage;
    if (this.app.focusSoon && home.offsetParent) {
      home.focus({ preventScroll: true });
      this.app.focusSoon = false;
    }
  }

  stopWaiting() {
    const next = this.app.walk.next();
    if (next) this.app.moveCursor(next);
  }

  drawOne() {
    const { view, walk } = this.app;
    const { cursor } = walk;
    const item = walk.item();
    if (cursor !== null && item) view.prepare(cursor, item);
    const isSaving = this.app.waiting && this.app.log.pending.length > 0;
    const isReady = Boolean(cursor && item && !this.app.waiting && view.nodes.get(cursor)?.ready);
    view.el.veil.hidden = isReady;
    view.el.veil.textContent = isSaving ? "Saving the last decisions…" : "Loading…";
    if (cursor && item && isReady) this.drawItem(cursor, item);
    else view.veil();
    view.actions.draw(this.app.data.closed);
  }

  /**
   * @param {string} id
   * @param {Item} item
   */
  drawItem(id, item) {
    const { view, walk } = this.app;
    const standing = walk.standing.get(id);
    if (view.shown !== id) view.show(id, item, standing?.mine);
    else if (!view.painted) view.awaitPaint(id);
    view.drawStanding(standing, this.app.log.lastOn(id));
    if (!view.strips.isComplete()) view.strips.draw(item);
    view.near.draw(id, item);
  }
}

/**
 * Choose between the two sets of colours; the theme may differ from the system's.
 * @param {HTMLElement} root
 */
export function followTheme(root) {
  const section = root.querySelector(".review");
  if (!section) return;
  const ground = getComputedStyle(section).getPropertyValue("--st-background-color").trim();
  const parts = ground.match(/[0-9a-f]{2}/gi) ?? ["ff", "ff", "ff"];
  const sum = parts.slice(0, 3).reduce((total, part) => total + parseInt(part, 16), 0);
  section.classList.toggle("is-dark", sum < DARK_BELOW);
  section.classList.toggle("is-light", sum >= DARK_BELOW);
}
