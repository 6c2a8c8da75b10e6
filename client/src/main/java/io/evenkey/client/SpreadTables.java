package io.evenkey.client;

import io.evenkey.client.hot.HotKeyTable;
import io.evenkey.client.hot.HotKeys;
import io.evenkey.client.metrics.TableMeters;
import io.evenkey.client.move.LiveTable;
import io.evenkey.client.registry.Change;
import io.evenkey.client.registry.Plan;
import io.evenkey.client.row.RowMapping;
import io.evenkey.client.table.AsyncScans;
import io.evenkey.client.table.FollowedMutator;
import io.evenkey.client.table.FollowedTable;
import io.evenkey.client.table.Futures;
import io.evenkey.client.table.GenerationTables;
import io.evenkey.layout.Layout;
import io.evenkey.layout.split.SplitPlan;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableBuilder;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.jspecify.annotations.Nullable;

/** The spread tables of one HBase cluster, on a connection that stays its owner's. Thread-safe. */
public final class SpreadTables implements AutoCloseable {
  private final Connection connection;
  private final @Nullable User user;
  private final Map<String, byte[]> attributes;
  private final LayoutTruth truth;
  private final HotKeys hotKeys;
  private final LiveTables tables;
  private final Remembered<RowMapping> known = new Remembered<>();
  private @Nullable AsyncConnection scans;

  private SpreadTables(Connection connection, @Nullable User user, Map<String, byte[]> attributes) {
    this.connection = connection;
    this.user = user;
    this.attributes = Map.copyOf(attributes);
    this.truth =
        new LayoutTruth(connection.getConfiguration(), RowProbe.through(connection), this::changed);
    this.tables = new LiveTables(truth, connection.getConfiguration());
    this.hotKeys = new HotKeys(connection.getConfiguration(), hotKeysThrough(connection));
  }

  /**
   * The tables that this connection reaches, as the user of this process. Closing them leaves the
   * connection open.
   */
  public static SpreadTables on(Connection connection) {
    // A drop-in connection maps rows by itself.
    Connection plain = connection instanceof EvenkeyConnection dropIn ? dropIn.own() : connection;
    return new SpreadTables(plain, null, Map.of());
  }

  /** The same, for a connection of some other user's. */
  static SpreadTables on(Connection plain, User user, Map<String, byte[]> attributes) {
    return new SpreadTables(plain, user, attributes);
  }

  /**
   * Creates a table, cut into regions, with its layout in its descriptor: both in one step of the
   * master's, so there is never a table without its layout.
   *
   * @param families column families, at least one
   * @throws org.apache.hadoop.hbase.TableExistsException if there is a table of this name
   * @throws TableLayoutException if the registry has another layout planned for it
   */
  public SpreadTable create(TableName name, Layout layout, SplitPlan splits, List<String> families)
      throws IOException {
    Layout planned = truth.planFor(name).layout();
    if (planned != null && !planned.equals(layout)) {
      throw TableLayoutException.planned(name, layout, planned);
    }
    return create(
        new NewTable(
            TableLayout.with(described(name, families), layout), splits.keys(), List.of()));
  }

  /**
   * What a table would be created as by the plan that the registry has for it.
   *
   * @param families column families; those of the plan if none are given here
   * @throws TableLayoutException if nothing is planned for it, or no layout
   */
  public NewTable planned(TableName name, List<String> families) throws IOException {
    return planned(name, truth.planFor(name), families);
  }

  /** What a table would be created as by a plan; see {@link #planned(TableName, List)}. */
  public NewTable planned(TableName name, Plan plan, List<String> families) throws IOException {
    if (plan.layout() == null) {
      throw new TableLayoutException(
          name,
          "no layout is planned for the table",
          "plan one: evenkey plan " + name + " --layout …");
    }
    List<String> named = families.isEmpty() ? plan.families() : families;
    if (named.isEmpty()) {
      throw new TableLayoutException(
          name, "no column family is planned for the table", "name one: --families d");
    }
    try (Admin admin = connection.getAdmin()) {
      return NewTable.planned(described(name, named), plan, admin.getRegionServers().size());
    }
  }

  /**
   * Creates a table as it was worked out.
   *
   * @throws org.apache.hadoop.hbase.TableExistsException if there is a table of this name
   */
  public SpreadTable create(NewTable table) throws IOException {
    Layout layout = layoutOf(table.descriptor());
    try (Admin admin = connection.getAdmin()) {
      // HBase takes an empty array of split keys for a mistake.
      byte[][] keys = table.splits().isEmpty() ? null : table.splits().toArray(new byte[0][]);
      admin.createTable(table.descriptor(), keys);
    }
    truth.record(table.descriptor());
    LiveTable live = tables.of(table.descriptor().getTableName());
    known.forget(live.reading());
    known.begin().keep(live.reading(), mapping(live.reading(), layout));
    return new SpreadTable(this, live);
  }

  private void changed(Change change) {
    if (change instanceof Change.OfTable of) {
      known.forget(of.table().name());
    } else if (change instanceof Change.Unknown) {
      known.forgetAll();
    }
  }

  private static TableDescriptor described(TableName name, List<String> families) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    families.forEach(family -> table.setColumnFamily(ColumnFamilyDescriptorBuilder.of(family)));
    return table.build();
  }

  private static Layout layoutOf(TableDescriptor table) throws TableLayoutException {
    Layout layout = TableLayout.of(table);
    if (layout == null) {
      throw TableLayoutException.none(table.getTableName());
    }
    return layout;
  }

  /**
   * Opens a table by the layout in its descriptor, after comparing that with the registry and with
   * some rows.
   *
   * @throws org.apache.hadoop.hbase.TableNotFoundException if there is no such table
   * @throws TableLayoutException if it has no layout, or one that this version does not understand,
   *     or one that others contradict
   */
  public SpreadTable open(TableName name) throws IOException {
    return open(tables.of(name));
  }

  /**
   * Opens one generation of a table, to which rows are what is stored in it: for those who move the
   * table, and nobody else.
   *
   * @throws TableLayoutException as {@link #open(TableName)}
   */
  public SpreadTable generation(TableName generation) throws IOException {
    return open(LiveTable.unmoved(generation));
  }

  /**
   * The same as HBase has tables, by logical keys: for those who move the table, and nobody else.
   */
  public Table generationTable(TableName generation) throws IOException {
    return followed(LiveTable.unmoved(generation));
  }

  private SpreadTable open(LiveTable live) throws IOException {
    read(live.reading());
    return new SpreadTable(this, live);
  }

  private RowMapping mapping(TableName generation, Layout layout) {
    return RowMapping.of(
        layout,
        Set.of(),
        TableMeters.of(cluster(), generation.getNameAsString(), layout),
        hotKeys.of(generation, layout));
  }

  private Layout layout(TableName generation) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      Layout layout = truth.check(admin.getDescriptor(generation));
      if (layout == null) {
        throw TableLayoutException.none(generation);
      }
      return layout;
    }
  }

  /** How the rows of a generation are stored. */
  RowMapping rows(TableName generation) throws IOException {
    RowMapping rows = known.get(generation);
    return rows == null ? read(generation) : rows;
  }

  private RowMapping read(TableName generation) throws IOException {
    Remembered.Reading<RowMapping> reading = known.begin();
    RowMapping rows = mapping(generation, layout(generation));
    reading.keep(generation, rows);
    return rows;
  }

  /** A table as HBase has them, whose moves are followed. */
  Table followed(LiveTable live) throws IOException {
    return new FollowedTable(() -> live, generations(live));
  }

  /** A buffered mutator whose moves are followed. */
  BufferedMutator mutator(LiveTable live) throws IOException {
    return FollowedMutator.open(
        connection, new BufferedMutatorParams(live.name()), live, this::rows, generations(live));
  }

  private GenerationTables generations(LiveTable live) throws IOException {
    return new GenerationTables(
        connection,
        connection.getTable(live.name()),
        null,
        this::rows,
        this::like,
        ScanOptions.DEFAULT_BUDGET_BYTES);
  }

  /** What writes reports of hot keys by a connection to which rows are what is stored. */
  static HotKeys.Delivery hotKeysThrough(Connection plain) {
    return report -> {
      try (Table table = plain.getTable(HotKeyTable.NAME)) {
        table.put(report);
      }
    };
  }

  Connection connection() {
    return connection;
  }

  /** What tells this cluster from others. */
  String cluster() {
    return ZKConfig.getZKQuorumServersString(connection.getConfiguration());
  }

  /** Opened at the first scan: only scans need it, to read ahead on many ranges at once. */
  synchronized AsyncConnection scans() throws IOException {
    AsyncConnection open = scans;
    if (open == null) {
      Configuration plain = new Configuration(connection.getConfiguration());
      plain.unset(EvenkeyAsyncConnection.SETTING);
      User as = user == null ? User.getCurrent() : user;
      open = Futures.get(ConnectionFactory.createAsyncConnection(plain, as, attributes));
      scans = open;
    }
    return open;
  }

  /** A table for scans that read ahead. */
  AsyncTable<AdvancedScanResultConsumer> scans(TableName table) throws IOException {
    return scans().getTableBuilder(table).setMaxAttempts(AsyncScans.AT_ONE_SERVER).build();
  }

  /** A table for scans that read ahead, with the timeouts and request attributes of another. */
  AsyncTable<AdvancedScanResultConsumer> like(Table table) throws IOException {
    AsyncTableBuilder<AdvancedScanResultConsumer> builder =
        scans()
            .getTableBuilder(table.getName())
            .setMaxAttempts(AsyncScans.AT_ONE_SERVER)
            .setOperationTimeout(
                table.getOperationTimeout(TimeUnit.MILLISECONDS), TimeUnit.MILLISECONDS)
            .setRpcTimeout(table.getRpcTimeout(TimeUnit.MILLISECONDS), TimeUnit.MILLISECONDS)
            .setReadRpcTimeout(
                table.getReadRpcTimeout(TimeUnit.MILLISECONDS), TimeUnit.MILLISECONDS);
    table.getRequestAttributes().forEach(builder::setRequestAttribute);
    return builder.build();
  }

  @Override
  public synchronized void close() throws IOException {
    hotKeys.close();
    truth.close();
    if (scans != null) {
      scans.close();
      scans = null;
    }
  }
}
