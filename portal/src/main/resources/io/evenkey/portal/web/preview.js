// SPDX-License-Identifier: Apache-2.0
// What a migration would do.
import { figure, h } from './dom.js';

/** @type {Record<string, string>} */
const WRITTEN = {
  copy: 'all rows, to a new table',
  clone: 'the rows at or after the step, in a clone of the table',
  step: 'no row: rows from the step on get the new buckets',
};

/** @param {number} megabytes */
function size(megabytes) {
  return megabytes < 1 ? 'less than 1 MB' : megabytes < 1_000 ? `${figure(megabytes)} MB` : `${figure(megabytes / 1_024)} GB`;
}

/** @param {number} seconds */
function span(seconds) {
  return seconds < 120 ? `${figure(Math.max(0.1, seconds))} s` : seconds < 7_200 ? `${figure(Math.round(seconds / 60))} min` : `${figure(seconds / 3_600)} h`;
}

/** @param {any} seen the preview of a migration */
export function previewView(seen) {
  const facts = [
    ['Layout', [h('code', {}, seen.before), ' → ', h('code', {}, seen.after)]],
    ['Rows', `${seen.rows_exact ? '' : 'about '}${figure(seen.rows)}, ${size(seen.megabytes)}`],
    ['Written', WRITTEN[seen.way] ?? seen.way],
    ['Regions', `${figure(seen.regions_before)} now, ${figure(seen.regions_after)} afterwards, on ${figure(seen.servers)} server${seen.servers === 1 ? '' : 's'}`],
    ['Disk', seen.disk_megabytes > 0 ? `${size(seen.disk_megabytes)} more in each replica, until the old table is dropped; free: ${seen.free_megabytes === null ? 'not known' : size(seen.free_megabytes)}` : 'none'],
    ['Time', `about ${span(seen.seconds)} to copy and compare`],
    ['Pause', seen.way === 'step' ? 'none, but for rows at or after the step'
      : `${seen.fence === 'names' ? 'reads and writes' : 'writes'}: about ${span(seen.pause_seconds)} at the switch`],
  ];
  return h('div', { class: 'preview' },
    seen.obstacles.length ? [h('p', { class: 'bad' }, 'It would be rejected:'), h('ul', {}, seen.obstacles.map((/** @type {string} */ text) => h('li', { class: 'bad' }, text)))] : null,
    h('dl', {}, facts.flatMap(([name, text]) => [h('dt', {}, name), h('dd', {}, text)])),
    seen.settings.length ? h('details', {}, h('summary', {}, 'Settings that change'), h('ul', {}, seen.settings.map((/** @type {string} */ text) => h('li', {}, text)))) : null,
    seen.warnings.map((/** @type {string} */ text) => h('p', { class: 'warn' }, text)));
}
