/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.layout.bytes.ByteString;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The first rows of a scan, in logical order, under their physical keys.
 *
 * @param rows the rows
 * @param upTo the logical key up to which these are all rows; null if there are no more
 * @param inclusive whether a row of that key is among them
 */
record FirstRows(List<Result> rows, @Nullable ByteString upTo, boolean inclusive) {
  /** The scans of the rows behind these; none if there can be no more. */
  List<Scan> behind(List<Scan> scans, GatherOrder order) throws IOException {
    return upTo == null ? List.of() : order.behind(scans, upTo.toArray(), inclusive);
  }
}
