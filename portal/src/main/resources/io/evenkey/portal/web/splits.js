// SPDX-License-Identifier: Apache-2.0
// Cuts a spread table with too few regions between its buckets.
import { get, send } from './api.js';
import { drawKeyAxis } from './axis.js';
import { figure, fill, h, wrong } from './dom.js';
import { follow } from './jobs.js';

/** @param {string} name of the table */
export function splitSection(name) {
  const path = `/api/tables/${encodeURIComponent(name)}/splits`;
  const shown = h('div', {});
  const jobs = h('div', {});
  const element = h('section', { id: 'splits', hidden: true }, h('h2', {}, 'Regions that it needs'), shown, jobs);
  const split = async () => {
    try {
      await send('POST', path, {});
      fill(shown, h('p', { class: 'soft' }, 'The table is being split; see below.'));
    } catch (problem) {
      fill(shown, wrong(problem));
    }
  };
  /** Shows what is missing, for a table whose regions are found too few. */
  const look = async () => {
    const plan = await get(path).catch(() => null);
    if (!plan || plan.splits.length === 0) return;
    element.hidden = false;
    const canvas = h('canvas', { class: 'axis', role: 'img' });
    fill(shown,
      h('p', {}, `It has ${figure(plan.regions_before)} region${plan.regions_before === 1 ? '' : 's'}, and its buckets need ${figure(plan.regions_after)} on ${figure(plan.servers)} servers. It would be cut here:`),
      canvas,
      h('p', { class: 'soft' }, 'HBase splits one region after another while applications go on; after each split it compacts both halves, which takes some minutes each time, and then the regions are spread over the servers. No row changes. Regions are not merged again by themselves.'),
      h('p', { class: 'tools' }, h('button', { type: 'button', class: 'primary', click: split }, `Split into ${figure(plan.regions_after)} regions`)));
    drawKeyAxis(canvas, plan.splits, plan.regions_after);
  };
  const leave = follow(jobs, (job) => {
    const own = job.kind === 'split' && job.title === `Split of ${name}`;
    if (own) element.hidden = false;
    return own;
  });
  return { element, look, leave };
}
