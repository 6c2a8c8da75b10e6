/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;

/** Reads rows of the indexed table by their logical keys, in the generation that is written. */
@FunctionalInterface
interface RowReads {
  /** The results in the order of the reads. */
  Result[] read(List<Get> gets) throws IOException;
}
