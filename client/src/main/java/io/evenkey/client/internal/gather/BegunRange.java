/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.util.List;
import org.apache.hadoop.hbase.client.Result;

/**
 * The first rows of a range, as its region server has sent them together with those of its other
 * ranges.
 *
 * @param rows under their physical keys
 * @param isWhole whether these are all rows of the range
 */
record BegunRange(List<Result> rows, boolean isWhole) {
  static final BegunRange NOT_READ = new BegunRange(List.of(), false);
}
