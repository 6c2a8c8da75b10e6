// SPDX-License-Identifier: Apache-2.0
import { get, matrix as fetchMatrix } from './api.js';
import { calm, figure, fill, h, time, wrong } from './dom.js';
import { HeatMap, MARKS } from './heatmap.js';
import { findingView } from './tables.js';

/** Selectable periods, in readings. */
const SPANS = [15, 60, 480, 1440, 10080, 50400];

/** @param {number} ms */
function duration(ms) {
  const units = /** @type {[number, string][]} */ ([[604_800_000, 'w'], [86_400_000, 'd'], [3_600_000, 'h'], [60_000, 'min'], [1_000, 's']]);
  const [unit, name] = units.find(([each]) => ms >= each) ?? units[4];
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
  let span = 60;
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
  const contrast = h('input', { type: 'range', min: '0.5', max: '5', step: '0.1', value: '3', input: () => { map.contrast = Number(contrast.value); map.paint(); showLegend(); } });
  const spans = h('span', {});
  fill(page,
    h('h1', { class: 'skip' }, 'Heat'),
    h('div', { class: 'tools' },
      h('label', {}, 'Table', tables),
      choice('Measure', [['writes', 'Writes'], ['reads', 'Reads'], ['bytes', 'Bytes']], wanted.measure, (value) => { wanted.measure = value; load(); }),
      choice('Order of keys', [['physical', 'As stored'], ['logical', 'Logical']], wanted.order, (value) => { wanted.order = value; map.matrix = null; load(); }),
      spans, liveButton, h('label', { class: 'inline' }, 'Faint shows', contrast)),
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
      map.view.from = map.view.to - span * every;
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
      canvas.dataset.rows = String(found.labels.length);
      canvas.dataset.columns = String(found.columns);
    } catch (problem) {
      if (!(problem instanceof DOMException)) fill(details, wrong(problem));
    }
  }

  function showLegend() {
    const scale = h('canvas', { width: 256, height: 1, 'aria-hidden': 'true' });
    const context = /** @type {CanvasRenderingContext2D} */ (scale.getContext('2d'));
    const image = context.createImageData(256, 1);
    new Uint32Array(image.data.buffer).set(map.colours);
    context.putImageData(image, 0, 0);
    const kinds = new Set(map.matrix?.marks.map((mark) => mark.kind));
    const notes = new Set(map.matrix?.tables.map((table) => table.note).filter(Boolean));
    fill(legend, '0', scale, `${figure(map.most)} ${map.matrix?.unit ?? ''} in one cell`,
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
        h('dt', {}, 'region'), h('dd', { class: 'mono' }, s.region || 'several, merged because of low load'),
        h('dt', {}, 'server'), h('dd', {}, s.server ? s.server.split(',').slice(0, 2).join(':') : 'several'),
        h('dt', {}, 'rates'), h('dd', {}, `${figure(s.writes)} writes/s, ${figure(s.reads)} reads/s, ${figure(s.megabytes)} MB`))));
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
    const table = found.tables.find((one) => cell.row >= one.first && cell.row < one.first + one.rows);
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
      h('dt', {}, 'table'), h('dd', {}, h('a', { href: `#/tables/${encodeURIComponent(table.name)}` }, table.name)),
      h('dt', {}, 'time'), h('dd', {}, `${time(at, true)} + ${duration(found.step)}`),
      h('dt', {}, 'from'), h('dd', { class: 'mono' }, found.labels[cell.row] || '(first key)'),
      h('dt', {}, 'to'), h('dd', { class: 'mono' }, last ? '(last key)' : found.labels[cell.row + 1]),
      h('dt', {}, wanted.measure), h('dd', {}, Number.isNaN(value) ? 'not known' : `${figure(value)} ${found.unit}`)),
    flags & 1 ? h('p', { class: 'soft' }, 'A share: counted for a longer key range.') : null,
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
      const answer = await get('/api/heat/findings');
      const shown = answer.findings.filter((/** @type {any} */ finding) => (!wanted.table || finding.table === wanted.table) && finding.kind !== 'idle');
      fill(findings, shown.length ? shown.slice(0, 12).map(findingView)
        : h('p', { class: 'soft' }, 'No reads or writes: no finding.'));
      const names = [...new Set(answer.findings.map((/** @type {any} */ finding) => finding.table))].sort();
      if (tables.options.length !== names.length + 1) {
        fill(tables, h('option', { value: '' }, 'All tables'), names.map((name) => h('option', { value: name }, String(name))));
        tables.value = wanted.table;
      }
    } catch {
      // main.js reports that the portal does not answer.
    }
  }

  const onReading = () => {
    if (live) load();
    loadFindings();
  };
  document.addEventListener('live-reading', onReading);
  get('/api/about').then((about) => {
    every = about.every_ms;
    fill(spans, choice('Time shown', SPANS.map((count) => [String(count), duration(count * every)]), String(span), (value) => {
      span = Number(value);
      goLive();
    }));
    load();
    loadFindings();
  }, () => {});
  showDetails();
  // For measurements only: the duration of a frame.
  Object.assign(canvas, { heatMap: map });
  return () => {
    left = true;
    asking?.abort();
    document.removeEventListener('live-reading', onReading);
  };
}
