// SPDX-License-Identifier: Apache-2.0
// Another row key: what the form of a migration asks for it, and what the migration shows of it.
import { fill, h } from './dom.js';

/** The fields of the form; the caption is that of its layout. */
export function keyChangeFields() {
  const caption = h('span', { class: 'soft' });
  const changes = h('input', { type: 'checkbox', name: 'change_key', change: () => show() });
  const from = h('input', { name: 'from', class: 'mono', spellcheck: 'false', autocomplete: 'off', placeholder: 'customer=d:customer' });
  const columns = h('label', {}, 'Fields from columns', from);
  const note = h('div', {},
    h('p', { class: 'soft' }, 'Each row gets a new key: the present fields in another order or direction, and fields from columns. Each row needs a value in these columns. '
      + 'Fields of the present key that the layout does not name are appended. The page ', h('code', {}, 'docs/change-key.md'), ' says which tables are rejected.'),
    h('p', { class: 'warn' }, 'From the switch on, each application is rejected, reads included, until it builds the new keys and its setting ',
      h('code', {}, 'evenkey.key.TABLE'), ' names them.'));
  const show = () => {
    fill(caption, changes.checked
      ? 'New layout: the fields of the key in their new order, with those from columns'
      : 'New layout: the same fields, with another spread');
    columns.hidden = !changes.checked;
    note.hidden = !changes.checked;
  };
  show();
  return {
    caption,
    change: h('label', { class: 'inline' }, changes, 'Change the row key'),
    columns,
    note,
    changes,
    values: () => ({ change_key: changes.checked, from: changes.checked ? from.value.trim() || null : null }),
  };
}

/**
 * The change of the row key by a migration, and what applications have to do.
 * @param {any} migration @param {boolean} back whether it is rolled back
 */
export function keyChangeView(migration, back) {
  const change = migration.key_change;
  if (!change) return [];
  const inUse = migration.generation === migration.target;
  return [
    h('p', { class: 'soft' }, 'Another row key: from ', h('code', {}, change.before), ' to ', h('code', {}, change.after),
      change.columns ? [', with ', h('code', {}, change.columns)] : null,
      change.keys_table ? [' · ', h('code', {}, change.keys_table), ' has the keys that rows have had, until the migration is over'] : null),
    back ? null : h('p', { class: 'warn' },
      `${inUse ? 'Each' : 'From the switch on, each'} application is rejected until it builds the new keys, and says so by the setting `,
      h('code', {}, `evenkey.key.${migration.table} = ${change.after}`), '.'),
    migration.stage === 'finished' ? h('p', { class: 'soft' }, 'Rows in the order of the old key: ',
      change.index_layout
        ? h('a', { href: `#/tables/${encodeURIComponent(migration.table)}?index=by_key_before&index-layout=${encodeURIComponent(change.index_layout)}` }, 'add an index with it')
        : change.index_problem) : null,
  ];
}
