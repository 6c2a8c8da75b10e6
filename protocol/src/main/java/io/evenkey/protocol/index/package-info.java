/**
 * Indexes: the rows of a table in another order, as entries in a second table.
 *
 * <p>A {@link io.evenkey.protocol.index.TableIndex} has a layout line of its own. Its fields are
 * fields of the table's key, and fields that are taken from columns. {@link
 * io.evenkey.protocol.index.IndexFit} checks that it fits the table, and appends the rest of the
 * table's key, so that each row has an entry of its own. {@link io.evenkey.protocol.index.IndexKey}
 * makes the key of an entry from a row, and the row's key from an entry's; {@link
 * io.evenkey.protocol.index.IndexEntry} is the value of an entry. {@link
 * io.evenkey.protocol.index.TableIndexes} are all indexes of a table, and the text by which they
 * are stored.
 *
 * <p>These are values, formats and checks only. Commands put the indexes of a table into its
 * descriptor; clients write the entries of those that it has, and read rows through them.
 */
@NullMarked
package io.evenkey.protocol.index;

import org.jspecify.annotations.NullMarked;
