/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.admin.AdminCalls;
import io.evenkey.client.internal.admin.BuilderProxy;
import io.evenkey.client.internal.catalog.Catalog;
import io.evenkey.client.internal.catalog.CheckSettings;
import io.evenkey.client.internal.catalog.DeclaredKeys;
import io.evenkey.client.internal.catalog.PlainRequests;
import io.evenkey.client.internal.catalog.RegistryUse;
import io.evenkey.client.internal.catalog.RowProbe;
import io.evenkey.client.internal.metrics.RefusalCounts;
import io.evenkey.client.internal.request.BuilderSettings;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.table.GenerationTables;
import io.evenkey.client.internal.table.LogicalBufferedMutator;
import io.evenkey.client.internal.table.LogicalRegionLocator;
import io.evenkey.client.internal.table.LogicalTable;
import io.evenkey.client.plan.NewTable;
import io.evenkey.layout.failure.EvenkeyUnsupportedException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.RegionLocations;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.ForwardingConnection;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;

/**
 * A drop-in for HBase's connection. With {@value #SETTING} set to this class, {@link
 * ConnectionFactory} returns one, and an application reads and writes spread tables by their
 * logical keys without a change in its code. Tables without a layout behave as with HBase's own
 * connection.
 *
 * <pre>{@code
 * configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
 * try (Connection connection = ConnectionFactory.createConnection(configuration);
 *     Table events = connection.getTable(TableName.valueOf("events"))) {
 *   Result row = events.get(new Get(logicalKey));
 * }
 * }</pre>
 *
 * <p><b>Cost.</b> The first operation on a table looks up its layout: with one request to a region
 * server that has the guard, otherwise with one short read of the registry. The client keeps the
 * layout until a region server rejects a request made under it, or until this connection's {@link
 * Admin} changes tables. A get or a write of one row is one request. A scan opens one range per
 * bucket that can hold its rows, and merges them.
 *
 * <p><b>Checks.</b> The client compares the layout with some of the table's rows and with the
 * registry, as {@link #CHECK} says. If they disagree, every operation fails with a {@link
 * TableLayoutException}.
 *
 * <p>Thread-safe, as HBase's connections are; the tables it returns are not.
 */
public final class EvenkeyConnection extends ForwardingConnection {
  /** The configuration key that names the class of connections. */
  public static final String SETTING = "hbase.client.connection.impl";

  /**
   * The configuration key of the layout for new tables. It applies to tables that are created
   * through this connection or {@link EvenkeyAsyncConnection} and have neither a layout nor a plan.
   * They are split between its buckets.
   */
  public static final String DEFAULT_LAYOUT = NewTable.DEFAULT_LAYOUT;

  /**
   * The configuration key of how the client uses the registry in ZooKeeper: {@code required},
   * {@code optional} (the default: while the registry does not answer, the client trusts table
   * descriptors) or {@code off}.
   */
  public static final String REGISTRY = RegistryUse.SETTING;

  /**
   * The configuration key of when the client checks a table's layout: {@code background} (the
   * default: against some rows, at first use, without delaying it), {@code first} (also against the
   * registry, before the first operation) or {@code off}.
   */
  public static final String CHECK = CheckSettings.WHEN;

  /**
   * The configuration key of the number of buckets from which the client reads one row each to
   * check the layout when a table is first used; 0 for none.
   */
  public static final String CHECKED_ROWS = CheckSettings.BUCKETS;

  /**
   * The configuration key of the approximate number of rows to check when one of the first ones was
   * not written under the layout.
   */
  public static final String CHECKED_SAMPLE = CheckSettings.SAMPLE;

  /**
   * The configuration key of the share of checked rows, from 0 to 1, that may be foreign to the
   * layout. With more, the client rejects operations on the table.
   */
  public static final String REFUSED_SHARE = CheckSettings.REFUSE_SHARE;

  /**
   * The prefix of a configuration key that ends in the name of a table. Its value says which row
   * key the application uses: the fields as a layout line spells them, or {@value #BY_FIELDS} if it
   * names rows by fields only. After a migration to another row key, the client rejects operations
   * on the table unless this is set.
   */
  public static final String KEY_OF_TABLE = DeclaredKeys.OF_TABLE;

  /** The value of {@link #KEY_OF_TABLE} for an application that names rows by fields only. */
  public static final String BY_FIELDS = DeclaredKeys.BY_FIELDS;

  private final Configuration configuration;
  private final Catalog catalog;
  private final SpreadTables tables;
  private final long budgetBytes;

  /** As HBase calls it before 2.6. */
  public EvenkeyConnection(Configuration configuration, ExecutorService pool, User user)
      throws IOException {
    this(configuration, pool, user, Map.of());
  }

  /** As HBase calls it from 2.6 on. */
  public EvenkeyConnection(
      Configuration configuration,
      @Nullable ExecutorService pool,
      User user,
      Map<String, byte[]> attributes)
      throws IOException {
    super(configuration, pool, user, attributes);
    this.configuration = configuration;
    this.catalog =
        new Catalog(configuration, PlainRequests.through(plain()), RowProbe.through(plain()));
    this.tables = SpreadTables.on(plain(), user, attributes, catalog);
    this.budgetBytes = ScanOptions.budgetBytes(configuration);
  }

  private static byte[] physical(Generation generation, byte[] row) throws IOException {
    return LogicalRegionLocator.physical(generation, row);
  }

  private Route route(TableName name) {
    return Route.to(name, catalog, configuration).ofRowBytes();
  }

  /**
   * Returns a copy of a configuration with which {@link ConnectionFactory} opens HBase's own
   * connections: their rows are physical rows, as stored. For tools that look behind the layout.
   */
  public static Configuration plain(Configuration configuration) {
    Configuration plain = new Configuration(configuration);
    plain.unset(SETTING);
    plain.unset(EvenkeyAsyncConnection.SETTING);
    return plain;
  }

  // As HBase's own: such a table has the threads of the connection, not a pool that ends with it.
  /**
   * Opens a table whose rows are logical keys. Sends no request: the layout is looked up when the
   * table is used, so a table can be opened before it exists. Opening is cheap; open one per thread
   * and close it.
   */
  @Override
  public Table getTable(TableName name) throws IOException {
    Table built = plain().getTable(name);
    return name.isSystemTable() ? built : logical(GenerationTables.withThreadsOf(plain(), built));
  }

  /**
   * Returns a builder of tables whose rows are logical keys. Its timeouts bound an operation with
   * everything that Evenkey does for it: lookups, repetitions during a migration, and index
   * entries.
   */
  @Override
  public TableBuilder getTableBuilder(TableName name, @Nullable ExecutorService pool) {
    return BuilderProxy.of(
        TableBuilder.class,
        plain().getTableBuilder(name, pool),
        (Table built, BuilderSettings settings) ->
            name.isSystemTable()
                ? built
                : logical(GenerationTables.withPool(plain(), built, pool)));
  }

  // HBase lets a table be opened before it exists: it is looked up when it is used.
  private Table logical(GenerationTables generations) {
    return new LogicalTable(
        route(generations.name()),
        generations,
        tables::like,
        tables::async,
        new IndexTableRows(
            tables.indexSource(
                name -> route(name).within(generations::operationTimeoutMs),
                generations.settings())),
        budgetBytes);
  }

  @Override
  public BufferedMutator getBufferedMutator(TableName name) throws IOException {
    return getBufferedMutator(new BufferedMutatorParams(name));
  }

  /**
   * Opens a buffered mutator whose rows are logical keys. Mutations that region servers reject
   * because a migration has moved the table are written again, before any later ones. An exception
   * listener gets mutations under their logical keys.
   */
  @Override
  public BufferedMutator getBufferedMutator(BufferedMutatorParams params) throws IOException {
    TableName name = params.getTableName();
    if (name == null || name.isSystemTable()) {
      // HBase rejects null.
      return plain().getBufferedMutator(params);
    }
    return LogicalBufferedMutator.open(plain(), route(name), params, tables::async);
  }

  /**
   * Returns a locator that takes logical keys. The regions and their boundaries that it returns are
   * physical, as stored.
   */
  @Override
  public RegionLocator getRegionLocator(TableName name) throws IOException {
    if (name == null) {
      // HBase rejects it when the locator is used.
      return plain().getRegionLocator(name);
    }
    return LogicalRegionLocator.of(
        route(name), generation -> plain().getRegionLocator(generation.physical()), configuration);
  }

  /**
   * Returns HBase's admin with two differences. A new table is created by the registry's plan or
   * else with the {@linkplain #DEFAULT_LAYOUT default layout}, and a changed table keeps its
   * layout. The object extends HBase's class {@code HBaseAdmin}, to which some of HBase's tools
   * cast it.
   */
  @Override
  public Admin getAdmin() throws IOException {
    return AdminCalls.of(this, plain(), configuration, catalog);
  }

  @Override
  public HRegionLocation locateRegion(TableName table, byte[] row) throws IOException {
    Generation generation = route(table).now();
    return super.locateRegion(generation.physical(), physical(generation, row));
  }

  @Override
  public RegionLocations locateRegion(TableName table, byte[] row, boolean useCache, boolean retry)
      throws IOException {
    Generation generation = route(table).now();
    return super.locateRegion(generation.physical(), physical(generation, row), useCache, retry);
  }

  @Override
  public RegionLocations locateRegion(
      TableName table, byte[] row, boolean useCache, boolean retry, int replicaId)
      throws IOException {
    Generation generation = route(table).now();
    return super.locateRegion(
        generation.physical(), physical(generation, row), useCache, retry, replicaId);
  }

  @Override
  public HRegionLocation relocateRegion(TableName table, byte[] row) throws IOException {
    Generation generation = route(table).now();
    return super.relocateRegion(generation.physical(), physical(generation, row));
  }

  @Override
  public RegionLocations relocateRegion(TableName table, byte[] row, int replicaId)
      throws IOException {
    Generation generation = route(table).now();
    return super.relocateRegion(generation.physical(), physical(generation, row), replicaId);
  }

  /**
   * Locates the region of a row of a table without a layout.
   *
   * @throws UnsupportedOperationException if the table is spread: HBase's {@code HTableMultiplexer}
   *     uses this method and then sends rows to the server directly, without mapping them
   */
  @Override
  public HRegionLocation getRegionLocation(TableName table, byte[] row, boolean reload)
      throws IOException {
    Generation generation = route(table).now();
    if (!generation.rows().isPlain()) {
      RefusalCounts.count("past-the-table");
      throw new EvenkeyUnsupportedException(
          "writes past the table, as HTableMultiplexer's: table="
              + table
              + " layout="
              + generation.rows().layout()
              + "; rows would be stored under their logical keys: use a BufferedMutator");
    }
    return super.getRegionLocation(generation.physical(), row, reload);
  }

  @Override
  public void close() throws IOException {
    try {
      tables.close();
    } finally {
      super.close();
    }
  }
}
