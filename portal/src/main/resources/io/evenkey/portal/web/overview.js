// SPDX-License-Identifier: Apache-2.0
// The first page: which tables are hot, since when, what it costs, and what to do.
import { get } from './api.js';
import { age, calm, figure, fill, grid, h, moment, time, whenReleased, wrong } from './dom.js';
import { stageText } from './migrations.js';
import { hiddenView, oldView, skewText } from './tables.js';

/** What each remedy begins with. @type {Record<string, (table: string) => [string, string]>} */
const REMEDIES = {
  advice: (table) => [`Find a better layout for ${table}`, `#/advice?table=${encodeURIComponent(table)}`],
  regions: (table) => [`Split ${table} at its buckets`, `#/tables/${encodeURIComponent(table)}?split=1`],
  step: (table) => [`Give ${table} more buckets`, `#/migrations?table=${encodeURIComponent(table)}`],
  plan: (table) => [`See the regions of ${table}`, `#/tables/${encodeURIComponent(table)}`],
  hotkeys: (table) => [`See the hot keys of ${table}`, `#/tables/${encodeURIComponent(table)}`],
};

/** @param {string} text @param {string} to @param {boolean} [primary] */
function action(text, to, primary = true) {
  return h('a', { class: `button${primary ? ' primary' : ''}`, href: to }, text);
}

/** @param {string} table @param {any[]} findings @param {any} facts @param {any} migration */
function hotView(table, findings, facts, migration) {
  const [first] = findings;
  const since = Math.min(...findings.map((finding) => finding.since).filter((at) => at > 0));
  const cost = findings.find((finding) => finding.cost)?.cost;
  const [text, to] = (REMEDIES[first.remedy] ?? REMEDIES.plan)(table);
  return h('section', { class: `panel hot s${first.severity}`, 'data-hot': table },
    h('h2', {}, h('a', { href: `#/tables/${encodeURIComponent(table)}` }, table)),
    facts ? h('p', { class: 'soft' }, `Now ${figure(facts.writes)} writes/s and ${figure(facts.reads)} reads/s, ${figure(facts.megabytes)} MB in ${figure(facts.regions)} region${facts.regions === 1 ? '' : 's'}`) : null,
    findings.map((finding) => h('p', {}, finding.text)),
    h('dl', {},
      Number.isFinite(since) ? [h('dt', {}, 'Since'), h('dd', {}, `${time(since)} or earlier: for ${age((Date.now() - since) / 1000)}`)] : null,
      cost ? [h('dt', {}, 'It costs'), h('dd', {}, cost)] : null),
    h('p', { class: 'tools' },
      migration && !migration.over ? action('See its migration', '#/migrations') : action(text, to),
      action('See its heat', `#/heat?table=${encodeURIComponent(table)}`, false)));
}

/** How many tables are hot, and how many others have something to improve. @param {any[][]} findings by table, the worst of each first */
function leadView(findings) {
  const hot = findings.filter(([worst]) => worst.severity > 1).length;
  const others = findings.length - hot;
  const text = (/** @type {number} */ number, /** @type {string} */ one, /** @type {string} */ many) => (number === 1 ? `One ${one}` : `${number} ${many}`);
  if (hot === 0) return h('p', { class: 'lead' }, `No table is hot. ${text(others, 'needs a look.', 'need a look.')}`);
  return h('p', { class: 'lead bad' }, text(hot, 'table is hot.', 'tables are hot.'), others ? ` ${text(others, 'more needs a look.', 'more need a look.')}` : '');
}

/** @param {any} migration */
function migrationLine(migration) {
  return h('li', {}, h('a', { href: '#/migrations' }, migration.table), `: ${stageText(migration.stage)}, since ${moment(migration.since)}`);
}

/** @param {HTMLElement} page */
export function overviewPage(page) {
  const hot = h('div', {}, h('p', { class: 'soft' }, 'Reading the load …'));
  const work = h('div', {});
  const rest = h('div', {});
  fill(page, h('h1', {}, 'Overview'), hot, work, rest);
  let left = false;
  /** @type {any[] | null} */
  let findings = null;
  let isOld = false;
  /** What HBase and ZooKeeper have answered last; null before. @type {{ tables: any[], hidden: number, migrations: any[], trouble: unknown } | null} */
  let known = null;
  let asking = false;

  // What is hot is known without HBase's master and without ZooKeeper, which may take long to answer.
  const load = calm(100, () => {
    get('/api/heat/findings').then((answer) => {
      findings = answer.findings;
      isOld = answer.problem !== '' && answer.findings.length > 0;
      whenReleased(show);
    }, (problem) => fill(hot, wrong(problem)));
    if (!asking) loadTables();
  });

  async function loadTables() {
    asking = true;
    /** @type {unknown} */
    let trouble = null;
    const or = (/** @type {any} */ otherwise) => (/** @type {unknown} */ problem) => {
      trouble = problem;
      return otherwise;
    };
    const [{ tables, hidden }, { migrations }] = await Promise.all([get('/api/tables').catch(or({ tables: [], hidden: 0 })), get('/api/migrations').catch(or({ migrations: [] }))]);
    asking = false;
    known = { tables, hidden, migrations, trouble };
    whenReleased(show);
  }

  function show() {
    if (left || !findings) return;
    const { tables, hidden, migrations, trouble } = known ?? { tables: [], hidden: 0, migrations: [], trouble: null };
    const own = tables.filter((/** @type {any} */ table) => table.kind === 'table');
    /** @type {Map<string, any[]>} */
    const bad = new Map();
    for (const finding of findings) if (finding.severity > 0) bad.set(finding.table, [...(bad.get(finding.table) ?? []), finding]);
    const views = [...bad].map(([table, of]) => hotView(table, of, tables.find((/** @type {any} */ t) => t.name === table), migrations.find((/** @type {any} */ m) => m.table === table)));
    fill(hot, views.length
      ? [oldView(isOld), leadView([...bad.values()]), ...views]
      : trouble || !known ? null : own.length === 0 && hidden === 0
        ? h('div', { class: 'panel' }, h('p', { class: 'lead' }, 'No tables yet.'), h('p', {}, 'Plan one, create it, and import records into it; or let applications write to it.'),
          h('p', { class: 'tools' }, action('Plan a table', '#/plans')))
        : [oldView(isOld), h('p', { class: 'lead good' }, findings.length ? 'No table is hot.' : 'Nothing has been counted yet: the first figures come with the second reading.')]);
    const open = migrations.filter((/** @type {any} */ migration) => !migration.over);
    fill(work, trouble ? wrong(`Tables or migrations are not shown. ${/** @type {Error} */ (trouble).message}`) : known ? null : h('p', { class: 'soft' }, 'Reading tables and migrations …'), open.length ? [h('h2', {}, 'Under migration'), h('ul', {}, open.map(migrationLine))] : []);
    const busiest = [...own].sort((a, b) => b.writes + b.reads - a.writes - a.reads).slice(0, 8);
    fill(rest, hiddenView(hidden), busiest.length ? [h('h2', {}, 'The busiest tables'), grid(['Table', '>Writes/s', '>Skew', '>Reads/s', '>Skew', ''], busiest.map((table) => [
      h('a', { href: `#/tables/${encodeURIComponent(table.name)}` }, table.name),
      figure(table.writes), skewText(table.write_skew.mean, table.writes), figure(table.reads), skewText(table.read_skew.mean, table.reads),
      h('a', { href: `#/heat?table=${encodeURIComponent(table.name)}` }, 'Heat')])),
    h('p', { class: 'soft' }, 'Skew: the load of the busiest server divided by the mean. 1 is even.')] : null);
  }
  load();
  document.addEventListener('live-reading', load);
  return () => {
    left = true;
    document.removeEventListener('live-reading', load);
  };
}
