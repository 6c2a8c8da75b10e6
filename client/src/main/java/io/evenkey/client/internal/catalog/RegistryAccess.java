/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.LayoutRecord;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.plan.Plan;
import java.time.Duration;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The registry as a connection uses it: each call is one short session with ZooKeeper, and nothing
 * stays open. A registry that could not be reached is not tried again for 30 seconds. Thread-safe.
 */
final class RegistryAccess {
  private static final Logger LOG = LoggerFactory.getLogger(RegistryAccess.class);
  private static final long TRY_AGAIN_AFTER_NANOS = Duration.ofSeconds(30).toNanos();

  private final Configuration configuration;
  private final RegistryUse use;
  private @Nullable RegistryException failure;
  private long failedAt;

  RegistryAccess(Configuration configuration) {
    this.configuration = configuration;
    this.use = RegistryUse.of(configuration);
  }

  RegistryUse use() {
    return use;
  }

  @FunctionalInterface
  private interface Call<R> {
    R in(Registry open) throws RegistryException;
  }

  private <R> R call(Call<R> call) throws RegistryException {
    failIfLatelyFailed();
    return callNow(call);
  }

  private <R> R callNow(Call<R> call) throws RegistryException {
    try (Registry open = Registry.open(configuration)) {
      return call.in(open);
    } catch (RegistryException e) {
      throw noted(e);
    } catch (LinkageError e) {
      throw noted(
          RegistryException.withoutLibrary(
              "library missing: reason="
                  + e.getMessage()
                  + "; evenkey-client needs curator-recipes, jackson-databind and ZooKeeper's client on"
                  + " the class path to read the registry: add them, or set "
                  + RegistryUse.SETTING
                  + "=off if all region servers have the guard",
              e));
    }
  }

  private synchronized RegistryException noted(RegistryException e) {
    failure = e;
    failedAt = System.nanoTime();
    return e;
  }

  private synchronized void failIfLatelyFailed() throws RegistryException {
    if (failure != null && System.nanoTime() - failedAt < TRY_AGAIN_AFTER_NANOS) {
      throw failure;
    }
    failure = null;
  }

  /**
   * The registry's record of a table.
   *
   * @param layout the layout of its rows, if that is recorded
   * @param generation the generation in use
   * @param isBetweenGenerations whether clients have to wait for the next one
   */
  record Recorded(
      Optional<LayoutRecord> layout, TableName generation, boolean isBetweenGenerations) {}

  /**
   * Reads the registry's record of a table.
   *
   * @throws RegistryException if the registry cannot be read
   */
  Recorded recorded(TableName table) throws RegistryException {
    return call(open -> recorded(open, table));
  }

  /**
   * Reads what is recorded for a table, also if the registry could not be reached just now.
   *
   * @throws RegistryException if the registry cannot be read
   */
  Recorded recordedNow(TableName table) throws RegistryException {
    return callNow(open -> recorded(open, table));
  }

  private static Recorded recorded(Registry open, TableName table) throws RegistryException {
    Migration migration = open.migrations().get(table).map(Versioned::value).orElse(null);
    TableName generation = migration == null ? table : migration.generation();
    return new Recorded(
        open.layouts().get(generation),
        generation,
        migration != null && migration.isBetweenGenerations());
  }

  /** The layout that is recorded of a physical table. */
  Optional<LayoutRecord> recordedLayout(TableName physical) throws RegistryException {
    return call(open -> open.layouts().get(physical));
  }

  /** The last migration of a table, or null if there was none. */
  @Nullable Migration migration(TableName table) throws RegistryException {
    return call(open -> open.migrations().get(table)).map(Versioned::value).orElse(null);
  }

  /**
   * The plan for a table that is about to be created.
   *
   * @throws RegistryException if that cannot be read: a table is not created as if nothing were
   *     planned
   */
  Plan planFor(TableName table) throws RegistryException {
    return use == RegistryUse.OFF || table.isSystemTable()
        ? Plan.EMPTY
        : call(open -> open.plans().effective(table));
  }

  /** Records the layout of a table that was just created, or that it has none. */
  void record(TableDescriptor table) {
    String line = table.getValue(TableLayout.LAYOUT);
    if (line == null) {
      forget(table.getTableName());
    } else {
      change(
          table.getTableName(),
          open -> {
            open.layouts()
                .record(
                    table.getTableName(),
                    line,
                    TableLayout.indexesText(table),
                    TableLayout.isKeyChanged(table));
            return line;
          });
    }
  }

  /** Forgets a table that was deleted. */
  void forget(TableName table) {
    change(
        table,
        open -> {
          open.layouts().forget(table);
          return table;
        });
  }

  // The descriptor is what counts: the record can be corrected later, by evenkey verify.
  private void change(TableName table, Call<?> change) {
    if (use == RegistryUse.OFF || table.isSystemTable()) {
      return;
    }
    try {
      call(change);
    } catch (RegistryException e) {
      LOG.warn("layout of {} not recorded: {}", table, e.getMessage());
    }
  }
}
