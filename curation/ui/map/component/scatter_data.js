// The points as they come from Python: a text in JSON, then columns, rows and colours.

/** @typedef {{ name: string, colour: string, count: number }} LegendEntry */
/**
 * @typedef {object} About What the points are.
 * @property {string} points identifies the points and their colours
 * @property {string} words what the map shows, for those who cannot see it
 * @property {LegendEntry[]} legend
 * @property {[number, number][] | null} outline the part that is selected
 */
/**
 * @typedef {object} Points
 * @property {About} about
 * @property {Uint16Array} columns
 * @property {Uint16Array} rows
 * @property {Uint8Array} colours
 */

/**
 * @param {Uint8Array} bytes
 * @returns {Points}
 */
export function readPoints(bytes) {
  const whole = bytes.slice(); // numbers of two bytes must start at an even place
  const size = new DataView(whole.buffer).getUint32(0, true);
  const text = new TextDecoder().decode(whole.subarray(4, 4 + size));
  const count = (whole.length - 4 - size) / 5;
  return {
    about: JSON.parse(text),
    columns: new Uint16Array(whole.buffer, 4 + size, count),
    rows: new Uint16Array(whole.buffer, 4 + size + 2 * count, count),
    colours: whole.subarray(4 + size + 4 * count),
  };
}
