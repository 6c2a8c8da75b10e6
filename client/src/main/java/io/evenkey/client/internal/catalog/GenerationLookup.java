/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.future.BlockingCallThreads;
import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.registry.LayoutRecord;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.client.internal.row.RowMapping;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.KeyHistory;
import io.evenkey.protocol.guard.Refusal;
import io.evenkey.protocol.index.TableIndexes;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks a table up in the cluster. Three sources are asked, in this order:
 *
 * <ol>
 *   <li>the guard of a region, which names the layout, or the other generation that is in use;
 *   <li>without a guard, the record of the table in the registry;
 *   <li>without a record, the descriptor of the table.
 * </ol>
 *
 * <p>Remembers nothing but the tables whose generation was {@linkplain #left left}. Thread-safe.
 */
final class GenerationLookup {
  private static final Logger LOG = LoggerFactory.getLogger(GenerationLookup.class);

  /** The most migrations of a table since it had its own name. */
  private static final int MOST_HOPS = 16;

  private final PlainRequests requests;
  private final GuardQuestions questions;
  private final RegistryAccess registry;
  private final LayoutRefreshes refreshes;
  private final Pauses pauses;
  private final LayoutChecks checks;
  private final RowMappings mappings;
  private final DeclaredKeys keys;
  private final Set<TableName> left = ConcurrentHashMap.newKeySet();

  /** The latest revision by which a region of a table has refused a request. */
  private final Map<TableName, Long> revisions = new ConcurrentHashMap<>();

  GenerationLookup(
      PlainRequests requests,
      RegistryAccess registry,
      LayoutRefreshes refreshes,
      Pauses pauses,
      LayoutChecks checks,
      RowMappings mappings,
      DeclaredKeys keys) {
    this.requests = requests;
    this.questions = new GuardQuestions(requests);
    this.registry = registry;
    this.refreshes = refreshes;
    this.pauses = pauses;
    this.checks = checks;
    this.mappings = mappings;
    this.keys = keys;
  }

  /**
   * The generation that was found is out of use. Until another one is {@linkplain #settled found},
   * the registry is asked even if it could not be reached just before.
   */
  void left(TableName table) {
    left.add(table);
  }

  /**
   * Another region than the first one acts by this revision of the table's state already, so the
   * first one, which is asked, has to follow. The command that changed the state may be dead.
   */
  void follow(TableName physical, long revision) {
    revisions.merge(physical, revision, Math::max);
  }

  private CompletableFuture<Optional<GuardAnswer>> ask(TableName physical) {
    Long least = revisions.remove(physical);
    return questions.ask(physical, least == null ? 0 : least);
  }

  /** A generation in use was found. */
  void settled(TableName table) {
    left.remove(table);
  }

  /**
   * The generation of a table that is in use now.
   *
   * @return fails with a {@link TableNotFoundException} if there is no such table, with a {@link
   *     TableLayoutException} if its layout cannot be used
   */
  CompletableFuture<Generation> find(TableName table) {
    return Futures.next(
        ask(table),
        (answer, error) -> {
          if (error == null && answer.isPresent()) {
            refreshes.guarded(table);
            return guarded(table, table, answer.get(), MOST_HOPS);
          } else if (error == null
              || error instanceof TableNotFoundException
              || error instanceof TableNotEnabledException
              || error instanceof AccessDeniedException) {
            refreshes.unguarded(table);
            return enabled(table, error, unguarded(table, error));
          }
          return CompletableFuture.failedFuture(error);
        });
  }

  // That no guard answers for a disabled table is no reason to tell of servers without the guard.
  private static CompletableFuture<Generation> enabled(
      TableName table, @Nullable Throwable error, CompletableFuture<Generation> found) {
    return error instanceof TableNotEnabledException
        ? Futures.chain(
            found,
            generation ->
                generation.physical().equals(table) && generation.rows().indexes() != null
                    ? CompletableFuture.failedFuture(error)
                    : CompletableFuture.completedFuture(generation))
        : found;
  }

  /** Follows the answers of guards from generation to generation until one is in use. */
  private CompletableFuture<Generation> guarded(
      TableName table, TableName physical, GuardAnswer answer, int hops)
      throws TableLayoutException {
    if (answer.state().mode() != GuardMode.CLOSED) {
      return checked(table, physical, layout(physical, answer));
    } else if (hops == 0 || answer.state().other().isEmpty()) {
      return CompletableFuture.failedFuture(
          new EvenkeyException(
              "no generation of the table is in use for a moment: table="
                  + table
                  + " "
                  + Refusal.CLOSED.mark()));
    }
    TableName other = other(table, answer);
    return Futures.chain(
        ask(other),
        next ->
            next.isPresent()
                ? guarded(table, other, next.get(), hops - 1)
                : CompletableFuture.failedFuture(
                    new TableLayoutException(
                        table,
                        "generation in use has no guard",
                        "generation=" + other,
                        Remedy.INSTALL_GUARD + " on all region servers")));
  }

  private static TableName other(TableName table, GuardAnswer answer) throws TableLayoutException {
    try {
      return TableName.valueOf(answer.state().other());
    } catch (IllegalArgumentException e) {
      throw new TableLayoutException(
          table,
          "guard's state names no table",
          "other=" + answer.state().other(),
          "repair the table's descriptor: " + Remedy.VERIFY_TABLE);
    }
  }

  /**
   * Looks a table up where no guard answers.
   *
   * @param error the failure of the question; null if the region has no guard
   */
  private CompletableFuture<Generation> unguarded(TableName table, @Nullable Throwable error) {
    if (registry.use() == RegistryUse.OFF) {
      return byDescriptor(table, table, error);
    }
    boolean isLeft = left.contains(table);
    CompletableFuture<RegistryAccess.Recorded> recorded =
        Futures.call(
            BlockingCallThreads::execute,
            () -> isLeft ? registry.recordedNow(table) : registry.recorded(table));
    return Futures.next(
        recorded,
        (record, failed) -> {
          if (failed != null) {
            // Of a table that was left, only the registry names the generation in use.
            return isLeft && error != null
                ? CompletableFuture.failedFuture(pauses.begin(table))
                : withoutRegistry(table, error, failed);
          }
          if (record.isBetweenGenerations()) {
            return CompletableFuture.failedFuture(pauses.begin(table));
          }
          if (error instanceof TableNotFoundException) {
            return record.generation().equals(table)
                ? CompletableFuture.failedFuture(error)
                : elsewhere(table, record, error);
          }
          return described(table, record, error);
        });
  }

  // No table has the name, as after a renaming that was rolled back: the generation has its guard.
  private CompletableFuture<Generation> elsewhere(
      TableName table, RegistryAccess.Recorded record, Throwable error) {
    return Futures.next(
        ask(record.generation()),
        (answer, failed) ->
            failed == null && answer.isPresent()
                ? guarded(table, record.generation(), answer.get(), MOST_HOPS)
                : described(table, record, error));
  }

  private CompletableFuture<Generation> described(
      TableName table, RegistryAccess.Recorded record, @Nullable Throwable error)
      throws TableLayoutException {
    Optional<LayoutRecord> layout = record.layout();
    return layout.isPresent()
        ? recorded(table, record.generation(), layout.get())
        : byDescriptor(table, record.generation(), error);
  }

  private CompletableFuture<Generation> recorded(
      TableName table, TableName generation, LayoutRecord record) throws TableLayoutException {
    Layout layout = TableLayout.parse(generation, record.layout());
    return checked(
        table,
        generation,
        LayoutStatement.of(
            generation,
            layout,
            record.indexes(),
            record.keyChanged() ? KeyHistory.CHANGED : KeyHistory.UNKNOWN,
            Generation.UNKNOWN));
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
    return Futures.next(
        requests.descriptor(physical),
        (descriptor, denied) -> {
          if (denied instanceof AccessDeniedException && error == null) {
            // HBase's own client would use it as it is, too.
            LOG.warn(
                "table {} is taken for one without a layout: its region servers have no guard, the"
                    + " registry has no record of it, and this user may not read its descriptor",
                physical);
            return CompletableFuture.completedFuture(
                new Generation(table, physical, RowMapping.NONE));
          } else if (denied != null) {
            return CompletableFuture.failedFuture(error == null ? denied : error);
          }
          Layout layout = TableLayout.of(descriptor);
          String indexes = TableLayout.indexesText(descriptor);
          KeyHistory keys = TableLayout.keyHistory(descriptor);
          return checked(
              table,
              physical,
              LayoutStatement.of(physical, layout, indexes, keys, Generation.UNKNOWN)
                  .withIndexed(TableLayout.indexedTable(descriptor)));
        });
  }

  /**
   * The statement of a table's guard, record or descriptor about its layout.
   *
   * @param layout null if the table has none
   * @param keys whether the table has another row key than it was created with
   * @param problem the reason why the layout cannot be used, or null
   * @param revision of the guard's state; unknown without a guard
   * @param indexed the table whose index it has the entries of; null if of none, or not known
   */
  private record LayoutStatement(
      @Nullable Layout layout,
      TableIndexes indexes,
      KeyHistory keys,
      @Nullable TableLayoutException problem,
      long revision,
      @Nullable TableName indexed) {
    /** Whether a guard has answered. */
    boolean isGuarded() {
      return revision != Generation.UNKNOWN;
    }

    static LayoutStatement of(
        TableName table, @Nullable Layout layout, String indexes, KeyHistory keys, long revision)
        throws TableLayoutException {
      TableIndexes parsed = TableLayout.parseIndexes(table, indexes);
      if (layout != null) {
        TableLayout.checkFit(table, layout, parsed);
      }
      return new LayoutStatement(
          layout, layout == null ? TableIndexes.NONE : parsed, keys, null, revision, null);
    }

    LayoutStatement withIndexed(@Nullable TableName table) {
      return new LayoutStatement(layout, indexes, keys, problem, revision, table);
    }

    /** The fields of a row key that the table was not created with; null if it is that one. */
    @Nullable String otherKey() {
      boolean isOther = keys == KeyHistory.CHANGED || keys == KeyHistory.RECORDED;
      return isOther && layout != null ? DeclaredKeys.keyOf(layout) : null;
    }
  }

  private static LayoutStatement layout(TableName table, GuardAnswer answer) {
    try {
      Layout layout = answer.layout().isEmpty() ? null : TableLayout.parse(table, answer.layout());
      return LayoutStatement.of(
              table, layout, answer.indexes().orElse(""), answer.keys(), answer.state().revision())
          .withIndexed(
              answer.indexed().map(name -> TableLayout.indexedTable(table, name)).orElse(null));
    } catch (TableLayoutException e) {
      return new LayoutStatement(
          null, TableIndexes.NONE, answer.keys(), e, answer.state().revision(), null);
    }
  }

  private CompletableFuture<Generation> checked(
      TableName table, TableName physical, LayoutStatement found) throws TableLayoutException {
    if (found.problem != null) {
      throw found.problem;
    }
    if (found.layout != null) {
      keys.check(table, found.layout, found.keys == KeyHistory.CHANGED);
    }
    Generation generation =
        new Generation(
            table,
            physical,
            mappings.mapping(table, physical, found.layout, found.indexes, found.isGuarded()),
            found.revision,
            found.otherKey(),
            found.keys == KeyHistory.CHANGED && keys.areOfFields(table),
            found.indexed);
    return checks.isFirst()
        ? Futures.call(
            BlockingCallThreads::execute,
            () -> {
              checks.check(table, physical, found.layout);
              return generation;
            })
        : CompletableFuture.completedFuture(generation);
  }
}
