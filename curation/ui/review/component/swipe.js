// A finger that draws the example aside: to the right takes the suggestion, to the left keeps the label.

/** @import { ReviewApp } from "./app.js" */
/** @import { ExampleView } from "./example_view.js" */
/** @typedef {{ pointer: number, id: string, x: number, y: number, isSwipe: boolean }} Gesture */

import { make } from "./elements.js";

// Pixels, except for the share.
const MAX_SWIPE_WIDTH = 640; // of the example; a wider screen has room for the buttons beside it
const WINDOW_EDGE = 24; // of the window, where a finger goes back a page or opens the menu
const SWIPE_BEGIN = 12; // sideways before it is a swipe, and no tap
const MIN_SWIPE = 96;
const MIN_SWIPE_SHARE = 0.35; // of the width
const STEEPEST = 0.5; // height of a swipe against its length

/**
 * Return what a finger that has moved so far decides if it is lifted now.
 * @param {number} right pixels to the right; negative to the left
 * @param {number} down
 * @param {number} width of the example
 * @returns {"accept" | "keep" | null}
 */
export function judgeSwipe(right, down, width) {
  const length = Math.abs(right);
  if (length < Math.max(MIN_SWIPE, MIN_SWIPE_SHARE * width)) return null;
  if (Math.abs(down) > STEEPEST * length) return null;
  return right > 0 ? "accept" : "keep";
}

export class Swipe {
  /**
   * @param {ExampleView} view
   * @param {ReviewApp} app
   */
  constructor(view, app) {
    this.view = view;
    this.app = app;
    /** @type {Gesture | null} */
    this.gesture = null;
    this.badge = make("div", { className: "swipe", data: { "aria-hidden": "true" } });
    view.el.stage.append(this.badge);
    const { content } = view.el;
    content.addEventListener("pointerdown", (event) => this.begin(event));
    content.addEventListener("pointermove", (event) => this.move(event));
    content.addEventListener("pointerup", (event) => this.end(event));
    content.addEventListener("pointercancel", () => this.cancel()); // it was a scroll after all
  }

  /** @param {PointerEvent} event */
  begin(event) {
    const { content } = this.view.el;
    const isFree = !this.gesture && event.isPrimary && event.pointerType === "touch";
    const isAtEdge = event.clientX < WINDOW_EDGE || event.clientX > window.innerWidth - WINDOW_EDGE;
    // What can be moved sideways is moved, and not decided.
    const isWide = [content, ...content.children].some((e) => e.scrollWidth > e.clientWidth + 1);
    this.cancel(); // a second finger zooms
    if (!isFree || isAtEdge || isWide || content.clientWidth > MAX_SWIPE_WIDTH) return;
    const id = this.app.walk.cursor;
    if (id === null || !this.app.decisions.canAct()) return;
    const { pointerId: pointer, clientX: x, clientY: y } = event;
    this.gesture = { pointer, id, x, y, isSwipe: false };
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { gesture, view } = this;
    if (!gesture || event.pointerId !== gesture.pointer) return;
    const [right, down] = [event.clientX - gesture.x, event.clientY - gesture.y];
    if (!gesture.isSwipe) {
      if (Math.abs(right) < SWIPE_BEGIN) return;
      if (Math.abs(down) > Math.abs(right)) return this.cancel();
      gesture.isSwipe = true;
      view.el.content.setPointerCapture(event.pointerId);
    }
    this.draw(right, judgeSwipe(right, down, view.el.content.clientWidth));
  }

  /** @param {PointerEvent} event */
  end(event) {
    const { gesture, app } = this;
    this.cancel();
    if (!gesture?.isSwipe || event.pointerId !== gesture.pointer) return;
    const [right, down] = [event.clientX - gesture.x, event.clientY - gesture.y];
    const action = judgeSwipe(right, down, this.view.el.content.clientWidth);
    // Only the example that the finger was put on, which was painted then and is still there.
    if (action && app.walk.cursor === gesture.id) app.decisions.act(action);
  }

  cancel() {
    this.gesture = null;
    this.badge.className = "swipe";
    this.view.el.content.style.translate = "";
  }

  /**
   * Draw the example aside, with what lifting the finger does.
   * @param {number} right
   * @param {"accept" | "keep" | null} action
   */
  draw(right, action) {
    const side = right > 0 ? "accept" : "keep";
    const { label } = this.view.actions.buttons[side];
    this.view.el.content.style.translate = `${right}px`;
    this.badge.className = `swipe shown ${side} ${action ? "ready" : ""}`;
    this.badge.textContent = label.textContent;
  }
}
