/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;

/** Reads rows of the indexed table by their logical keys, in the generation that is written. */
@FunctionalInterface
interface RowReads {
  /**
   * The answers in the order of the reads.
   *
   * @return for each read its {@link org.apache.hadoop.hbase.client.Result}, or the {@link
   *     Throwable} that it failed with
   * @throws IOException if none could be made
   */
  Object[] read(List<Get> gets) throws IOException;
}
