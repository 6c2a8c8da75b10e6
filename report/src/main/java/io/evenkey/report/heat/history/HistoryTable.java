/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The history in HBase, in a table spread by Evenkey because times grow. A row is the load of one
 * table during one column; it expires by its TTL when its layer no longer holds it.
 */
public final class HistoryTable {
  /** The table. */
  public static final TableName NAME = TableName.valueOf(OwnNamespace.NAME, "heat");

  private static final Layout LAYOUT =
      Layout.parse("salt(4, at) + column_ms:int64 + at:timestamp + table:string");

  private static final Logger LOG = LoggerFactory.getLogger(HistoryTable.class);
  private static final String FAMILY = "h";
  private static final byte[] FAMILY_BYTES = FAMILY.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] COLUMN = "column".getBytes(StandardCharsets.US_ASCII);

  private final SpreadTable table;

  private HistoryTable(SpreadTable table) {
    this.table = table;
  }

  /** Opens the table, and creates it if it does not exist. */
  public static HistoryTable create(Connection connection, SpreadTables tables) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      OwnNamespace.create(admin, tables, NAME, LAYOUT, FAMILY);
    }
    return new HistoryTable(tables.open(NAME));
  }

  /** Opens the table; empty if it does not exist. */
  public static @Nullable HistoryTable open(Connection connection, SpreadTables tables)
      throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.tableExists(NAME) ? new HistoryTable(tables.open(NAME)) : null;
    }
  }

  void store(Layer layer, HeatColumn column) throws IOException {
    for (TableHeat strip : column.strips()) {
      Values key =
          Values.of(
              Map.of(
                  "column_ms",
                  layer.millis(),
                  "at",
                  layer.floor(column.from()),
                  "table",
                  strip.table()));
      Put put = new Put(LAYOUT.logicalKey(key));
      put.addColumn(FAMILY_BYTES, COLUMN, ColumnBytes.of(column, strip));
      put.setTTL(layer.horizon().toMillis());
      table.put(put);
    }
  }

  /**
   * The stored columns of a layer.
   *
   * @param columns in time order
   * @param unreadable the number of rows that are corrupt, or of another version
   */
  record Loaded(List<HeatColumn> columns, int unreadable) {}

  /** Reads the stored columns of a layer. */
  Loaded load(Layer layer, long now) throws IOException {
    Map<Long, List<HeatColumn>> parts = new TreeMap<>();
    int unreadable = 0;
    Interner shared = new Interner();
    String condition =
        "column_ms = "
            + layer.millis()
            + " and at >= "
            + (layer.floor(now) - layer.horizon().toMillis());
    try (KeyedRows rows = table.select().where(condition).open()) {
      for (KeyedRow row = rows.next(); row != null; row = rows.next()) {
        byte[] bytes = row.value(FAMILY_BYTES, COLUMN);
        if (bytes != null) {
          Long at = (Long) Objects.requireNonNull(row.get("at"));
          String of = (String) Objects.requireNonNull(row.get("table"));
          try {
            HeatColumn part = ColumnBytes.read(of, bytes, shared);
            parts.computeIfAbsent(at, when -> new ArrayList<>()).add(part);
          } catch (IOException | RuntimeException e) {
            unreadable++;
            LOG.warn("heat of {} at {} cannot be read", of, Instant.ofEpochMilli(at), e);
          }
        }
      }
    }
    List<HeatColumn> columns = new ArrayList<>();
    for (List<HeatColumn> one : parts.values()) {
      List<TableHeat> strips = new ArrayList<>();
      List<RegionEvent> marks = new ArrayList<>();
      one.forEach(part -> strips.addAll(part.strips()));
      one.forEach(part -> marks.addAll(part.marks()));
      columns.add(new HeatColumn(one.get(0).from(), one.get(0).to(), strips, marks));
    }
    return new Loaded(columns, unreadable);
  }
}
