/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.gather;

import io.evenkey.layout.bytes.ByteString;
import java.util.List;
import org.apache.hadoop.hbase.client.Result;
import org.jspecify.annotations.Nullable;

/**
 * The first rows of a scan, in logical order, under their physical keys.
 *
 * @param rows the rows
 * @param upTo the logical key up to which, inclusive, these are all rows; null if there are no more
 */
record FirstRows(List<Result> rows, @Nullable ByteString upTo) {}
