// Lists every text of the page that cannot be read: outside the window, or cut by what holds it.
// The parts that are meant to be moved sideways cut nothing: tables, maps and equations.
() => {
  const found = [];
  const skipped = '[data-testid="stDataFrame"], svg, .katex-mathml, [data-testid="stSidebar"]';
  const cuts = (box, frame) => box.right > frame.right + 1 || box.left < frame.left - 1;
  for (const element of document.querySelectorAll('[data-testid="stMain"] *')) {
    const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    if (!texts.some((node) => node.textContent.trim()) || element.closest(skipped)) continue;
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    let isCut = cuts(box, { left: 0, right: window.innerWidth });
    for (let frame = element; frame !== document.body; frame = frame.parentElement) {
      if (frame.matches('[class*="st-key-wide-"], .katex-display')) {
        isCut = false;
        break;
      }
      if (getComputedStyle(frame).overflowX === "visible") continue;
      if (cuts(box, frame.getBoundingClientRect())) isCut = true;
      if (frame === element && frame.scrollWidth > frame.clientWidth + 1) isCut = true;
    }
    if (isCut) found.push(element.textContent.trim().slice(0, 80));
  }
  return found;
};
