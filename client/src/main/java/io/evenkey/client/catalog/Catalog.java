package io.evenkey.client.catalog;

import io.evenkey.client.descriptor.TableLayout;
import io.evenkey.client.descriptor.TableLayoutException;
import io.evenkey.client.filter.FilterMapping;
import io.evenkey.client.future.Futures;
import io.evenkey.client.hotkeys.HotKeys;
import io.evenkey.client.metrics.TableMeters;
import io.evenkey.client.registry.LayoutRecord;
import io.evenkey.client.registry.Migration;
import io.evenkey.client.registry.Plan;
import io.evenkey.client.route.Generation;
import io.evenkey.client.route.GenerationFinder;
import io.evenkey.client.row.RowMapping;
import io.evenkey.client.zookeeper.RegistryException;
import io.evenkey.layout.Layout;
import io.evenkey.layout.guard.GuardAnswer;
import io.evenkey.layout.guard.GuardMode;
import io.evenkey.layout.guard.Refusal;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The tables that a connection has used: for each the generation in use and its layout, looked up
 * once and kept until a region server refuses a request made by it, or the connection's Admin
 * changes tables.
 *
 * <p>A table is looked up by one request to a region server, whose guard answers; two if the table
 * is another generation, or the user may not read. Where there is no guard, the registry is read,
 * and if that has no record, the descriptor, and again from time to time: see {@link
 * LayoutRefreshes}. A table that does not exist is not remembered, and has no layout. Thread-safe.
 */
public final class Catalog implements GenerationFinder, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);
  private static final Pattern GENERATION = Pattern.compile("(.+)\\.g[0-9]+");

  /** How many migrations a table may have had since it had its own name. */
  private static final int MOST_HOPS = 16;

  private final PlainRequests requests;
  private final GuardQuestions questions;
  private final RegistryAccess registry;
  private final LayoutRefreshes refreshes;
  private final Pauses pauses = new Pauses();
  private final LayoutChecks checks;
  private final Executor threads;
  private final Set<String> rowBlindFilters;
  private final String cluster;
  private final HotKeys hotKeys;
  private final TableCache<CompletableFuture<Generation>> known = new TableCache<>();

  // Tables that are looked up because the generation that was in use is not any more.
  private final Set<TableName> left = ConcurrentHashMap.newKeySet();

  /**
   * @param threads runs calls that wait for ZooKeeper or HBase
   * @param hotKeys delivers reports of hot keys
   */
  public Catalog(
      Configuration configuration,
      PlainRequests requests,
      RowProbe rows,
      Executor threads,
      HotKeys.Delivery hotKeys) {
    this.requests = requests;
    this.questions = new GuardQuestions(requests);
    this.registry = new RegistryAccess(configuration);
    this.refreshes = new LayoutRefreshes(configuration);
    this.checks = new LayoutChecks(configuration, registry, rows);
    this.threads = threads;
    this.hotKeys = new HotKeys(configuration, hotKeys);
    this.cluster = ZKConfig.getZKQuorumServersString(configuration);
    this.rowBlindFilters =
        Set.copyOf(configuration.getTrimmedStringCollection(FilterMapping.ROW_BLIND_SETTING));
  }

  @Override
  public CompletableFuture<Generation> find(TableName table) {
    CompletableFuture<Generation> found = known.get(table);
    if (found != null) {
      if (refreshes.isDue(table)) {
        refresh(table);
      }
      return found;
    }
    if (table.isSystemTable()) {
      return CompletableFuture.completedFuture(Generation.plain(table));
    }
    if (pauses.isOn(table)) {
      return CompletableFuture.failedFuture(pausing(table));
    }
    TableCache.Reading<CompletableFuture<Generation>> reading = known.begin();
    CompletableFuture<Generation> looked = new CompletableFuture<>();
    if (!requests.answersAtOnce()) {
      // The operations that are begun meanwhile wait for the same answer. Threads that wait each
      // ask by themselves: one of them may be interrupted.
      reading.keep(table, looked);
    }
    FutureUtils.addListener(
        lookUp(table),
        (generation, error) -> {
          if (generation != null) {
            left.remove(table);
            // In this order: what waits for it finds it known.
            reading.keep(table, looked);
            looked.complete(generation);
            checks.inBackground(generation, problem -> refuse(generation, problem));
            return;
          }
          known.drop(table, looked);
          if (error instanceof TableNotFoundException) {
            looked.complete(Generation.plain(table));
          } else {
            looked.completeExceptionally(error);
          }
        });
    return looked;
  }

  // No operation waits for it.
  private void refresh(TableName table) {
    threads.execute(
        () ->
            FutureUtils.addListener(
                lookUp(table),
                (generation, error) -> {
                  Generation now = known(table);
                  boolean gone = error instanceof TableNotFoundException;
                  if (gone || generation != null && now != null && !generation.isLike(now)) {
                    known.forget(table);
                  } else if (error != null) {
                    refreshes.unguarded(table);
                  }
                }));
  }

  /** The generation of a table if it is known now, else null. */
  public @Nullable Generation known(TableName table) {
    CompletableFuture<Generation> found = known.get(table);
    return found == null || found.isCompletedExceptionally() ? null : found.getNow(null);
  }

  // Not the same object: calls that look a table up at the same time get one each.
  @Override
  public void outdated(Generation generation) {
    left.add(generation.table());
    Generation now = known(generation.table());
    if (now != null && generation.isLike(now)) {
      known.forget(generation.table());
    }
  }

  // Until tables change, every operation fails with what a check has found.
  private void refuse(Generation generation, TableLayoutException problem) {
    if (generation.equals(known(generation.table()))) {
      TableCache.Reading<CompletableFuture<Generation>> reading = known.begin();
      reading.keep(generation.table(), CompletableFuture.failedFuture(problem));
    }
  }

  private CompletableFuture<Generation> lookUp(TableName table) {
    CompletableFuture<Generation> result = new CompletableFuture<>();
    FutureUtils.addListener(
        questions.ask(table),
        (answer, error) -> {
          if (answer != null && answer.isPresent()) {
            refreshes.guarded(table);
            Futures.follow(result, guarded(table, table, answer.get(), MOST_HOPS));
          } else if (error == null
              || error instanceof TableNotFoundException
              || error instanceof TableNotEnabledException
              || error instanceof AccessDeniedException) {
            refreshes.unguarded(table);
            Futures.follow(result, unguarded(table, error));
          } else {
            result.completeExceptionally(error);
          }
        });
    return result;
  }

  private CompletableFuture<Generation> guarded(
      TableName table, TableName physical, GuardAnswer answer, int hops) {
    if (answer.state().mode() != GuardMode.CLOSED) {
      return checked(table, physical, layout(physical, answer));
    } else if (hops == 0 || answer.state().other().isEmpty()) {
      return CompletableFuture.failedFuture(
          new IOException(
              "no generation of the table is in use for a moment: table="
                  + table
                  + " "
                  + Refusal.CLOSED.mark()));
    }
    TableName other = TableName.valueOf(answer.state().other());
    CompletableFuture<Generation> result = new CompletableFuture<>();
    FutureUtils.addListener(
        questions.ask(other),
        (next, error) -> {
          if (next != null && next.isPresent()) {
            Futures.follow(result, guarded(table, other, next.get(), hops - 1));
          } else {
            result.completeExceptionally(
                error != null
                    ? error
                    : new TableLayoutException(
                        table,
                        "generation in use has no guard: generation=" + other,
                        "install the guard on all region servers: evenkey server status"));
          }
        });
    return result;
  }

  /** A layout, null if there is none, or why it cannot be used. */
  private record Found(@Nullable Layout layout, @Nullable TableLayoutException problem) {}

  private static Found layout(TableName table, GuardAnswer answer) {
    try {
      return new Found(
          answer.layout().isEmpty() ? null : TableLayout.parse(table, answer.layout()), null);
    } catch (TableLayoutException e) {
      return new Found(null, e);
    }
  }

  private CompletableFuture<Generation> checked(TableName table, TableName physical, Found found) {
    if (found.problem != null) {
      return CompletableFuture.failedFuture(found.problem);
    }
    Generation generation = new Generation(table, physical, mapping(physical, found.layout));
    if (!checks.isFirst()) {
      return CompletableFuture.completedFuture(generation);
    }
    return waiting(
        () -> {
          checks.check(physical, found.layout);
          return generation;
        });
  }

  /** A call that waits for ZooKeeper or HBase. */
  @FunctionalInterface
  private interface Waiting<R> {
    R call() throws IOException;
  }

  private <R> CompletableFuture<R> waiting(Waiting<R> call) {
    CompletableFuture<R> result = new CompletableFuture<>();
    threads.execute(
        () -> {
          try {
            result.complete(call.call());
          } catch (IOException | RuntimeException | Error e) {
            result.completeExceptionally(e);
          }
        });
    return result;
  }

  private RowMapping mapping(TableName physical, @Nullable Layout layout) {
    return layout == null || layout.isPlain()
        ? RowMapping.NONE
        : RowMapping.of(
            layout,
            rowBlindFilters,
            TableMeters.of(cluster, physical.getNameAsString(), layout),
            hotKeys.of(physical, layout));
  }

  /**
   * Looks a table up where no guard answers.
   *
   * @param error why not; null if the region has none
   */
  private CompletableFuture<Generation> unguarded(TableName table, @Nullable Throwable error) {
    if (registry.use() == RegistryUse.OFF) {
      return byDescriptor(table, table, error);
    }
    boolean isLeft = left.contains(table);
    CompletableFuture<RegistryAccess.Recorded> recorded =
        waiting(() -> isLeft ? registry.recordedNow(table) : registry.recorded(table));
    CompletableFuture<Generation> result = new CompletableFuture<>();
    FutureUtils.addListener(
        recorded,
        (record, failed) -> {
          if (failed != null && isLeft && error != null) {
            // Only the registry says where it has gone.
            pauses.begin(table);
            result.completeExceptionally(pausing(table));
            return;
          } else if (failed != null) {
            Futures.follow(result, withoutRegistry(table, error, failed));
            return;
          }
          if (record.isBetweenGenerations()) {
            pauses.begin(table);
            result.completeExceptionally(pausing(table));
            return;
          }
          Optional<LayoutRecord> layout = record.layout();
          boolean gone = error instanceof TableNotFoundException;
          if (gone && record.generation().equals(table)) {
            result.completeExceptionally(error);
          } else if (layout.isPresent()) {
            Futures.follow(result, recorded(table, record.generation(), layout.get().layout()));
          } else {
            Futures.follow(result, byDescriptor(table, record.generation(), error));
          }
        });
    return result;
  }

  // Clients repeat the operation after a pause.
  private static IOException pausing(TableName table) {
    return new IOException(
        "table is between two generations for a moment: table="
            + table
            + " "
            + Refusal.FENCED.mark());
  }

  private CompletableFuture<Generation> recorded(
      TableName table, TableName generation, String line) {
    try {
      return checked(table, generation, new Found(TableLayout.parse(generation, line), null));
    } catch (TableLayoutException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private CompletableFuture<Generation> withoutRegistry(
      TableName table, @Nullable Throwable error, Throwable failed) {
    if (registry.use() == RegistryUse.REQUIRED || !(failed instanceof RegistryException)) {
      return CompletableFuture.failedFuture(failed);
    }
    LOG.warn("layout of {} not read from the registry: {}", table, failed.getMessage());
    return byDescriptor(table, table, error);
  }

  private CompletableFuture<Generation> byDescriptor(
      TableName table, TableName physical, @Nullable Throwable error) {
    CompletableFuture<Generation> result = new CompletableFuture<>();
    FutureUtils.addListener(
        requests.descriptor(physical),
        (descriptor, denied) -> {
          if (denied instanceof AccessDeniedException && error == null) {
            // HBase's own client would use it as it is, too.
            LOG.warn(
                "table {} is taken for one without a layout: its region servers have no guard, the"
                    + " registry has no record of it, and this user may not read its descriptor",
                physical);
            result.complete(new Generation(table, physical, RowMapping.NONE));
          } else if (denied != null) {
            result.completeExceptionally(error == null ? denied : error);
          } else {
            try {
              Layout layout = TableLayout.of(descriptor);
              Futures.follow(result, checked(table, physical, new Found(layout, null)));
            } catch (TableLayoutException e) {
              result.completeExceptionally(e);
            }
          }
        });
    return result;
  }

  /**
   * Fails if one of the tables is migrated, or its name stands for another generation: what is done
   * to it would be done to one generation only.
   */
  public CompletableFuture<Void> refuseMigrated(Set<TableName> named) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            for (TableName table : named) {
              refuseMigrated(table);
            }
          } catch (IOException e) {
            throw new CompletionException(e);
          }
        },
        threads);
  }

  private void refuseMigrated(TableName name) throws IOException {
    if (name.isSystemTable() || registry.use() == RegistryUse.OFF) {
      return;
    }
    Migration migration;
    Migration other;
    try {
      migration = registry.migration(name);
      other = migrationOfGeneration(name);
    } catch (RegistryException e) {
      if (registry.use() == RegistryUse.REQUIRED) {
        throw e;
      }
      LOG.warn("migrations of {} not read from the registry: {}", name, e.getMessage());
      return;
    }
    if (migration != null
        && (!migration.stage().isOver() || !migration.generation().equals(name))) {
      throw new TableLayoutException(
          name,
          migration.stage().isOver()
              ? "table was migrated, and is " + migration.generation() + " now"
              : "table is migrated from " + migration.source() + " to " + migration.target(),
          "name the generation that is meant, when the migration is over");
    }
    if (other != null && !other.stage().isOver()) {
      throw new TableLayoutException(
          name,
          "generation of a table that is migrated from " + other.source() + " to " + other.target(),
          "change it when the migration is over: evenkey migrate " + other.table() + " --status");
    }
  }

  /** The last migration of the table that has such a generation, if there is one of that name. */
  private @Nullable Migration migrationOfGeneration(TableName name) throws RegistryException {
    Matcher generation = GENERATION.matcher(name.getQualifierAsString());
    if (!generation.matches()) {
      return null;
    }
    TableName table = TableName.valueOf(name.getNamespaceAsString(), generation.group(1));
    Migration last = registry.migration(table);
    boolean isOfIt = last != null && (name.equals(last.source()) || name.equals(last.target()));
    return isOfIt ? last : null;
  }

  /** The plan for a table that is about to be created. */
  public Plan planFor(TableName table) throws IOException {
    return registry.planFor(table);
  }

  /** The descriptor of a table, as it is now. */
  public CompletableFuture<TableDescriptor> descriptor(TableName table) {
    return requests.descriptor(table);
  }

  /** A table was created, or changed, by this connection. */
  public void created(TableDescriptor table) {
    registry.record(table);
  }

  /** A table was deleted, or is about to be replaced, by this connection. */
  public void deleted(TableName table) {
    registry.forget(table);
  }

  /** The table is looked up again when it is next used. */
  public void forget(TableName table) {
    known.forget(table);
  }

  /** Every table is looked up again when it is next used. */
  public void forget() {
    known.forgetAll();
  }

  @Override
  public void close() {
    hotKeys.close();
  }
}
