// SPDX-License-Identifier: Apache-2.0
import { get, send } from './api.js';
import { calm, fill, figure, h, moment, wrong } from './dom.js';
import { follow } from './jobs.js';
import { keyChangeFields, keyChangeView } from './keychange.js';
import { explainedView } from './tables.js';

const WAY = ['preparing', 'copying', 'verifying', 'ready', 'fencing', 'closing', 'switching', 'switched', 'finished'];

/** @param {any} migration @param {HTMLElement} outcome */
function migrationView(migration, outcome) {
  const button = (/** @type {string} */ text, /** @type {() => Promise<any>} */ ask, primary = false) =>
    h('button', { type: 'button', ...(primary ? { class: 'primary' } : {}), click: async () => {
      try {
        await ask();
        fill(outcome);
      } catch (problem) {
        fill(outcome, wrong(problem, 'span'));
      }
    } }, text);
  const path = `/api/migrations/${encodeURIComponent(migration.table)}`;
  const to = (/** @type {string} */ goal, /** @type {string} */ text, primary = false) =>
    button(text, () => send('PUT', `${path}/goal`, { goal }), primary);
  const rows = h('input', { type: 'number', min: '0', value: String(migration.rows_per_second), 'aria-label': 'Rows per second' });
  const latency = h('input', { type: 'number', min: '0', value: String(migration.latency_ms), 'aria-label': 'Read latency in milliseconds' });
  const pace = () => send('PUT', `${path}/pace`, { rows_per_second: Number(rows.value), latency_ms: Number(latency.value) })
    .then(() => fill(outcome, 'The new limit applies within two seconds.'), (problem) => fill(outcome, wrong(problem, 'span')));
  const back = ['returning', 'abandoning', 'rolled_back'].includes(migration.stage);
  const at = WAY.indexOf(migration.stage);
  // A step before all rows makes no other table.
  const inPlace = Boolean(migration.step) && migration.source === migration.target;
  return h('div', { class: 'panel', 'data-stage': migration.stage },
    h('h2', {}, h('a', { href: `#/tables/${encodeURIComponent(migration.table)}` }, migration.table), ` · ${migration.stage.replace('_', ' ')}`),
    h('p', {}, `${migration.meaning[0].toUpperCase()}${migration.meaning.slice(1)}.`),
    migration.step ? h('p', { class: 'soft' }, `Step of the salt, ${inPlace ? 'for which no row is rewritten' : 'rows at or after it are rewritten'}: from `, h('code', {}, migration.step.before), ' to ', h('code', {}, migration.step.after)) : null,
    keyChangeView(migration, back),
    back || inPlace ? null : h('ol', { class: 'way', 'aria-label': 'Stages' }, WAY.map((stage, i) =>
      h('li', { class: i < at ? 'past' : i === at ? 'now' : '', ...(i === at ? { 'aria-current': 'step' } : {}) }, stage))),
    inPlace ? null : h('p', { class: 'soft' }, `from ${migration.source} to ${migration.target} · reads ${migration.generation} · ${figure(migration.copied_rows)} rows in ${migration.copied} of ${migration.parts} parts copied by ${migration.by} · ${migration.compared_through ? `compared up to pass ${migration.compared_through}` : 'not compared yet'} · ${figure(migration.repaired)} rows repaired · ${migration.fence === 'names' ? 'without the guard, by table names' : 'fenced by the guard'} · since ${moment(migration.since)}`),
    migration.stage !== 'finished' || migration.renaming || inPlace ? null : h('p', { class: 'tools' },
      button(`Rename ${migration.target} to ${migration.table}`, () => send('POST', `${path}/name`, {}))),
    migration.over ? null : h('p', { class: 'tools' },
      migration.stage === 'ready' ? to('switched', 'Switch reads', true) : null,
      migration.stage === 'switched' ? to('finished', 'Finish', true) : null,
      migration.stage === 'ready' || migration.stage === 'switched' ? null : to(migration.goal, 'Continue', true),
      back || (inPlace && migration.stage === 'switching') ? null : to('rolled_back', 'Roll back')),
    migration.over || inPlace ? null : h('p', { class: 'tools' },
      h('label', { class: 'inline' }, 'Copy at most', rows, 'rows/s, 0 for unlimited;'),
      h('label', { class: 'inline' }, 'slower when reads take', latency, 'ms, 0 to disable'),
      h('button', { type: 'button', click: pace }, 'Set the limits'),
      migration.held_to_rows_per_second > 0 ? h('span', { class: 'soft' }, `held to ${figure(migration.held_to_rows_per_second)} rows/s because of read latency`) : null));
}

/** @param {HTMLElement} page @param {string} _rest @param {URLSearchParams} parameters */
export function migrationsPage(page, _rest, parameters) {
  const list = h('div', {});
  const jobs = h('div', {});
  const outcome = h('p', { role: 'status', 'aria-live': 'polite' });
  const table = h('select', { name: 'table', required: true });
  const layout = h('input', { name: 'layout', class: 'mono', required: true, spellcheck: 'false', autocomplete: 'off', input: () => explain(), 'aria-describedby': 'migration-error' });
  const regions = h('input', { name: 'regions', type: 'number', min: '1', placeholder: 'as now' });
  const error = h('pre', { class: 'error', id: 'migration-error', role: 'alert' });
  const explained = h('div', {});
  const key = keyChangeFields();
  const others = h('input', { type: 'checkbox', name: 'others_stopped' });
  const by = h('select', { name: 'by' }, ['files', 'puts', 'snapshot'].map((way) => h('option', { value: way }, way)));
  fill(page, h('h1', {}, 'Migrations'),
    h('p', { class: 'soft' }, 'Migrates a live table to another layout: the rows are copied while clients keep reading and writing, and clients are switched over during a short pause of writes. Until the migration is finished it can be rolled back.'),
    list, outcome, h('h2', {}, 'Migrate a table'),
    h('form', { submit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        await send('POST', `/api/migrations/${encodeURIComponent(table.value)}`, { layout: layout.value, regions: regions.value === '' ? null : Number(regions.value), by: by.value, others_stopped: others.checked, ...key.values() });
        fill(outcome);
      } catch (problem) {
        fill(outcome, wrong(problem, 'span'));
      }
    } }, h('div', { class: 'form' },
      h('label', {}, 'Table', table), h('label', { class: 'wide' }, key.caption, layout),
      h('label', {}, 'Regions', regions), h('label', {}, 'Copy method', by), key.change, key.columns,
      h('label', { class: 'inline' }, others, 'Writers without Evenkey have stopped')),
    key.note, error, h('p', { class: 'tools' }, h('button', { class: 'primary' }, 'Begin')), explained),
    jobs);

  /** @type {any[]} */
  let tables = [];
  const choose = () => {
    layout.value = tables.find((t) => t.name === table.value)?.layout ?? '';
    explain();
  };
  table.addEventListener('change', choose);
  const explain = calm(180, async () => {
    if (layout.value === '') return;
    try {
      const seen = await get('/api/layout', { line: layout.value });
      fill(explained, seen.valid ? explainedView(seen) : null);
      fill(error, seen.valid ? null : seen.error);
    } catch (problem) {
      fill(error, wrong(problem, 'span'));
    }
  });
  const look = () => get('/api/migrations').then(({ migrations }) => fill(list, migrations.length === 0
    ? h('p', {}, 'No table has been migrated yet.')
    : migrations.map((/** @type {any} */ migration) => migrationView(migration, outcome))), (problem) => fill(list, wrong(problem)));
  get('/api/tables').then(({ tables: all }) => {
    tables = all;
    // Generations are migrated by the table's own name; their tables of keys and the portal's own tables not at all.
    fill(table, tables.filter((t) => !/\.g\d+(\.keys)?$/.test(t.name) && !t.name.startsWith('evenkey:'))
      .map((t) => h('option', { value: t.name }, t.name)));
    const wanted = parameters.get('table');
    if (wanted) table.value = wanted;
    choose();
  }, () => {});
  look();
  const live = calm(100, look);
  document.addEventListener('live-jobs', live);
  // Other users migrate tables from the command line. Keep the text that the user has typed.
  const timer = setInterval(() => { if (!list.contains(document.activeElement)) look(); }, 3_000);
  const leave = follow(jobs, (job) => job.kind === 'migration');
  return () => {
    clearInterval(timer);
    document.removeEventListener('live-jobs', live);
    leave();
  };
}
