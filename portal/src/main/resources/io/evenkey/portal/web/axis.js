// SPDX-License-Identifier: Apache-2.0

/**
 * The key space from the first key to the last, with a line at each boundary.
 * @param {HTMLCanvasElement} canvas @param {{hex: string, label: string}[]} splits @param {number} regions
 */
export function drawKeyAxis(canvas, splits, regions) {
  const ratio = window.devicePixelRatio || 1;
  const width = canvas.clientWidth;
  const height = canvas.clientHeight;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  canvas.setAttribute('aria-label', `key axis with ${splits.length} split keys: ${splits.slice(0, 16).map((s) => s.label).join(', ')}`);
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
  const style = getComputedStyle(document.documentElement);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  context.scale(ratio, ratio);
  context.font = '12px system-ui, sans-serif';
  // Linear in the key bytes: the positions of keys, not the number of rows.
  const place = splits.map((split) => fraction(split.hex));
  const low = place.length > 1 ? 2 * place[0] - place[1] : 0;
  const high = place.length > 1 ? 2 * place[place.length - 1] - place[place.length - 2] : 1;
  const span = Math.max(1e-12, high - low);
  const x = (/** @type {number} */ at) => ((at - low) / span) * width;
  const edges = [0, ...place.map(x), width];
  for (let i = 0; i + 1 < edges.length; i++) {
    context.fillStyle = colour(i % 2 ? '--panel' : '--line');
    context.fillRect(edges[i], 22, Math.max(0.5, edges[i + 1] - edges[i]), 26);
  }
  let free = -1e9;
  splits.forEach((split, i) => {
    const at = x(place[i]);
    context.fillStyle = colour('--accent');
    context.fillRect(at - 0.75, 18, 1.5, 34);
    context.fillStyle = colour('--text');
    const half = context.measureText(split.label).width / 2;
    const left = Math.max(0, Math.min(width - 2 * half, at - half));
    if (left > free + 10) {
      context.fillText(split.label, left, 68);
      free = left + 2 * half;
    }
  });
  context.fillStyle = colour('--soft');
  context.fillText(regions === 1 ? 'key axis: one region' : `key axis: ${regions} regions, a line at each split key`, 0, 12);
}

/** The position of a key between 00… and FF…, by its first bytes. @param {string} hex */
function fraction(hex) {
  let value = 0;
  let scale = 1;
  for (let i = 0; i < 12 && i + 1 < hex.length; i += 2) {
    scale /= 256;
    value += parseInt(hex.slice(i, i + 2), 16) * scale;
  }
  return value;
}
