/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.internal.admin.AdminCalls;
import io.evenkey.client.internal.admin.BuilderProxy;
import io.evenkey.client.internal.catalog.Catalog;
import io.evenkey.client.internal.request.BuilderSettings;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.table.BlockingMutator;
import io.evenkey.client.internal.table.LogicalRegionLocator;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BlockingFacades;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The blocking connection over an asynchronous one of Evenkey's, as HBase has both since 3.0: they
 * share everything, and are closed together. Before 3.0, {@link EvenkeyConnection} is the blocking
 * one. Thread-safe.
 */
final class BlockingConnection implements Connection {
  private final EvenkeyAsyncConnection async;
  private final BlockingFacades facades;
  private final Connection plain;
  private final Catalog catalog;

  /**
   * A connection.
   *
   * @param plain HBase's own, to which rows are what is stored
   */
  BlockingConnection(
      EvenkeyAsyncConnection async, BlockingFacades facades, Connection plain, Catalog catalog) {
    this.async = async;
    this.facades = facades;
    this.plain = plain;
    this.catalog = catalog;
  }

  /** HBase's own connection. */
  Connection own() {
    return plain;
  }

  /** As HBase 3.0 has it in the interface. */
  public AsyncConnection toAsyncConnection() {
    return async;
  }

  private Route route(TableName name) {
    return async.route(name);
  }

  @Override
  public Configuration getConfiguration() {
    return async.getConfiguration();
  }

  @Override
  public TableBuilder getTableBuilder(TableName name, @Nullable ExecutorService pool) {
    return BuilderProxy.of(
        TableBuilder.class,
        plain.getTableBuilder(name, pool),
        (Table built, BuilderSettings settings) ->
            name.isSystemTable() ? built : async.blocking(facades, plain, built, pool));
  }

  // Also in HBase 3.0, whose interface has others than 2.x without an implementation.
  @Override
  public BufferedMutator getBufferedMutator(TableName name) throws IOException {
    return getBufferedMutator(new BufferedMutatorParams(name));
  }

  @Override
  public BufferedMutator getBufferedMutator(BufferedMutatorParams params) throws IOException {
    TableName name = params.getTableName();
    return name == null || name.isSystemTable()
        ? plain.getBufferedMutator(params)
        : BlockingMutator.of(
            facades, route(name), getConfiguration(), async.mutator(params), params);
  }

  @Override
  public RegionLocator getRegionLocator(TableName name) throws IOException {
    return name == null
        ? plain.getRegionLocator(name)
        : LogicalRegionLocator.of(
            route(name),
            generation -> plain.getRegionLocator(generation.physical()),
            getConfiguration());
  }

  @Override
  public Admin getAdmin() throws IOException {
    return AdminCalls.of(this, plain, getConfiguration(), catalog);
  }

  @Override
  public void clearRegionLocationCache() {
    plain.clearRegionLocationCache();
  }

  @Override
  public String getClusterId() {
    return plain.getClusterId();
  }

  @Override
  public Hbck getHbck() throws IOException {
    return plain.getHbck();
  }

  @Override
  public Hbck getHbck(ServerName master) throws IOException {
    return plain.getHbck(master);
  }

  @Override
  public void abort(String why, Throwable cause) {
    plain.abort(why, cause);
  }

  @Override
  public boolean isAborted() {
    return plain.isAborted();
  }

  @Override
  public boolean isClosed() {
    return async.isClosed();
  }

  @Override
  public void close() throws IOException {
    async.close();
  }

  @Override
  public String toString() {
    return plain.toString();
  }
}
