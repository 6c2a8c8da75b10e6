// SPDX-License-Identifier: Apache-2.0
// Time × key space on a canvas. The cells are painted once into an off-screen image; panning and
// zooming only draw that image at another position. Keys grow upwards within each table, so that
// the load of growing keys rises.

import { time } from './dom.js';

/** @typedef {import('./api.js').Matrix} Matrix */
/** @typedef {{from: number, to: number, top: number, bottom: number}} View the visible time, and the visible rows */
/** @typedef {{column: number, row: number}} Cell */

const BOTTOM = 24;
// The first colour is that of 0, the next one that of the least load.
const LIGHT = ['#ffffff', '#fde3b0', '#f9b25c', '#e8702a', '#b52b1d', '#5c0f16'];
const DARK = ['#131b24', '#3a1d5a', '#8a2466', '#d44a4a', '#f59a3b', '#fdf0a6'];
/** The symbol of each kind of mark. */
export const MARKS = /** @type {Record<string, string>} */ ({ split: '#2f7de1', merge: '#8a5cd6', move: '#16a085', restart: '#888f96', generation: '#d81b60' });

/** The colours' scale, the same for every window: cells of these values in a row have equal steps of colour between them. */
export const SCALE = [0.1, 1, 10, 100, 1_000, 10_000, 100_000];

/** The index of a value's colour. @param {number} value */
function tone(value) {
  if (value <= 0) return 0;
  const share = Math.log10(value / SCALE[0]) / (SCALE.length - 1);
  return 1 + Math.round(254 * Math.max(0, Math.min(1, share)));
}

/** Whole cells are painted as numbers of 32 bits. @param {string[]} stops @returns {Uint32Array} */
function palette(stops) {
  const parts = stops.map((stop) => [1, 3, 5].map((at) => parseInt(stop.slice(at, at + 2), 16)));
  return Uint32Array.from({ length: 256 }, (_, i) => {
    const place = i === 0 ? 0 : 1 + ((i - 1) / 254) * (parts.length - 2);
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
  #picture = document.createElement('canvas');
  #scheduled = false;
  #left = 150;
  /** The position of each row from the top. */
  #places = new Int32Array(0);

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
    this.#places = new Int32Array(matrix.labels.length);
    for (const table of matrix.tables) {
      for (let row = 0; row < table.rows; row++) this.#places[table.first + row] = table.first + table.rows - 1 - row;
    }
    // A view of some of the keys is kept while the number of rows is the same.
    if (rows !== matrix.labels.length) {
      this.view.top = 0;
      this.view.bottom = Math.max(1, matrix.labels.length);
    }
    this.paint();
  }

  /** The cell of the cursor's time and key in a new matrix, whose rows may cover more keys or fewer. @param {Matrix} matrix @returns {Cell | null} */
  #sameCell(matrix) {
    const { matrix: before, cursor } = this;
    if (!before || !cursor) return null;
    const column = Math.floor((this.cursorAt - matrix.from) / matrix.step);
    const shown = tableAt(before, cursor.row);
    const table = matrix.tables.find((one) => one.name === shown?.name && one.layout === shown?.layout);
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
    for (let column = 0, from = 0; column < matrix.columns; column++, from += rows) {
      for (let row = 0; row < rows; row++) {
        const value = matrix.values[from + row];
        // Without a reading the cell is left transparent: the pattern behind it is seen.
        cells[this.#places[row] * matrix.columns + column] = value === value ? colours[tone(value)] : 0;
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
    return { left: this.#left, width: Math.max(1, width - this.#left), height: Math.max(1, this.canvas.clientHeight - BOTTOM) };
  }

  drawNow() {
    const ratio = window.devicePixelRatio || 1;
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
    context.fillRect(0, 0, canvas.clientWidth, canvas.clientHeight);
    context.font = '11px system-ui, sans-serif';
    const matrix = this.matrix;
    this.#left = matrix ? this.#labelWidth(context, matrix) : this.#left;
    const { left, width, height } = this.#plot;
    if (!matrix || matrix.labels.length === 0) {
      context.fillStyle = colour('--soft');
      context.fillText(matrix ? 'Nothing was counted in this time.' : 'Reading the history …', left + 16, 30);
      return;
    }
    context.save();
    context.beginPath();
    context.rect(left, 0, width, height);
    context.clip();
    context.fillStyle = hatch(context, colour('--panel'), colour('--line'));
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

  /** @param {number} place rows from the top */
  y(place) {
    return ((place - this.view.top) / (this.view.bottom - this.view.top)) * this.#plot.height;
  }

  /** The width that the labels need, but at most two fifths of the picture. @param {CanvasRenderingContext2D} context @param {Matrix} matrix */
  #labelWidth(context, matrix) {
    let most = 60;
    const step = Math.max(1, Math.floor(matrix.labels.length / 100));
    for (let row = 0; row < matrix.labels.length; row += step) most = Math.max(most, context.measureText(matrix.labels[row]).width + 18);
    for (const table of matrix.tables) most = Math.max(most, 1.15 * context.measureText(titled(table)).width + 24, context.measureText(table.fields).width + 24);
    return Math.round(Math.min(most, this.canvas.clientWidth * 0.4));
  }

  /** @param {CanvasRenderingContext2D} context @param {Matrix} matrix */
  #drawMarks(context, matrix) {
    for (const mark of matrix.marks) {
      const x = this.x(mark.at);
      // A region begins at the lower edge of its row.
      const y = this.y(this.#places[mark.row] + 1);
      const table = tableAt(matrix, mark.row);
      context.strokeStyle = MARKS[mark.kind] ?? '#888888';
      context.lineWidth = 2;
      context.beginPath();
      if (mark.kind === 'generation') {
        const all = matrix.tables.filter((one) => one.name === table?.name);
        context.moveTo(x, this.y(Math.min(...all.map((one) => one.first))));
        context.lineTo(x, this.y(Math.max(...all.map((one) => one.first + one.rows))));
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
    const place = this.#places[cell.row];
    const y = this.y(place + 0.5);
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
    context.strokeRect(this.x(matrix.from + cell.column * matrix.step), this.y(place),
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
      // The line above the next table would cross the name of a lower one, and its keys.
      if (name <= free || bottom - top < 11) continue;
      context.font = '600 11px system-ui, sans-serif';
      context.fillText(clipped(context, titled(table), left - 8), 4, name);
      context.font = 'italic 11px system-ui, sans-serif';
      context.fillStyle = colour('--soft');
      free = name + 2;
      if (bottom - top > 30) {
        context.fillText(clipped(context, table.fields, left - 12), 8, name + 13);
        free = name + 15;
      }
      context.font = '11px system-ui, sans-serif';
      context.fillStyle = colour('--soft');
      const first = Math.max(table.first, Math.floor(this.view.top));
      const last = Math.min(table.first + table.rows, Math.ceil(this.view.bottom));
      for (let place = first; place < last; place++) {
        const label = matrix.labels[this.#rowAt(matrix, place)];
        const at = Math.min(height, this.y(place + 1)) - 2;
        if (label === '' || at < free + 11 || at > Math.min(height, bottom)) continue;
        context.fillText(clipped(context, label, left - 12), 8, at);
        context.fillRect(left - 4, this.y(place + 1) - 1, 4, 1);
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
      if (x + 3 + context.measureText(text).width <= this.#left + width) context.fillText(text, x + 3, height + 15);
    }
  }

  /** The cell at a point of the canvas. @param {number} x @param {number} y @returns {Cell | null} */
  cellAt(x, y) {
    const matrix = this.matrix;
    const { left, width, height } = this.#plot;
    if (!matrix || x < left || x > left + width || y < 0 || y > height) return null;
    const time = this.view.from + ((x - left) / width) * (this.view.to - this.view.from);
    const column = Math.floor((time - matrix.from) / matrix.step);
    const place = Math.floor(this.view.top + (y / height) * (this.view.bottom - this.view.top));
    return column >= 0 && column < matrix.columns && place >= 0 && place < matrix.labels.length
      ? { column, row: this.#rowAt(matrix, place) } : null;
  }

  /** The row at a position from the top. @param {Matrix} matrix @param {number} place */
  #rowAt(matrix, place) {
    // The positions of a table's rows are its rows in the opposite order, and so are its rows of the positions.
    const table = tableAt(matrix, place);
    return table ? table.first + table.rows - 1 - (place - table.first) : place;
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
    const y = this.cursor ? this.y(this.#places[this.cursor.row] + 0.5) / height : 0.5;
    const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (move && event.shiftKey) {
      this.pan(move[0] * 0.1, move[1] * 0.1);
    } else if (move) {
      const { column, place } = this.cursor ? { column: this.cursor.column, place: this.#places[this.cursor.row] }
        : { column: matrix.columns - 1, place: Math.floor((this.view.top + this.view.bottom) / 2) };
      this.point({
        column: Math.max(0, Math.min(matrix.columns - 1, column + move[0])),
        row: this.#rowAt(matrix, Math.max(0, Math.min(matrix.labels.length - 1, place + move[1]))),
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

/** The table of a row, or of a position. @param {Matrix} matrix @param {number} row */
export function tableAt(matrix, row) {
  return matrix.tables.find((one) => row >= one.first && row < one.first + one.rows);
}

/** A table's name, and until when it had these rows. @param {import('./api.js').HeatTable} table */
export function titled(table) {
  return table.until ? `${table.name} until ${time(table.until)}` : table.name;
}

/** The pattern of cells without a reading. @param {CanvasRenderingContext2D} context @param {string} back @param {string} line @returns {CanvasPattern | string} */
export function hatch(context, back, line) {
  const tile = document.createElement('canvas');
  tile.width = tile.height = 6;
  const pen = /** @type {CanvasRenderingContext2D} */ (tile.getContext('2d'));
  pen.fillStyle = back;
  pen.fillRect(0, 0, 6, 6);
  pen.strokeStyle = line;
  pen.beginPath();
  pen.moveTo(-1, 4);
  pen.lineTo(4, -1);
  pen.moveTo(2, 7);
  pen.lineTo(7, 2);
  pen.stroke();
  return context.createPattern(tile, 'repeat') ?? back;
}

/** @param {CanvasRenderingContext2D} context @param {string} text @param {number} width */
function clipped(context, text, width) {
  if (context.measureText(text).width <= width) return text;
  let end = text.length;
  while (end > 1 && context.measureText(text.slice(0, end) + '…').width > width) end--;
  return text.slice(0, end) + '…';
}
