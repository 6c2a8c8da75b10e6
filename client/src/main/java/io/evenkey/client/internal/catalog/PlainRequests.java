/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.internal.future.BlockingCallThreads;
import io.evenkey.client.internal.future.Futures;
import io.opentelemetry.context.Context;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;

/** The requests by which a catalog learns of tables. As thread-safe as the connection. */
public interface PlainRequests {
  /** Reads a row as it is stored. */
  CompletableFuture<Result> get(TableName table, Get get);

  /** Writes a row as it is stored; the value means nothing. */
  CompletableFuture<?> put(TableName table, Put put);

  /** The descriptor, which the master gives to users with CREATE or ADMIN. */
  CompletableFuture<TableDescriptor> descriptor(TableName table);

  /** Through HBase's own connection, in threads that wait for the answers. */
  static PlainRequests through(Connection plain) {
    return new PlainRequests() {
      @Override
      public CompletableFuture<Result> get(TableName name, Get get) {
        return waiting(
            () -> {
              try (Table table = plain.getTable(name)) {
                return table.get(get);
              }
            });
      }

      @Override
      public CompletableFuture<?> put(TableName name, Put put) {
        return waiting(
            () -> {
              try (Table table = plain.getTable(name)) {
                table.put(put);
                return Boolean.TRUE;
              }
            });
      }

      @Override
      public CompletableFuture<TableDescriptor> descriptor(TableName name) {
        return waiting(
            () -> {
              try (Admin admin = plain.getAdmin()) {
                return admin.getDescriptor(name);
              }
            });
      }
    };
  }

  /** Through HBase's own asynchronous connection. */
  static PlainRequests through(AsyncConnection plain) {
    return new PlainRequests() {
      @Override
      public CompletableFuture<Result> get(TableName name, Get get) {
        return plain.getTable(name).get(get);
      }

      @Override
      public CompletableFuture<?> put(TableName name, Put put) {
        return plain.getTable(name).put(put);
      }

      @Override
      public CompletableFuture<TableDescriptor> descriptor(TableName name) {
        return plain.getAdmin().getDescriptor(name);
      }
    };
  }

  // Each waits for as long as the connection's timeouts say, the caller for as long as its own.
  private static <R> CompletableFuture<R> waiting(Callable<R> request) {
    return Futures.call(BlockingCallThreads::executeAtOnce, Context.current().wrap(request));
  }
}
