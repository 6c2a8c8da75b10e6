// SPDX-License-Identifier: Apache-2.0
import { get, send } from './api.js';
import { figure, fill, grid, h, whenReleased, wrong } from './dom.js';

/** Why not all regions count. @type {Record<string, string>} */
const STATES = {
  off: 'Not counted.',
  not_counted: 'Not counted: the table’s setting is not understood, or counting has failed. The region servers’ logs say why.',
  no_module: 'Not counted: the region servers do not have Evenkey’s module.',
  counted_partly: 'Not all regions count: some are on servers without Evenkey’s module, or have just been opened.',
  failed: 'No region answered: Evenkey’s module there may be of an earlier version.',
};

/** @param {HTMLElement} section @param {string} name */
export async function hotKeys(section, name) {
  try {
    const hot = await get(`/api/hotkeys/${encodeURIComponent(name)}`);
    whenReleased(() => fill(section, h('h2', {}, 'Hot keys'),
      h('div', { id: 'hot-servers' }, ofServers(section, name, hot))));
  } catch (problem) {
    fill(section, wrong(problem));
  }
}

/** @param {HTMLElement} section @param {string} name @param {any} hot */
function ofServers(section, name, hot) {
  const message = h('span', { role: 'status' });
  const set = (/** @type {string} */ setting, /** @type {string} */ text) => h('button', {
    type: 'button',
    click: async () => {
      try {
        await send('PUT', `/api/hotkeys/${encodeURIComponent(name)}`, { setting });
        await hotKeys(section, name);
      } catch (problem) {
        fill(message, wrong(problem, 'span'));
      }
    },
  }, text);
  const counting = hot.regions_counting > 0;
  const actions = hot.state === 'denied' || hot.state === 'no_module' ? null
    : h('p', {}, counting ? set('off', 'Stop counting') : set('on', 'Count on the servers'), ' ', message);
  return [
    counting ? h('p', { class: 'soft' },
      `Operations of all clients in the last ${Math.round(hot.window_ms / 1000)} s, `
        + (hot.one_in === 1 ? 'all counted.' : `one of ${hot.one_in} counted.`)) : null,
    hot.problem ? h('p', { class: counting ? 'warn' : 'soft' }, STATES[hot.state] ?? sentence(hot.problem)) : null,
    counting ? serverTable(hot) : null,
    actions,
  ];
}

/** @param {string} text */
function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {any} hot */
function serverTable(hot) {
  const rows = [];
  for (const [kind, operations] of [['write_fields', 'Writes'], ['write_keys', 'Writes'],
    ['read_fields', 'Reads'], ['read_keys', 'Reads'], ['scan_starts', 'Scans from']]) {
    const counted = hot[kind];
    for (const item of counted.items.slice(0, 10)) {
      rows.push([operations, h('span', { class: 'mono', title: item.hex }, item.label), item.bucket ?? '',
        figure(item.per_second), `${figure(item.lower)} – ${figure(item.upper)}`,
        `${((100 * item.per_second) / counted.per_second).toFixed(1)} %`,
        item.regions > 1 ? `${item.regions} regions` : h('span', { class: 'mono', title: item.region }, item.region.slice(0, 8)),
        item.regions > 1 ? '' : item.server.split(',').slice(0, 2).join(':')]);
    }
  }
  return rows.length === 0
    ? h('p', {}, 'No key is more frequent than the others.')
    : grid(['Operations', 'Key', '>Bucket', '>About/s', '>Between', '>Share', 'Region', 'Server'], rows);
}
