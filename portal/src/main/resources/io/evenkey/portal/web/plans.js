// SPDX-License-Identifier: Apache-2.0
import { ApiError, get, send, whenAnswered } from './api.js';
import { drawKeyAxis } from './axis.js';
import { calm, figure, fill, grid, h, moment, wrong } from './dom.js';
import { explainedView } from './tables.js';

/** Layouts of usual cases: the line, and what it is for. @type {[string, string][]} */
const EXAMPLES = [
  ['salt(16, device) + device:string + ts:timestamp desc', 'Readings of devices: the newest of one device first; the rows of a device stay together'],
  ['salt(16) + ts:timestamp + id:int64', 'Events in the order of time: writes go to all buckets, and a scan reads them in order'],
  ['md5(user)[0..6] + user:string', 'One row for each user, read by its name'],
  ['reverse(order_id:digits(14)) + line:int32', 'Numbers that count up, with the fast digits first'],
  ['salt(8, tenant; over=4) + tenant:string + ts:timestamp', 'Tenants of very different sizes: the rows of one are in four buckets'],
  ['reverse_domain(url:string)', 'Pages of the web, and all pages of a domain side by side'],
];

/** @param {HTMLElement} page @param {URLSearchParams} parameters */
export function plansPage(page, parameters) {
  const layout = parameters.get('layout');
  const list = h('div', {}, h('p', { class: 'soft' }, 'Reading …'));
  const scope = h('input', { name: 'scope', required: true, spellcheck: 'false', placeholder: 'table, namespace:table, or namespace:*' });
  fill(page, h('h1', {}, 'Plans'),
    h('p', { class: 'soft' }, 'A plan sets how operators and applications create a table: the layout of its keys, and the number of its regions.'),
    h('form', { class: 'tools', submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      location.hash = `#/plans/${encodeURIComponent(scope.value.trim())}${layout ? `?layout=${encodeURIComponent(layout)}` : ''}`;
    } }, h('label', {}, 'Plan for', scope), h('button', { class: 'primary' }, 'Plan')), list);
  return whenAnswered('/api/plans', ({ plans }) => fill(list, plans.length === 0
    ? [h('p', {}, 'Nothing is planned yet. Name a table above, or begin with an example:'), examplesView((line) => {
      const name = scope.value.trim();
      location.hash = `#/plans/${encodeURIComponent(name || 'my_table')}?layout=${encodeURIComponent(line)}`;
    })].flat()
    : grid(['For', 'Layout', '>Regions', '>Version', 'By', 'At'], plans.map((/** @type {any} */ plan) => [
      h('a', { href: `#/plans/${encodeURIComponent(plan.scope)}` }, plan.scope),
      h('code', {}, plan.layout ?? ''), plan.regions ?? '', plan.version, plan.author, moment(plan.at)]))),
  (problem) => fill(list, problem ? wrong(problem) : null));
}

/** Examples to pick from. @param {(line: string) => void} pick */
function examplesView(pick) {
  return h('div', { class: 'examples' }, EXAMPLES.map(([line, use]) => h('button', { type: 'button', class: 'example', click: () => pick(line) },
    h('code', {}, line), h('span', { class: 'soft' }, use))));
}

/** @param {HTMLElement} page @param {string} scope @param {URLSearchParams} parameters */
export function planPage(page, scope, parameters) {
  const path = `/api/plans/${encodeURIComponent(scope)}`;
  const isTable = !scope.endsWith(':*');
  let version = -1;
  let exists = false;

  const text = (/** @type {string} */ name, /** @type {Record<string, any>} */ more = {}) =>
    h('input', { name, spellcheck: 'false', autocomplete: 'off', input: () => preview(), ...more });
  const line = text('layout', { class: 'mono', placeholder: 'salt(16, device) + device:string + ts:timestamp desc', 'aria-describedby': 'layout-error' });
  const regions = text('regions', { type: 'number', min: '1', max: '1000000' });
  const gigabytes = text('gb', { type: 'number', min: '0', step: 'any', placeholder: '1' });
  const algorithm = h('select', { name: 'algorithm', change: () => preview() },
    h('option', { value: '' }, 'between buckets'), ['hex', 'decimal', 'uniform'].map((name) => h('option', { value: name }, name)));
  const families = text('families', { placeholder: 'd' });
  const compression = text('compression', { placeholder: 'none' });
  const whole = h('input', { type: 'checkbox', name: 'whole_buckets' });
  const goal = h('select', { name: 'optimize_for' },
    h('option', { value: '' }, 'reads'), h('option', { value: 'storage' }, 'storage'));
  const error = h('pre', { class: 'error', id: 'layout-error', role: 'alert' });
  const outcome = h('p', { role: 'status', 'aria-live': 'polite' }, h('span', { class: 'soft' }, 'Reading the plan …'));
  const shown = h('div', { class: 'columns' });
  const axis = h('canvas', { class: 'axis', role: 'img' });
  const cuts = h('div', {});
  const indexes = h('section', {});
  const examples = h('div', {});
  const sample = h('section', {});
  /** What is stored, as the form would send it. */
  let stored = '';
  const old = h('div', {});
  const store = h('button', { class: 'primary' }, 'Store the plan');
  const create = h('button', { type: 'button', click: () => createTable() }, 'Create the table');
  const remove = h('button', { type: 'button', click: () => removePlan() }, 'Remove the plan');

  // Disabled until it is filled.
  const fields = h('fieldset', { disabled: true });
  fill(page, h('h1', {}, `Plan for ${scope}`),
    h('form', { submit: (/** @type {Event} */ event) => { event.preventDefault(); storePlan(); } }, fields),
    outcome, examples, axis, cuts, sample, indexes, shown, old);
  fill(fields,
      h('div', { class: 'form' },
        h('label', { class: 'wide' }, 'Layout', line),
        h('label', {}, 'Regions', regions), h('label', {}, 'Expected size, GB', gigabytes),
        h('label', {}, 'Cut', algorithm), h('label', {}, 'Families', families),
        h('label', {}, 'Compression', compression), h('label', {}, 'Optimize for', goal),
        h('label', { class: 'inline' }, whole, 'Split between buckets only')),
      error, h('p', { class: 'tools' }, store, isTable ? create : null, remove));

  const values = () => ({
    layout: line.value.trim() || null,
    regions: regions.value === '' ? null : Number(regions.value),
    algorithm: algorithm.value || null,
    families: families.value.split(',').map((name) => name.trim()).filter(Boolean),
    compression: compression.value.trim() || null,
    whole_buckets: whole.checked ? true : null,
    optimize_for: goal.value || null,
  });

  /** @param {any} plan */
  function use(plan) {
    version = plan.version;
    line.value = plan.layout ?? '';
    regions.value = plan.regions ?? '';
    // Keep a split algorithm that this page does not offer, such as a sample.
    if (plan.algorithm && ![...algorithm.options].some((option) => option.value === plan.algorithm)) {
      algorithm.append(h('option', { value: plan.algorithm }, plan.algorithm));
    }
    algorithm.value = plan.algorithm ?? '';
    families.value = plan.families.join(', ');
    compression.value = plan.compression ?? '';
    whole.checked = plan.whole_buckets === true;
    goal.value = plan.optimize_for === 'storage' ? 'storage' : '';
    buttons(false);
    fill(outcome);
    if (exists) fill(outcome, 'The table exists: the plan applies to the next table with this name. ', h('a', { href: `#/tables/${encodeURIComponent(scope)}` }, 'Look at it'), '.');
    preview();
  }

  async function load() {
    try {
      const plan = await get(path);
      exists = plan.exists === true;
      use(plan);
      stored = JSON.stringify(values());
      if (!plan.layout && parameters.get('layout')) {
        line.value = parameters.get('layout') ?? '';
        preview();
      }
      fields.disabled = false;
      if (exists) {
        await showIndexes(indexes, scope);
        await readSample();
      }
      const { versions } = await get(`${path}/history`);
      fill(old, versions.length ? h('h2', {}, 'History') : null, versions.length
        ? grid(['>Version', 'At', 'By', '>Regions', 'Layout', ''], versions.map((/** @type {any} */ v) => [
          v.version, moment(v.at), v.author, v.regions ?? '', h('code', {}, v.layout ?? '(nothing planned)'),
          h('button', { type: 'button', click: () => { const now = version; use(v); version = now; } }, 'Use')]))
        : null);
    } catch (problem) {
      fill(outcome, wrong(problem, 'span'));
    }
  }

  /** No button that cannot work is enabled. @param {boolean} valid */
  function buttons(valid) {
    const wanted = JSON.stringify(values());
    const empty = !line.value.trim() && !regions.value && !families.value.trim();
    store.disabled = !valid || empty || wanted === stored;
    remove.disabled = version < 0;
    create.disabled = !valid || exists || version < 0 || !line.value.trim() || !families.value.trim() || wanted !== stored;
    create.title = exists ? 'The table exists' : wanted !== stored ? 'Store the plan first' : !families.value.trim() ? 'Name a family first' : '';
  }

  /** @type {any[]} */
  let rows = [];

  /** Rows of the table, of which the line makes keys as the user types. */
  async function readSample() {
    const found = await get(`/api/tables/${encodeURIComponent(scope)}/rows`, { limit: 3 }).catch(() => ({ rows: [] }));
    rows = found.rows;
    preview();
  }

  /** @param {any} explained */
  async function showSample(explained) {
    if (!rows.length || !explained) return fill(sample);
    const keys = await Promise.all(rows.map(async (row) => {
      const all = { ...row.values, ...row.key };
      const missing = explained.fields.filter((/** @type {any} */ field) => all[field.name] === undefined).map((/** @type {any} */ field) => field.name);
      if (missing.length) return h('span', { class: 'soft' }, `no value for ${missing.join(', ')}`);
      try {
        const key = await get('/api/layout/encode', { line: line.value.trim(), ...Object.fromEntries(explained.fields.map((/** @type {any} */ field) => [`field.${field.name}`, all[field.name]])) });
        return h('span', {}, key.bucket === null || key.bucket === undefined ? '' : `bucket ${key.bucket}, `, h('code', {}, key.physical_hex));
      } catch (problem) {
        return wrong(problem, 'span');
      }
    }));
    fill(sample, h('h2', {}, 'Rows of the table under this layout'), grid(['Row', 'Would be stored as'],
      rows.map((row, i) => [Object.entries(row.key).map(([name, value]) => `${name} = ${value}`).join(', '), keys[i]])));
  }

  /** @type {AbortController | null} */
  let asking = null;
  const preview = calm(180, async () => {
    asking?.abort();
    asking = new AbortController();
    const wanted = values();
    if (!wanted.layout) {
      fill(error);
      fill(shown);
      fill(cuts);
      fill(sample);
      line.removeAttribute('aria-invalid');
      axis.hidden = true;
      buttons(true);
      fill(examples, h('h2', {}, 'Examples'), examplesView((example) => { line.value = example; line.focus(); preview(); }));
      return;
    }
    fill(examples);
    try {
      const seen = await get(`${path}/preview`, { layout: wanted.layout, regions: wanted.regions, algorithm: wanted.algorithm, gb: gigabytes.value }, asking.signal);
      line.setAttribute('aria-invalid', String(!seen.valid));
      buttons(seen.valid);
      showSample(seen.valid ? seen.explained : null);
      fill(error, seen.valid ? '' : seen.error);
      fill(shown, seen.explained ? h('div', {}, h('h2', {}, 'The layout, part by part'), explainedView(seen.explained)) : null,
        seen.size ? sizing(seen, regions, preview) : null);
      axis.hidden = !seen.splits;
      if (seen.splits) {
        drawKeyAxis(axis, seen.splits, seen.regions);
        fill(cuts, h('p', {}, `${figure(seen.regions)} region${seen.regions === 1 ? '' : 's'} on ${figure(seen.servers)} server${seen.servers === 1 ? '' : 's'}. `,
          h('span', { class: 'soft' }, seen.splits.slice(0, 8).map((/** @type {any} */ s) => s.label).join(', ') + (seen.splits.length > 8 ? ' …' : ''))),
        h('ul', { class: 'plain soft' }, seen.settings.map((/** @type {string} */ reason) => h('li', {}, reason))));
      } else {
        fill(cuts);
      }
    } catch (problem) {
      if (!(problem instanceof DOMException)) fill(error, /** @type {Error} */ (problem).message);
    }
  });

  async function storePlan() {
    try {
      const stored = await send('PUT', path, { ...values(), version });
      await load();
      fill(outcome, h('span', { class: 'good' }, `Stored as version ${stored.version}.`));
    } catch (problem) {
      fill(outcome, wrong(problem, 'span'), ' ',
        problem instanceof ApiError && problem.status === 409
          ? h('button', { type: 'button', click: load }, 'Look at it as it is now') : null);
    }
  }

  async function removePlan() {
    try {
      await send('DELETE', `${path}?version=${version}`);
      await load();
      fill(outcome, h('span', { class: 'good' }, 'Removed.'));
    } catch (problem) {
      fill(outcome, wrong(problem, 'span'));
    }
  }

  async function createTable() {
    create.disabled = true;
    fill(outcome, 'Creating the table from its plan …');
    try {
      const created = await send('POST', `/api/tables/${encodeURIComponent(scope)}`);
      exists = true;
      fill(outcome, h('span', { class: 'good' }, `Created in ${created.regions} regions. `),
        h('a', { href: `#/tables/${encodeURIComponent(scope)}` }, 'Look at it'), '.');
    } catch (problem) {
      create.disabled = false;
      fill(outcome, wrong(problem, 'span'));
    }
  }

  // An empty form waits for the plan.
  const redraw = () => { if (!fields.disabled) preview(); };
  const scheme = matchMedia('(prefers-color-scheme: dark)');
  window.addEventListener('resize', redraw);
  scheme.addEventListener('change', redraw);
  // HBase or ZooKeeper may not have answered.
  const again = () => { if (fields.disabled) load(); };
  document.addEventListener('live-reading', again);
  load();
  return () => {
    document.removeEventListener('live-reading', again);
    window.removeEventListener('resize', redraw);
    scheme.removeEventListener('change', redraw);
  };
}

/** The key axes of the table's indexes, as their regions are now. @param {HTMLElement} section @param {string} table */
async function showIndexes(section, table) {
  const { indexes } = await get(`/api/tables/${encodeURIComponent(table)}`);
  const drawn = await Promise.all(indexes.map(async (/** @type {any} */ index) => ({
    index, regions: (await get(`/api/tables/${encodeURIComponent(index.entries_table)}`)).regions_now,
  })));
  fill(section, drawn.length ? h('h2', {}, 'Its indexes') : null);
  for (const { index, regions } of drawn) {
    const canvas = h('canvas', { class: 'axis', role: 'img' });
    section.append(h('p', {}, h('a', { href: `#/tables/${encodeURIComponent(index.entries_table)}` }, index.index),
      ' ', h('code', {}, index.layout)), canvas);
    drawKeyAxis(canvas, regions.slice(1).map((/** @type {any} */ r) => ({ hex: r.start_hex, label: r.start })), regions.length);
  }
}

/** @param {any} seen @param {HTMLInputElement} regions @param {() => void} preview */
function sizing(seen, regions, preview) {
  return h('div', {}, h('h2', {}, 'How many regions'),
    h('p', {}, `By the rules: ${figure(seen.size.regions)}; `, h('b', {}, `${figure(seen.even_regions)}`), ' so that every region has the same number of buckets. ',
      h('button', { type: 'button', click: () => { regions.value = String(seen.even_regions); preview(); } }, 'Use it')),
    grid(['Rule', '>Regions', 'Valid for', 'Source'], seen.size.rules.map((/** @type {any} */ rule) => [rule.rule, rule.figure, rule.validity, rule.source])),
    seen.size.conflicts.map((/** @type {string} */ conflict) => h('p', { class: 'warn' }, `Rules disagree: ${conflict}`)));
}
