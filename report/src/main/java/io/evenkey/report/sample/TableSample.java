/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.sample;

import io.evenkey.advisor.sample.Sample;
import io.evenkey.client.SpreadTable;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowQuery;
import io.evenkey.jobs.query.Rows;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * Records of a live table, picked at random by its region servers, in write order: by the
 * timestamps of their newest cells. Stateless.
 */
public final class TableSample {
  /** The most rows of a sample: more would not fit in memory. */
  private static final int MOST = Sample.MOST;

  private static final double USUAL_SHARE = 0.01;

  /** With fewer records chance decides much of what is measured. */
  private static final int ENOUGH = 10_000;

  private TableSample() {}

  /**
   * Draws one row of a hundred; of a table with less than a million rows so many that it is some
   * thousands, or all.
   */
  public static Sample usual(SpreadTable table, LongConsumer progress) throws IOException {
    List<Row> few = rows(table, USUAL_SHARE, progress);
    return few.size() >= ENOUGH
        ? sample(table, few, USUAL_SHARE)
        : of(table, Math.min(1, USUAL_SHARE * 2 * ENOUGH / Math.max(1, few.size())), progress);
  }

  /**
   * Draws a sample.
   *
   * @param share the share of rows to sample, above 0 and up to 1
   * @throws IOException if the table cannot be read, or has no rows, or too many for such a share
   */
  public static Sample of(SpreadTable table, double share, LongConsumer progress)
      throws IOException {
    return sample(table, rows(table, share, progress), share);
  }

  private static List<Row> rows(SpreadTable table, double share, LongConsumer progress)
      throws IOException {
    List<Row> rows = new ArrayList<>();
    try (Rows source = RowQuery.sample(table, share)) {
      for (Row row = source.next(); row != null; row = source.next()) {
        rows.add(row);
        progress.accept(rows.size());
        if (rows.size() > MOST) {
          throw new EvenkeyException(
              "sample too large: rows=" + rows.size() + " most=" + MOST + "; take a smaller share");
        }
      }
    }
    return rows;
  }

  private static Sample sample(SpreadTable table, List<Row> rows, double share) throws IOException {
    if (rows.isEmpty()) {
      throw new EvenkeyException(
          "no rows in the sample: table=" + table.name() + " share=" + share + "; take more");
    }
    Set<String> names = new LinkedHashSet<>();
    rows.forEach(row -> row.entries().forEach(entry -> names.add(entry.name())));
    rows.sort(Comparator.comparingLong(Row::timestamp));
    Sample.Builder sample = new Sample.Builder(List.copyOf(names));
    for (Field field : table.layout().fields()) {
      // Those of variable width cannot be anywhere in a key.
      if (field.type().width() != FieldType.VARIABLE) {
        sample.keyType(field.name(), field.type().toString());
      }
    }
    for (Row row : rows) {
      Map<String, String> values = new HashMap<>();
      row.entries().forEach(entry -> values.put(entry.name(), entry.text()));
      sample.add(names.stream().map(name -> values.getOrDefault(name, "")).toList());
    }
    return sample.build();
  }
}
