package io.evenkey.client;

import io.evenkey.client.table.FollowedTable;
import io.evenkey.client.table.Futures;
import io.evenkey.client.table.GenerationTables;
import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;

/**
 * The tables of an asynchronous connection for what is done one step after the other: writes to two
 * generations. Their connection is opened when the first is needed. Thread-safe.
 */
final class SynchronousTables implements AutoCloseable {
  private final Configuration configuration;
  private final User user;
  private final Map<String, byte[]> attributes;
  private final KnownLayouts layouts;
  private @Nullable Connection connection;

  SynchronousTables(
      Configuration configuration,
      User user,
      @Nullable Map<String, byte[]> attributes,
      KnownLayouts layouts) {
    this.configuration = configuration;
    this.user = user;
    this.attributes = attributes == null ? Map.of() : Map.copyOf(attributes);
    this.layouts = layouts;
  }

  private synchronized Connection plain() throws IOException {
    Connection open = connection;
    if (open == null) {
      Configuration plain = new Configuration(configuration);
      plain.unset(EvenkeyConnection.SETTING);
      plain.unset(EvenkeyAsyncConnection.SETTING);
      open = ConnectionFactory.createConnection(plain, null, user, attributes);
      connection = open;
    }
    return open;
  }

  /** A table whose moves are followed as those of the asynchronous one. */
  Table table(TableName name, Map<String, byte[]> requestAttributes) throws IOException {
    Connection plain = plain();
    GenerationTables generations =
        new GenerationTables(
            plain,
            GenerationTables.own(plain, name, requestAttributes),
            null,
            generation -> Futures.get(layouts.stored(generation)),
            table -> {
              throw new IOException("scans are never made synchronously: " + table.getName());
            },
            ScanOptions.DEFAULT_BUDGET_BYTES);
    return new FollowedTable(() -> Futures.get(layouts.live(name)), generations);
  }

  @Override
  public synchronized void close() throws IOException {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
