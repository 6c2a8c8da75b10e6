/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The result of the demonstration. Immutable.
 *
 * @param input the name of the input
 * @param records the number of records
 * @param servers the number of region servers
 * @param plan the parameters of the comparison
 * @param naive the table with plain keys
 * @param spread the table with spread keys
 * @param collisions records that share a key
 * @param seconds the duration, from the creation of the first table
 */
public record DemoResult(
    String input,
    int records,
    int servers,
    DemoPlan plan,
    TableRun naive,
    TableRun spread,
    DuplicateKeys collisions,
    double seconds) {
  /** Whether both tables returned every row, with its values, in the same logical order. */
  public boolean orderIdentical() {
    return naive.check().passed() && spread.check().passed();
  }

  /** The differences between the rows read back and the records; empty if none. */
  public List<String> differences() {
    List<String> found = new ArrayList<>();
    for (TableRun run : List.of(naive, spread)) {
      if (!run.check().passed()) {
        found.add(run.table().name() + ": " + run.check().difference());
      }
    }
    return found;
  }

  /** The figures as the command line's JSON document. */
  public Map<String, Object> toMap() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("input", input);
    map.put("records", records);
    map.put("servers", servers);
    map.put("regions", naive.trace().regions());
    map.put("windows", naive.trace().windows().size());
    map.put("naive", figures(naive));
    map.put("spread", figures(spread));
    map.put("order_identical", orderIdentical());
    map.put("distinct_keys", records - collisions.records());
    Map<String, Object> lost = new LinkedHashMap<>();
    lost.put("records", collisions.records());
    lost.put("examples", collisions.examples());
    lost.put("proposal", collisions.proposal());
    map.put("collisions", lost);
    map.put("seconds", rounded(seconds, 10));
    return map;
  }

  private static Map<String, Object> figures(TableRun run) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("layout", run.table().layout().toString());
    map.put("server_skew", rounded(run.serverSkew(), 1000));
    map.put("region_skew", rounded(run.regionSkew(), 1000));
    map.put("rows", run.check().rows());
    map.put("ordered_by", run.check().merged() ? "merge" : "sort");
    map.put("load_seconds", rounded(run.loadSeconds(), 100));
    map.put("scan_seconds", rounded(run.check().seconds(), 100));
    return map;
  }

  private static double rounded(double value, int parts) {
    return (double) Math.round(value * parts) / parts;
  }
}
