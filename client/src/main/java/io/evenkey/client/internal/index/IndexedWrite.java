/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.index;

import java.util.List;
import org.apache.hadoop.hbase.client.Row;

/**
 * An action on a table with indexes, and the entries that have to be written before it is made.
 *
 * @param action the caller's, or a copy that names the columns of indexes which it leaves as they
 *     are; by the logical key
 * @param entries each by a put that is made once: it has a nonce of its own
 */
public record IndexedWrite(Row action, List<EntryPut> entries) {
  /** Copies the list. */
  public IndexedWrite {
    entries = List.copyOf(entries);
  }
}
