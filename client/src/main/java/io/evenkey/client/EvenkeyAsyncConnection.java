/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.internal.admin.AdminCalls;
import io.evenkey.client.internal.admin.BuilderProxy;
import io.evenkey.client.internal.catalog.Catalog;
import io.evenkey.client.internal.catalog.PlainRequests;
import io.evenkey.client.internal.catalog.RowProbe;
import io.evenkey.client.internal.request.BuilderSettings;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.table.AsyncScans;
import io.evenkey.client.internal.table.BlockingTable;
import io.evenkey.client.internal.table.CallSettings;
import io.evenkey.client.internal.table.GenerationTables;
import io.evenkey.client.internal.table.LogicalAsyncRegionLocator;
import io.evenkey.client.internal.table.LogicalAsyncTable;
import io.evenkey.client.internal.table.MutatorTable;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncAdminBuilder;
import org.apache.hadoop.hbase.client.AsyncBufferedMutatorBuilder;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncMutators;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.BlockingFacades;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ConnectionRegistry;
import org.apache.hadoop.hbase.client.HBaseLine;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.ScanResultConsumerBase;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;

/**
 * A drop-in for HBase's asynchronous connection. With {@value #SETTING} set to this class, {@link
 * ConnectionFactory} returns one, and an application reads and writes spread tables by their
 * logical keys without a change in its code. Tables without a layout behave as with HBase's own
 * connection.
 *
 * <pre>{@code
 * configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
 * try (AsyncConnection connection =
 *     ConnectionFactory.createAsyncConnection(configuration).get()) {
 *   Result row = connection.getTable(name).get(new Get(logicalKey)).get();
 * }
 * }</pre>
 *
 * <p>The first operation on a table also looks up its layout, as {@link EvenkeyConnection} does,
 * without blocking the caller. Later operations cost what they cost on a plain table: one request
 * for one row. Thread-safe.
 */
public final class EvenkeyAsyncConnection implements AsyncConnection {
  /** The configuration key that names the class of asynchronous connections. */
  public static final String SETTING = "hbase.client.async.connection.impl";

  private final Configuration configuration;
  private final AsyncConnection plain;
  private final Catalog catalog;
  private final long budgetBytes;
  private @Nullable Connection blocking;

  /** As HBase calls it before 2.6. */
  public EvenkeyAsyncConnection(
      Configuration configuration, ConnectionRegistry registry, String clusterId, User user) {
    this(configuration, registry, clusterId, user, Map.of());
  }

  /** As HBase 2.6 calls it. */
  public EvenkeyAsyncConnection(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      User user,
      Map<String, byte[]> attributes) {
    this(configuration, registry, clusterId, null, user, attributes);
  }

  /**
   * As HBase 3.0 calls it.
   *
   * @param local the address of this machine that connections are made from; null for any
   */
  public EvenkeyAsyncConnection(
      Configuration configuration,
      ConnectionRegistry registry,
      String clusterId,
      @Nullable SocketAddress local,
      User user,
      Map<String, byte[]> attributes) {
    this.configuration = configuration;
    // HBase makes connections in a thread that must not wait for another one to be made: this is
    // what its factory would make, of the registry that it was given.
    this.plain =
        HBaseLine.present()
            .asyncConnection(configuration, registry, clusterId, local, user, attributes);
    this.catalog =
        new Catalog(configuration, PlainRequests.through(plain), RowProbe.through(plain));
    this.budgetBytes = ScanOptions.budgetBytes(configuration);
  }

  Route route(TableName name) {
    return Route.to(name, catalog, configuration).ofRowBytes();
  }

  @Override
  public Configuration getConfiguration() {
    return configuration;
  }

  /**
   * Returns a builder of tables whose rows are logical keys. Futures and scan consumers are called
   * in threads of HBase's client, so they must not block.
   */
  @Override
  public AsyncTableBuilder<AdvancedScanResultConsumer> getTableBuilder(TableName name) {
    return builder(
        name,
        plain::getTableBuilder,
        settings -> AsyncScans.inHBaseThreads(plain, budgetBytes, settings));
  }

  /**
   * Returns a builder of tables whose rows are logical keys and whose callbacks run in {@code
   * pool}, where they may block.
   */
  @Override
  public AsyncTableBuilder<ScanResultConsumer> getTableBuilder(
      TableName name, ExecutorService pool) {
    return builder(
        name,
        table -> plain.getTableBuilder(table, pool),
        settings -> AsyncScans.in(pool, plain, budgetBytes, settings));
  }

  private <C extends ScanResultConsumerBase> AsyncTableBuilder<C> builder(
      TableName name,
      Function<TableName, AsyncTableBuilder<C>> builders,
      Function<CallSettings, AsyncScans<C>> scans) {
    return BuilderProxy.of(
        AsyncTableBuilder.class,
        builders.apply(name),
        (AsyncTable<C> built, BuilderSettings settings) ->
            name.isSystemTable() ? built : logical(built, settings::to, builders, scans));
  }

  private <C extends ScanResultConsumerBase> LogicalAsyncTable<C> logical(
      AsyncTable<C> built,
      CallSettings settings,
      Function<TableName, AsyncTableBuilder<C>> builders,
      Function<CallSettings, AsyncScans<C>> scans) {
    return new LogicalAsyncTable<>(
        built,
        route(built.getName()),
        generation -> {
          AsyncTableBuilder<C> builder = builders.apply(generation);
          settings.to(builder);
          return builder;
        },
        (index, limit) -> entries(index, settings.within(limit)),
        new IndexTableRows(
            new TableIndexSource(
                () -> plain,
                name -> route(name).within(() -> built.getOperationTimeout(TimeUnit.MILLISECONDS)),
                catalog,
                budgetBytes,
                settings)),
        scans.apply(settings));
  }

  /** The table of an index, as it is stored, by logical keys. */
  private AsyncTable<AdvancedScanResultConsumer> entries(TableName index, CallSettings settings) {
    return LogicalAsyncTable.of(
        plain,
        route(index),
        (next, limit) -> entries(next, settings.within(limit)),
        null,
        budgetBytes,
        settings);
  }

  /**
   * Returns a locator that takes logical keys. The regions and their boundaries that it returns are
   * physical, as stored.
   */
  @Override
  public AsyncTableRegionLocator getRegionLocator(TableName name) {
    if (name == null) {
      // HBase rejects it when the locator is used.
      return plain.getRegionLocator(name);
    }
    return new LogicalAsyncRegionLocator(
        route(name), generation -> plain.getRegionLocator(generation.physical()));
  }

  /** Returns a builder of buffered mutators whose rows are logical keys. */
  @Override
  public AsyncBufferedMutatorBuilder getBufferedMutatorBuilder(TableName name) {
    return mutator(getTableBuilder(name));
  }

  @Override
  public AsyncBufferedMutatorBuilder getBufferedMutatorBuilder(
      TableName name, ExecutorService pool) {
    return mutator(getTableBuilder(name, pool));
  }

  /** A builder of mutators with the request attributes of a blocking one. */
  AsyncBufferedMutatorBuilder mutator(BufferedMutatorParams params) {
    AsyncTableBuilder<AdvancedScanResultConsumer> table = getTableBuilder(params.getTableName());
    HBaseLine.present().copyAttributes(params, table);
    return mutator(table);
  }

  // HBase's own buffer, whose batches go to the table of logical keys.
  private <C extends ScanResultConsumerBase> AsyncBufferedMutatorBuilder mutator(
      AsyncTableBuilder<C> table) {
    return AsyncMutators.builder(
        plain,
        BuilderProxy.of(
            AsyncTableBuilder.class,
            table,
            (AsyncTable<C> built, BuilderSettings settings) -> MutatorTable.of(built)));
  }

  /**
   * The blocking connection over this one, which is closed with it: {@code
   * ConnectionFactory.createConnection} of HBase 3.0 makes one of this class's connections, and
   * asks for it. HBase has it in the interface since 3.0.
   *
   * @throws UnsupportedOperationException before HBase 3.0, where {@link EvenkeyConnection} is the
   *     blocking connection
   */
  public synchronized Connection toConnection() {
    Connection made = blocking;
    if (made == null) {
      BlockingFacades facades = HBaseLine.present().facades();
      if (facades == null) {
        throw new UnsupportedOperationException(
            "blocking connection over an asynchronous one before HBase 3.0: set "
                + EvenkeyConnection.SETTING
                + " to "
                + EvenkeyConnection.class.getName()
                + ", and open one by ConnectionFactory.createConnection");
      }
      made = new BlockingConnection(this, facades, facades.connection(plain), catalog);
      blocking = made;
    }
    return made;
  }

  /**
   * A blocking table by logical keys.
   *
   * @param connection HBase's own connection
   * @param own its table, as the application has opened it
   */
  Table blocking(
      BlockingFacades facades, Connection connection, Table own, @Nullable ExecutorService pool) {
    CallSettings settings = CallSettings.of(own);
    AsyncTableBuilder<AdvancedScanResultConsumer> stored = plain.getTableBuilder(own.getName());
    settings.to(stored);
    return BlockingTable.of(
        facades,
        logical(
            stored.build(),
            settings,
            plain::getTableBuilder,
            used -> AsyncScans.inHBaseThreads(plain, budgetBytes, used)),
        GenerationTables.withPool(connection, own, pool));
  }

  /**
   * Returns a builder of admins. A new table is created by the registry's plan or else with the
   * {@linkplain EvenkeyConnection#DEFAULT_LAYOUT default layout}, and a changed table keeps its
   * layout. Everything else is HBase's own.
   */
  @Override
  public AsyncAdminBuilder getAdminBuilder() {
    return admin(plain.getAdminBuilder());
  }

  @Override
  public AsyncAdminBuilder getAdminBuilder(ExecutorService pool) {
    return admin(plain.getAdminBuilder(pool));
  }

  private AsyncAdminBuilder admin(AsyncAdminBuilder builder) {
    return BuilderProxy.of(
        AsyncAdminBuilder.class,
        builder,
        (AsyncAdmin built, BuilderSettings settings) ->
            AdminCalls.to(AsyncAdmin.class, built, configuration, catalog));
  }

  @Override
  public void clearRegionLocationCache() {
    plain.clearRegionLocationCache();
  }

  @Override
  public CompletableFuture<Hbck> getHbck() {
    return plain.getHbck();
  }

  @Override
  public Hbck getHbck(ServerName master) throws IOException {
    return plain.getHbck(master);
  }

  @Override
  public boolean isClosed() {
    return plain.isClosed();
  }

  @Override
  public void close() throws IOException {
    plain.close();
  }
}
