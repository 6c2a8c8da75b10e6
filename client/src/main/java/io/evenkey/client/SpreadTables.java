/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.admin.BuilderProxy;
import io.evenkey.client.internal.catalog.Catalog;
import io.evenkey.client.internal.catalog.PlainRequests;
import io.evenkey.client.internal.catalog.RowProbe;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.index.IndexWrites;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.internal.request.BuilderSettings;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.Route;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.client.internal.table.BlockingMutator;
import io.evenkey.client.internal.table.BlockingTable;
import io.evenkey.client.internal.table.CallSettings;
import io.evenkey.client.internal.table.GenerationTables;
import io.evenkey.client.internal.table.LogicalAsyncTable;
import io.evenkey.client.internal.table.LogicalBufferedMutator;
import io.evenkey.client.internal.table.LogicalTable;
import io.evenkey.client.internal.table.MutatorTable;
import io.evenkey.client.internal.table.RowsOfEntries;
import io.evenkey.client.internal.table.ScannedTable;
import io.evenkey.client.plan.NewTable;
import io.evenkey.client.plan.Plan;
import io.evenkey.layout.Layout;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncBufferedMutatorBuilder;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncMutators;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.BlockingFacades;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.HBaseLine;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableSpans;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;

/**
 * Creates and opens the spread tables of one HBase cluster: Evenkey's own interface, for
 * applications that work with fields and conditions. Applications that keep to HBase's interface
 * use {@link EvenkeyConnection} instead.
 *
 * <pre>{@code
 * Layout layout = Layout.parse("salt(16, device) + device:string + ts:timestamp desc");
 * try (SpreadTables tables = SpreadTables.on(connection)) {
 *   SpreadTable events = tables.create(name, layout, layout.splits(16), List.of("d"));
 *   events.put(new Put(layout.logicalKey(record)).addColumn(family, qualifier, value));
 * }
 * }</pre>
 *
 * <p>It works on an HBase connection of the caller, plain or drop-in. At its first scan it opens a
 * second, asynchronous connection of its own, so keep one instance for the life of the application,
 * like the connection. Thread-safe.
 */
public final class SpreadTables implements AutoCloseable {
  private final Connection connection;
  private final @Nullable User user;
  private final Map<String, byte[]> attributes;
  private final Catalog catalog;
  private final TableSpans spans;
  private @Nullable AsyncConnection scans;

  private SpreadTables(
      Connection connection, @Nullable User user, Map<String, byte[]> attributes, Catalog catalog) {
    this.connection = connection;
    this.user = user;
    this.attributes = Map.copyOf(attributes);
    this.catalog = catalog;
    this.spans = TableSpans.on(connection);
  }

  /**
   * Returns the tables of a connection's cluster, for the user of this process. {@link #close}
   * leaves the connection open. Sends no request.
   */
  public static SpreadTables on(Connection connection) {
    // A drop-in connection maps rows by itself.
    Connection plain =
        connection instanceof BlockingConnection dropIn
            ? dropIn.own()
            : HBaseLine.present().own(connection);
    Catalog catalog =
        new Catalog(
            plain.getConfiguration(), PlainRequests.through(plain), RowProbe.through(plain));
    return new SpreadTables(plain, null, Map.of(), catalog);
  }

  /** Tables of a connection that has a catalog, and may belong to another user. */
  static SpreadTables on(
      Connection plain, User user, Map<String, byte[]> attributes, Catalog catalog) {
    return new SpreadTables(plain, user, attributes, catalog);
  }

  /**
   * Creates a table with a layout, pre-split. The master stores descriptor and layout in one step,
   * so the table never exists without its layout. Needs C on the namespace.
   *
   * @param splits where to split, such as {@code layout.splits(16)}
   * @param families names of the column families, at least one
   * @throws org.apache.hadoop.hbase.TableExistsException if a table of this name exists
   * @throws TableLayoutException if the registry has a plan for the table with another layout
   */
  public SpreadTable create(TableName name, Layout layout, SplitPlan splits, List<String> families)
      throws IOException {
    Layout planned = catalog.planFor(name).layout();
    if (planned != null && !planned.equals(layout)) {
      throw TableLayoutException.planned(name, layout, planned);
    }
    return create(
        new NewTable(
            TableLayout.with(described(name, families), layout), splits.keys(), List.of()));
  }

  /**
   * Works out the table that the registry's plan describes, without creating it. Pass the result to
   * {@link #create(NewTable)}. Reads the registry, and asks the master for the number of region
   * servers.
   *
   * @param families column families; empty to take those of the plan
   * @throws TableLayoutException if the registry has no plan for it, or one without a layout or
   *     column families
   */
  public NewTable planned(TableName name, List<String> families) throws IOException {
    return planned(name, catalog.planFor(name), families);
  }

  /**
   * Works out the table that a given plan describes, without creating it. Asks the master for the
   * number of region servers.
   *
   * @param families column families; empty to take those of the plan
   * @throws TableLayoutException if the plan has no layout, or if there are no column families
   */
  public NewTable planned(TableName name, Plan plan, List<String> families) throws IOException {
    if (plan.layout() == null) {
      throw new TableLayoutException(
          name, "no layout is planned for the table", Remedy.PLAN + " with a layout");
    }
    List<String> named = families.isEmpty() ? plan.families() : families;
    if (named.isEmpty()) {
      throw new TableLayoutException(
          name, "no column family is planned for the table", Remedy.NAME_FAMILIES.toString());
    }
    try (Admin admin = connection.getAdmin()) {
      return NewTable.planned(described(name, named), plan, admin.getRegionServers().size());
    }
  }

  /**
   * Creates a table as {@link #planned} worked it out, with the splits and HBase settings in {@code
   * table}.
   *
   * @throws org.apache.hadoop.hbase.TableExistsException if a table of this name exists
   * @throws TableLayoutException if it has no layout
   */
  public SpreadTable create(NewTable table) throws IOException {
    TableName name = table.descriptor().getTableName();
    if (TableLayout.of(table.descriptor()) == null) {
      throw TableLayoutException.none(name);
    }
    try (Admin admin = connection.getAdmin()) {
      // HBase takes an empty array of split keys for a mistake.
      byte[][] keys = table.splits().isEmpty() ? null : table.splits().toArray(new byte[0][]);
      admin.createTable(table.descriptor(), keys);
    }
    catalog.created(table.descriptor());
    catalog.forget();
    return open(name);
  }

  private static TableDescriptor described(TableName name, List<String> families) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    families.forEach(family -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family)));
    return table.build();
  }

  /**
   * Opens a table. Looks its layout up even if the client already knows one: with one request to a
   * region server that has the guard, otherwise by a read of the registry and the descriptor.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if no such table exists
   * @throws TableLayoutException if it has no layout, one that this version cannot read, or one
   *     that contradicts the registry or the rows
   */
  public SpreadTable open(TableName name) throws IOException {
    catalog.forget(name);
    return known(name);
  }

  /** Opens a table by what the client already knows of it. */
  SpreadTable known(TableName name) throws IOException {
    Route route = route(name);
    Generation generation = route.now();
    if (!generation.rows().hasLayout()) {
      // Fails by itself if there is no such table.
      Futures.get(catalog.descriptor(generation.physical()));
      throw TableLayoutException.none(name);
    }
    return new SpreadTable(this, route);
  }

  /**
   * Returns HBase's name of the table that is in use for {@code name}. They differ during a
   * migration.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if no such table exists
   */
  public TableName physical(TableName name) throws IOException {
    return route(name).now().physical();
  }

  /**
   * Checks that a part of a job, which reads a range of stored rows, was planned for the table and
   * layout that are in use.
   *
   * @param generation HBase's name of the table that the part was planned for
   * @param layout the layout line that it was planned by
   * @throws TableLayoutException if the table in use or its layout is another one now; names both
   */
  public void checkMade(TableName name, TableName generation, String layout) throws IOException {
    route(name)
        .call(
            now -> {
              now.checkMade(generation, layout);
              return now;
            });
  }

  /**
   * Opens one generation of a table for a run of a migration, whatever clients may do with it now.
   *
   * @param layout the layout of its rows
   * @param turn the number of the run, which the guard compares
   */
  public SpreadTable generation(TableName physical, Layout layout, long turn) {
    return new SpreadTable(this, fixed(physical, layout, turn));
  }

  /**
   * Opens a physical table as it is, whatever clients may do with it now: for operators who may
   * read its descriptor, which needs C or A.
   *
   * @throws TableLayoutException if it has no layout
   */
  public SpreadTable generation(TableName physical) throws IOException {
    TableDescriptor descriptor = Futures.get(catalog.descriptor(physical));
    Layout layout = TableLayout.of(descriptor);
    if (layout == null) {
      throw TableLayoutException.none(physical);
    }
    long turn = TableGuard.state(descriptor).turn();
    return turn == 0
        ? new SpreadTable(
            this, Route.fixed(new Generation(physical, physical, stored(descriptor, layout))))
        : generation(physical, layout, turn);
  }

  private static RowMapping stored(TableDescriptor descriptor, Layout layout)
      throws TableLayoutException {
    RowMapping rows = RowMapping.of(layout);
    TableIndexes indexes = TableLayout.indexes(descriptor);
    // Its writes are refused: an operator's would leave the entries as they are.
    return indexes.isEmpty()
        ? rows
        : rows.withIndexes(IndexWrites.of(descriptor.getTableName(), layout, indexes, false));
  }

  private static Route fixed(TableName physical, Layout layout, long turn) {
    return Route.fixed(new Generation(physical, physical, RowMapping.of(layout).ofMigration(turn)));
  }

  /** A table as HBase has them, by logical keys. */
  Table table(Route route) throws IOException {
    BlockingFacades facades = HBaseLine.present().facades();
    if (facades != null) {
      return BlockingTable.of(
          facades,
          async(route, CallSettings.NONE, null),
          GenerationTables.withPool(connection, connection.getTable(route.table()), null));
    }
    return new LogicalTable(
        route,
        GenerationTables.withThreadsOf(connection, connection.getTable(route.table())),
        this::like,
        this::async,
        null,
        ScanOptions.DEFAULT_BUDGET_BYTES);
  }

  /** A table as HBase's asynchronous interface has them, by logical keys. */
  AsyncTable<AdvancedScanResultConsumer> async(Route route) throws IOException {
    return async(route, CallSettings.NONE, null);
  }

  /** Opens a table with the settings of one that is open, and for its rows of entries. */
  LogicalAsyncTable<AdvancedScanResultConsumer> async(
      Route route, CallSettings settings, @Nullable RowsOfEntries rowsOfEntries)
      throws IOException {
    return async(scans(), route, settings, rowsOfEntries);
  }

  private LogicalAsyncTable<AdvancedScanResultConsumer> async(
      AsyncConnection plain,
      Route route,
      CallSettings settings,
      @Nullable RowsOfEntries rowsOfEntries) {
    return LogicalAsyncTable.of(
        plain,
        route,
        (index, limit) -> async(route(index), settings.within(limit), null),
        rowsOfEntries,
        ScanOptions.DEFAULT_BUDGET_BYTES,
        settings);
  }

  private Route route(TableName name) {
    return Route.to(name, catalog, connection.getConfiguration());
  }

  /** The source of reads through indexes. */
  TableIndexSource indexSource() {
    return indexSource(this::route, CallSettings.NONE);
  }

  /** The source of reads through indexes, with the routes and settings of an open table. */
  TableIndexSource indexSource(Function<TableName, Route> routes, CallSettings settings) {
    return new TableIndexSource(
        this::scans, routes, catalog, ScanOptions.DEFAULT_BUDGET_BYTES, settings);
  }

  /** A buffered mutator by logical keys. */
  BufferedMutator mutator(Route route) throws IOException {
    BufferedMutatorParams params = new BufferedMutatorParams(route.table());
    BlockingFacades facades = HBaseLine.present().facades();
    return facades == null
        ? LogicalBufferedMutator.open(connection, route, params, this::async)
        : BlockingMutator.of(
            facades, route, connection.getConfiguration(), asyncMutator(route), params);
  }

  private AsyncBufferedMutatorBuilder asyncMutator(Route route) throws IOException {
    AsyncConnection plain = scans();
    return AsyncMutators.builder(
        plain,
        BuilderProxy.of(
            AsyncTableBuilder.class,
            plain.getTableBuilder(route.table()),
            (AsyncTable<AdvancedScanResultConsumer> built, BuilderSettings settings) ->
                MutatorTable.of(async(plain, route, settings::to, null))));
  }

  Connection connection() {
    return connection;
  }

  /** Opened at the first use: by scans, to read ahead on many ranges, and by {@link #async}. */
  synchronized AsyncConnection scans() throws IOException {
    AsyncConnection open = scans;
    if (open == null) {
      Configuration plain = new Configuration(connection.getConfiguration());
      plain.unset(EvenkeyAsyncConnection.SETTING);
      User as = user == null ? User.getCurrent() : user;
      open = Futures.get(HBaseLine.present().second(connection, plain, as, attributes));
      scans = open;
    }
    return open;
  }

  /** A table for scans that read ahead. */
  ScannedTable scans(TableName table) throws IOException {
    return ScannedTable.of(scans(), table, spans, CallSettings.NONE);
  }

  /** Opens a table for scans that read ahead. */
  ScannedTable like(Table table) throws IOException {
    return ScannedTable.of(scans(), table.getName(), spans, CallSettings.of(table));
  }

  /**
   * Closes the tables and the asynchronous connection behind their scans. The connection that was
   * passed to {@link #on} stays open.
   */
  @Override
  public synchronized void close() throws IOException {
    // Where it is not a second one, it is closed with the first.
    if (scans != null && HBaseLine.present().facades() == null) {
      scans.close();
    }
    scans = null;
  }
}
