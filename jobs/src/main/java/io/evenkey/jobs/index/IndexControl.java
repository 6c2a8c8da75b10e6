/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.index.RowEntries;
import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.internal.verify.LastMigration;
import io.evenkey.jobs.guard.Capability;
import io.evenkey.jobs.guard.GuardControl;
import io.evenkey.jobs.guard.StateChange;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.GuardedSince;
import io.evenkey.protocol.index.IndexState;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes the indexes of one table, of which it holds the lock: no migration and no other change of
 * its indexes runs until it is closed. A process that is paused for longer than its session with
 * ZooKeeper loses the lock, so each change compares the index, and the turn of the table's last
 * migration, with what they were. Not thread-safe.
 */
final class IndexControl implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(IndexControl.class);

  /** A process that died holds its lock until its session ends. */
  private static final Duration LOCKED = Duration.ofSeconds(40);

  private final Connection plain;
  private final Registry registry;
  private final TableName table;
  private final TableName physical;
  private final GuardControl guard;
  private final long turn;
  private final AutoCloseable lock;

  private IndexControl(
      Connection plain,
      Registry registry,
      TableName table,
      TableName physical,
      GuardControl guard,
      long turn,
      AutoCloseable lock) {
    this.plain = plain;
    this.registry = registry;
    this.table = table;
    this.physical = physical;
    this.guard = guard;
    this.turn = turn;
    this.lock = lock;
  }

  /**
   * Locks a table.
   *
   * @param plain a connection to which rows are what is stored
   * @param work what this command does, for the refusal of other commands: {@code add NAME}
   * @throws io.evenkey.client.failure.MigrationConflictException if another process has the lock
   * @throws IndexLifeException if the table is migrated
   */
  static IndexControl open(Connection plain, Registry registry, TableName table, String work)
      throws IOException {
    return open(plain, registry, table, work, IndexControl::isAtRest);
  }

  /**
   * Opens the indexes to read only. That is possible also while the table is migrated, as long as
   * its migration waits for an operator: then one generation has all rows, and stays in use until
   * this is closed.
   *
   * @throws IndexLifeException if the migration does not wait
   */
  static IndexControl openToRead(Connection plain, Registry registry, TableName table, String work)
      throws IOException {
    return open(
        plain,
        registry,
        table,
        work,
        (migration, mode) -> isAtRest(migration, mode) || waits(migration) && mode.reads());
  }

  /** Whether work on an index is possible. */
  @FunctionalInterface
  private interface Possible {
    /**
     * @param last the last migration of the table
     * @param mode of the generation that clients use
     */
    boolean isNow(@Nullable Migration last, GuardMode mode);
  }

  private static boolean isAtRest(@Nullable Migration last, GuardMode mode) {
    return (last == null || last.stage().isOver()) && mode == GuardMode.OPEN;
  }

  private static boolean waits(@Nullable Migration last) {
    return last != null
        && !(last.kind() instanceof Kind.StepInPlace)
        && (last.stage() == Stage.READY || last.stage() == Stage.SWITCHED);
  }

  private static IndexControl open(
      Connection plain, Registry registry, TableName table, String work, Possible possible)
      throws IOException {
    AutoCloseable lock = registry.migrations().lock(table, "index " + work, LOCKED);
    try {
      Migration last = LastMigration.of(plain, registry, table).map(Versioned::value).orElse(null);
      TableName physical = last == null ? table : last.generation();
      GuardState state = state(plain, physical);
      if (!possible.isNow(last, state.mode())) {
        throw migrated(table, last, state.mode());
      }
      return new IndexControl(
          plain, registry, table, physical, GuardControl.open(plain), state.turn(), lock);
    } catch (IOException | RuntimeException e) {
      close(lock);
      throw e;
    }
  }

  private static GuardState state(Connection plain, TableName physical) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return TableGuard.state(admin.getDescriptor(physical));
    }
  }

  private static IndexLifeException migrated(
      TableName table, @Nullable Migration last, GuardMode mode) {
    return IndexLifeException.of(
        table,
        "table is being migrated",
        (last == null ? "" : "stage=" + last.stage() + " ") + "mode=" + mode,
        "finish or roll back: "
            + Remedy.SHOW_MIGRATION
            + "; while the migration waits for the switch or the finish, an index can be verified"
            + " without repair");
  }

  Connection plain() {
    return plain;
  }

  Registry registry() {
    return registry;
  }

  TableName table() {
    return table;
  }

  /** The table of HBase's that has the rows. */
  TableName physical() {
    return physical;
  }

  TableDescriptor descriptor() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.getDescriptor(physical);
    }
  }

  /**
   * The layout of the table.
   *
   * @throws IndexLifeException if it has none
   */
  Layout layout() throws IOException {
    Layout layout = TableLayout.of(descriptor());
    if (layout == null) {
      throw IndexLifeException.of(
          table,
          "table without a layout has no indexes",
          "",
          Remedy.RECORD_LAYOUT + ", or " + Remedy.MIGRATE);
    }
    return layout;
  }

  /** The indexes of the table as they are now. */
  TableIndexes indexes() throws IOException {
    return TableLayout.indexes(descriptor());
  }

  /**
   * An index of the table.
   *
   * @throws IndexLifeException if there is none of this name
   */
  TableIndex existing(String name) throws IOException {
    TableIndexes indexes = indexes();
    return indexes
        .get(name)
        .orElseThrow(
            () ->
                IndexLifeException.of(
                    table,
                    "no such index",
                    "index=" + name + " indexes=" + String.join(",", indexes.names()),
                    Remedy.LIST_INDEXES.toString()));
  }

  /** The entries of an index. */
  RowEntries entries(TableIndex index) throws IOException {
    return RowEntries.of(table, layout(), index);
  }

  /** The work on an index, which a command has added. */
  IndexWork work(String name) throws IOException {
    return registry
        .indexes()
        .get(table, name)
        .orElseThrow(
            () ->
                IndexLifeException.of(
                    table,
                    "registry has no record of the index",
                    "index=" + name,
                    "was it restored here from another cluster? " + Remedy.ADOPT_INDEX));
  }

  /**
   * Checks that all region servers and the master have the guard, and that it knows of indexes.
   *
   * @throws io.evenkey.jobs.guard.GuardException if not
   */
  void checkGuard() throws IOException {
    guard.check(physical, Capability.INDEXES);
  }

  /** Since when all regions were open with the guard only. */
  GuardedSince guarded() throws IOException {
    return guard.ask(physical, 0).guarded();
  }

  /**
   * Adds an index; all regions act by it on return.
   *
   * @return the index as it is among those of the table
   * @throws IndexLifeException if the table has one of this name
   */
  TableIndex add(TableIndex index) throws IOException {
    return set(check(index.name(), null), index);
  }

  /**
   * Changes the state of an index, or only the version of the indexes; all regions act by it on
   * return. A command that was paused may have lost its lock: the index may be another one.
   *
   * @param known the index as it is
   * @return the index as it is then
   * @throws IndexLifeException if another command has changed it
   */
  TableIndex change(TableIndex known, IndexState state) throws IOException {
    return set(check(known.name(), known), known.in(state));
  }

  private TableIndex set(TableIndexes now, TableIndex index) throws IOException {
    TableIndexes next = now.with(index);
    record(next);
    guard.apply(physical, turn, StateChange.indexes(now, next));
    return next.get(index.name()).orElseThrow();
  }

  /**
   * Removes an index; all regions act by that on return.
   *
   * @param known the index as it is
   * @throws IndexLifeException if another command has changed it
   */
  void remove(TableIndex known) throws IOException {
    TableIndexes now = check(known.name(), known);
    TableIndexes next = now.without(known.name());
    guard.apply(physical, turn, StateChange.indexes(now, next));
    record(next);
  }

  /**
   * Checks that no other command has changed an index.
   *
   * @param known the index as it was; null if there was none
   * @return the indexes of the table, with which it was compared
   * @throws IndexLifeException if it is another one now
   */
  TableIndexes check(String name, @Nullable TableIndex known) throws IOException {
    TableIndexes all = indexes();
    TableIndex now = all.get(name).orElse(null);
    if (!Objects.equals(now, known)) {
      throw IndexLifeException.of(
          table,
          "another command has changed the index",
          "index=" + name + " known=\"" + text(known) + "\" now=\"" + text(now) + '"',
          "this one was paused for longer than its ZooKeeper session lasts; "
              + Remedy.LIST_INDEXES
              + ", and repeat what is still needed");
    }
    return all;
  }

  private static String text(@Nullable TableIndex index) {
    return index == null ? "none" : index.toString();
  }

  /**
   * Goes on with a change that was killed when it had changed the descriptor: on return all regions
   * act by the indexes that the table has now, and the registry names these.
   */
  void settle() throws IOException {
    guard.settle(physical);
    // A table that was created again without a layout may have the entries of the one before.
    if (TableLayout.of(descriptor()) != null) {
      record(indexes());
    }
  }

  // Where no guard answers, a client learns from the registry that there are indexes, and refuses
  // to write. So it has them before the first entry is written, and until the last one was.
  private void record(TableIndexes next) throws IOException {
    registry
        .layouts()
        .record(
            physical, layout().toString(), next.recorded(), TableLayout.isKeyChanged(descriptor()));
  }

  @Override
  public void close() throws IOException {
    try {
      guard.close();
    } finally {
      close(lock);
    }
  }

  private static void close(AutoCloseable lock) {
    try {
      lock.close();
    } catch (Exception e) {
      LOG.warn(
          "Not closed: {}; the lock of the table is free again when this process ends its session"
              + " with ZooKeeper",
          lock,
          e);
    }
  }

  @Override
  public String toString() {
    return "indexes of " + table;
  }
}
