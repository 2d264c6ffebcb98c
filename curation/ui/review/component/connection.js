// Messages to the server: when they are sent, and when they are sent again.

/** @import { ReviewApp } from "./app.js" */
/** @import { BrowserMessage, ServerAnswer } from "./protocol.js" */

import { Backoff } from "./backoff.js";
import { make } from "./elements.js";
import { describeElsewhere, plural } from "./words.js";

// Milliseconds.
const MAX_WAIT = 300; // for an answer, before the next message goes out all the same
const RETRY_AFTER = 2500; // what is not answered is sent again, and then less and less often
const WAKE_AFTER = 8000; // without any answer: ask for the whole page, and then less often
const MAX_RETRY = 30000; // a server with too much to do is not helped by asking more often
const ASK_EVERY = 15000; // an idle page asks what others did
const ASK_OFTEN = 4000; // where it shows what others do
const CHECK_EVERY = 500;
const LEAVING = 4000; // after a click on a link to another page, nothing is sent for this long
const PAINT_DELAY = 120; // a hidden page paints nothing, and sends after this time
const ASK_AGAIN_AFTER = 500; // after an answer that brought nothing new
const MAX_ASK_AGAIN = 4000; // a storage that does not answer is not helped by asking more often

const BANNER_STYLE =
  "position:fixed;bottom:1rem;left:1rem;max-width:17rem;background:#b3261e;color:#fff;" +
  "padding:.6rem 1rem;border-radius:.5rem;z-index:999999";

export class Connection {
  /** @param {ReviewApp} app */
  constructor(app) {
    this.app = app;
    /** @type {(name: string, value: BrowserMessage) => void} Streamlit's, set by each answer */
    this.setStateValue = () => {};
    this.sent = 0; // the number of the last message
    this.answered = 0; // and of the last one answered
    this.sentAt = 0;
    this.quietSince = 0; // since when decisions have been waiting without an answer
    this.wokenAt = 0;
    this.retry = new Backoff(RETRY_AFTER, MAX_RETRY);
    this.waking = new Backoff(WAKE_AFTER, 2 * MAX_RETRY);
    this.asking = new Backoff(ASK_AGAIN_AFTER, MAX_ASK_AGAIN);
    this.timer = 0;
    this.banner = make("div", { data: { role: "alert", style: BANNER_STYLE } });
    window.addEventListener("beforeunload", (event) => {
      const { log } = app;
      if (log && (log.pending.length || log.elsewhere().length)) event.preventDefault();
    });
    window.addEventListener("online", () => this.retry.reset()); // it was not the server
    this.leftAt = -LEAVING; // when a link to another page was clicked
    window.addEventListener("click", (event) => this.notice(event), true);
    setInterval(() => this.check(), CHECK_EVERY);
  }

  /** @param {ServerAnswer} data */
  receive(data) {
    this.quietSince = performance.now();
    this.answered = Math.max(this.answered, data.answered);
    if (this.answered >= this.sent) {
      this.retry.reset();
      this.waking.reset();
    }
  }

  /** Return whether the server has been silent for long about what was decided. */
  isSlow() {
    const waited = performance.now() - this.quietSince;
    return this.app.log.pending.length > 0 && waited > 2 * RETRY_AFTER;
  }

  /**
   * Send all that is not answered, and what we show and have. Only one message is under way at a
   * time, unless its answer takes long.
   */
  send() {
    clearTimeout(this.timer);
    const patience = this.retry.tries ? this.retry.delay : MAX_WAIT;
    const wait =
      this.answered >= this.sent ? 0 : Math.max(0, this.sentAt + patience - performance.now());
    if (wait > 0) this.timer = setTimeout(() => this.send(), wait);
    else this.sendNow();
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

  /**
   * Notice a click on a link to another page of the dashboard. A message that is sent before the
   * next page begins to be drawn makes Streamlit go back to this one, and draw neither. Whatever
   * is not sent is kept in this tab.
   * @param {MouseEvent} event
   */
  notice(event) {
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || this.app.view?.root.contains(link)) return;
    if (isLeaving(event, link, window.location.origin)) this.leftAt = performance.now();
  }

  /** Go on sending: Review is drawn anew, so the page that was left is back. */
  arrive() {
    this.leftAt = -LEAVING;
  }

  sendNow() {
    clearTimeout(this.timer);
    const wait = this.leftAt + LEAVING - performance.now();
    if (wait > 0) {
      this.timer = setTimeout(() => this.send(), wait);
      return;
    }
    this.sent = Math.max(this.sent, this.answered) + 1;
    this.sentAt = performance.now();
    this.setStateValue("sent", { number: this.sent, ...this.app.describe() });
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

  /** Send again what got no answer, and now and then ask what others did. */
  check() {
    const { app } = this;
    this.warnElsewhere();
    if (!app.view?.root.isConnected || !app.data) return;
    const now = performance.now();
    const isWaiting =
      app.log.pending.length > 0 || (this.answered < this.sent && app.lacksContent());
    const silence = now - Math.max(this.quietSince, this.wokenAt);
    if (isWaiting && silence > this.waking.delay && !isServerBusy()) this.wake();
    else if (isWaiting && now - this.sentAt > this.retry.delay) this.sendAgain();
    else if (!isWaiting && this.isDue(now) && document.visibilityState === "visible")
      this.sendNow();
    if (app.names) app.notices.draw();
  }

  sendAgain() {
    if (this.answered < this.sent) this.retry.grow();
    this.sendNow();
  }

  /**
   * Return whether an idle page should ask what others did.
   * @param {number} now
   */
  isDue(now) {
    const { data, conflicts } = this.app;
    return now - this.sentAt > (data.live || conflicts.size ? ASK_OFTEN : ASK_EVERY);
  }

  /**
   * Have the server draw the whole page: one that was started again may not know the part of the
   * page that we talk to. Our last message goes with that.
   */
  wake() {
    this.wokenAt = performance.now();
    this.waking.grow();
    /** @type {HTMLElement | null} */ (
      document.querySelector(".st-key-review-wake button")
    )?.click();
  }

  /**
   * Warn of decisions that cannot be saved from here: on another page, or made under another name
   * or in another dataset.
   */
  warnElsewhere() {
    const { app, banner } = this;
    if (!app.log) return;
    const left = app.view?.root.isConnected ? [] : app.log.pending;
    const words = left.length
      ? `${plural(left.length, "decision")} not saved yet. Go back to Review to save what is left.`
      : describeElsewhere(app.log.elsewhere());
    if (banner.textContent !== words) banner.textContent = words;
    if (!words) banner.remove();
    else if (!banner.isConnected) document.body.append(banner);
  }
}

/**
 * Return whether a click on a link leads away from this page, and not to another tab or a file.
 * @param {Pick<MouseEvent, "button" | "ctrlKey" | "metaKey" | "shiftKey" | "altKey">} event
 * @param {Pick<HTMLAnchorElement, "origin" | "target" | "download">} link
 * @param {string} origin of this page
 */
export function isLeaving(event, link, origin) {
  const hasModifier = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
  const staysHere = !link.target || link.target === "_self";
  return (
    event.button === 0 && !hasModifier && staysHere && !link.download && link.origin === origin
  );
}

/** A server that is at work answers by itself. */
function isServerBusy() {
  const app = document.querySelector("[data-testid=stApp]");
  return app instanceof HTMLElement && app.dataset.testScriptState === "running";
}
