// Selecting in the grid by drag: what the band touches, beside what was selected before.

/** @import { Grid } from "./grid.js" */
/** @typedef {{ x: number, y: number }} Point */

const MIN_DRAG = 6; // pixels; a hand trembles less than that in a click
const EDGE = 48; // pixels from the window's edge where a drag scrolls on; less than scroll-margin

export class DragSelect {
  /** @param {Grid} grid */
  constructor(grid) {
    this.grid = grid;
    /** @type {Point} where the drag began */
    this.from = { x: 0, y: 0 };
    /** @type {Set<string>} what was selected before */
    this.before = new Set();
    this.held = false;
    this.moved = false;
    const { tiles } = grid.view.el;
    tiles.onpointerdown = (event) => this.start(event);
    tiles.onpointermove = (event) => this.drag(event);
    tiles.onpointerup = () => this.end();
    tiles.onpointercancel = () => this.end(true);
  }

  /** @param {PointerEvent} event */
  start(event) {
    this.moved = false;
    this.held = event.button === 0 && event.pointerType !== "touch"; // a finger scrolls
    if (!this.held) return;
    this.from = this.locate(event);
    this.before = this.grid.selection.onPage(this.grid.list);
  }

  /** @param {PointerEvent} event */
  drag(event) {
    if (!this.held || !(event.buttons & 1)) return; // let go outside the window
    const { from, grid } = this;
    const to = this.locate(event);
    if (!this.moved && Math.hypot(to.x - from.x, to.y - from.y) < MIN_DRAG) return;
    if (!this.moved) grid.view.el.tiles.setPointerCapture(event.pointerId);
    this.moved = true;
    const touched = this.touch(to);
    const { selection } = grid;
    selection.everything = false;
    selection.ids = new Set([...this.before, ...touched.map(({ id }) => id)]);
    const last = touched.at(-1);
    if (last) selection.moveTo(grid.list.indexOf(last));
    grid.mark();
    const isBelow = event.clientY > window.innerHeight - EDGE;
    const edge = isBelow ? last : event.clientY < EDGE ? touched[0] : undefined;
    if (edge) grid.nodes.get(edge.id)?.scrollIntoView({ block: "nearest" });
  }

  /**
   * Draw the band, and return the tiles that it touches.
   * @param {Point} to
   */
  touch(to) {
    const { from, grid } = this;
    const { band } = grid.view.el;
    const [left, right] = [Math.min(from.x, to.x), Math.max(from.x, to.x)];
    const [top, bottom] = [Math.min(from.y, to.y), Math.max(from.y, to.y)];
    band.style.left = `${left}px`;
    band.style.top = `${top}px`;
    band.style.width = `${right - left}px`;
    band.style.height = `${bottom - top}px`;
    band.hidden = false;
    return grid.list.filter(({ id }) => {
      const node = grid.nodes.get(id);
      if (!node) return false;
      const { offsetLeft: x, offsetTop: y, offsetWidth: width, offsetHeight: height } = node;
      return x < right && x + width > left && y < bottom && y + height > top;
    });
  }

  /** Let go of the band, and return whether there was one. */
  end(isUndone = false) {
    if (!this.held) return false;
    this.held = false;
    this.grid.view.el.band.hidden = true;
    if (isUndone) this.grid.selection.ids = this.before;
    this.grid.mark();
    return this.moved;
  }

  /**
   * Return where the pointer is in the grid, however far that is scrolled.
   * @param {PointerEvent} event
   * @returns {Point}
   */
  locate({ clientX, clientY }) {
    const box = this.grid.view.el.grid.getBoundingClientRect();
    return { x: clientX - box.left, y: clientY - box.top };
  }
}
