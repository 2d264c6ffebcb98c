// Every visible text, in the component or around it, with its contrast against what lies behind it.
// Colours go through a canvas, which understands every way of writing one.
() => {
  const canvas = document.createElement('canvas');
  const brush = canvas.getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const rgba = (colour) => {
    if (!known.has(colour)) {
      brush.clearRect(0, 0, 1, 1); brush.fillStyle = colour; brush.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = brush.getImageData(0, 0, 1, 1).data;
      known.set(colour, [r, g, b, a / 255]);
    }
    return known.get(colour);
  };
  const over = (above, below) => [0, 1, 2].map((i) => above[i] * above[3] + below[i] * (1 - above[3]));
  const light = (colour) => {
    const [r, g, b] = colour.map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const up = (node) => node.parentElement || node.getRootNode().host || null;
  const chain = (node) => { const all = []; for (let at = node; at; at = up(at)) all.push(at); return all; };
  const behind = (node) => chain(node).reverse().reduce(
    (ground, each) => over(rgba(getComputedStyle(each).backgroundColor), ground), [255, 255, 255]);
  const ratio = (node, colour) => {
    const ground = behind(node);
    const opacity = chain(node).reduce((product, each) => product * Number(getComputedStyle(each).opacity), 1);
    const [r, g, b, a] = rgba(colour);
    const [one, two] = [light(over([r, g, b, a * opacity], ground)), light(ground)];
    return (Math.max(one, two) + 0.05) / (Math.min(one, two) + 0.05);
  };
  const found = [];
  const visit = (root) => {
    for (const node of root.querySelectorAll('*')) {
      if (node.shadowRoot) visit(node.shadowRoot);
      const own = [...node.childNodes].filter((each) => each.nodeType === 3).map((each) => each.textContent.trim()).join('');
      const text = own || (node.matches('input') && !node.value && node.placeholder) || '';
      if (!text || node.matches('style, script, noscript') || chain(node).some((each) => each.disabled)) continue;
      if (!node.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const style = getComputedStyle(node, own ? null : '::placeholder');
      found.push([text.slice(0, 60), node.className || node.tagName, Math.round(100 * ratio(node, style.color)) / 100]);
    }
  };
  visit(document);
  return found;
}
