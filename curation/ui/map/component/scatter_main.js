// The function that Streamlit calls with every answer.

/** @import { Outline } from "./scatter_view.js" */

import { readPoints } from "./scatter_data.js";
import { ScatterView } from "./scatter_view.js";

/** @type {WeakMap<Element, ScatterView>} by the section that it draws in */
const VIEWS = new WeakMap();

/**
 * @param {{ data: Uint8Array, parentElement: HTMLElement,
 *   setStateValue: (name: string, value: Outline) => void }} component
 */
export default function ({ data, parentElement, setStateValue }) {
  const section = parentElement.querySelector(".scatter");
  if (!(section instanceof HTMLElement) || !data) return;
  let view = VIEWS.get(section);
  if (!view) VIEWS.set(section, (view = new ScatterView(section)));
  view.report = (outline) => setStateValue("outline", outline);
  view.accept(readPoints(data));
}
