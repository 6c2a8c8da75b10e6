// SPDX-License-Identifier: Apache-2.0
import { get, send, upload, whenTablesAreKnown } from './api.js';
import { adoptionSection } from './adoption.js';
import { fill, h, wrong } from './dom.js';
import { follow } from './jobs.js';

/** Queries that the key of a table may be made for. @param {any} table @returns {string[]} */
function guessed(table) {
  const [first, second] = table.explained.fields;
  const isRange = (/** @type {any} */ field) => /^(timestamp|date|int|uint|long|short|float|double|decimal|digits)/.test(field.type);
  const one = (/** @type {any} */ field) => (isRange(field) ? `${field.name} between ? and ?` : `${field.name} = ?`);
  // A range of one field and another condition would be read as the range alone.
  return [...(second && !isRange(first) ? [`${one(first)} and ${one(second)} : weight 60`] : []), `${one(first)} : weight 40`, `writes ${Math.max(1, Math.round(table.writes))}`];
}

/** @param {HTMLElement} page @param {string} _rest @param {URLSearchParams} parameters */
export function advicePage(page, _rest, parameters) {
  const list = h('div', {});
  const tables = h('select', { name: 'table' }, h('option', { value: '' }, 'a file'));
  const file = h('input', { type: 'file', name: 'file' });
  const sample = h('input', { type: 'number', name: 'sample', min: '0.0001', max: '1', step: 'any', value: '0.1' });
  const servers = h('input', { type: 'number', name: 'servers', min: '1', max: '1000' });
  const queries = h('textarea', { name: 'queries', rows: 6, class: 'mono', required: true, spellcheck: 'false',
    placeholder: 'device = ? and ts between ? and ? newest first limit 100 : weight 60\nwrites 5000' });
  const fileLabel = h('label', {}, 'Records in arrival order', file);
  const sampleLabel = h('label', {}, 'Share of its rows to sample', sample);
  const outcome = h('div', { role: 'status' });
  const begin = h('button', { class: 'primary' }, 'Advise');
  const adoption = h('div', {});
  const ready = () => { begin.disabled = tables.value === '' && !file.files?.length; };
  file.addEventListener('change', ready);
  const choose = () => {
    fileLabel.hidden = tables.value !== '';
    sampleLabel.hidden = tables.value === '';
    ready();
  };
  const guess = async () => {
    fill(adoption);
    ready();
    const name = tables.value;
    if (!name) return;
    const table = await get(`/api/tables/${encodeURIComponent(name)}`);
    if (name !== tables.value) return;
    if (!table.explained) {
      begin.disabled = true;
      fill(adoption, adoptionSection(name, propose));
      return;
    }
    if (queries.value.trim() !== '') return;
    queries.value = guessed(table).join('\n');
    fill(outcome, h('p', { class: 'soft' }, 'These queries are guesses from the key’s fields, and the write rate is from the last reading. Change them to the queries of your application.'));
  };
  const propose = () => guess().catch((problem) => fill(outcome, wrong(problem)));
  tables.addEventListener('change', () => { choose(); propose(); });
  fill(page, h('h1', {}, 'Advice'),
    h('p', { class: 'soft' }, 'Replays records and queries under every candidate layout, and ranks the layouts by write skew and read cost.'),
    adoption,
    h('form', { submit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      begin.disabled = true;
      try {
        const wanted = { queries: queries.value, servers: servers.value === '' ? null : Number(servers.value) };
        if (tables.value) {
          await send('POST', '/api/jobs/advice', { ...wanted, table: tables.value, sample: Number(sample.value) });
        } else {
          const given = file.files?.[0];
          if (!given) return;
          fill(outcome, `Sending ${given.name} …`);
          const id = await upload(given);
          await send('POST', `/api/jobs/advice?name=${encodeURIComponent(given.name)}`, { ...wanted, upload: id });
        }
        fill(outcome);
      } catch (problem) {
        fill(outcome, wrong(problem, 'pre'));
      }
      ready();
    } },
    h('div', { class: 'form' },
      h('label', {}, 'On', tables), fileLabel, sampleLabel, h('label', {}, 'Region servers', servers),
      h('label', { class: 'wide' }, 'Queries, one per line, with ? for a value; and the write rate', queries)),
    begin, outcome), list);
  choose();
  const stop = whenTablesAreKnown((all) => {
    tables.append(...all.filter((/** @type {any} */ t) => t.kind === 'table').map((/** @type {any} */ t) => h('option', { value: t.name }, `table ${t.name}`)));
    const wanted = parameters.get('table');
    if (wanted) {
      tables.value = wanted;
      choose();
      propose();
      if (tables.value !== wanted) {
        tables.value = '';
        choose();
        fill(outcome, h('p', { class: 'warn' }, `No such table: ${wanted}.`));
      }
    }
  }, (problem) => fill(outcome, problem ? wrong(problem) : null));
  const leave = follow(list, (job) => job.kind === 'advice');
  return () => {
    stop();
    leave();
  };
}
