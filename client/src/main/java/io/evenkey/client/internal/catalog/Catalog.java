/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.future.BlockingCallThreads;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.route.GenerationFinder;
import io.evenkey.client.plan.Plan;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.TableDescriptor;
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
public final class Catalog implements GenerationFinder {
  private static final Logger LOG = LoggerFactory.getLogger(Catalog.class);

  private final PlainRequests requests;
  private final RegistryAccess registry;
  private final LayoutRefreshes refreshes;
  private final Pauses pauses = new Pauses();
  private final LayoutChecks checks;
  private final GenerationLookup lookup;
  private final MigratedTables migrated;
  private final TableCache<CompletableFuture<Generation>> known = new TableCache<>();

  /** The catalog of one connection. */
  public Catalog(Configuration configuration, PlainRequests requests, RowProbe rows) {
    this.requests = requests;
    this.registry = new RegistryAccess(configuration);
    this.refreshes = new LayoutRefreshes(configuration);
    this.checks = new LayoutChecks(configuration, registry, rows);
    this.migrated = new MigratedTables(registry);
    this.lookup =
        new GenerationLookup(
            requests,
            registry,
            refreshes,
            pauses,
            checks,
            RowMappings.of(configuration),
            new DeclaredKeys(configuration));
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
      return CompletableFuture.failedFuture(Pauses.betweenGenerations(table));
    }
    TableCache.Reading<CompletableFuture<Generation>> reading = known.begin();
    CompletableFuture<Generation> looked = new CompletableFuture<>();
    // The operations that are begun before it is answered wait for the same answer.
    reading.keep(table, looked);
    Futures.whenDone(
        Futures.begin(() -> lookup.find(table)),
        (generation, error) -> {
          if (error == null) {
            lookup.settled(table);
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
        },
        failure -> {
          if (looked.completeExceptionally(failure)) {
            known.drop(table, looked);
          } else {
            LOG.warn("layout of {} not checked", table, failure);
          }
        });
    return looked;
  }

  // No operation waits for it.
  private void refresh(TableName table) {
    Futures.whenDone(
        Futures.begin(() -> lookup.find(table)),
        (generation, error) -> {
          Generation now = known(table);
          boolean gone = error instanceof TableNotFoundException;
          if (gone || error == null && now != null && !generation.isLike(now)) {
            known.forget(table);
          } else if (error != null) {
            refreshes.unguarded(table);
          }
        },
        failure -> refreshes.unguarded(table));
  }

  /** The generation of a table if it is known now, else null. */
  public @Nullable Generation known(TableName table) {
    CompletableFuture<Generation> found = known.get(table);
    return found == null || found.isCompletedExceptionally() ? null : found.getNow(null);
  }

  // Not the same object: calls that look a table up at the same time get one each.
  @Override
  public void outdated(Generation generation, OptionalLong revision) {
    lookup.left(generation.table());
    revision.ifPresent(least -> lookup.follow(generation.physical(), least));
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

  /**
   * Fails if one of the tables is migrated, or its name stands for another generation: what is done
   * to it would be done to one generation only.
   */
  public CompletableFuture<Void> refuseMigrated(Set<TableName> named) {
    return Futures.call(
        BlockingCallThreads::execute,
        () -> {
          for (TableName table : named) {
            migrated.refuse(table);
          }
          return null;
        });
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
}
