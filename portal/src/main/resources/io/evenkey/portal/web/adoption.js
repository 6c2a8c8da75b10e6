// SPDX-License-Identifier: Apache-2.0
// What the keys of a table without a layout are: guessed from its rows, and recorded when a person agrees.
import { get, send } from './api.js';
import { calm, fill, grid, h, wrong } from './dom.js';

/**
 * @param {string} name of the table @param {() => void} recorded called when the table has its layout
 */
export function adoptionSection(name, recorded) {
  const path = `/api/tables/${encodeURIComponent(name)}/rows/layout`;
  const line = h('input', { name: 'adopted', class: 'mono', spellcheck: 'false', autocomplete: 'off', input: () => { record.disabled = true; look(); }, 'aria-describedby': 'adoption-error' });
  const error = h('pre', { class: 'error', id: 'adoption-error', role: 'alert' });
  const others = h('div', {});
  const examples = h('div', { 'aria-live': 'polite' }, h('p', { class: 'soft' }, 'Reading rows …'));
  const record = h('button', { type: 'button', class: 'primary', disabled: true, click: async () => {
    try {
      await send('PUT', path, { layout: line.value.trim() });
      recorded();
    } catch (problem) {
      fill(error, wrong(problem, 'span'));
    }
  } }, 'Record it');
  const show = (/** @type {any} */ seen) => {
    const [first] = seen.proposals;
    record.disabled = first.fitting < seen.rows;
    fill(error, record.disabled ? `It does not fit: ${first.fitting} of ${seen.rows} rows can be decoded with it.` : null);
    fill(examples, grid(['Row', 'Read as'], seen.examples.map((/** @type {any} */ row) => [h('code', {}, row.row), row.read_as])),
      first.note ? h('p', { class: 'soft' }, first.note) : null,
      seen.doubts.map((/** @type {string} */ doubt) => h('p', { class: 'warn' }, doubt)));
  };
  const look = calm(250, async () => {
    const asked = line.value.trim();
    if (asked === '') return;
    try {
      const seen = await get(path, { layout: asked });
      // The person may have typed on since then.
      if (asked === line.value.trim()) show(seen);
    } catch (problem) {
      if (asked !== line.value.trim()) return;
      record.disabled = true;
      fill(error, wrong(problem, 'span'));
    }
  });
  get(path).then((seen) => {
    if (line.value === '') {
      line.value = seen.proposals[0].layout;
      show(seen);
    }
    fill(others, seen.proposals.length < 2 ? null : h('p', { class: 'tools' }, 'Its rows could also be', seen.proposals.slice(1, 4).map((/** @type {any} */ one) =>
      h('button', { type: 'button', click: () => { line.value = one.layout; look(); } }, h('code', {}, one.layout)))));
  }, (problem) => fill(examples, wrong(problem)));
  return h('section', { class: 'panel', id: 'adoption' }, h('h2', {}, 'What its keys are'),
    h('p', {}, `${name} has no layout yet. Check its rows below: if they show what applications wrote, name the fields and record the layout. This changes no row, and applications keep working.`),
    h('label', {}, 'Fields of the row key', line), error, examples, others, h('p', { class: 'tools' }, record));
}
