package io.evenkey.client.table;

import io.evenkey.client.move.FollowingTable;
import io.evenkey.client.move.MoveColumns;
import io.evenkey.client.move.ServerClocks;
import io.evenkey.client.row.RowMapping;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The generations of one table as they are opened, each behind its layout, with the timeouts and
 * request attributes of the table that an application has opened. Thread-safe.
 */
public final class GenerationTables implements FollowingTable.Generations, Closeable {
  /** How rows are stored. */
  @FunctionalInterface
  public interface Mappings {
    /** The mapping of a table's rows. */
    RowMapping of(TableName generation) throws IOException;
  }

  private record Opened(RowMapping rows, Table stored, Table logical) {}

  private final Connection plain;
  private final Table own;
  private final @Nullable ExecutorService pool;
  private final Mappings mappings;
  private final LogicalTable.Scans scans;
  private final long budgetBytes;
  private final Map<TableName, Opened> opened = new ConcurrentHashMap<>();
  private final Map<TableName, Set<byte[]>> families = new ConcurrentHashMap<>();

  /**
   * Nothing is opened yet.
   *
   * @param plain a connection to which rows are what is stored
   * @param own the table as the application has opened it; closed with this
   * @param pool as the application has given it
   * @param budgetBytes about how many bytes all ranges of a scan together may hold ahead of the
   *     caller
   */
  public GenerationTables(
      Connection plain,
      Table own,
      @Nullable ExecutorService pool,
      Mappings mappings,
      LogicalTable.Scans scans,
      long budgetBytes) {
    this.plain = plain;
    this.own = own;
    this.pool = pool;
    this.mappings = mappings;
    this.scans = scans;
    this.budgetBytes = budgetBytes;
  }

  /** A table as applications open it, with request attributes. */
  public static Table own(Connection plain, TableName name, Map<String, byte[]> requestAttributes) {
    TableBuilder builder = plain.getTableBuilder(name, null);
    requestAttributes.forEach(builder::setRequestAttribute);
    return builder.build();
  }

  /** The table as the application has opened it. */
  Table own() {
    return own;
  }

  /** Changes a setting of all generations, those that are opened later too. */
  synchronized void set(Consumer<Table> setting) {
    setting.accept(own);
    for (Opened table : opened.values()) {
      if (table.stored != own) {
        setting.accept(table.stored);
      }
    }
  }

  @Override
  public Table open(TableName generation) throws IOException {
    RowMapping rows = mappings.of(generation);
    Opened known = opened.get(generation);
    return known == null || known.rows != rows ? open(generation, rows) : known.logical;
  }

  private synchronized Table open(TableName generation, RowMapping rows) {
    Opened known = opened.get(generation);
    if (known == null || known.rows != rows) {
      Table stored = known == null ? stored(generation) : known.stored;
      Table logical = rows.isPlain() ? stored : new LogicalTable(stored, rows, scans, budgetBytes);
      known = new Opened(rows, stored, logical);
      opened.put(generation, known);
    }
    return known.logical;
  }

  private Table stored(TableName generation) {
    if (generation.equals(own.getName())) {
      return own;
    }
    TableBuilder like =
        plain
            .getTableBuilder(generation, pool)
            .setOperationTimeout(millis(own.getOperationTimeout(TimeUnit.MILLISECONDS)))
            .setRpcTimeout(millis(own.getRpcTimeout(TimeUnit.MILLISECONDS)))
            .setReadRpcTimeout(millis(own.getReadRpcTimeout(TimeUnit.MILLISECONDS)))
            .setWriteRpcTimeout(millis(own.getWriteRpcTimeout(TimeUnit.MILLISECONDS)));
    own.getRequestAttributes().forEach(like::setRequestAttribute);
    return like.build();
  }

  private static int millis(long value) {
    return Math.toIntExact(value);
  }

  @Override
  public Set<byte[]> families(TableName generation) throws IOException {
    Set<byte[]> known = families.get(generation);
    if (known == null) {
      try (Table table = plain.getTable(generation)) {
        known = MoveColumns.otherFamilies(table.getDescriptor());
      }
      families.put(generation, known);
    }
    return known;
  }

  @Override
  public ServerClocks clocks(List<TableName> generations) throws IOException {
    return ServerClocks.of(plain, generations);
  }

  @Override
  public synchronized void close() throws IOException {
    for (Opened table : opened.values()) {
      if (table.stored != own) {
        table.stored.close();
      }
    }
    own.close();
  }
}
