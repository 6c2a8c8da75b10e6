// SPDX-License-Identifier: Apache-2.0
// The portal's JSON. The token is kept for this tab only, and sent in a header: never in a cookie,
// so no other site can make a browser send it.

const KEY = 'evenkey-token';
const LIVE = '/api/live';

/** For how long a page waits for HBase and ZooKeeper, in milliseconds. */
const PATIENCE = 20_000;

export class ApiError extends Error {
  /** @param {number} status @param {any} body */
  constructor(status, body) {
    super(body?.error ?? `the portal answered ${status}`);
    this.status = status;
    this.body = body;
  }
}

/** Removes the token from an address that the portal has printed, and keeps it. */
export function takeToken() {
  const given = /^#token=(.+)$/.exec(location.hash);
  if (given) {
    setToken(decodeURIComponent(given[1]));
    history.replaceState(null, '', location.pathname + '#/overview');
  }
}

export function hasToken() {
  return sessionStorage.getItem(KEY) !== null;
}

/** @param {string | null} token */
export function setToken(token) {
  if (token) sessionStorage.setItem(KEY, token);
  else sessionStorage.removeItem(KEY);
}

/** @param {Record<string, string>} [more] */
function headers(more = {}) {
  const token = sessionStorage.getItem(KEY);
  return { 'X-Evenkey-Request': '1', ...(token ? { Authorization: `Bearer ${token}` } : {}), ...more };
}

/**
 * @param {string} method @param {string} path @param {BodyInit | null} body
 * @param {Record<string, string>} type @param {AbortSignal} [signal]
 */
async function ask(method, path, body, type, signal) {
  const answer = await fetch(path, { method, body, headers: headers(type), signal }).catch((problem) => {
    if (problem instanceof TypeError) throw new Error('The portal does not answer.');
    if (problem.name === 'TimeoutError') throw new Error('HBase or ZooKeeper does not answer; check that their servers run and can be reached.');
    throw problem;
  });
  if (!answer.ok) {
    const text = await answer.text();
    let problem = null;
    try {
      problem = JSON.parse(text);
    } catch {
      problem = { error: `the portal answered ${answer.status}` };
    }
    if (answer.status === 401 && path !== LIVE) document.dispatchEvent(new CustomEvent('access'));
    throw new ApiError(answer.status, problem);
  }
  return answer;
}

/** @param {Record<string, any>} parameters */
export function query(parameters) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  return query.toString();
}

/** @param {string} path @param {Record<string, any>} [parameters] @param {AbortSignal} [signal] @returns {Promise<any>} */
export async function get(path, parameters = {}, signal = AbortSignal.timeout(PATIENCE)) {
  return (await ask('GET', `${path}?${query(parameters)}`, null, {}, signal)).json();
}

/**
 * Calls with an answer once it can be had; asks again with each reading. Returns how to give up.
 * @param {string} path @param {(answer: any) => void} use @param {(problem: Error | null) => void} failed with null when it can be had
 */
export function whenAnswered(path, use, failed) {
  const stop = () => document.removeEventListener('live-reading', load);
  const load = () => get(path).then((answer) => {
    stop();
    failed(null);
    use(answer);
  }, failed);
  document.addEventListener('live-reading', load);
  load();
  return stop;
}

/**
 * As {@link whenAnswered}, with the tables.
 * @param {(tables: any[]) => void} use @param {(problem: string) => void} failed with an empty text when they can be had
 */
export function whenTablesAreKnown(use, failed) {
  return whenAnswered('/api/tables', ({ tables }) => use(tables), (problem) => failed(problem ? `Tables are not shown. ${problem.message}` : ''));
}

/** @param {string} method @param {string} path @param {any} [document] @returns {Promise<any>} */
export async function send(method, path, document) {
  const body = document === undefined ? null : JSON.stringify(document);
  const answer = await ask(method, path, body, { 'Content-Type': 'application/json' });
  return answer.status === 204 ? null : answer.json();
}

/** @param {File} file @returns {Promise<string>} */
export async function upload(file) {
  const path = `/api/uploads?${query({ name: file.name })}`;
  const answer = await ask('POST', path, file, { 'Content-Type': 'application/octet-stream' });
  return (await answer.json()).upload;
}

/**
 * @typedef {object} HeatTable
 * @property {string} name
 * @property {string | null} layout the layout of these rows
 * @property {number} until when the table's rows became other ones; 0 for the present rows
 * @property {string} fields what the labels consist of
 * @property {number} first
 * @property {number} rows
 * @property {boolean} logical
 * @property {string} note
 */
/** @typedef {{at: number, row: number, kind: string, table: string, text: string}} HeatMark */
/**
 * @typedef {object} Matrix
 * @property {number} from
 * @property {number} step
 * @property {number} columns
 * @property {string} unit
 * @property {number} oldest
 * @property {HeatTable[]} tables
 * @property {HeatMark[]} marks
 * @property {string[]} labels
 * @property {string[]} starts
 * @property {Float32Array} values by column, then by row; NaN without a reading
 * @property {Uint8Array} flags
 */

/** @param {Record<string, any>} parameters @param {AbortSignal} [signal] @returns {Promise<Matrix>} */
export async function matrix(parameters, signal) {
  const answer = await ask('GET', `/api/heat?${query(parameters)}`, null, {}, signal);
  const bytes = await answer.arrayBuffer();
  const length = new DataView(bytes).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  const cells = head.columns * head.labels.length;
  return {
    ...head,
    values: new Float32Array(bytes, 4 + length, cells),
    flags: new Uint8Array(bytes, 4 + length + 4 * cells, cells),
  };
}

/**
 * Asks the portal once a second what has changed, while the page is shown. It holds no connection: a browser allows six
 * to a host, for all of its pages together.
 * @param {(event: 'reading' | 'jobs' | 'lost', document: any) => void} listener
 */
export async function listen(listener) {
  let reading = '';
  let jobs = '';
  for (;;) {
    try {
      const now = await get(LIVE);
      if (reading !== (reading = `${now.at} ${now.problem} ${now.history_problem}`)) listener('reading', now);
      if (jobs !== (jobs = JSON.stringify(now.jobs))) listener('jobs', now);
    } catch (problem) {
      listener('lost', problem);
      // All that the page shows is old: the next answer is news.
      reading = '';
    }
    await new Promise((wait) => setTimeout(wait, 1_000));
    while (document.hidden) await new Promise((shown) => document.addEventListener('visibilitychange', shown, { once: true }));
  }
}
