// SPDX-License-Identifier: Apache-2.0
// Time × key space on a canvas. The cells are painted once into an off-screen image; panning and
// zooming only draw that image at another position.

/** @typedef {import('./api.js').Matrix} Matrix */
/** @typedef {{from: number, to: number, top: number, bottom: number}} View the visible time, and the visible rows */
/** @typedef {{column: number, row: number}} Cell */

const BOTTOM = 24;
const LIGHT = ['#f3f5f7', '#fde3b0', '#f9b25c', '#e8702a', '#b52b1d', '#5c0f16'];
const DARK = ['#131b24', '#3a1d5a', '#8a2466', '#d44a4a', '#f59a3b', '#fdf0a6'];
/** The symbol of each kind of mark. */
export const MARKS = /** @type {Record<string, string>} */ ({ split: '#2f7de1', merge: '#8a5cd6', move: '#16a085', restart: '#888f96', generation: '#d81b60' });

/** Whole cells are painted as numbers of 32 bits. @param {string[]} stops @returns {Uint32Array} */
function palette(stops) {
  const parts = stops.map((stop) => [1, 3, 5].map((at) => parseInt(stop.slice(at, at + 2), 16)));
  return Uint32Array.from({ length: 256 }, (_, i) => {
    const place = (i / 255) * (parts.length - 1);
    const low = Math.min(parts.length - 2, Math.floor(place));
    const [r, g, b] = [0, 1, 2].map((c) => Math.round(parts[low][c] + (parts[low + 1][c] - parts[low][c]) * (place - low)));
    return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
  });
}

export class HeatMap {
  /** @type {Matrix | null} */
  matrix = null;
  /** @type {View} */
  view = { from: 0, to: 1, top: 0, bottom: 1 };
  /** @type {Cell | null} */
  cursor = null;
  /** The time of the cursor's cell, which it keeps when other columns are read. */
  cursorAt = 0;
  contrast = 3;
  most = 1;
  #picture = document.createElement('canvas');
  #scheduled = false;
  #left = 150;

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{cursor: () => void, view: () => void, live: () => void}} listener called when the user moves the cursor
   *     or the view, or returns to the current time
   */
  constructor(canvas, listener) {
    this.canvas = canvas;
    this.listener = listener;
    this.dark = window.matchMedia('(prefers-color-scheme: dark)');
    this.#listen();
  }

  get colours() {
    return palette(this.dark.matches ? DARK : LIGHT);
  }

  /** @param {Matrix} matrix */
  set(matrix) {
    const rows = this.matrix?.labels.length;
    this.cursor = this.#sameCell(matrix);
    this.matrix = matrix;
    // A view of some of the keys is kept while the number of rows is the same.
    if (rows !== matrix.labels.length) {
      this.view.top = 0;
      this.view.bottom = Math.max(1, matrix.labels.length);
    }
    this.most = 0;
    for (const value of matrix.values) if (value > this.most) this.most = value;
    this.paint();
  }

  /** The cell of the cursor's time and key in a new matrix, whose rows may cover more keys or fewer. @param {Matrix} matrix @returns {Cell | null} */
  #sameCell(matrix) {
    const { matrix: before, cursor } = this;
    if (!before || !cursor) return null;
    const column = Math.floor((this.cursorAt - matrix.from) / matrix.step);
    const name = before.tables.find((one) => cursor.row >= one.first && cursor.row < one.first + one.rows)?.name;
    const table = matrix.tables.find((one) => one.name === name);
    if (!table || column < 0 || column >= matrix.columns) return null;
    let row = table.first;
    while (row + 1 < table.first + table.rows && matrix.starts[row + 1] <= before.starts[cursor.row]) row++;
    return { column, row };
  }

  paint() {
    const matrix = this.matrix;
    if (!matrix || matrix.labels.length === 0) {
      this.draw();
      return;
    }
    const rows = matrix.labels.length;
    this.#picture.width = matrix.columns;
    this.#picture.height = rows;
    const context = /** @type {CanvasRenderingContext2D} */ (this.#picture.getContext('2d'));
    const image = context.createImageData(matrix.columns, rows);
    const cells = new Uint32Array(image.data.buffer);
    const colours = this.colours;
    const stretch = 10 ** this.contrast - 1;
    const scale = 255 / Math.log1p(stretch);
    const factor = this.most > 0 ? stretch / this.most : 0;
    for (let column = 0, from = 0; column < matrix.columns; column++, from += rows) {
      for (let row = 0; row < rows; row++) {
        const value = matrix.values[from + row];
        // Unknown values are left blank.
        cells[row * matrix.columns + column] = value === value ? colours[Math.round(Math.log1p(value * factor) * scale)] : 0;
      }
    }
    context.putImageData(image, 0, 0);
    this.draw();
  }

  draw() {
    if (this.#scheduled) return;
    this.#scheduled = true;
    requestAnimationFrame(() => {
      this.#scheduled = false;
      this.drawNow();
    });
  }

  get #plot() {
    const width = this.canvas.clientWidth;
    this.#left = width < 520 ? 84 : 190;
    return { left: this.#left, width: Math.max(1, width - this.#left), height: Math.max(1, this.canvas.clientHeight - BOTTOM) };
  }

  drawNow() {
    const ratio = window.devicePixelRatio || 1;
    const { left, width, height } = this.#plot;
    const canvas = this.canvas;
    const full = Math.round(canvas.clientWidth * ratio);
    const high = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== full || canvas.height !== high) {
      canvas.width = full;
      canvas.height = high;
    }
    const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const style = getComputedStyle(document.documentElement);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    context.fillStyle = colour('--back');
    context.fillRect(0, 0, left + width, height + BOTTOM);
    context.font = '11px system-ui, sans-serif';
    const matrix = this.matrix;
    if (!matrix || matrix.labels.length === 0) {
      context.fillStyle = colour('--soft');
      context.fillText(matrix ? 'Nothing was counted in this time.' : 'Reading the history …', left + 16, 30);
      return;
    }
    context.save();
    context.beginPath();
    context.rect(left, 0, width, height);
    context.clip();
    context.fillStyle = colour('--panel');
    context.fillRect(left, 0, width, height);
    context.imageSmoothingEnabled = false;
    context.drawImage(this.#picture, this.x(matrix.from), this.y(0),
      this.x(matrix.from + matrix.columns * matrix.step) - this.x(matrix.from), this.y(matrix.labels.length) - this.y(0));
    this.#drawMarks(context, matrix);
    if (this.cursor) this.#drawCursor(context, matrix, this.cursor, colour('--text'));
    context.restore();
    this.#drawKeys(context, matrix, height, colour);
    this.#drawTimes(context, width, height, colour);
  }

  /** @param {number} time */
  x(time) {
    const { left, width } = this.#plot;
    return left + ((time - this.view.from) / (this.view.to - this.view.from)) * width;
  }

  /** @param {number} row */
  y(row) {
    return ((row - this.view.top) / (this.view.bottom - this.view.top)) * this.#plot.height;
  }

  /** @param {CanvasRenderingContext2D} context @param {Matrix} matrix */
  #drawMarks(context, matrix) {
    for (const mark of matrix.marks) {
      const x = this.x(mark.at);
      const y = this.y(mark.row);
      context.strokeStyle = MARKS[mark.kind] ?? '#888888';
      context.lineWidth = 2;
      context.beginPath();
      if (mark.kind === 'generation') {
        context.moveTo(x, this.y(matrix.tables.find((t) => t.name === mark.table)?.first ?? 0));
        context.lineTo(x, y + 1e4);
      } else {
        context.moveTo(x, y - 4);
        context.lineTo(x + 4, y);
        context.lineTo(x, y + 4);
        context.lineTo(x - 4, y);
        context.closePath();
      }
      context.stroke();
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {Matrix} matrix @param {Cell} cell @param {string} colour */
  #drawCursor(context, matrix, cell, colour) {
    const x = this.x(matrix.from + (cell.column + 0.5) * matrix.step);
    const y = this.y(cell.row + 0.5);
    context.strokeStyle = colour;
    context.globalAlpha = 0.55;
    context.lineWidth = 1;
    context.beginPath();
    context.moveTo(x, 0);
    context.lineTo(x, 1e4);
    context.moveTo(0, y);
    context.lineTo(1e4, y);
    context.stroke();
    context.globalAlpha = 1;
    context.strokeRect(this.x(matrix.from + cell.column * matrix.step), this.y(cell.row),
      Math.max(2, this.x(matrix.from + matrix.step) - this.x(matrix.from)), Math.max(2, this.y(1) - this.y(0)));
  }

  /** @param {CanvasRenderingContext2D} context @param {Matrix} matrix @param {number} height @param {(name: string) => string} colour */
  #drawKeys(context, matrix, height, colour) {
    const left = this.#left;
    let free = -1;
    for (const table of matrix.tables) {
      const top = this.y(table.first);
      const bottom = this.y(table.first + table.rows);
      if (bottom < 0 || top > height) continue;
      context.fillStyle = colour('--text');
      if (table.first > 0) context.fillRect(0, top - 0.5, context.canvas.width, 1);
      const name = Math.max(0, top) + 11;
      if (name > free) {
        context.font = '600 11px system-ui, sans-serif';
        context.fillText(clipped(context, table.name, left - 8), 4, name);
        context.font = '11px system-ui, sans-serif';
        free = name + 2;
      }
      context.fillStyle = colour('--soft');
      const first = Math.max(table.first, Math.floor(this.view.top));
      const last = Math.min(table.first + table.rows, Math.ceil(this.view.bottom));
      for (let row = first; row < last; row++) {
        const at = this.y(row) + 11;
        if (matrix.labels[row] === '' || at < free + 11 || at > Math.min(height, bottom - 1)) continue;
        context.fillText(clipped(context, matrix.labels[row], left - 12), 8, at);
        context.fillRect(left - 4, this.y(row), 4, 1);
        free = at;
      }
    }
  }

  /** @param {CanvasRenderingContext2D} context @param {number} width @param {number} height @param {(name: string) => string} colour */
  #drawTimes(context, width, height, colour) {
    const span = this.view.to - this.view.from;
    const steps = [1e3, 5e3, 1e4, 3e4, 6e4, 3e5, 6e5, 18e5, 36e5, 3 * 36e5, 6 * 36e5, 12 * 36e5, 864e5, 2 * 864e5, 7 * 864e5];
    const step = steps.find((each) => (each / span) * width > 74) ?? 7 * 864e5;
    const shift = new Date(this.view.from).getTimezoneOffset() * 6e4;
    context.fillStyle = colour('--soft');
    for (let at = Math.ceil((this.view.from - shift) / step) * step + shift; at < this.view.to; at += step) {
      const x = this.x(at);
      const date = new Date(at);
      const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
      const text = step >= 864e5 ? `${two(date.getMonth() + 1)}-${two(date.getDate())}`
        : `${two(date.getHours())}:${two(date.getMinutes())}${step < 6e4 ? ':' + two(date.getSeconds()) : ''}`;
      context.fillRect(x, height, 1, 4);
      context.fillText(text, x + 3, height + 15);
    }
  }

  /** The cell at a point of the canvas. @param {number} x @param {number} y @returns {Cell | null} */
  cellAt(x, y) {
    const matrix = this.matrix;
    const { left, width, height } = this.#plot;
    if (!matrix || x < left || x > left + width || y < 0 || y > height) return null;
    const time = this.view.from + ((x - left) / width) * (this.view.to - this.view.from);
    const column = Math.floor((time - matrix.from) / matrix.step);
    const row = Math.floor(this.view.top + (y / height) * (this.view.bottom - this.view.top));
    return column >= 0 && column < matrix.columns && row >= 0 && row < matrix.labels.length ? { column, row } : null;
  }

  /** Zooms around a point. @param {number} factor @param {number} x from 0 to 1 @param {number} y @param {'time' | 'keys' | 'both'} what */
  zoom(factor, x, y, what) {
    const view = this.view;
    if (what !== 'keys') {
      const at = view.from + x * (view.to - view.from);
      view.from = at - (at - view.from) * factor;
      view.to = at + (view.to - at) * factor;
    }
    if (what !== 'time') {
      const at = view.top + y * (view.bottom - view.top);
      view.top = at - (at - view.top) * factor;
      view.bottom = at + (view.bottom - at) * factor;
    }
    this.#keepRows();
    this.draw();
    this.listener.view();
  }

  /** Pans the view by shares of its size. @param {number} x @param {number} y */
  pan(x, y) {
    const view = this.view;
    const time = x * (view.to - view.from);
    const rows = y * (view.bottom - view.top);
    view.from += time;
    view.to += time;
    const most = this.matrix?.labels.length ?? 1;
    const shift = Math.max(-view.top, Math.min(rows, most - view.bottom));
    view.top += shift;
    view.bottom += shift;
    this.draw();
    if (x !== 0) this.listener.view();
  }

  #keepRows() {
    const most = Math.max(1, this.matrix?.labels.length ?? 1);
    this.view.top = Math.max(0, this.view.top);
    this.view.bottom = Math.min(most, this.view.bottom);
    if (this.view.bottom - this.view.top < 1) this.view.bottom = Math.min(most, this.view.top + 1);
  }

  all() {
    this.view.top = 0;
    this.view.bottom = Math.max(1, this.matrix?.labels.length ?? 1);
    this.draw();
  }

  /** @param {Cell | null} cell */
  point(cell) {
    this.cursor = cell;
    if (cell && this.matrix) this.cursorAt = this.matrix.from + (cell.column + 0.5) * this.matrix.step;
    this.draw();
    this.listener.cursor();
  }

  #listen() {
    const canvas = this.canvas;
    /** @type {{x: number, y: number} | null} */
    let drag = null;
    canvas.addEventListener('pointerdown', (event) => {
      drag = { x: event.offsetX, y: event.offsetY };
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener('pointermove', (event) => {
      if (drag) {
        const { width, height } = this.#plot;
        this.pan((drag.x - event.offsetX) / width, (drag.y - event.offsetY) / height);
        drag = { x: event.offsetX, y: event.offsetY };
      }
      this.point(this.cellAt(event.offsetX, event.offsetY));
    });
    for (const end of ['pointerup', 'pointercancel']) canvas.addEventListener(end, () => { drag = null; });
    canvas.addEventListener('wheel', (event) => {
      event.preventDefault();
      const { left, width, height } = this.#plot;
      this.zoom(event.deltaY > 0 ? 1.2 : 1 / 1.2, (event.offsetX - left) / width, event.offsetY / height, event.shiftKey ? 'keys' : 'time');
    }, { passive: false });
    canvas.addEventListener('dblclick', () => this.listener.live());
    canvas.addEventListener('keydown', (event) => {
      if (this.#key(event)) event.preventDefault();
    });
    this.dark.addEventListener('change', () => this.paint());
    new ResizeObserver(() => this.draw()).observe(canvas);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const matrix = this.matrix;
    if (!matrix || event.ctrlKey || event.metaKey || event.altKey) return false;
    const { left, width, height } = this.#plot;
    const x = this.cursor ? (this.x(this.cursorAt) - left) / width : 0.5;
    const y = this.cursor ? this.y(this.cursor.row + 0.5) / height : 0.5;
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (move && event.shiftKey) {
      this.pan(move[0] * 0.1, move[1] * 0.1);
    } else if (move) {
      const now = this.cursor ?? { column: matrix.columns - 1, row: Math.floor((this.view.top + this.view.bottom) / 2) };
      this.point({
        column: Math.max(0, Math.min(matrix.columns - 1, now.column + move[0])),
        row: Math.max(0, Math.min(matrix.labels.length - 1, now.row + move[1])),
      });
    } else if (event.key === '+' || event.key === '=') this.zoom(1 / 1.4, x, y, 'time');
    else if (event.key === '-') this.zoom(1.4, x, y, 'time');
    else if (event.key === ']') this.zoom(1 / 1.4, x, y, 'keys');
    else if (event.key === '[') this.zoom(1.4, x, y, 'keys');
    else if (event.key === '0' || event.key === 'Home') this.listener.live();
    else if (event.key === 'Escape') this.point(null);
    else return false;
    return true;
  }
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} width */
function clipped(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(text.slice(0, end) + '…').width > width) end--;
  return text.slice(0, end) + '…';
}
