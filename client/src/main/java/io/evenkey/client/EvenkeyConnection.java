package io.evenkey.client;

import io.evenkey.client.row.RowMapping;
import io.evenkey.client.table.Forwarding;
import io.evenkey.client.table.LogicalBufferedMutator;
import io.evenkey.client.table.LogicalRegionLocator;
import io.evenkey.client.table.LogicalTable;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Hbck;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableBuilder;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's connection, by its own plug point: with {@value #SETTING} set to this class, {@link
 * ConnectionFactory} makes one of these, and an application that knows nothing of layouts reads and
 * writes spread tables by their logical keys. Tables without a layout behave as before: they are
 * HBase's own.
 *
 * <p>A table's layout is read from its descriptor when the table is first used, and kept until it
 * is created or deleted through this connection's {@link Admin}. Thread-safe.
 */
public final class EvenkeyConnection implements Connection {
  /** The configuration key that names the class of connections. */
  public static final String SETTING = "hbase.client.connection.impl";

  /** What a table can do without being asked where its rows are. */
  private static final Set<String> NEEDS_NO_LAYOUT =
      Set.of("getName", "getConfiguration", "getDescriptor", "getTableDescriptor", "close");

  private static final Pattern CHANGES_TABLES =
      Pattern.compile("create|delete|modify|restore|clone|truncate|enable|disable");

  private static final Logger LOG = LoggerFactory.getLogger(EvenkeyConnection.class);

  private final Configuration configuration;
  private final Connection plain;
  private final Map<TableName, Optional<Layout>> layouts = new ConcurrentHashMap<>();
  private final SpreadTables tables;

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
    this.configuration = configuration;
    this.plain = ConnectionFactory.createConnection(plain(configuration), pool, user, attributes);
    this.tables = SpreadTables.on(plain);
  }

  private static Configuration plain(Configuration configuration) {
    Configuration plain = new Configuration(configuration);
    plain.unset(SETTING);
    return plain;
  }

  /**
   * The layout of a table, or null if it has none, or does not exist: then it has no rows either.
   */
  private @Nullable Layout layoutOf(TableName name) throws IOException {
    Optional<Layout> known = layouts.get(name);
    if (known == null) {
      if (name.isSystemTable()) {
        return null;
      }
      try (Admin admin = plain.getAdmin()) {
        known = Optional.ofNullable(TableLayout.of(admin.getDescriptor(name)));
        layouts.put(name, known);
      } catch (TableNotFoundException e) {
        return null;
      }
    }
    return known.filter(layout -> !layout.isPlain()).orElse(null);
  }

  @Override
  public Configuration getConfiguration() {
    return configuration;
  }

  @Override
  public TableBuilder getTableBuilder(TableName name, @Nullable ExecutorService pool) {
    return new Builder(plain.getTableBuilder(name, pool), name);
  }

  /** Builds the plain table, and puts it behind its layout if it has one. */
  private final class Builder implements TableBuilder {
    private final TableBuilder builder;
    private final TableName name;

    Builder(TableBuilder builder, TableName name) {
      this.builder = builder;
      this.name = name;
    }

    @Override
    public TableBuilder setOperationTimeout(int millis) {
      builder.setOperationTimeout(millis);
      return this;
    }

    @Override
    public TableBuilder setRpcTimeout(int millis) {
      builder.setRpcTimeout(millis);
      return this;
    }

    @Override
    public TableBuilder setReadRpcTimeout(int millis) {
      builder.setReadRpcTimeout(millis);
      return this;
    }

    @Override
    public TableBuilder setWriteRpcTimeout(int millis) {
      builder.setWriteRpcTimeout(millis);
      return this;
    }

    @Override
    public TableBuilder setRequestAttribute(String key, byte[] value) {
      builder.setRequestAttribute(key, value);
      return this;
    }

    @Override
    public Table build() {
      return behindLayout(name, builder.build());
    }
  }

  // HBase lets a table be opened before it exists: then its layout is looked for when it is used.
  private Table behindLayout(TableName name, Table table) {
    try {
      Layout layout = layoutOf(name);
      if (layouts.containsKey(name) || name.isSystemTable()) {
        return behind(layout, name, table);
      }
    } catch (IOException e) {
      LOG.debug("layout of {} not to be had yet", name, e);
    }
    return Forwarding.to(
        Table.class,
        method -> NEEDS_NO_LAYOUT.contains(method) ? table : behind(layoutOf(name), name, table),
        method -> {});
  }

  private Table behind(@Nullable Layout layout, TableName name, Table table) {
    return layout == null
        ? table
        : new LogicalTable(
            table, layout, () -> tables.scans().getTable(name), ScanOptions.DEFAULT_BUDGET_BYTES);
  }

  @Override
  public BufferedMutator getBufferedMutator(TableName name) throws IOException {
    return getBufferedMutator(new BufferedMutatorParams(name));
  }

  @Override
  public BufferedMutator getBufferedMutator(BufferedMutatorParams params) throws IOException {
    Layout layout = layoutOf(params.getTableName());
    return layout == null
        ? plain.getBufferedMutator(params)
        : LogicalBufferedMutator.open(plain, params, RowMapping.of(layout));
  }

  @Override
  public RegionLocator getRegionLocator(TableName name) throws IOException {
    Layout layout = layoutOf(name);
    RegionLocator locator = plain.getRegionLocator(name);
    return layout == null ? locator : LogicalRegionLocator.of(locator, RowMapping.of(layout));
  }

  /** HBase's own; tables that it creates, changes or deletes are looked at anew. */
  @Override
  public Admin getAdmin() throws IOException {
    Admin admin = plain.getAdmin();
    return Forwarding.to(
        Admin.class,
        method -> admin,
        method -> {
          if (CHANGES_TABLES.matcher(method).lookingAt()) {
            layouts.clear();
          }
        });
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
    return plain.isClosed();
  }

  @Override
  public void close() throws IOException {
    try {
      tables.close();
    } finally {
      plain.close();
    }
  }
}
