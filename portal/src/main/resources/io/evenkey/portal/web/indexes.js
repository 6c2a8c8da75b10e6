// SPDX-License-Identifier: Apache-2.0
import { get, send } from './api.js';
import { age, calm, figure, fill, grid, h, moment, wrong } from './dom.js';
import { differences, follow } from './jobs.js';

/**
 * The indexes of a table, with what may be done with them.
 * @param {string} name of the table @param {() => void} reload called when a job on an index has changed
 * @param {URLSearchParams} parameters may have the name and the layout of an index to add
 */
export function indexSection(name, reload, parameters) {
  const list = h('div', {});
  const jobs = h('div', {});
  const outcome = h('p', { role: 'status', 'aria-live': 'polite' });
  const adding = h('div', {});
  const element = h('section', { hidden: true },
    h('h2', {}, 'Indexes'), list, outcome, adding, jobs);
  /** @type {any} */
  let shown = null;
  const ask = async (/** @type {() => Promise<any>} */ request) => {
    try {
      await request();
      fill(outcome);
    } catch (problem) {
      fill(outcome, wrong(problem, 'pre'));
    }
  };
  const show = (/** @type {any} */ table) => {
    // Only tables with a layout have indexes; an index has none of its own.
    element.hidden = !table.layout || 'EVENKEY_INDEX_OF' in table.settings;
    if (shown === null && !element.hidden) {
      fill(adding, addition(name, ask, parameters));
    }
    shown = table;
    fill(list, table.indexes.length === 0
      ? h('p', { class: 'soft' }, 'None: rows are ordered by the table’s key only.')
      : indexGrid(table.indexes, ask));
  };
  const ofTable = (/** @type {any} */ job) => job.kind === 'index' && job.title.includes(` ${name}.`);
  const live = calm(300, reload);
  document.addEventListener('live-jobs', live);
  const leaveJobs = follow(jobs, ofTable);
  return {
    element,
    show,
    leave: () => {
      document.removeEventListener('live-jobs', live);
      leaveJobs();
    },
  };
}

/** @param {any[]} indexes @param {(request: () => Promise<any>) => Promise<void>} ask */
function indexGrid(indexes, ask) {
  return grid(['Index', 'Order', 'State', '>Filled rows', '>MB', '>Writes/s', '>Reads/s', 'Last verification', 'Last sweep', ''],
    indexes.map((index) => [
      h('a', { href: `#/tables/${encodeURIComponent(index.entries_table)}` }, index.index),
      h('div', {}, h('code', {}, index.layout),
        index.where ? h('div', { class: 'soft' }, 'where ', h('code', {}, index.where)) : null),
      h('span', { class: index.state === 'public' ? 'good' : 'warn' }, `${index.state}, ${index.protocol.replace('_', '-')}`),
      filled(index),
      figure(index.megabytes), figure(index.writes), figure(index.reads),
      index.verified_at
        ? h('span', { class: index.differences > 0 ? 'bad' : '' }, verified(index))
        : h('span', { class: 'soft' }, 'none'),
      index.swept_at
        ? h('span', {}, `${moment(index.swept_at)}, ${age(index.swept_seconds_ago)} ago: ${figure(index.swept_removed)} removed, ${figure(index.swept_settled)} settled`)
        : h('span', { class: 'soft' }, 'none'),
      actions(index, ask),
    ]));
}

/** @param {any} index */
function filled(index) {
  if (index.filled_rows === undefined) return '–';
  const pace = index.rows_per_second > 0 ? `, at ${figure(index.rows_per_second)}/s` : '';
  return figure(index.filled_rows) + (index.filled ? '' : pace);
}

/** @param {any} index */
function verified(index) {
  const found = `${moment(index.verified_at)}: ${differences(index, index.swept_since_verified ? ' before the sweep' : '')}`;
  const repairs = index.added + index.removed > 0 ? `; ${figure(index.added)} added, ${figure(index.removed)} removed` : '';
  const phantoms = index.phantoms > 0 ? `; ${figure(index.phantoms)} phantoms, which readers take for rows` : '';
  return found + repairs + phantoms;
}

/** @param {any} index @param {(request: () => Promise<any>) => Promise<void>} ask */
function actions(index, ask) {
  const path = `/api/tables/${encodeURIComponent(index.table)}/indexes/${encodeURIComponent(index.index)}`;
  const button = (/** @type {string} */ text, /** @type {() => Promise<any>} */ request) =>
    h('button', { type: 'button', 'aria-label': `${text} ${index.index}`, click: () => ask(request) }, text);
  const drop = button('Drop', async () => {
    if (window.confirm(`Drop index ${index.index} of ${index.table}? Queries by it fail from then on; no row of the table is lost.`)) {
      await send('DELETE', path, {});
    }
  });
  if (index.state !== 'public') {
    return h('span', { class: 'group' },
      index.state === 'closing' ? null : button('Continue', () => send('POST', `${path}/filling`, {})), drop);
  }
  return h('span', { class: 'group' },
    button('Verify', () => send('POST', `${path}/verification`, {})),
    index.to_repair > 0 ? button('Repair', () => send('POST', `${path}/verification`, { repair: true })) : null,
    button('Sweep', () => send('POST', `${path}/sweep`, {})), drop);
}

/**
 * The form that adds an index.
 * @param {string} table @param {(request: () => Promise<any>) => Promise<void>} ask @param {URLSearchParams} proposed
 */
function addition(table, ask, proposed) {
  const text = (/** @type {string} */ name, /** @type {Record<string, any>} */ more = {}) =>
    h('input', { name, spellcheck: 'false', autocomplete: 'off', ...more });
  const name = text('index', { required: true, placeholder: 'by_customer' });
  const error = h('pre', { class: 'error', id: 'index-error', role: 'alert' });
  const layout = text('index-layout', {
    class: 'mono', required: true, placeholder: 'salt(8, customer) + customer:string + ts:timestamp desc',
    'aria-describedby': 'index-error', input: () => check() });
  const from = text('from', { class: 'mono', placeholder: 'customer=d:customer' });
  const covering = text('covering', { class: 'mono', placeholder: 'd:amount,d:state' });
  const where = text('where', { class: 'mono', placeholder: 'all rows' });
  const protocol = h('select', { name: 'protocol' },
    h('option', { value: 'events' }, 'columns never change; rows may be deleted'),
    h('option', { value: 'append_only' }, 'neither changed nor deleted'),
    h('option', { value: 'mutable' }, 'columns change'));
  const pace = text('pace', { type: 'number', min: '0', placeholder: 'unlimited' });
  const others = h('input', { type: 'checkbox', name: 'others_stopped' });
  const replication = h('input', { type: 'checkbox', name: 'replication_ended' });
  const check = calm(180, async () => {
    if (layout.value.trim() === '') return;
    try {
      const seen = await get('/api/layout', { line: layout.value });
      layout.setAttribute('aria-invalid', String(!seen.valid));
      fill(error, seen.valid ? null : seen.error);
    } catch (problem) {
      fill(error, wrong(problem, 'span'));
    }
  });
  name.value = proposed.get('index') ?? '';
  layout.value = proposed.get('index-layout') ?? '';
  return h('details', { open: name.value !== '' }, h('summary', {}, 'Add an index'),
    h('p', { class: 'soft' }, 'First, clients begin to write entries; then existing rows get theirs, while clients read and write. Cancel the job to pause it; “Continue” resumes it.'),
    h('form', { submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      ask(() => send('POST', `/api/tables/${encodeURIComponent(table)}/indexes`, {
        name: name.value, layout: layout.value, from: from.value || null, covering: covering.value || null,
        where: where.value || null, protocol: protocol.value, rows_per_second: pace.value === '' ? 0 : Number(pace.value), others_stopped: others.checked, replication_ended: replication.checked }));
    } }, h('div', { class: 'form' },
      h('label', {}, 'Name', name), h('label', { class: 'wide' }, 'Layout of its keys: fields of the table’s key, and fields from columns', layout)),
    error,
    h('div', { class: 'form' },
      h('label', {}, 'Fields from columns', from), h('label', {}, 'Columns to copy', covering),
      h('label', {}, 'Only rows where', where), h('label', {}, 'Rows once written', protocol),
      h('label', {}, 'Rows filled, then compared, per second', pace),
      h('label', { class: 'inline' }, others, 'Writers without Evenkey have stopped'),
      h('label', { class: 'inline' }, replication, 'Replication to the table has ended')),
    h('p', { class: 'tools' }, h('button', { class: 'primary' }, 'Add'))));
}
