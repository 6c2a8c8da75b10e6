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
 * logical keys without a change in its code. Tables without a layout are HBase's own.
 *
 * <pre>{@code
 * configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
 * try (Connection connection = ConnectionFactory.createConnection(configuration);
 *     Table events = connection.getTable(TableName.valueOf("events"))) {
 *   Result row = events.get(new Get(logicalKey));
 * }
 * }</pre>
 *
 * <p>A table's layout is learned when the table is first used, by one request to a region server
 * with the guard, else by one short read of the registry. It is kept until a region server refuses
 * a request made by it, or tables are changed through this connection's {@link Admin}. It is
 * compared with some of the table's rows, and the registry, as {@link #CHECK} says: where they
 * disagree, every operation fails with a {@link TableLayoutException}. Thread-safe.
 */
public final class EvenkeyConnection extends ForwardingConnection {
  /** The configuration key that names the class of connections. */
  public static final String SETTING = "hbase.client.connection.impl";

  /**
   * The configuration key of a layout that new tables get, if they have none of their own and are
   * created through this connection or {@link EvenkeyAsyncConnection}. They are cut between its
   * buckets.
   */
  public static final String DEFAULT_LAYOUT = NewTable.DEFAULT_LAYOUT;

  /**
   * The configuration key of what is done about the registry: {@code required}, {@code optional}
   * (the usual: descriptors are believed while it cannot be reached) or {@code off}.
   */
  public static final String REGISTRY = RegistryUse.SETTING;

  /**
   * The configuration key of when a table's layout is compared with what else is known of it:
   * {@code background} (the default: with some of the rows, when the table is first used, without
   * delaying it), {@code first} (with the registry too, before the first operation) or {@code off}.
   */
  public static final String CHECK = CheckSettings.WHEN;

  /**
   * The configuration key of the number of buckets of which one row is checked against the layout
   * when a table is first used; 0 for none.
   */
  public static final String CHECKED_ROWS = CheckSettings.BUCKETS;

  /**
   * The configuration key of how many rows are checked, about, if one of the first ones was not
   * written under the layout.
   */
  public static final String CHECKED_SAMPLE = CheckSettings.SAMPLE;

  /**
   * The configuration key of the share of the checked rows, from 0 to 1, that may be foreign to the
   * layout; with more the table is refused.
   */
  public static final String REFUSED_SHARE = CheckSettings.REFUSE_SHARE;

  /**
   * The beginning of a configuration key, followed by the name of a table: the fields of the row
   * key that the application uses, as a layout line has them, or {@value #BY_FIELDS} if it names
   * rows by fields only. A table whose row key was changed by a migration is refused without it.
   */
  public static final String KEY_OF_TABLE = DeclaredKeys.OF_TABLE;

  /** The value of {@link #KEY_OF_TABLE} of an application that names rows by fields only. */
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
   * A copy of a configuration by which {@link ConnectionFactory} opens connections of HBase's own,
   * to which rows are what is stored.
   */
  public static Configuration plain(Configuration configuration) {
    Configuration plain = new Configuration(configuration);
    plain.unset(SETTING);
    plain.unset(EvenkeyAsyncConnection.SETTING);
    return plain;
  }

  // As HBase's own: such a table has the threads of the connection, not a pool that ends with it.
  @Override
  public Table getTable(TableName name) throws IOException {
    Table built = plain().getTable(name);
    return name.isSystemTable() ? built : logical(GenerationTables.withThreadsOf(plain(), built));
  }

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

  @Override
  public BufferedMutator getBufferedMutator(BufferedMutatorParams params) throws IOException {
    TableName name = params.getTableName();
    if (name == null || name.isSystemTable()) {
      // HBase rejects null.
      return plain().getBufferedMutator(params);
    }
    return LogicalBufferedMutator.open(plain(), route(name), params, tables::async);
  }

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
   * HBase's own, except that new tables are created by the registry's plan, or else get the
   * {@linkplain #DEFAULT_LAYOUT default layout}, and that changed ones keep their layout. It is of
   * HBase's class {@code HBaseAdmin}, to which some of HBase's tools cast it, and of this
   * connection.
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
   * HBase's own, of tables without a layout.
   *
   * @throws UnsupportedOperationException if the table is a spread one: this is how HBase's {@code
   *     HTableMultiplexer} finds the server to which it then sends rows as they are, past the table
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
