/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The figures of one task. Immutable.
 *
 * @param name the task's name
 * @param unit the unit of the rates
 * @param narrow the rate of a table with the buckets before the step
 * @param wide the same of a table with the buckets after it
 * @param grown the same of the table that took the step
 * @param ratio {@code grown} divided by that of the two others which has as many buckets as the
 *     rows that are read: of rows across the step, the wide one
 */
public record GrowthRun(
    String name, String unit, double narrow, double wide, double grown, Quartiles ratio) {
  /** The run as a JSON object. */
  Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("name", name);
    map.put("narrow", BenchRun.rounded(narrow));
    map.put("wide", BenchRun.rounded(wide));
    map.put("grown", BenchRun.rounded(grown));
    map.put("ratio", BenchRun.rounded(ratio.median()));
    map.put("ratio_low", BenchRun.rounded(ratio.low()));
    map.put("ratio_high", BenchRun.rounded(ratio.high()));
    return map;
  }
}
