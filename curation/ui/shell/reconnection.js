// Reloads the page once a lost server answers again: Streamlit connects, but draws nothing, and
// every button stays off. Review asks the server by itself, and keeps what is on screen. If the
// server no longer lets this browser in, every page is reloaded: that shows how to come back in.
(() => {
  /** @type {Window & { curationReconnects?: boolean }} */
  const page = window;
  if (page.curationReconnects) return;
  page.curationReconnects = true;
  let isLost = false;

  const reloadIfRefused = async () => {
    const answer = await fetch("./_stcore/host-config").catch(() => null);
    if (answer?.status === 403) location.reload();
  };

  /** @param {Element} app */
  const notice = (app) => {
    const isConnected = app.getAttribute("data-test-connection-state") === "CONNECTED";
    if (isLost && isConnected && !location.pathname.endsWith("/Review")) location.reload();
    isLost = !isConnected;
    if (isLost) void reloadIfRefused();
  };
  const app = document.querySelector('[data-testid="stApp"]');
  if (app)
    new MutationObserver(() => notice(app)).observe(app, {
      attributeFilter: ["data-test-connection-state"],
    });
})();
