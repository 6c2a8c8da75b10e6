package io.evenkey.client.table;

import io.evenkey.client.route.Generation;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.HBaseLine;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.client.TableSpans;
import org.jspecify.annotations.Nullable;

/**
 * HBase's own tables of the generations of one table, with the timeouts and request attributes of
 * the table that an application has opened. Thread-safe.
 */
public final class GenerationTables implements Closeable {
  private final Connection plain;
  private final TableSpans spans;
  private final Table own;
  private final @Nullable ExecutorService pool;
  private final Map<TableName, Table> others = new ConcurrentHashMap<>();

  /**
   * Nothing is opened yet.
   *
   * @param plain a connection to which rows are what is stored
   * @param own the table as the application has opened it; closed with this
   * @param pool as the application has given it
   */
  public GenerationTables(Connection plain, Table own, @Nullable ExecutorService pool) {
    this.plain = plain;
    this.spans = TableSpans.on(plain);
    this.own = own;
    this.pool = pool;
  }

  /** The trace spans of the table's operations. */
  TableSpans spans() {
    return spans;
  }

  /** The table as the application has opened it. */
  Table own() {
    return own;
  }

  /** Changes a setting of all generations, those that are opened later too. */
  synchronized void set(Consumer<Table> setting) {
    setting.accept(own);
    others.values().forEach(setting);
  }

  /** HBase's table of a generation. */
  Table open(Generation generation) {
    TableName name = generation.physical();
    if (name.equals(own.getName())) {
      return own;
    }
    Table known = others.get(name);
    return known == null ? opened(name) : known;
  }

  private synchronized Table opened(TableName name) {
    return others.computeIfAbsent(name, this::like);
  }

  private Table like(TableName name) {
    TableBuilder like =
        plain
            .getTableBuilder(name, pool)
            .setOperationTimeout(millis(own.getOperationTimeout(TimeUnit.MILLISECONDS)))
            .setRpcTimeout(millis(own.getRpcTimeout(TimeUnit.MILLISECONDS)))
            .setReadRpcTimeout(millis(own.getReadRpcTimeout(TimeUnit.MILLISECONDS)))
            .setWriteRpcTimeout(millis(own.getWriteRpcTimeout(TimeUnit.MILLISECONDS)));
    HBaseLine.present().copyAttributes(own, like);
    return like.build();
  }

  private static int millis(long value) {
    return Math.toIntExact(value);
  }

  @Override
  public synchronized void close() throws IOException {
    for (Table table : others.values()) {
      table.close();
    }
    own.close();
  }
}
