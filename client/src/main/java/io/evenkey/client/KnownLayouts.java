package io.evenkey.client;

import io.evenkey.client.filter.FilterMapping;
import io.evenkey.client.hot.HotKeys;
import io.evenkey.client.metrics.TableMeters;
import io.evenkey.client.move.LiveTable;
import io.evenkey.client.registry.Change;
import io.evenkey.client.registry.Plan;
import io.evenkey.client.row.RowMapping;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.jspecify.annotations.Nullable;

/**
 * The layouts of the tables that a connection has used, read from their descriptors once and
 * checked. A table that does not exist is not remembered, and has none. Thread-safe.
 */
final class KnownLayouts implements AutoCloseable {
  /** Where descriptors come from. */
  @FunctionalInterface
  interface Descriptors {
    /** The descriptor of a table; fails with a {@link TableNotFoundException} if there is none. */
    CompletableFuture<TableDescriptor> of(TableName table);
  }

  /** Of tables that do not exist: maps like {@link RowMapping#NONE}, and can be told from it. */
  private static final RowMapping ABSENT = RowMapping.of(RowMapping.NONE.layout());

  private static final CompletableFuture<RowMapping> NONE =
      CompletableFuture.completedFuture(RowMapping.NONE);

  private final Descriptors descriptors;
  private final LayoutTruth truth;
  private final LiveTables tables;
  private final Executor checks;
  private final Set<String> rowBlindFilters;
  private final String cluster;
  private final HotKeys hotKeys;

  private final Remembered<CompletableFuture<RowMapping>> known = new Remembered<>();

  /**
   * @param checks what runs checks, which wait for ZooKeeper and for HBase
   * @param hotKeys what delivers reports of hot keys, if there are any
   */
  KnownLayouts(
      Configuration configuration,
      Descriptors descriptors,
      RowProbe rows,
      Executor checks,
      HotKeys.Delivery hotKeys) {
    this.descriptors = descriptors;
    this.truth = new LayoutTruth(configuration, rows, this::changed);
    this.tables = new LiveTables(truth, configuration);
    this.checks = checks;
    this.hotKeys = new HotKeys(configuration, hotKeys);
    this.cluster = ZKConfig.getZKQuorumServersString(configuration);
    this.rowBlindFilters =
        Set.copyOf(configuration.getTrimmedStringCollection(FilterMapping.ROW_BLIND_SETTING));
  }

  /** A table whose moves are followed. */
  CompletableFuture<LiveTable> live(TableName table) {
    LiveTable known = tables.known(table);
    if (known != null) {
      return CompletableFuture.completedFuture(known);
    }
    CompletableFuture<LiveTable> live = new CompletableFuture<>();
    checks.execute(
        () -> {
          try {
            live.complete(tables.of(table));
          } catch (IOException | RuntimeException | Error e) {
            live.completeExceptionally(e);
          }
        });
    return live;
  }

  /** The generation of a table that is read. */
  CompletableFuture<TableName> generation(TableName table) {
    return live(table).thenApply(LiveTable::reading);
  }

  /** The mapping of a table's rows, in the generation that is read. */
  CompletableFuture<RowMapping> rowsOf(TableName table) {
    LiveTable known = tables.known(table);
    return known != null ? stored(known.reading()) : generation(table).thenCompose(this::stored);
  }

  /** The mapping of stored rows: of the table's layout, or that of tables without one. */
  CompletableFuture<RowMapping> stored(TableName table) {
    if (table.isSystemTable()) {
      return NONE;
    }
    CompletableFuture<RowMapping> rows = known.get(table);
    return rows == null ? read(table) : rows;
  }

  private CompletableFuture<RowMapping> read(TableName table) {
    Remembered.Reading<CompletableFuture<RowMapping>> reading = known.begin();
    CompletableFuture<RowMapping> rows = new CompletableFuture<>();
    FutureUtils.addListener(
        descriptors.of(table),
        (descriptor, error) -> {
          if (error instanceof TableNotFoundException) {
            rows.complete(ABSENT);
          } else if (error != null) {
            rows.completeExceptionally(error);
          } else {
            checks.execute(() -> learn(descriptor, reading, rows));
          }
        });
    return rows;
  }

  private void learn(
      TableDescriptor descriptor,
      Remembered.Reading<CompletableFuture<RowMapping>> reading,
      CompletableFuture<RowMapping> rows) {
    try {
      Layout layout = truth.check(descriptor);
      RowMapping mapping =
          layout == null || layout.isPlain()
              ? RowMapping.NONE
              : RowMapping.of(
                  layout,
                  rowBlindFilters,
                  TableMeters.of(cluster, descriptor.getTableName().getNameAsString(), layout),
                  hotKeys.of(descriptor.getTableName(), layout));
      rows.complete(mapping);
      reading.keep(descriptor.getTableName(), rows);
    } catch (IOException | RuntimeException | Error e) {
      rows.completeExceptionally(e);
    }
  }

  /** A table if it is followed already, else null. */
  @Nullable LiveTable knownLive(TableName table) {
    return tables.known(table);
  }

  /** The mapping of stored rows if it is known now, else null. */
  @Nullable RowMapping knownStored(TableName table) {
    CompletableFuture<RowMapping> rows = known.get(table);
    return rows == null ? null : rows.getNow(null);
  }

  /**
   * Fails if one of the tables is migrated, or its name stands for another generation: what is done
   * to it would be done to one generation only.
   */
  CompletableFuture<Void> refuseMoved(Set<TableName> named) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            for (TableName table : named) {
              tables.refuseMoved(table);
            }
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        },
        checks);
  }

  /** What is planned for a table that is about to be created. */
  Plan planFor(TableName table) throws IOException {
    return truth.planFor(table);
  }

  /** The descriptor of a table, as it is now. */
  CompletableFuture<TableDescriptor> descriptor(TableName table) {
    return descriptors.of(table);
  }

  /** A table was created, or changed, by this connection. */
  void created(TableDescriptor table) {
    truth.record(table);
  }

  /** A table was deleted, or is about to be made anew from elsewhere, by this connection. */
  void deleted(TableName table) {
    truth.forget(table);
  }

  /** Something has changed in the registry. */
  void changed(Change change) {
    if (change instanceof Change.OfTable of) {
      known.forget(of.table().name());
    } else if (change instanceof Change.Unknown) {
      forget();
    }
  }

  /** Every layout is read anew when its table is next used. */
  void forget() {
    known.forgetAll();
  }

  @Override
  public void close() {
    hotKeys.close();
    truth.close();
  }
}
