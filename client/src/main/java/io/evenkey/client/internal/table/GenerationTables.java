/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.table;

import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.TimeLimit;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BlockingFacades;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.HBaseLine;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.jspecify.annotations.Nullable;

/**
 * HBase's own tables of the generations of one table, with the timeouts and request attributes of
 * the table that an application has opened. Thread-safe.
 */
public final class GenerationTables implements Closeable {
  private final Connection plain;
  private final Table own;
  private final Function<TableName, Table> like;
  private final Map<TableName, Table> others = new ConcurrentHashMap<>();

  private GenerationTables(Connection plain, Table own, Function<TableName, Table> like) {
    this.plain = plain;
    this.own = own;
    this.like = like;
  }

  /**
   * Of a table that was opened by {@link Connection#getTable(TableName)}: it has the threads of its
   * connection, so scanners go on when it is closed. Nothing else is opened yet.
   *
   * @param plain a connection to which rows are what is stored
   * @param own the table as the application has opened it; closed with this
   */
  public static GenerationTables withThreadsOf(Connection plain, Table own) {
    return new GenerationTables(plain, own, name -> withThreadsOf(plain, own, name));
  }

  /**
   * Of a table that was opened by a builder. Nothing else is opened yet.
   *
   * @param plain a connection to which rows are what is stored
   * @param own the table as the application has opened it; closed with this
   * @param pool as the application has given it; null if each table has its own, which ends when
   *     the table is closed
   */
  public static GenerationTables withPool(
      Connection plain, Table own, @Nullable ExecutorService pool) {
    // Threads of its own end with it, and so do these tables.
    ExecutorService threads = pool == null ? HBaseLine.present().threads(own) : pool;
    return new GenerationTables(plain, own, name -> withPool(plain, own, threads, name));
  }

  /** The settings of the table as they are when they are used. */
  public CallSettings settings() {
    return CallSettings.of(own);
  }

  /** The name by which the application has opened the table. */
  public TableName name() {
    return own.getName();
  }

  /** HBase's asynchronous connection under these, where they are façades over it. */
  AsyncConnection async(BlockingFacades facades) {
    return facades.async(plain);
  }

  /** The table as the application has opened it. */
  Table own() {
    return own;
  }

  /** The timeout of an operation on the table, in milliseconds. */
  public long operationTimeoutMs() {
    return own.getOperationTimeout(TimeUnit.MILLISECONDS);
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

  /**
   * HBase's table of a generation, for the next request of an operation.
   *
   * @throws IOException if no time is left
   */
  Table open(Generation generation, TimeLimit limit) throws IOException {
    if (limit.isWhole()) {
      return open(generation);
    }
    Table rest = like.apply(generation.physical());
    TableTimeouts.setOperation(rest, limit.nextMs());
    return rest;
  }

  private synchronized Table opened(TableName name) {
    return others.computeIfAbsent(name, like);
  }

  private static Table withThreadsOf(Connection plain, Table own, TableName name) {
    try {
      Table table = plain.getTable(name);
      TableTimeouts.copy(own, table);
      return table;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Table withPool(
      Connection plain, Table own, @Nullable ExecutorService pool, TableName name) {
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
