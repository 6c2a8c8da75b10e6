// SPDX-License-Identifier: Apache-2.0
import { get, matrix as fetchMatrix } from './api.js';
import { calm, figure, fill, h, time, wrong } from './dom.js';
import { HeatMap, MARKS, SCALE, hatch, tableAt, titled } from './heatmap.js';
import { findingView, oldView } from './tables.js';

const MINUTE = 60_000;

/** Selectable periods in milliseconds, of which those are offered that the history can have and that have enough readings. */
const SPANS = /** @type {[number, string][]} */ ([[5 * MINUTE, '5 min'], [15 * MINUTE, '15 min'], [60 * MINUTE, '1 hour'], [6 * 60 * MINUTE, '6 hours'],
  [1_440 * MINUTE, '1 day'], [7 * 1_440 * MINUTE, '1 week'], [35 * 1_440 * MINUTE, '5 weeks']]);

/** The readings of the whole history, in its coarsest columns. */
const READINGS = 60 * 24 * 35;

/** @param {number} ms */
function duration(ms) {
  const units = /** @type {[number, string][]} */ ([[86_400_000, 'days'], [3_600_000, 'h'], [60_000, 'min'], [1_000, 's']]);
  const [unit, name] = units.find(([each]) => ms >= each) ?? units[3];
  return `${Math.round((10 * ms) / unit) / 10} ${name}`;
}

/**
 * A group of buttons; one is pressed.
 * @param {string} label @param {[string, string][]} options value and text
 * @param {string} chosen @param {(value: string) => void} choose
 */
function choice(label, options, chosen, choose) {
  const buttons = options.map(([value, text]) => h('button', { type: 'button', value, 'aria-pressed': String(value === chosen), click: () => {
    for (const other of buttons) other.setAttribute('aria-pressed', String(other.value === value));
    choose(value);
  } }, text));
  return h('div', { class: 'group', role: 'group', 'aria-label': label }, buttons);
}

/** @param {HTMLElement} page @param {string} _rest @param {URLSearchParams} parameters */
export function heatPage(page, _rest, parameters) {
  const wanted = { table: parameters.get('table') ?? '', measure: 'writes', order: 'physical' };
  let every = 60_000;
  let span = 60 * MINUTE;
  let live = true;
  let left = false;
  /** @type {AbortController | null} */
  let asking = null;

  const canvas = h('canvas', { tabindex: 0, role: 'application', id: 'map',
    'aria-label': 'Heat map. Arrow keys move the crosshair, with shift the view; + and - zoom time, [ and ] keys; 0 goes back to now.' });
  const details = h('div', { 'aria-live': 'polite', id: 'crosshair' });
  const findings = h('div', { id: 'findings' });
  const legend = h('div', { class: 'legend' });
  const tables = h('select', { name: 'table', change: () => { wanted.table = tables.value; map.matrix = null; load(); } }, h('option', { value: '' }, 'All tables'));
  const liveButton = h('button', { type: 'button', 'aria-pressed': 'true', click: () => goLive() }, 'Live');
  const spans = h('span', {});
  fill(page,
    h('h1', { class: 'skip' }, 'Heat'),
    h('div', { class: 'tools' },
      h('label', {}, 'Table', tables),
      choice('Measure', [['writes', 'Writes'], ['reads', 'Reads'], ['bytes', 'Bytes']], wanted.measure, (value) => { wanted.measure = value; load(); }),
      choice('Order of keys', [['physical', 'As stored'], ['logical', 'Logical']], wanted.order, (value) => { wanted.order = value; map.matrix = null; load(); }),
      spans, liveButton),
    h('div', { class: 'heat' },
      h('div', {}, canvas, legend),
      h('aside', {}, details, h('h2', {}, 'What it shows'), findings)));

  const map = new HeatMap(canvas, { cursor: () => showDetails(), view: () => moved(), live: () => goLive() });

  const loadSoon = calm(150, () => load());

  // At once: a reading in the meantime would return to the current time.
  function moved() {
    live = false;
    liveButton.setAttribute('aria-pressed', 'false');
    loadSoon();
  }

  function goLive() {
    live = true;
    liveButton.setAttribute('aria-pressed', 'true');
    map.all();
    load();
  }

  async function load() {
    asking?.abort();
    asking = new AbortController();
    if (live) {
      map.view.to = Date.now();
      map.view.from = map.view.to - span;
    }
    const width = Math.max(50, Math.min(1500, canvas.clientWidth));
    const columns = Math.max(10, Math.min(width, Math.ceil((map.view.to - map.view.from) / every)));
    try {
      const found = await fetchMatrix({ ...wanted, from: Math.floor(map.view.from), to: Math.ceil(map.view.to), columns,
        rows: Math.max(100, Math.min(900, canvas.clientHeight)) }, asking.signal);
      if (left) return;
      map.set(found);
      showLegend();
      showDetails();
      loadFindings();
      canvas.dataset.rows = String(found.labels.length);
      canvas.dataset.columns = String(found.columns);
    } catch (problem) {
      if (!(problem instanceof DOMException)) fill(details, wrong(problem));
    }
  }

  function showLegend() {
    const scale = h('canvas', { width: 255, height: 1, class: 'scale', 'aria-hidden': 'true' });
    const context = /** @type {CanvasRenderingContext2D} */ (scale.getContext('2d'));
    const image = context.createImageData(255, 1);
    new Uint32Array(image.data.buffer).set(map.colours.slice(1));
    context.putImageData(image, 0, 0);
    const swatch = (/** @type {(context: CanvasRenderingContext2D) => string | CanvasPattern} */ fillOf) => {
      const box = h('canvas', { width: 24, height: 12, class: 'swatch', 'aria-hidden': 'true' });
      const pen = /** @type {CanvasRenderingContext2D} */ (box.getContext('2d'));
      pen.fillStyle = fillOf(pen);
      pen.fillRect(0, 0, 24, 12);
      return box;
    };
    const style = getComputedStyle(document.documentElement);
    const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    const zero = `#${[0, 8, 16].map((shift) => ((map.colours[0] >>> shift) & 255).toString(16).padStart(2, '0')).join('')}`;
    const kinds = new Set(map.matrix?.marks.map((mark) => mark.kind));
    const notes = new Set(map.matrix?.tables.map((table) => table.note).filter(Boolean));
    fill(legend,
      h('span', { class: 'key' }, swatch((pen) => hatch(pen, colour('--panel'), colour('--line'))), 'no reading'),
      h('span', { class: 'key' }, swatch(() => zero), '0'),
      h('span', { class: 'ruler' }, scale, h('span', { class: 'ticks' }, SCALE.map((value) => h('span', {}, value < 1000 ? String(value) : `${value / 1000}k`)))),
      h('span', {}, `${map.matrix?.unit ?? ''} of a cell`),
      [...kinds].map((kind) => {
        const sign = h('span', { class: 'mark' }, ' ◇ ');
        sign.style.color = MARKS[kind];
        return h('span', {}, sign, kind);
      }),
      [...notes].map((note) => h('span', { class: 'warn' }, note)));
  }

  /** @type {AbortController | null} */
  let askingCell = null;
  let cellServers = h('div', {});
  let shownCell = '';
  const showServer = calm(120, async (/** @type {HTMLElement} */ place, /** @type {any} */ where) => {
    askingCell?.abort();
    askingCell = new AbortController();
    try {
      const { spans: found } = await get('/api/heat/cell', where, askingCell.signal);
      // The map reaches the current time, of which there is no reading yet.
      if (found.length === 0) shownCell = '';
      fill(place, found.map((/** @type {any} */ s) => h('dl', {},
        h('dt', {}, 'region'), h('dd', { title: s.region }, s.region ? (s.start ? `from ${s.start} on` : 'the first of the table') : 'several, of little load'),
        h('dt', {}, 'server'), h('dd', {}, s.server ? s.server.split(',').slice(0, 2).join(', port ') : 'several'),
        h('dt', {}, 'load'), h('dd', {}, `${figure(s.writes)} writes/s, ${figure(s.reads)} reads/s, ${figure(s.megabytes)} MB`))));
    } catch (problem) {
      // Either the user has selected another cell meanwhile, or the next reading of the map tries again.
      if (!(problem instanceof DOMException)) shownCell = '';
    }
  });

  function showDetails() {
    const found = map.matrix;
    const cell = map.cursor;
    if (!found || !cell) {
      fill(details, h('p', { class: 'soft' }, 'Point at a cell, or move the crosshair with the arrow keys. Wheel: zoom time; with shift: keys. Drag: move. Double click: back to now.'));
      return;
    }
    const table = tableAt(found, cell.row);
    if (!table) return;
    const index = cell.column * found.labels.length + cell.row;
    const value = found.values[index];
    const flags = found.flags[index];
    const at = found.from + cell.column * found.step;
    const last = cell.row + 1 === table.first + table.rows;
    const where = { table: table.name, at: Math.round(map.cursorAt), start: found.starts[cell.row], end: last ? '' : found.starts[cell.row + 1] };
    // A live view reads the map often: the server of the same cell is not read again.
    const wantedCell = JSON.stringify(where);
    const same = wantedCell === shownCell;
    if (!same) cellServers = h('div', {});
    const near = found.marks.filter((mark) => mark.table === table.name && Math.abs(mark.at - at) <= 2 * found.step && Math.abs(mark.row - cell.row) <= 1);
    fill(details, h('dl', {},
      h('dt', {}, 'table'), h('dd', {}, h('a', { href: `#/tables/${encodeURIComponent(table.name)}` }, titled(table))),
      h('dt', {}, 'keys'), h('dd', {}, table.fields),
      h('dt', {}, 'time'), h('dd', {}, `${time(at, true)} + ${duration(found.step)}`),
      h('dt', {}, 'from'), h('dd', { class: 'mono' }, found.labels[cell.row] || '(first key)'),
      h('dt', {}, 'to'), h('dd', { class: 'mono' }, last ? '(last key)' : found.labels[cell.row + 1]),
      h('dt', {}, wanted.measure), h('dd', {}, Number.isNaN(value) ? 'no reading' : `${figure(value)} ${found.unit}`)),
    flags & 1 ? h('p', { class: 'soft' }, 'A share: HBase counted a longer range of keys.') : null,
    flags & 2 ? h('p', { class: 'soft' }, 'Counters restarted here: some requests may be missing.') : null,
    near.map((mark) => h('p', {}, `${mark.kind} at ${time(mark.at, true)} ${mark.text}`)),
    table.logical ? h('p', { class: 'soft' }, 'Buckets are overlaid: several regions and servers share this.') : cellServers);
    if (!table.logical && !same) {
      shownCell = wantedCell;
      showServer(cellServers, where);
    }
  }

  async function loadFindings() {
    try {
      const answer = await get('/api/heat/findings', { table: wanted.table, from: Math.floor(map.view.from), to: Math.ceil(map.view.to) });
      if (left) return;
      const shown = answer.findings.filter((/** @type {any} */ finding) => finding.kind !== 'idle');
      fill(findings, oldView(shown.length > 0 && answer.problem !== ''), shown.length ? shown.slice(0, 12).map(findingView)
        : h('p', { class: 'soft' }, 'No reads or writes in this time: no finding.'));
    } catch {
      // main.js reports that the portal does not answer.
    }
  }

  let known = '';
  async function loadTables() {
    const { tables: all } = await get('/api/tables');
    const names = JSON.stringify(all.map((/** @type {any} */ table) => [table.name, table.kind]));
    if (left || names === known) return;
    known = names;
    const options = (/** @type {string} */ kind) => all.filter((/** @type {any} */ table) => table.kind === kind)
      .map((/** @type {any} */ table) => h('option', { value: table.name }, table.name));
    const group = (/** @type {string} */ label, /** @type {HTMLOptionElement[]} */ of) => (of.length ? h('optgroup', { label }, of) : null);
    fill(tables, h('option', { value: '' }, 'All tables'), options('table'), group('Indexes', options('index')), group('Evenkey’s own', options('own')));
    if (wanted.table && ![...tables.options].some((option) => option.value === wanted.table)) {
      tables.append(h('option', { value: wanted.table }, wanted.table));
    }
    tables.value = wanted.table;
  }

  const onReading = () => {
    if (live) load();
    loadTables().catch(() => {});
  };
  document.addEventListener('live-reading', onReading);
  map.dark.addEventListener('change', showLegend);
  get('/api/about').then((about) => {
    every = about.every_ms;
    const offered = SPANS.filter(([ms]) => ms >= 5 * every && ms <= Math.max(5 * MINUTE, READINGS * every));
    span = (offered.find(([ms]) => ms >= 60 * every) ?? offered[offered.length - 1])[0];
    fill(spans, choice('Time shown', offered.map(([ms, text]) => [String(ms), text]), String(span), (value) => {
      span = Number(value);
      goLive();
    }));
    load();
    loadTables().catch(() => {});
  }, () => {});
  showDetails();
  // For measurements only: the duration of a frame.
  Object.assign(canvas, { heatMap: map });
  return () => {
    left = true;
    asking?.abort();
    document.removeEventListener('live-reading', onReading);
    map.dark.removeEventListener('change', showLegend);
  };
}
