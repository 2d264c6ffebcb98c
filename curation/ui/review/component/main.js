// The function that Streamlit calls whenever it draws the page. Whatever lasts is kept on `window`,
// so that listeners are bound once.

/** @import { StreamlitComponent } from "./app.js" */

import { ReviewApp } from "./app.js";

/** @param {StreamlitComponent} component */
export default function (component) {
  /** @type {Window & { curationReview?: ReviewApp }} */
  const page = window;
  page.curationReview ??= new ReviewApp();
  page.curationReview.receive(component);
}
