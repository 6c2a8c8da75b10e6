package io.evenkey.client;

import io.evenkey.client.filter.FilterMapping;
import io.evenkey.client.row.RowMapping;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.FutureUtils;

/**
 * The layouts of the tables that a connection has used, read from their descriptors once. A table
 * that does not exist is not remembered, and has none. Thread-safe.
 */
final class KnownLayouts {
  /** Where descriptors come from. */
  @FunctionalInterface
  interface Descriptors {
    /** The descriptor of a table; fails with a {@link TableNotFoundException} if there is none. */
    CompletableFuture<TableDescriptor> of(TableName table);
  }

  private static final CompletableFuture<RowMapping> NONE =
      CompletableFuture.completedFuture(RowMapping.NONE);

  private final Descriptors descriptors;
  private final Set<String> rowBlindFilters;

  // Replaced to forget: what is being read then goes into the old one.
  private volatile Map<TableName, CompletableFuture<RowMapping>> known = new ConcurrentHashMap<>();

  KnownLayouts(Configuration configuration, Descriptors descriptors) {
    this.descriptors = descriptors;
    this.rowBlindFilters =
        Set.copyOf(configuration.getTrimmedStringCollection(FilterMapping.ROW_BLIND_SETTING));
  }

  /** The mapping of a table's rows: of its layout, or that of tables without one. */
  CompletableFuture<RowMapping> rowsOf(TableName table) {
    if (table.isSystemTable()) {
      return NONE;
    }
    Map<TableName, CompletableFuture<RowMapping>> now = known;
    CompletableFuture<RowMapping> rows = now.get(table);
    return rows == null ? read(table, now) : rows;
  }

  private CompletableFuture<RowMapping> read(
      TableName table, Map<TableName, CompletableFuture<RowMapping>> into) {
    CompletableFuture<RowMapping> rows = new CompletableFuture<>();
    FutureUtils.addListener(
        descriptors.of(table),
        (descriptor, error) -> {
          if (error instanceof TableNotFoundException) {
            rows.complete(RowMapping.NONE);
          } else if (error != null) {
            rows.completeExceptionally(error);
          } else {
            learn(descriptor, into, rows);
          }
        });
    return rows;
  }

  private void learn(
      TableDescriptor descriptor,
      Map<TableName, CompletableFuture<RowMapping>> into,
      CompletableFuture<RowMapping> rows) {
    try {
      rows.complete(TableLayout.rowsOf(descriptor, rowBlindFilters));
      into.put(descriptor.getTableName(), rows);
    } catch (TableLayoutException | RuntimeException e) {
      rows.completeExceptionally(e);
    }
  }

  /** Whether the table's layout is known now. */
  boolean isKnown(TableName table) {
    return table.isSystemTable() || known.containsKey(table);
  }

  /** Every layout is read anew when its table is next used. */
  void forget() {
    known = new ConcurrentHashMap<>();
  }
}
