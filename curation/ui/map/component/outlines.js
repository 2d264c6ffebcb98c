// An outline with few points: those that can be left out without moving it by much.

/** @typedef {[number, number]} Place */

/**
 * Return an outline with at most `most` points, by the Ramer–Douglas–Peucker algorithm.
 * @param {Place[]} points
 * @param {number} most
 */
export function simplify(points, most) {
  let found = points;
  for (let far = 1; found.length > most; far *= 1.5) found = dropClose(points, far);
  return found;
}

/**
 * @param {Place[]} points
 * @param {number} far how far from a straight line a point must be to stay
 * @returns {Place[]}
 */
function dropClose(points, far) {
  if (points.length < 3) return points;
  const first = points[0];
  const last = points[points.length - 1];
  let farthest = 0;
  let at = 0;
  for (let k = 1; k < points.length - 1; k++) {
    const distance = measure(points[k], first, last);
    if (distance > farthest) [farthest, at] = [distance, k];
  }
  if (farthest <= far) return [first, last];
  return [
    ...dropClose(points.slice(0, at + 1), far).slice(0, -1),
    ...dropClose(points.slice(at), far),
  ];
}

/**
 * Return how far a point is from the line through two others, or from the one, if they are one.
 * @param {Place} point
 * @param {Place} first
 * @param {Place} last
 */
function measure([x, y], [x1, y1], [x2, y2]) {
  const length = Math.hypot(x2 - x1, y2 - y1);
  if (!length) return Math.hypot(x - x1, y - y1);
  return Math.abs((x2 - x1) * (y1 - y) - (x1 - x) * (y2 - y1)) / length;
}
