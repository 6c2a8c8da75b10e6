// SPDX-License-Identifier: Apache-2.0
import { get, send, whenTablesAreKnown } from './api.js';
import { calm, count, fill, figure, h, moment, whenReleased, wrong } from './dom.js';
import { follow, progressText } from './jobs.js';
import { keyChangeFields, keyChangeView } from './keychange.js';
import { explainedView } from './tables.js';

const WAY = ['preparing', 'copying', 'verifying', 'ready', 'fencing', 'closing', 'switching', 'switched', 'finished'];

/** The stages in words, as an operator says where a migration is. @type {Record<string, string>} */
const STAGES = { preparing: 'being prepared', copying: 'copying rows', verifying: 'comparing rows', ready: 'ready to switch', fencing: 'writes pause',
  closing: 'closing the old table', switching: 'opening the new table', switched: 'switched, and can be rolled back', finishing: 'finishing', finished: 'finished',
  returning: 'rolling back', abandoning: 'rolling back', rolled_back: 'rolled back' };

/** Short names of stages, for the list of them. @type {Record<string, string>} */
const STEPS = { preparing: 'Prepare', copying: 'Copy', verifying: 'Compare', ready: 'Ready', fencing: 'Pause', closing: 'Close', switching: 'Open', switched: 'In use', finished: 'Finished' };

/** What the next action means. @type {Record<string, string>} */
const NEXT = {
  ready: 'Switching pauses writes for a moment; after that applications read and write the new table. You can roll back until you finish.',
  switched: 'Applications use the new table, and the old one is kept up to date. Finishing drops the old rows, and with them the way back.',
};

/** @param {string} stage */
export function stageText(stage) {
  return STAGES[stage] ?? stage.replace('_', ' ');
}

/** @param {number} seconds */
function leftText(seconds) {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : seconds < 5_400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3_600)} h`;
}

/** The progress of a running job: rows, megabytes and time left. @param {any} job @param {number} megabytes of the table */
function progressView(job, megabytes) {
  if (!job) return null;
  if (!(job.total > 0 && job.done > 0)) return [h('progress', {}), h('p', { class: 'soft' }, progressText(job))];
  const share = job.done / job.total;
  const seconds = (job.seconds * (1 - share)) / share;
  return [h('progress', { max: String(job.total), value: String(job.done) }),
    h('p', { class: 'soft' }, `${figure(job.done)} of about ${figure(job.total)} rows`,
      megabytes >= 1 ? `, ${figure(Math.round(share * megabytes))} of ${figure(megabytes)} MB` : '', `; about ${leftText(seconds)} left`)];
}

/** What is known of the comparison of both tables. @param {any} migration @param {number} at the index of its stage */
function comparedText(migration, at) {
  if (at < WAY.indexOf('verifying')) return 'rows are compared after the copy';
  if (at === WAY.indexOf('verifying')) return 'rows are being compared';
  return migration.repaired > 0 ? `all rows compared, ${figure(migration.repaired)} repaired` : 'all rows compared, and alike';
}

/** The tables of which an operator has said that replication to them has ended: the list is drawn again every few seconds. @type {Set<string>} */
const ended = new Set();

/** @param {any} migration */
function replicationBox(migration) {
  const box = h('input', { type: 'checkbox', name: `replication_ended of ${migration.table}`, checked: ended.has(migration.table), change: () => {
    if (box.checked) ended.add(migration.table);
    else ended.delete(migration.table);
  } });
  return h('label', { class: 'inline' }, box, 'Replication to the table has ended');
}

/** @param {any} migration @param {HTMLElement} outcome @param {any} job that is at work on it, if one is @param {number} megabytes of its table @param {string} failure of the last job, or empty */
export function migrationView(migration, outcome, job, megabytes, failure) {
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
  const at = WAY.indexOf(migration.stage === 'finishing' ? 'finished' : migration.stage);
  // The record of the migration has only the rows of finished parts.
  const copied = migration.stage === 'copying' && job ? Math.max(job.done, migration.copied_rows) : migration.copied_rows;
  // A step before all rows makes no other table.
  const inPlace = Boolean(migration.step) && migration.source === migration.target;
  return h('div', { class: 'panel', 'data-stage': migration.stage },
    h('h2', {}, h('a', { href: `#/tables/${encodeURIComponent(migration.table)}` }, migration.table), ` · ${stageText(migration.stage)}`),
    h('p', {}, `${migration.meaning[0].toUpperCase()}${migration.meaning.slice(1)}.`),
    migration.step ? h('p', { class: 'soft' }, `Step of the salt, ${inPlace ? 'for which no row is rewritten' : 'rows at or after it are rewritten'}: from `, h('code', {}, migration.step.before), ' to ', h('code', {}, migration.step.after)) : null,
    keyChangeView(migration, back),
    back || inPlace ? null : h('ol', { class: 'way', 'aria-label': 'Stages' }, WAY.map((stage, i) =>
      h('li', { class: i < at ? 'past' : i === at ? 'now' : '', ...(i === at ? { 'aria-current': 'step' } : {}) }, STEPS[stage]))),
    migration.over ? null : progressView(job, megabytes),
    inPlace ? null : h('p', { class: 'soft' }, `From ${migration.source} to ${migration.target}. `
      + `Applications read ${migration.generation}; ${count(copied, 'row')} copied`
      + `${migration.parts > 1 && migration.copied < migration.parts ? `, ${migration.copied} of ${migration.parts} parts` : ''}; `
      + `${back ? 'the way back needs no copy' : comparedText(migration, at)}; `
      + `${migration.fence === 'names' ? 'without the guard: reads and writes pause at the switch' : 'the region servers’ guard keeps clients from the table that is not in use'}. Since ${moment(migration.since)}.`),
    job || migration.stage !== 'finished' || migration.renaming || inPlace ? null : [
      h('p', {}, `The rows are in ${migration.target}. Renaming gives them the table’s own name, and applications continue.`),
      h('p', { class: 'tools' }, button(`Rename ${migration.target} to ${migration.table}`, () => send('POST', `${path}/name`, { replication_ended: ended.has(migration.table) })),
        replicationBox(migration))],
    migration.over || job ? null : NEXT[migration.stage] ? h('p', {}, NEXT[migration.stage])
      : h('p', {}, failure ? [wrong(`Its last job failed: ${failure}.`, 'span'), ' '] : 'No job of this portal runs it. ', 'Continue resumes it at this stage.'),
    migration.over ? null : h('p', { class: 'tools' },
      job ? null : migration.stage === 'ready' ? to('switched', 'Switch reads and writes', true)
        : migration.stage === 'switched' ? to('finished', 'Finish', true) : to(migration.goal, 'Continue', true),
      job || back || migration.stage === 'finishing' || (inPlace && migration.stage === 'switching') ? null : to('rolled_back', 'Roll back'),
      h('a', { href: `#/heat?table=${encodeURIComponent(migration.table)}` }, 'See its heat')),
    at < 0 || at >= WAY.indexOf('ready') || inPlace ? null : h('p', { class: 'tools' },
      h('label', { class: 'inline' }, 'Copy at most', rows, 'rows/s, 0 for unlimited;'),
      h('label', { class: 'inline' }, 'slower when reads take', latency, 'ms, 0 to disable'),
      h('button', { type: 'button', click: pace }, 'Set the limits'),
      migration.held_to_rows_per_second > 0 ? h('span', { class: 'soft' }, `held to ${figure(migration.held_to_rows_per_second)} rows/s because of read latency`) : null));
}

/** @param {HTMLElement} page @param {string} _rest @param {URLSearchParams} parameters */
export function migrationsPage(page, _rest, parameters) {
  const list = h('div', {}, h('p', { class: 'soft' }, 'Reading …'));
  const jobs = h('div', {});
  const previews = h('div', {});
  const outcome = h('p', { role: 'status', 'aria-live': 'polite' });
  const table = h('select', { name: 'table', required: true });
  const layout = h('input', { name: 'layout', class: 'mono', required: true, spellcheck: 'false', autocomplete: 'off', input: () => { ready(); explain(); }, 'aria-describedby': 'migration-error' });
  const regions = h('input', { name: 'regions', type: 'number', min: '1', placeholder: 'one a bucket' });
  const error = h('pre', { class: 'error', id: 'migration-error', role: 'alert' });
  const explained = h('div', {});
  const key = keyChangeFields();
  const begin = h('button', { class: 'primary', disabled: true }, 'Begin');
  const others = h('input', { type: 'checkbox', name: 'others_stopped' });
  const replication = h('input', { type: 'checkbox', name: 'replication_ended' });
  const by = h('select', { name: 'by' }, [['files', 'files, the fastest'], ['puts', 'puts, through the servers'], ['snapshot', 'a snapshot, read from files']].map(([way, text]) => h('option', { value: way }, text)));
  const wanted = () => ({ layout: layout.value, regions: regions.value === '' ? null : Number(regions.value), by: by.value, others_stopped: others.checked, replication_ended: replication.checked, ...key.values() });
  const post = async (/** @type {string} */ path) => {
    try {
      await send('POST', `/api/migrations/${encodeURIComponent(table.value)}${path}`, wanted());
      fill(outcome);
    } catch (problem) {
      fill(outcome, wrong(problem, 'span'));
    }
  };
  const preview = h('button', { type: 'button', disabled: true, click: () => post('/preview') }, 'Show what it would do');
  fill(page, h('h1', {}, 'Migrations'),
    h('p', { class: 'soft' }, 'Migrates a live table to another layout: the rows are copied while clients keep reading and writing, and clients are switched over during a short pause of writes. Until the migration is finished it can be rolled back.'),
    list, outcome, h('h2', {}, 'Migrate a table'),
    h('form', { submit: (/** @type {Event} */ event) => {
      event.preventDefault();
      post('');
    } }, h('div', { class: 'form' },
      h('label', {}, 'Table', table), h('label', { class: 'wide' }, key.caption, layout),
      h('label', {}, 'Regions', regions), h('label', {}, 'Copy method', by), key.change, key.columns,
      h('label', { class: 'inline' }, others, 'Writers without Evenkey have stopped'),
      h('label', { class: 'inline' }, replication, 'Replication to the table has ended')),
    key.note, error, h('p', { class: 'tools' }, preview, begin), previews, explained),
    jobs);

  /** @type {any[]} */
  let tables = [];
  /** @type {any[]} */
  let running = [];
  /** The failures of the last jobs, by their titles. @type {Map<string, string>} */
  let failed = new Map();
  /** The tables of which one migration has to end before another begins. @type {Set<string>} */
  let under = new Set();
  const choose = () => {
    layout.value = tables.find((t) => t.name === table.value)?.layout ?? '';
    ready();
    explain();
  };
  const ready = () => {
    // The layout that the table has already is nothing to migrate to.
    const now = tables.find((t) => t.name === table.value)?.layout ?? '';
    begin.disabled = under.has(table.value) || table.value === '' || layout.value.trim() === '' || (layout.value.trim() === now && !key.values().change_key);
    preview.disabled = begin.disabled;
  };
  table.addEventListener('change', choose);
  key.changes.addEventListener('change', ready);
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
  let looking = false;
  const look = () => {
    // An answer may take longer than it is asked for again.
    if (looking || document.hidden) return;
    looking = true;
    get('/api/migrations').then(see, (problem) => {
      drawn = '';
      fill(list, wrong(problem));
    }).finally(() => { looking = false; });
  };
  const see = (/** @type {{ migrations: any[] }} */ { migrations }) => {
    under = new Set(migrations.filter((/** @type {any} */ migration) => !migration.over).map((/** @type {any} */ migration) => migration.table));
    ready();
    show(migrations);
  };
  let drawn = '';
  const show = (/** @type {any[]} */ migrations) => {
    const views = migrations.map((/** @type {any} */ migration) => ({ migration,
      job: running.find((job) => job.title === `Migration of ${migration.table}`),
      failure: failed.get(`Migration of ${migration.table}`) ?? '',
      megabytes: tables.find((t) => t.name === migration.table)?.megabytes ?? 0 }));
    if (drawn === (drawn = JSON.stringify(views))) return;
    whenReleased(() => fill(list, views.length === 0 ? h('p', {}, 'No table has been migrated yet.')
      : views.map(({ migration, job, megabytes, failure }) => migrationView(migration, outcome, job, megabytes, failure))));
  };
  const stop = whenTablesAreKnown((all) => {
    tables = all;
    // Generations are migrated by the table's own name, the tables of indexes with it.
    fill(table, h('option', { value: '' }, 'Choose a table'), tables.filter((t) => t.kind === 'table').map((t) => h('option', { value: t.name }, t.name)));
    table.value = parameters.get('table') ?? '';
    if (table.selectedIndex < 0) table.value = '';
    choose();
    const proposed = parameters.get('layout');
    if (proposed) {
      layout.value = proposed;
      ready();
      explain();
    }
    look();
  }, (problem) => fill(outcome, problem ? wrong(problem, 'span') : null));
  look();
  const soon = calm(100, look);
  const live = (/** @type {Event} */ event) => {
    const all = /** @type {CustomEvent} */ (event).detail.jobs.filter((/** @type {any} */ job) => job.kind === 'migration');
    running = all.filter((/** @type {any} */ job) => job.state === 'running' || job.state === 'waiting');
    // The newest job of a title is first.
    failed = new Map([...all].reverse().map((/** @type {any} */ job) => [job.title, job.state === 'failed' ? job.text : '']));
    soon();
  };
  get('/api/jobs').then((answer) => live(new CustomEvent('jobs', { detail: answer })), () => {});
  document.addEventListener('live-jobs', live);
  // Other users migrate tables from the command line. Keep the text that the user has typed.
  const timer = setInterval(() => { if (!list.contains(document.activeElement)) look(); }, 3_000);
  const leave = follow(jobs, (job) => job.kind === 'migration');
  const leavePreviews = follow(previews, (job) => job.kind === 'preview' && job.title === `Preview of the migration of ${table.value}`, 1);
  return () => {
    clearInterval(timer);
    stop();
    document.removeEventListener('live-jobs', live);
    leave();
    leavePreviews();
  };
}
