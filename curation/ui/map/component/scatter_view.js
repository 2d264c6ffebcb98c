// Points on a canvas: drawn, zoomed, moved, and outlined by hand.

/** @import { Place } from "./outlines.js" */
/** @import { LegendEntry, Points } from "./scatter_data.js" */
/** @typedef {{ points: Place[] | null, number: number }} Outline `number` makes each one new */

import { simplify } from "./outlines.js";

const LAST = 4095; // the last place of the map, on both sides
const MOST_POINTS = 60; // of an outline
const ZOOM = 1.5; // with each step
const NEAR_PIXELS = 8; // of the mouse, for the name of a point
const FAINT = 0.12; // of points that are not of the chosen colour

export class ScatterView {
  /** @param {HTMLElement} section */
  constructor(section) {
    this.section = section;
    this.canvas = /** @type {HTMLCanvasElement} */ (section.querySelector("canvas"));
    this.tip = /** @type {HTMLElement} */ (section.querySelector(".tip"));
    this.legend = /** @type {HTMLElement} */ (section.querySelector(".legend"));
    /** @type {Points | null} */
    this.points = null;
    /** @type {(outline: Outline) => void} */
    this.report = () => {};
    /** @type {Place[] | null} in places of the map */
    this.outline = null;
    /** @type {Place[] | null} while it is being drawn */
    this.drawing = null;
    this.isMoving = false;
    /** @type {number | null} the only colour that is shown strongly */
    this.chosen = null;
    this.zoom = 1;
    this.left = 0; // the place of the map at the left edge of the canvas
    this.top = 0;
    this.number = Date.now();
    this.isDue = false;
    this.listen();
    new ResizeObserver(() => this.drawSoon()).observe(this.canvas);
  }

  /** @param {Points} points */
  accept(points) {
    const { about } = points;
    if (this.points?.about.points !== about.points) this.chosen = null;
    this.points = points;
    if (!this.drawing) this.outline = about.outline;
    this.canvas.setAttribute("aria-label", about.words);
    this.drawLegend(about.legend);
    this.drawSoon();
  }

  // ---- what a person does

  listen() {
    const { canvas, section } = this;
    canvas.onpointerdown = (event) => this.start(event);
    canvas.onpointermove = (event) => this.follow(event);
    canvas.onpointerup = () => this.finish();
    canvas.onpointercancel = () => this.cancel();
    canvas.onpointerleave = () => (this.tip.hidden = true);
    canvas.onwheel = (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // else the page scrolls, as it should
      event.preventDefault();
      this.zoomBy(event.deltaY < 0 ? ZOOM : 1 / ZOOM, event.offsetX, event.offsetY);
    };
    canvas.onkeydown = (event) => {
      if (event.key === "Escape") this.cancel();
    };
    for (const button of section.querySelectorAll("button"))
      button.onclick = () => this.act(button.dataset.do ?? "");
  }

  /** @param {string} action */
  act(action) {
    const { clientWidth, clientHeight } = this.canvas;
    if (action === "in") this.zoomBy(ZOOM, clientWidth / 2, clientHeight / 2);
    if (action === "out") this.zoomBy(1 / ZOOM, clientWidth / 2, clientHeight / 2);
    if (action === "whole") [this.zoom, this.left, this.top] = [1, 0, 0];
    if (action === "draw" || action === "move") this.setMoving(action === "move");
    if (action === "view") this.choose(this.outlineView());
    if (action === "clear") this.choose(null);
    this.drawSoon();
  }

  /** @param {boolean} isMoving */
  setMoving(isMoving) {
    this.isMoving = isMoving;
    this.canvas.classList.toggle("is-moving", isMoving);
    for (const [action, isOn] of Object.entries({ move: isMoving, draw: !isMoving }))
      this.section.querySelector(`[data-do=${action}]`)?.setAttribute("aria-pressed", `${isOn}`);
  }

  /** @param {PointerEvent} event */
  start(event) {
    if (event.button !== 0) return;
    this.canvas.setPointerCapture(event.pointerId);
    this.tip.hidden = true;
    if (!this.isMoving && !event.shiftKey) this.drawing = [this.findPlace(event)];
  }

  /** @param {PointerEvent} event */
  follow(event) {
    if (this.drawing) {
      this.drawing.push(this.findPlace(event));
      this.drawSoon();
    } else if (event.buttons & 1) {
      const { across, down } = this.measure();
      this.left -= event.movementX / across;
      this.top -= event.movementY / down;
      this.drawSoon();
    } else this.nameNearest(event);
  }

  finish() {
    const drawn = this.drawing;
    this.drawing = null;
    if (drawn) this.choose(drawn.length < 4 ? null : simplify(drawn, MOST_POINTS));
    this.drawSoon();
  }

  cancel() {
    this.drawing = null;
    this.drawSoon();
  }

  /** @param {Place[] | null} outline */
  choose(outline) {
    const whole = outline?.map(
      ([x, y]) => /** @type {Place} */ ([x, y].map((each) => Math.round(clamp(each)))),
    );
    this.outline = whole && whole.length > 2 ? whole : null;
    this.report({ points: this.outline, number: ++this.number });
  }

  /** @returns {Place[]} the part of the map that is on screen */
  outlineView() {
    const { across, down } = this.measure();
    const right = this.left + this.canvas.clientWidth / across;
    const bottom = this.top + this.canvas.clientHeight / down;
    const [x1, x2] = [Math.max(0, this.left), Math.min(LAST, right)];
    const [y1, y2] = [LAST - Math.min(LAST, bottom), LAST - Math.max(0, this.top)];
    return [
      [x1, y1],
      [x2, y1],
      [x2, y2],
      [x1, y2],
    ];
  }

  /**
   * @param {number} factor
   * @param {number} x on the canvas, of what stays where it is
   * @param {number} y
   */
  zoomBy(factor, x, y) {
    const before = this.measure();
    const [column, row] = [this.left + x / before.across, this.top + y / before.down];
    this.zoom = Math.min(60, Math.max(1, this.zoom * factor));
    const { across, down } = this.measure();
    [this.left, this.top] = this.zoom === 1 ? [0, 0] : [column - x / across, row - y / down];
    this.drawSoon();
  }

  // ---- places and pixels

  /** Return how many pixels a place of the map takes. */
  measure() {
    const { clientWidth, clientHeight } = this.canvas;
    return { across: (this.zoom * clientWidth) / LAST, down: (this.zoom * clientHeight) / LAST };
  }

  /**
   * @param {MouseEvent} event
   * @returns {Place}
   */
  findPlace({ offsetX, offsetY }) {
    const { across, down } = this.measure();
    return [this.left + offsetX / across, LAST - (this.top + offsetY / down)];
  }

  /**
   * Name what the nearest point is, at the mouse.
   * @param {MouseEvent} event
   */
  nameNearest(event) {
    const { points, tip } = this;
    if (!points) return;
    const { across, down } = this.measure();
    const [x, y] = this.findPlace(event);
    let nearest = NEAR_PIXELS ** 2;
    let found = -1;
    for (let k = 0; k < points.columns.length; k++) {
      const apart = ((points.columns[k] - x) * across) ** 2 + ((points.rows[k] - y) * down) ** 2;
      if (apart < nearest) [nearest, found] = [apart, k];
    }
    tip.hidden = found < 0;
    if (found < 0) return;
    tip.textContent = points.about.legend[points.colours[found]].name;
    tip.style.left = `${Math.min(event.offsetX + 12, this.canvas.clientWidth - 130)}px`;
    tip.style.top = `${Math.max(0, event.offsetY - 26)}px`;
  }

  // ---- drawing

  drawSoon() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.draw();
    });
  }

  draw() {
    const { canvas, points } = this;
    const context = canvas.getContext("2d");
    if (!points || !context || !canvas.clientWidth) return;
    const started = performance.now();
    const sharp = window.devicePixelRatio || 1;
    canvas.width = Math.round(canvas.clientWidth * sharp);
    canvas.height = Math.round(canvas.clientHeight * sharp);
    this.drawPoints(context, points, sharp);
    const outline = this.drawing ?? this.outline;
    if (outline) this.drawOutline(context, outline, sharp);
    canvas.dataset.drawn = String(points.columns.length);
    canvas.dataset.milliseconds = (performance.now() - started).toFixed(1);
  }

  /**
   * Write the points into the pixels: far faster than drawing each as a shape.
   * @param {CanvasRenderingContext2D} context
   * @param {Points} points
   * @param {number} sharp
   */
  drawPoints(context, points, sharp) {
    const { width, height } = this.canvas;
    const image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const { across, down } = this.measure();
    const count = points.columns.length;
    const size = (count > 50_000 ? 1.2 : count > 5_000 ? 1.8 : 2.8) * sharp * this.zoom ** 0.25;
    const disc = makeDisc(size, width);
    const margin = Math.ceil(size);
    const inks = points.about.legend.map(({ colour }, place) =>
      readColour(colour, this.chosen === null || this.chosen === place ? 1 : FAINT),
    );
    const passes = this.chosen === null ? [null] : [false, true]; // the chosen colour on top
    for (const isChosen of passes)
      for (let k = 0; k < count; k++) {
        const code = points.colours[k];
        if (isChosen !== null && (code === this.chosen) !== isChosen) continue;
        const x = Math.round((points.columns[k] - this.left) * across * sharp);
        const y = Math.round((LAST - points.rows[k] - this.top) * down * sharp);
        if (x < -margin || y < -margin || x >= width + margin || y >= height + margin) continue;
        const left = Math.min(width - 1 - margin, Math.max(margin, x));
        const top = Math.min(height - 1 - margin, Math.max(margin, y));
        const at = top * width + left;
        for (const step of disc) pixels[at + step] = inks[code];
      }
    context.putImageData(image, 0, 0);
  }

  /**
   * @param {CanvasRenderingContext2D} context
   * @param {Place[]} outline
   * @param {number} sharp
   */
  drawOutline(context, outline, sharp) {
    const { across, down } = this.measure();
    context.beginPath();
    for (const [x, y] of outline)
      context.lineTo((x - this.left) * across * sharp, (LAST - y - this.top) * down * sharp);
    context.closePath();
    const ink = getComputedStyle(this.section).color;
    context.strokeStyle = ink;
    context.lineWidth = 1.5 * sharp;
    context.setLineDash([6 * sharp, 4 * sharp]);
    context.stroke();
    context.globalAlpha = 0.08;
    context.fillStyle = ink;
    context.fill();
    context.globalAlpha = 1;
  }

  /** @param {LegendEntry[]} legend */
  drawLegend(legend) {
    this.legend.replaceChildren(
      ...legend.map(({ name, colour, count }, place) => {
        const button = document.createElement("button");
        button.type = "button";
        button.title = `${name}: ${count.toLocaleString("en")} shown`;
        button.setAttribute("aria-pressed", String(this.chosen === place));
        const mark = document.createElement("i");
        mark.style.background = colour;
        const words = document.createElement("span");
        words.textContent = name;
        const number = document.createElement("small");
        number.textContent = count.toLocaleString("en");
        button.append(mark, words, number);
        button.onclick = () => {
          this.chosen = this.chosen === place ? null : place;
          this.drawLegend(legend);
          this.drawSoon();
        };
        return button;
      }),
    );
  }
}

/** @param {number} place */
const clamp = (place) => Math.min(LAST, Math.max(0, place));

/**
 * Return the steps from the middle of a disc to each of its pixels.
 * @param {number} size its radius
 * @param {number} width of the image
 */
function makeDisc(size, width) {
  const steps = [];
  const most = Math.floor(size);
  for (let y = -most; y <= most; y++)
    for (let x = -most; x <= most; x++) if (x * x + y * y <= size * size) steps.push(y * width + x);
  return steps;
}

/**
 * Return a colour like #1f77b4 as a pixel.
 * @param {string} colour
 * @param {number} opacity
 */
function readColour(colour, opacity) {
  const [red, green, blue] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  return ((Math.round(255 * opacity) << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}
