// SPDX-License-Identifier: Apache-2.0
import { ApiError, get, hasToken, listen, setToken, takeToken } from './api.js';
import { fill, h } from './dom.js';
import { advicePage } from './advice.js';
import { heatPage } from './heat.js';
import { jobsPage } from './jobs.js';
import { migrationsPage } from './migrations.js';
import { overviewPage } from './overview.js';
import { planPage, plansPage } from './plans.js';
import { tablePage, tablesPage } from './tables.js';

/**
 * A page: fills an element, and may return a function to call when the user leaves the page.
 * @typedef {(page: HTMLElement, rest: string, parameters: URLSearchParams) => void | (() => void)} Page
 */

/** @type {Record<string, Page>} */
const PAGES = {
  overview: overviewPage,
  heat: heatPage,
  tables: (page, rest, parameters) => (rest ? tablePage(page, rest, parameters) : tablesPage(page)),
  plans: (page, rest, parameters) => (rest ? planPage(page, rest, parameters) : plansPage(page, parameters)),
  advice: advicePage,
  migrations: migrationsPage,
  jobs: jobsPage,
};

const page = /** @type {HTMLElement} */ (document.getElementById('page'));
/** @type {void | (() => void)} */
let leave;

function show() {
  const [path, search] = location.hash.replace(/^#\//, '').split('?');
  const slash = path.indexOf('/');
  const name = slash < 0 ? path : path.slice(0, slash);
  const rest = slash < 0 ? '' : decodeURIComponent(path.slice(slash + 1));
  if (!(name in PAGES)) {
    location.replace('#/overview');
    return;
  }
  if (leave) leave();
  for (const link of document.querySelectorAll('nav a')) {
    if (link.getAttribute('href') === `#/${name}`) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  fill(page);
  leave = PAGES[name](page, rest, new URLSearchParams(search));
  const title = page.querySelector('h1')?.textContent;
  document.title = title ? `${title} · Evenkey` : 'Evenkey';
}

const access = /** @type {HTMLButtonElement} */ (document.getElementById('access'));
let readOnly = false;

function showAccess() {
  access.hidden = readOnly;
  access.textContent = hasToken() ? 'Forget token' : 'Enter token';
}

function askForToken() {
  if (document.querySelector('dialog[open]')) return;
  const input = h('input', { type: 'password', autocomplete: 'off', required: true, name: 'token' });
  const dialog = h('dialog', { 'aria-label': 'Token' },
    h('form', { method: 'dialog', submit: () => { setToken(input.value.trim()); location.reload(); } },
      hasToken() ? h('p', { class: 'error' }, 'The portal does not accept this token. It has another since it was started again.') : null,
      h('p', {}, 'The token is in the address that the portal printed when it started, after ', h('code', {}, '#token='), '.'),
      h('label', {}, 'Token', input),
      h('p', { class: 'tools' },
        h('button', { class: 'primary' }, 'Use it'),
        h('button', { type: 'button', click: () => dialog.close() }, 'Cancel'))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

access.addEventListener('click', () => {
  if (hasToken()) {
    setToken(null);
    location.reload();
  } else {
    askForToken();
  }
});
document.addEventListener('access', askForToken);

takeToken();
showAccess();
window.addEventListener('hashchange', show);
show();

get('/api/about').then((about) => {
  readOnly = about.read_only;
  document.body.toggleAttribute('data-read-only', readOnly);
  fill(/** @type {Element} */ (document.getElementById('cluster')), about.cluster + (readOnly ? ' · read-only' : ''));
  showAccess();
}, () => {});

const problem = /** @type {HTMLElement} */ (document.getElementById('problem'));
const running = /** @type {HTMLElement} */ (document.getElementById('running'));

/** @param {string} text the problem, or empty */
function tellProblem(text) {
  problem.hidden = text === '';
  problem.textContent = text;
}

listen((event, document_) => {
  if (event === 'reading') {
    tellProblem([document_.problem && `HBase’s counters cannot be read: ${document_.problem}.`, document_.history_problem].filter(Boolean).join(' '));
  } else if (event === 'jobs') {
    const count = document_.jobs.filter((/** @type {any} */ job) => job.state === 'running' || job.state === 'waiting').length;
    running.hidden = count === 0;
    running.textContent = String(count);
  } else if (event === 'lost') {
    tellProblem(document_ instanceof ApiError ? document_.message : 'The portal does not answer; trying again …');
  }
  document.dispatchEvent(new CustomEvent(`live-${event}`, { detail: document_ }));
});
