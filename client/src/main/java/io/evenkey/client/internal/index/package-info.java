/**
 * Tables with indexes, as their writers see them.
 *
 * <p>{@link io.evenkey.client.internal.index.IndexWrites} is what a client knows of the indexes of
 * a table: the entries that it writes before a row, by decision 15's protocols for events and for
 * mutable rows. Writes that could leave a row without its entry are refused by an {@link
 * io.evenkey.client.failure.IndexRefusedException}. The stamp of a request names the version of the
 * indexes, so that it is the epoch of the protocols too: a server refuses the put of a client that
 * knows an earlier version, and the client begins again, with an entry of another nonce. So it does
 * if a column of a mutable row changed after it was read.
 *
 * <p>{@link io.evenkey.client.internal.index.IndexReads} is an index through which a client reads:
 * {@link io.evenkey.client.select.Selection#by} returns the rows in its order.
 *
 * <p>{@link io.evenkey.client.internal.index.RowEntries} makes the entries of stored rows, for
 * commands that fill and verify an index. Applications can read the table of an index by its own
 * name, as a table of entries; the guard refuses their writes.
 */
@NullMarked
package io.evenkey.client.internal.index;

import org.jspecify.annotations.NullMarked;
