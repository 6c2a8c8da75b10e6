// SPDX-License-Identifier: Apache-2.0
// Creates elements: text is always text, never markup.

/** @typedef {Node | string | number | null | undefined | false} Child */

/**
 * Creates an element.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [properties] attributes; functions become listeners
 * @param {...(Child | Child[])} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') {
      element.addEventListener(name, value);
    } else if (name in element && typeof value !== 'string') {
      /** @type {any} */ (element)[name] = value;
    } else if (value !== null && value !== undefined) {
      element.setAttribute(name, String(value));
    }
  }
  fill(element, ...children);
  return element;
}

/**
 * Replaces the children of an element.
 * @param {Element} element
 * @param {...(Child | Child[])} children
 */
export function fill(element, ...children) {
  const nodes = children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (typeof child === 'number' ? String(child) : /** @type {Node | string} */ (child)));
  element.replaceChildren(...nodes);
}

let pressed = false;
/** @type {Set<() => void>} */
const waiting = new Set();

// A click belongs to the release: what waits is drawn after it.
function release() {
  setTimeout(() => {
    pressed = false;
    const all = [...waiting];
    waiting.clear();
    for (const draw of all) draw();
  });
}
addEventListener('pointerdown', () => { pressed = true; }, true);
addEventListener('pointerup', release, true);
addEventListener('pointercancel', release, true);
// Released outside of the window.
addEventListener('pointermove', (event) => { if (pressed && event.buttons === 0) release(); }, true);

/**
 * Draws at once or, while the user presses a button or a link, when it is released: one that is replaced in between does nothing.
 * @param {() => void} draw
 */
export function whenReleased(draw) {
  if (pressed) waiting.add(draw);
  else draw();
}

/**
 * A table.
 * @param {string[]} heads heads that begin with ">" are of numeric columns
 * @param {Child[][]} rows
 */
export function grid(heads, rows) {
  const figures = heads.map((head) => head.startsWith('>'));
  const kind = (/** @type {number} */ i) => (figures[i] ? { class: 'figure' } : {});
  return h('div', { class: 'scroll' },
    h('table', {},
      h('thead', {}, h('tr', {}, heads.map((head, i) => h('th', kind(i), head.replace('>', ''))))),
      h('tbody', {}, rows.map((row) => h('tr', {}, row.map((cell, i) => h('td', kind(i), cell)))))));
}

/**
 * An error message for the user.
 * @param {unknown} problem an error, or its text
 * @param {'p' | 'pre' | 'span'} [tag] pre if a caret marks a position
 */
export function wrong(problem, tag = 'p') {
  return h(tag, { class: 'error' }, problem instanceof Error ? problem.message : String(problem));
}

/** A number for display. @param {number | undefined} value */
export function figure(value) {
  if (value === undefined || Number.isNaN(value)) return '–';
  if (!Number.isInteger(value) && Math.abs(value) < 10) return value.toFixed(1);
  return Math.round(value).toLocaleString('en');
}

/** A number of things. @param {number} value @param {string} one @param {string} [many] */
export function count(value, one, many = `${one}s`) {
  return `${figure(value)} ${value === 1 ? one : many}`;
}

/** An age in the largest unit of which there are two. @param {number} seconds */
export function age(seconds) {
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}

/** Calls at most once per interval, with the latest arguments. @template {any[]} A @param {number} ms @param {(...given: A) => void} call @returns {(...given: A) => void} */
export function calm(ms, call) {
  let timer = 0;
  return (...given) => {
    clearTimeout(timer);
    timer = window.setTimeout(() => call(...given), ms);
  };
}

/** A time from the portal in the local time zone, to the second. @param {string | null | undefined} text as ISO 8601 */
export function moment(text) {
  return text ? time(Date.parse(text), true) : '';
}

/** @param {number} ms since 1970 @param {boolean} [seconds] */
export function time(ms, seconds = false) {
  const date = new Date(ms);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  const clock = `${two(date.getHours())}:${two(date.getMinutes())}${seconds ? ':' + two(date.getSeconds()) : ''}`;
  const today = new Date().toDateString() === date.toDateString();
  return today ? clock : `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ${clock}`;
}
