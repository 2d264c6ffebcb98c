// Messages to the server: when they are sent, what is done if they fail, and when they are sent
// again. They go to a route of our own; Streamlit draws the page around, and is asked only if the
// server says that the page has to be drawn again.

/** @import { ReviewApp } from "./app.js" */
/** @import { ServerAnswer } from "./protocol.js" */

import { Backoff } from "./backoff.js";
import { make } from "./elements.js";
import { describeElsewhere, plural } from "./words.js";

// Milliseconds.
const RETRY_AFTER = 2500; // what was not saved is sent again, and then less and less often
const MAX_RETRY = 30000; // a server with too much to do is not helped by asking more often
const GIVE_UP_AFTER = 20000; // on one message: a store that is locked takes 10 seconds to say so
const SLOW_AFTER = 5000; // without an answer: the page says so
const WAKE_AGAIN_AFTER = 5000; // the page is drawn again, and then less often
const ASK_EVERY = 15000; // an idle page asks what others did
const ASK_OFTEN = 4000; // where it shows what others do
const CHECK_EVERY = 500;
const PAINT_DELAY = 120; // a hidden page paints nothing, and sends after this time
const ASK_AGAIN_AFTER = 500; // after an answer that brought nothing new
const MAX_ASK_AGAIN = 4000; // a storage that does not answer is not helped by asking more often

// Characters of operations in one message; at least one operation is sent.
const MAX_SENT = 1_000_000;
const MAX_SENT_ON_LEAVING = 30_000; // browsers send at most 64 kB for a page that is gone

const REFUSED = "curation.refused"; // in the tab's storage: it was reloaded, and still refused
const NOT_UNDERSTOOD = {
  problem: "NOT saved: the server does not understand this page.",
  remedy: "Load the page again; what is not saved yet is kept in this tab.",
};

const BANNER_STYLE =
  "position:fixed;bottom:1rem;left:1rem;max-width:17rem;background:#b3261e;color:#fff;" +
  "padding:.6rem 1rem;border-radius:.5rem;z-index:999999";

export class Connection {
  /** @param {ReviewApp} app */
  constructor(app) {
    this.app = app;
    this.address = ""; // where messages go
    this.drawings = 0; // how often the page was drawn; it shows no answer from before that
    this.sent = 0; // the number of the last message
    this.sentAt = 0;
    /** @type {AbortController | null} of the message that is under way */
    this.underWay = null;
    this.isMore = false; // whether something is to be sent once that is answered
    this.quietSince = 0; // since when decisions have been waiting without an answer
    this.wakeAt = 0; // not before
    this.isLeaving = false; // the page is being reloaded, with what is not saved in its storage
    this.retry = new Backoff(RETRY_AFTER, MAX_RETRY);
    this.waking = new Backoff(WAKE_AGAIN_AFTER, 2 * MAX_RETRY);
    this.asking = new Backoff(ASK_AGAIN_AFTER, MAX_ASK_AGAIN);
    this.timer = 0;
    this.banner = make("div", { data: { role: "alert", style: BANNER_STYLE } });
    window.addEventListener("beforeunload", (event) => {
      const { log } = app;
      if (this.isLeaving || !log) return;
      if (log.pending.length || log.elsewhere().length) event.preventDefault();
    });
    window.addEventListener("pagehide", () => this.sendLast());
    window.addEventListener("online", () => this.startAgain()); // it was not the server
    this.isLost = false; // whether Streamlit has lost the server
    setInterval(() => this.check(), CHECK_EVERY);
  }

  /**
   * Go on with what the page was drawn with.
   * @param {string} address
   */
  meet(address) {
    this.address = new URL(address, document.baseURI).href;
    this.drawings += 1;
    this.retry.reset();
  }

  /** Return whether the server has been silent for long about what was decided. */
  isSlow() {
    return this.app.log.pending.length > 0 && performance.now() - this.quietSince > SLOW_AFTER;
  }

  // ---- sending

  /** Send all that is not answered, and what we show and have, once the server is ready for it. */
  send() {
    if (!this.retry.tries) this.sendNow(); // else `check` tries again in a while
  }

  /**
   * Send after the next example is painted, which must not be held up. What was decided is in the
   * tab's storage by then.
   */
  sendSoon() {
    let isDue = true;
    const once = () => {
      if (isDue) this.send();
      isDue = false;
    };
    requestAnimationFrame(() => setTimeout(once));
    setTimeout(once, PAINT_DELAY);
  }

  /** Send now, or as soon as the message that is under way is answered. */
  sendNow() {
    clearTimeout(this.timer);
    this.isMore = this.underWay !== null;
    if (!this.isMore && this.address) void this.exchange();
  }

  /** Send one message, and take in its answer. */
  async exchange() {
    const { drawings } = this;
    this.sent = Math.max(this.sent, this.app.data.answered) + 1;
    this.sentAt = performance.now();
    const body = this.write(MAX_SENT);
    const abort = new AbortController();
    this.underWay = abort;
    const [status, answer] = await post(this.address, body, abort);
    if (this.underWay !== abort) return; // another one was sent in its place
    this.underWay = null;
    if (drawings !== this.drawings) {
      if (answer) this.app.takeOutcomes(answer);
      return this.sendNow();
    }
    if (answer) this.take(answer);
    else this.fail(status);
    if (this.isMore && !this.retry.tries) this.sendNow();
  }

  /**
   * Return a message as it is sent.
   * @param {number} limit characters of its operations
   */
  write(limit) {
    return JSON.stringify({ number: this.sent, ...this.app.describe(limit) });
  }

  /** Send what is not answered from a page that is about to be gone; nobody hears the answer. */
  sendLast() {
    if (!this.address || !this.app.log.pending.length) return;
    const body = this.write(MAX_SENT_ON_LEAVING);
    void fetch(this.address, { ...makeRequest(body), keepalive: true }).catch(() => {});
  }

  /** Send again at once, also in place of a message that is under way and may be lost. */
  startAgain() {
    this.underWay?.abort();
    this.underWay = null;
    this.retry.reset();
    if (this.app.data) this.sendNow();
  }

  // ---- what comes back

  /** @param {ServerAnswer} answer */
  take(answer) {
    this.quietSince = performance.now();
    this.retry.reset();
    this.waking.reset();
    window.sessionStorage.removeItem(REFUSED);
    this.app.take(answer);
  }

  /**
   * Do what helps after a message was not answered.
   * @param {number} status of the answer; 0 if there was none
   */
  fail(status) {
    this.retry.grow();
    if (status === 401 || status === 403) this.loadAnew();
    else if (status === 400) this.app.log.failure = { status: "failed", at: 0, ...NOT_UNDERSTOOD };
    else if (status) this.wake();
  }

  /**
   * Reload the page: it shows how to come back in if a sign-in has expired. Once, unless messages
   * were answered since: something between us and the server may let pages through, and no messages.
   */
  loadAnew() {
    if (window.sessionStorage.getItem(REFUSED)) return;
    window.sessionStorage.setItem(REFUSED, "yes");
    this.isLeaving = true;
    window.location.reload();
  }

  /**
   * Have the server draw the whole page: it opens what the server no longer has, as after it was
   * started again, or says what is wrong.
   */
  wake() {
    const now = performance.now();
    /** @type {HTMLButtonElement | null} */
    const button = document.querySelector(".st-key-review-wake button");
    if (!button || button.disabled || now < this.wakeAt || isServerBusy()) return;
    this.wakeAt = now + this.waking.delay;
    this.waking.grow();
    button.click();
  }

  /**
   * Ask for the rest: at once while answers bring something, otherwise a little later.
   * @param {boolean} isProgress
   */
  askOn(isProgress) {
    const { app } = this;
    clearTimeout(this.timer);
    if (app.log.failure) return; // tried again by `check`
    if (isProgress || app.isNews() || app.data.answered === 0) {
      this.asking.reset();
      this.send();
      return;
    }
    this.timer = setTimeout(() => this.send(), this.asking.delay);
    this.asking.grow();
  }

  // ---- while time passes

  /** Send again what got no answer, also from another page, and now and then ask what others did. */
  check() {
    const { app } = this;
    this.warn();
    if (!app.data) return;
    this.noticeReturn();
    const isHere = Boolean(app.view?.root.isConnected);
    const isWaiting = app.log.pending.length > 0 || (isHere && app.lacksContent());
    const waited = performance.now() - this.sentAt;
    const isIdle = isHere && !isWaiting && document.visibilityState === "visible";
    if (this.underWay === null && isWaiting && waited > this.retry.delay) this.sendNow();
    else if (this.underWay === null && isIdle && waited > this.findPause()) this.sendNow();
    if (isHere && app.names) app.notices.draw();
  }

  /** Send at once when Streamlit has found a server that was lost: it may have been started again. */
  noticeReturn() {
    const isLost = findApp()?.dataset.testConnectionState !== "CONNECTED";
    if (this.isLost && !isLost) this.startAgain();
    this.isLost = isLost;
  }

  /** Return after how long an idle page asks what others did. */
  findPause() {
    const { data, conflicts } = this.app;
    return Math.max(this.retry.delay, data.live || conflicts.size ? ASK_OFTEN : ASK_EVERY);
  }

  /**
   * Warn of decisions that are not being saved, where Review does not say so: on another page, or
   * made under another name or in another dataset.
   */
  warn() {
    const { app, banner } = this;
    if (!app.log) return;
    const isStuck = !app.view?.root.isConnected && (app.log.failure !== null || this.isSlow());
    const words = isStuck
      ? `${plural(app.log.pending.length, "decision")} not saved yet. Go back to Review to save what is left.`
      : describeElsewhere(app.log.elsewhere());
    if (banner.textContent !== words) banner.textContent = words;
    if (!words) banner.remove();
    else if (!banner.isConnected) document.body.append(banner);
  }
}

/**
 * @param {string} body
 * @returns {RequestInit}
 */
function makeRequest(body) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body };
}

/**
 * Return the status of the answer to a message, 0 if there is none, and what it says if all is well.
 * @param {string} address
 * @param {string} body
 * @param {AbortController} abort
 * @returns {Promise<[number, ServerAnswer | null]>}
 */
async function post(address, body, abort) {
  const timer = setTimeout(() => abort.abort(), GIVE_UP_AFTER);
  try {
    const answer = await fetch(address, { ...makeRequest(body), signal: abort.signal });
    return [answer.status, answer.ok ? await answer.json() : null];
  } catch {
    return [0, null]; // no connection, or nothing that a server of ours would say
  } finally {
    clearTimeout(timer);
  }
}

/** @returns {HTMLElement | null} what Streamlit marks with how it is doing */
function findApp() {
  return document.querySelector("[data-testid=stApp]");
}

/** A server that is at work answers by itself. */
function isServerBusy() {
  return findApp()?.dataset.testScriptState === "running";
}
