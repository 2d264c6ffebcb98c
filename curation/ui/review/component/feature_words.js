// What the values of a row say, in words. Nothing here knows a screen, so node can test it.

/** @import { TypicalValue } from "./protocol.js" */

import { isolate } from "./words.js";

const LITTLE = Math.log(1.1); // a value that is hardly likelier for one of the two says little

/**
 * Return a number with four digits, as a person would write it.
 * @param {number} value
 */
export function formatNumber(value) {
  const size = Math.abs(value);
  if (size && (size >= 1e7 || size < 1e-4)) return value.toPrecision(3).replace("-", "−");
  const rounded = Number(value.toPrecision(4));
  return rounded.toLocaleString("en", { maximumFractionDigits: 8 }).replace("-", "−");
}

/**
 * Return for which class a value is likelier, and by which factor; "" where it says little.
 * @param {number} evidence
 * @param {string} given
 * @param {string} suggested
 */
export function describeEvidence(evidence, given, suggested) {
  if (Math.abs(evidence) < LITTLE) return "";
  const factor = Math.exp(Math.abs(evidence));
  const words = factor < 10 ? factor.toFixed(1) : Math.round(factor).toLocaleString("en");
  const times = factor > 1000 ? "over 1,000" : words;
  return `${times} × likelier for ${isolate(evidence > 0 ? suggested : given)}`;
}

/**
 * Return what is typical of a class: the range of most values, or the share that has this one.
 * @param {TypicalValue} typical
 */
export function describeTypical({ low, high, share, commonest }) {
  if (low !== null && high !== null) return `${formatNumber(low)} to ${formatNumber(high)}`;
  const mostly = commonest === null ? "" : `mostly ${isolate(commonest)}`;
  if (share === null) return mostly;
  const percent = share > 0 && share < 0.01 ? "under 1 %" : `${Math.round(100 * share)} %`;
  return [percent, mostly].filter(Boolean).join(" · ");
}
