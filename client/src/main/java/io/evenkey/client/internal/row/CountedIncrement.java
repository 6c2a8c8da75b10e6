/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.row;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Increment;

/** An increment that counts how often it is sent. Not thread-safe, as HBase's own. */
final class CountedIncrement extends Increment {
  private final Attempts attempts;

  CountedIncrement(
      byte[] row, long timestamp, NavigableMap<byte[], List<Cell>> cells, Attempts attempts) {
    super(row, timestamp, cells);
    this.attempts = attempts;
  }

  Attempts attempts() {
    return attempts;
  }

  @Override
  public Map<String, byte[]> getAttributesMap() {
    attempts.add();
    return super.getAttributesMap();
  }
}
