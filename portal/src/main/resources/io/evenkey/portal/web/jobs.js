// SPDX-License-Identifier: Apache-2.0
import { get, send, upload, whenTablesAreKnown } from './api.js';
import { count, figure, fill, h, whenReleased, wrong } from './dom.js';
import { previewView } from './preview.js';

/** What an unfinished job is at: of some work there is nothing to count. @param {any} job */
export function progressText(job) {
  if (job.total > 0) return `${figure(job.done)} of ${figure(job.total)} ${job.text}`;
  if (job.done > 0) return `${figure(job.done)} ${job.text}`;
  return job.text || (job.state === 'waiting' ? 'Waits for other jobs' : 'At work …');
}

/** @param {any} job */
export function jobView(job) {
  const over = job.state !== 'running' && job.state !== 'waiting';
  const left = job.total > 0 && job.done > 0 ? (job.seconds * (job.total - job.done)) / job.done : NaN;
  return h('div', { class: 'panel', 'data-state': job.state },
    h('b', {}, job.title), ` · ${job.state}, ${job.seconds.toFixed(1)} s`,
    over ? null : h('progress', job.total > 0 ? { max: String(job.total), value: String(job.done) } : {}),
    over ? null : h('p', { class: 'soft' }, progressText(job),
      Number.isNaN(left) ? '' : `, about ${Math.ceil(left)} s left`, ' ',
      h('button', { type: 'button', click: () => send('DELETE', `/api/jobs/${job.id}`).catch(() => {}) }, 'Cancel')),
    job.state === 'failed' ? wrong(job.text, 'pre') : null,
    job.kind === 'advice' && job.state === 'done' ? adviceResult(job) : null,
    job.kind === 'index' && job.state === 'done' ? indexResult(job.result) : null,
    job.kind === 'split' && job.state === 'done' ? h('p', {}, `${count(job.result.splits, 'more region')}.`) : null,
    job.kind === 'preview' && job.state === 'done' ? previewView(job.result) : null,
    job.kind === 'import' && job.state === 'done' ? importResult(job.result) : null);
}

/** @param {any} job */
function adviceResult(job) {
  const result = job.result;
  return h('div', {},
    // First: the layout is no answer for these queries.
    result.unserved.map((/** @type {string} */ query) => h('p', { class: 'warn' }, `Not served: ${query}.`)),
    h('p', {}, h('code', {}, result.layout), ` · write skew ${result.write_skew.mean.toFixed(2)}, ${result.plain_write_skew.mean.toFixed(2)} without a spread; ${figure(result.considered)} layouts considered.`),
    result.indexes.length ? h('p', {}, 'Indexes that pay: ', result.indexes.map((/** @type {string} */ command) => h('div', {}, h('code', {}, command)))) : null,
    result.indexes.length ? h('table', {}, h('thead', {}, h('tr', {}, ['Query', 'Read by', 'The application adds'].map((head) => h('th', {}, head)))),
      h('tbody', {}, result.queries.map((/** @type {any} */ read) => h('tr', {}, h('td', {}, read.query), h('td', {}, read.by),
        h('td', {}, read.call ? h('code', {}, `.${read.call}`) : 'nothing: the client chooses this by itself'))))) : null,
    result.migration && result.migration !== result.layout ? h('p', {}, 'With the fields of its present key: ', h('code', {}, result.migration)) : null,
    result.table && !result.migration ? h('p', { class: 'soft' }, `${result.table} keeps its layout: no other spread of its key is better.`) : null,
    h('p', { class: 'tools' },
      result.migration ? h('a', { class: 'button primary', href: `#/migrations?table=${encodeURIComponent(result.table)}&layout=${encodeURIComponent(result.migration)}` }, `Migrate ${result.table} to it`) : null,
      h('a', { href: `/api/reports/${job.id}`, target: '_blank', rel: 'noopener' }, 'Open the report'),
      h('a', { href: `#/plans?layout=${encodeURIComponent(result.layout)}` }, 'Plan a table with it')));
}

/** The differences that a verification has found, but phantoms. @param {any} found @param {string} swept */
export function differences(found, swept = '') {
  const some = (/** @type {number} */ count, /** @type {string} */ what) => (count > 0 ? `, ${figure(count)} ${what}` : '');
  return `${figure(found.missing)} missing${some(found.covered, 'with other covered values')}`
    + `${some(found.unfit, 'unfit, to be written again with values that fit, or deleted')}`
    + `${some(found.secured, 'with labels or rights of their own, to be written again')}`
    + `, ${figure(found.stale)} stale${swept}${some(found.unreadable, 'unreadable')}`;
}

/** @param {any} result */
function indexResult(result) {
  return h('p', {}, result.dropped ? 'Dropped.'
    : `${count(result.rows, 'row')} and ${count(result.entries, 'entry', 'entries')} read: ${differences(result)}, ${count(result.phantoms, 'phantom')}; ${figure(result.added)} added, ${figure(result.removed)} removed, ${figure(result.settled)} settled.`);
}

/** @param {any} result */
function importResult(result) {
  return h('div', {},
    h('p', {}, `${count(result.records, 'record')}, ${figure(result.rows)} written (${figure(result.records_per_second)}/s)${result.server_skew === null ? '' : `, server skew ${result.server_skew.toFixed(2)}`}.`),
    result.rejected > 0 ? h('div', { class: 'warn' }, `${count(result.rejected, 'record')} could not be written, ${result.rejected === 1 ? 'and was' : 'and were'} left out:`,
      h('ul', {}, result.reject_examples.map((/** @type {string} */ reason) => h('li', {}, reason)))) : null,
    result.collisions > 0 ? h('p', { class: 'warn' }, `${count(result.collisions, 'record')} had the key of another: ${result.collision_examples.slice(0, 3).join('; ')}`) : null,
    result.warnings.map((/** @type {string} */ warning) => h('p', { class: 'warn' }, warning)),
    result.table ? h('p', { class: 'tools' }, h('a', { href: `#/tables/${encodeURIComponent(result.table)}` }, `See the rows of ${result.table}`),
      h('a', { href: `#/heat?table=${encodeURIComponent(result.table)}` }, 'See its heat')) : null);
}

/**
 * Shows the jobs, and updates them with each event.
 * @param {HTMLElement} list @param {(job: any) => boolean} wanted @param {number} [most] the newest so many
 */
export function follow(list, wanted, most) {
  const show = (/** @type {any[]} */ jobs) => whenReleased(() => fill(list, jobs.filter(wanted).slice(0, most).map(jobView)));
  const live = (/** @type {Event} */ event) => show(/** @type {CustomEvent} */ (event).detail.jobs);
  document.addEventListener('live-jobs', live);
  get('/api/jobs').then(({ jobs }) => show(jobs), () => {});
  return () => document.removeEventListener('live-jobs', live);
}

/** @param {HTMLElement} page @param {string} _rest @param {URLSearchParams} parameters */
export function jobsPage(page, _rest, parameters) {
  const list = h('div', { class: 'jobs' });
  const tables = h('select', { name: 'table', required: true });
  const file = h('input', { type: 'file', required: true, name: 'file' });
  const family = h('input', { name: 'family', placeholder: 'the only one' });
  const outcome = h('p', { role: 'status' });
  const begin = h('button', { class: 'primary', disabled: true }, 'Import');
  const ready = () => { begin.disabled = tables.value === '' || !file.files?.length; };
  tables.addEventListener('change', ready);
  file.addEventListener('change', ready);
  fill(page, h('h1', {}, 'Jobs'),
    h('h2', {}, 'Import records'),
    h('form', { submit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      const given = file.files?.[0];
      if (!given) return;
      begin.disabled = true;
      fill(outcome, `Sending ${given.name} …`);
      try {
        const id = await upload(given);
        await send('POST', '/api/jobs/import', { upload: id, table: tables.value, family: family.value || null });
        fill(outcome);
      } catch (problem) {
        fill(outcome, wrong(problem, 'span'));
      }
      ready();
    } }, h('div', { class: 'form' },
      h('label', {}, 'Into table', tables), h('label', {}, 'CSV, TSV or JSON lines, plain, .gz or .zst; Parquet or Avro; up to 1 GB', file), h('label', {}, 'Family', family)),
    begin, outcome),
    h('h2', {}, 'All jobs'), list);
  const stop = whenTablesAreKnown((all) => {
    // None is chosen for the user: records in the wrong table are hard to get out again.
    const own = all.filter((/** @type {any} */ t) => t.layout && t.kind === 'table');
    fill(tables, h('option', { value: '' }, own.length ? 'Choose a table' : 'No table with a layout'), own.map((/** @type {any} */ t) => h('option', { value: t.name }, t.name)));
    tables.value = parameters.get('table') ?? '';
    if (tables.selectedIndex < 0) tables.value = '';
    ready();
  }, (problem) => fill(outcome, problem ? wrong(problem, 'span') : null));
  const leave = follow(list, () => true);
  return () => {
    stop();
    leave();
  };
}
