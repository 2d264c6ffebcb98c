// How long to wait before trying again: longer each time, and never in step with other tabs.

export class Backoff {
  /**
   * @param {number} first milliseconds before the first retry
   * @param {number} longest milliseconds before any retry, without the random part
   * @param {() => number} random from 0 to 1
   */
  constructor(first, longest, random = Math.random) {
    this.first = first;
    this.longest = longest;
    this.random = random;
    this.tries = 0; // since the last success
    this.delay = first;
  }

  /** Wait about twice as long next time. */
  grow() {
    this.tries += 1;
    const base = Math.min(this.longest, this.first * 2 ** this.tries);
    this.delay = base * (0.75 + 0.5 * this.random());
  }

  /** Start again with the first delay. */
  reset() {
    this.tries = 0;
    this.delay = this.first;
  }
}
