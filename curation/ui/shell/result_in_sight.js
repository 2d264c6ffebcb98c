// Scrolls to the top of the page, where the result is, once after a dataset was opened.
(() => {
  /** @type {Window & { curationOpened?: number }} */
  const page = window;
  const number = Number("NUMBER");
  if (number > (page.curationOpened ?? 0))
    document.querySelector('[data-testid="stMain"]')?.scrollTo({ top: 0 });
  page.curationOpened = number;
})();
