// SPDX-License-Identifier: Apache-2.0
import { ApiError, get } from './api.js';
import { adoptionSection } from './adoption.js';
import { calm, count, figure, fill, grid, h, whenReleased, wrong } from './dom.js';
import { hotKeys } from './hotkeys.js';
import { indexSection } from './indexes.js';
import { splitSection } from './splits.js';

/** @param {number} skew @param {number} rate */
export function skewText(skew, rate) {
  if (rate < 1) return h('span', { class: 'soft' }, '–');
  return h('span', { class: skew >= 2 ? 'bad' : skew >= 1.5 ? 'warn' : 'good' }, skew.toFixed(2));
}

/** Tables that are shown on request. @type {[string, string][]} */
const OTHERS = [['index', 'Tables of indexes'], ['generation', 'Generations of migrated tables'], ['own', 'Evenkey’s own tables']];

/** The skew stands beside the name, where a narrow screen shows it. @param {any[]} tables */
function list_(tables) {
  return grid(['Table', '>Writes/s', '>Skew', '>Reads/s', '>Skew', '>Regions', '>MB', 'Layout'],
    tables.map((table) => [
      h('a', { href: `#/tables/${encodeURIComponent(table.name)}` }, table.name),
      figure(table.writes), skewText(table.write_skew.mean, table.writes), figure(table.reads), skewText(table.read_skew.mean, table.reads),
      figure(table.regions), figure(table.megabytes),
      table.layout ? h('code', {}, table.layout) : h('span', { class: 'soft' }, 'none'),
    ]));
}

/** The tables that HBase does not list, which are not the same as none. @param {number} hidden */
export function hiddenView(hidden) {
  return hidden === 0 ? null : h('p', { class: 'warn' }, `${count(hidden, 'table')} that HBase counts requests of ${hidden === 1 ? 'is' : 'are'} not listed: HBase lists tables on which the user has ADMIN or CREATE. `,
    'An HBase administrator can grant it in the HBase shell: ', h('code', {}, "grant 'USER', 'C', 'TABLE'"), '.');
}

/** What findings are of, while HBase's counters cannot be read. @param {boolean} isOld */
export function oldView(isOld) {
  return isOld ? h('p', { class: 'warn' }, 'This is what the last readings showed; the load is not known now.') : null;
}

/** @param {HTMLElement} page */
export function tablesPage(page) {
  const list = h('div', { class: 'tables' }, h('p', { class: 'soft' }, 'Reading …'));
  /** @type {Set<string>} */
  const shown = new Set();
  fill(page, h('h1', {}, 'Tables'),
    h('p', { class: 'soft' }, 'Skew: the busiest server’s load divided by the mean, in the last reading. 1 is even.'), list);
  const load = async () => {
    try {
      const { tables, hidden } = await get('/api/tables');
      const own = tables.filter((/** @type {any} */ table) => table.kind === 'table');
      whenReleased(() => fill(list, [own.length > 0 ? list_(own) : hidden > 0 ? null : h('p', {}, 'No tables yet. ', h('a', { href: '#/plans' }, 'Plan one'), '.'), hiddenView(hidden),
        ...OTHERS.map(([kind, title]) => {
          const others = tables.filter((/** @type {any} */ table) => table.kind === kind);
          return others.length ? h('details', { open: shown.has(kind), toggle: (/** @type {Event} */ event) => {
            if (/** @type {HTMLDetailsElement} */ (event.target).open) shown.add(kind);
            else shown.delete(kind);
          } }, h('summary', {}, `${title} (${others.length})`), list_(others)) : null;
        })]));
    } catch (problem) {
      fill(list, wrong(problem));
    }
  };
  load();
  document.addEventListener('live-reading', load);
  return () => document.removeEventListener('live-reading', load);
}

/** @param {any} finding */
export function findingView(finding) {
  const links = {
    advice: h('a', { href: `#/advice?table=${encodeURIComponent(finding.table)}` }, 'Ask for advice'),
    plan: h('a', { href: `#/plans/${encodeURIComponent(finding.table)}` }, 'Change its plan'),
    regions: h('a', { href: `#/tables/${encodeURIComponent(finding.table)}?split=1` }, 'Split it at its buckets'),
    step: h('a', { href: `#/migrations?table=${encodeURIComponent(finding.table)}` }, 'Give it more buckets'),
    hotkeys: h('a', { href: `#/tables/${encodeURIComponent(finding.table)}` }, 'See its hot keys'),
  };
  const link = /** @type {Record<string, HTMLElement>} */ (links)[finding.remedy];
  return h('div', { class: `finding s${finding.severity}`, 'data-kind': finding.kind },
    h('b', {}, finding.table), finding.text, ' ', link);
}

/** @param {any} explained */
export function explainedView(explained) {
  return h('div', {},
    grid(['Part', 'Effect'],
      explained.parts.map((/** @type {any} */ part) => [h('code', {}, part.part), part.meaning])),
    explained.steps.length ? stepsView(explained.steps) : null,
    explained.warnings.map((/** @type {string} */ warning) => h('p', { class: 'warn' }, warning)));
}

/** The steps of a salt, each with a bar as wide as its number of buckets. @param {any[]} steps */
function stepsView(steps) {
  const most = Math.max(...steps.map((step) => step.buckets));
  return grid(['Rows', '>Buckets', ''], steps.map((step, i) => [
    step.from ? `${step.field} from ${step.from}` : `${step.field} before ${steps[i + 1].from}`,
    step.buckets, bar(step.buckets / most)]));
}

/** @param {HTMLElement} page @param {string} name @param {URLSearchParams} parameters */
export function tablePage(page, name, parameters) {
  const regions = h('div', {});
  const findings = h('div', {});
  const facts = h('p', {}, h('span', { class: 'soft' }, 'Reading …'));
  const layout = h('section', {});
  const settings = h('section', {});
  const indexes = indexSection(name, () => load(), parameters);
  const splits = splitSection(name);
  const hot = h('section', {});
  const rows = rowsSection(name);
  const link = (/** @type {string} */ to, /** @type {string} */ text) => h('a', { href: to }, text);
  fill(page,
    h('h1', {}, name), facts,
    h('p', { class: 'tools' },
      link(`#/heat?table=${encodeURIComponent(name)}`, 'Heat'),
      link(`#/advice?table=${encodeURIComponent(name)}`, 'Advice'),
      link(`#/plans/${encodeURIComponent(name)}`, 'Plan'),
      link(`#/jobs?table=${encodeURIComponent(name)}`, 'Import')),
    findings, splits.element, layout, rows, indexes.element, hot, regions, settings);
  let first = true;
  const load = async () => {
    try {
      const table = await get(`/api/tables/${encodeURIComponent(name)}`);
      await new Promise((released) => whenReleased(() => released(null)));
      fill(facts, h('span', {}, `${count(table.regions_now.length, 'region')}, ${figure(table.megabytes)} MB; `
        + `writes ${figure(table.writes)}/s, skew `), skewText(table.write_skew.mean, table.writes),
      `; reads ${figure(table.reads)}/s, skew `, skewText(table.read_skew.mean, table.reads),
      table.generation === name ? null : h('span', {}, '; stored in the generation ',
        link(`#/tables/${encodeURIComponent(table.generation)}`, table.generation)));
      fill(findings, table.findings.map(findingView));
      indexes.show(table);
      const most = Math.max(1, ...table.regions_now.map((/** @type {any} */ r) => (r.writes ?? 0) + (r.reads ?? 0)));
      fill(regions, h('h2', {}, 'Regions'), grid(['From key', 'Server', '>Writes/s', '>Reads/s', '>MB', ''],
        table.regions_now.map((/** @type {any} */ region) => [
          h('span', { class: 'mono', title: `${region.region} ${region.start_hex}` }, region.start || '(first)'),
          region.server, figure(region.writes), figure(region.reads), figure(region.megabytes),
          bar(((region.writes ?? 0) + (region.reads ?? 0)) / most),
        ])));
      if (first) {
        first = false;
        if (parameters.has('split') || table.findings.some((/** @type {any} */ finding) => finding.remedy === 'regions')) splits.look();
        showLayout(layout, table);
        fill(settings, h('h2', {}, 'Settings'), grid(['Name', 'Value'],
          Object.entries(table.settings).map(([key, value]) => [key, h('code', {}, String(value))])));
      }
    } catch (problem) {
      if (problem instanceof ApiError && problem.status === 404) gone(problem);
      else fill(facts, wrong(problem, 'span'));
    }
  };
  const loadHot = () => hotKeys(hot, name);
  const both = () => { load(); loadHot(); };
  const stop = () => document.removeEventListener('live-reading', both);
  // Nothing that the page shows is true of a table that was dropped.
  const gone = (/** @type {Error} */ problem) => {
    stop();
    fill(page, h('h1', {}, name), wrong(problem),
      h('p', { class: 'tools' }, link('#/tables', 'All tables'), link(`#/plans/${encodeURIComponent(name)}`, 'Plan'), link(`#/heat?table=${encodeURIComponent(name)}`, 'Its past heat')));
  };
  both();
  document.addEventListener('live-reading', both);
  return () => {
    stop();
    indexes.leave();
    splits.leave();
  };
}

/** The rows of a table that fulfil a condition, decoded. @param {string} name */
export function rowsSection(name) {
  const where = h('input', { class: 'mono', name: 'rows-where', spellcheck: 'false', autocomplete: 'off', placeholder: 'all rows' });
  const newest = h('input', { type: 'checkbox', name: 'rows-reversed' });
  const result = h('div', { 'aria-live': 'polite' });
  const read = async () => {
    try {
      const found = await get(`/api/tables/${encodeURIComponent(name)}/rows`, { where: where.value.trim(), reversed: newest.checked ? 'true' : '', limit: 20 });
      fill(result, found.rows.length === 0 ? h('p', {}, 'No such row.') : grid([...found.fields, ...found.columns],
        found.rows.map((/** @type {any} */ row) => [...found.fields.map((/** @type {string} */ field) => row.key[field] ?? ''),
          ...found.columns.map((/** @type {string} */ column) => row.values[column] ?? '')])),
      found.more ? h('p', { class: 'soft' }, 'The first 20 rows; there are more.') : null);
    } catch (problem) {
      fill(result, wrong(problem, 'pre'));
    }
  };
  return h('section', { id: 'rows' }, h('h2', {}, 'Rows'),
    h('form', { class: 'tools', submit: (/** @type {Event} */ event) => { event.preventDefault(); read(); } },
      h('label', {}, 'Condition on the fields of the key', where),
      h('label', { class: 'inline' }, newest, 'from the last row back'),
      h('button', {}, 'Show rows')), result);
}

/** @param {number} share */
function bar(share) {
  const element = h('span', { class: 'bar' });
  element.hidden = share <= 0;
  element.style.width = `${Math.min(1, share) * 8}rem`;
  return element;
}

/** @param {HTMLElement} section @param {any} table */
function showLayout(section, table) {
  if (!table.layout) {
    fill(section, h('h2', {}, 'Layout'),
      h('p', {}, 'None: rows are stored as applications write them.'),
      h('details', { toggle: (/** @type {Event} */ event) => {
        const details = /** @type {HTMLDetailsElement} */ (event.target);
        // Rows are read when a person asks for them.
        if (details.open && details.children.length === 1) details.append(adoptionSection(table.name, () => location.reload()));
      } }, h('summary', {}, 'Find the layout of its rows')));
    return;
  }
  fill(section, h('h2', {}, 'Layout'), h('p', {}, h('code', {}, table.layout)),
    h('div', { class: 'columns' }, explainedView(table.explained), tryKey(table.layout, table.explained.fields)));
}

/** @param {string} line @param {any[]} fields */
function tryKey(line, fields) {
  const result = h('div', { 'aria-live': 'polite' });
  const inputs = fields.map((field) => h('input', { name: field.name, spellcheck: 'false', autocomplete: 'off' }));
  const hex = h('input', { class: 'mono', name: 'hex', spellcheck: 'false', autocomplete: 'off' });
  const where = h('input', { class: 'mono', name: 'where', spellcheck: 'false', placeholder: `${fields[0].name} = …` });
  const show = async (/** @type {() => Promise<any[]>} */ what) => {
    try {
      fill(result, await what());
    } catch (problem) {
      fill(result, wrong(problem, 'pre'));
    }
  };
  const encode = calm(200, () => {
    if (inputs.some((input) => input.value === '')) return;
    show(async () => {
      const parameters = Object.fromEntries(inputs.map((input) => [`field.${input.name}`, input.value]));
      const key = await get('/api/layout/encode', { line, ...parameters });
      return [
        h('dl', {}, h('dt', {}, 'row'), h('dd', { class: 'mono' }, key.physical_hex),
          key.bucket === null ? null : h('dt', {}, 'bucket'), key.bucket === null ? null : h('dd', {}, key.bucket)),
        grid(['Part', 'Hex', 'Bytes'], key.parts.map((/** @type {any} */ p) => [h('code', {}, p.part), h('code', {}, p.hex), h('code', {}, p.text)])),
      ];
    });
  });
  const decode = calm(200, () => {
    if (hex.value.trim() === '') return;
    show(async () => {
      const { fields: values } = await get('/api/layout/decode', { line, hex: hex.value });
      return [h('dl', {}, Object.entries(values).flatMap(([key, value]) => [h('dt', {}, key), h('dd', {}, String(value))]))];
    });
  });
  const ranges = calm(250, () => {
    if (where.value.trim() === '') return;
    show(async () => {
      const found = await get('/api/layout/ranges', { line, where: where.value });
      return [
        h('p', {}, `Reads ${count(found.fan_out, 'range')}${found.ordered ? '' : ', in no order'}.`,
          found.filters.length ? ` Filtered: ${found.filters.join(', ')}.` : ''),
        grid(['Start', 'Stop'], found.ranges.slice(0, 16).map((/** @type {any} */ r) => [h('code', {}, r.start), h('code', {}, r.stop || '(end)')])),
      ];
    });
  });
  inputs.forEach((input) => input.addEventListener('input', encode));
  hex.addEventListener('input', decode);
  where.addEventListener('input', ranges);
  return h('div', { class: 'panel', id: 'try' }, h('h2', {}, 'Try a key'),
    h('div', { class: 'form' }, fields.map((field, i) => h('label', {}, `${field.name} (${field.type})`, inputs[i]))),
    h('div', { class: 'form' }, h('label', { class: 'wide' }, 'or a row key in hex', hex),
      h('label', { class: 'wide' }, 'or a condition', where)),
    result);
}
