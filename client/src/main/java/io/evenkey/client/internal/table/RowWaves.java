/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.client.Row;

/**
 * Parts of a batch that are made one after the other, so that no part has two actions of one row,
 * and those of one row keep their order. A table with an index of mutable rows needs that: a region
 * server may refuse the first of two puts of a row and make the second, and the repeated first put
 * would then hide the second. Stateless.
 */
final class RowWaves {
  private RowWaves() {}

  /**
   * The places of the actions of each part.
   *
   * @return one part with all actions if each is of another row
   */
  static List<List<Integer>> of(List<? extends Row> actions) {
    List<List<Integer>> waves = new ArrayList<>();
    Map<ByteBuffer, Integer> next = new HashMap<>();
    for (int i = 0; i < actions.size(); i++) {
      int wave = next.merge(ByteBuffer.wrap(actions.get(i).getRow()), 1, Integer::sum) - 1;
      if (wave == waves.size()) {
        waves.add(new ArrayList<>());
      }
      waves.get(wave).add(i);
    }
    return waves;
  }
}
