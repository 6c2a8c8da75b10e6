/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.message.FailureMessage;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.KeyHistory;
import io.evenkey.server.hooks.Hooks;
import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableDescriptors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.SnapshotDescription;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.CoreCoprocessor;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessor;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.MasterObserver;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.jspecify.annotations.Nullable;

/**
 * The master coprocessor that protects layouts and migrations from changes of whole tables.
 *
 * <ul>
 *   <li>The state in a table's descriptor never goes back. HBase replaces descriptors whole,
 *       without comparing: an {@code alter} that was begun before the last change of the state, or
 *       the late request of a migration's earlier run, would restore an old state, and regions that
 *       open then would act by it.
 *   <li>The layout in a table's descriptor changes only together with the state, as Evenkey records
 *       it. An {@code alter} by hand would leave the rows as they are, and clients would read and
 *       write them by the other layout.
 *   <li>The families of a table that is being migrated stay as they are: the other generation would
 *       keep its own.
 *   <li>A state is of one table: the clone of a snapshot that was taken during a migration, which
 *       has the same descriptor, is open.
 *   <li>The indexes of a table change only together with the state, too. A table with indexes is
 *       not restored from a snapshot in place; nor do its columns get another time to live, or the
 *       table another durability than its entries have. The table of an index is not deleted while
 *       the indexed table has the index.
 *   <li>A table that is being migrated is neither truncated nor restored from a snapshot, which
 *       would change rows without leaving marks; and a snapshot that was taken during a migration
 *       is not restored in place, which would bring back its state. It can be cloned.
 *   <li>The indexes of a table that is created from a backup's descriptor, emptied, or cloned under
 *       the name that it had, are not read until they are compared with the rows; see {@link
 *       RestoredIndexes}.
 *   <li>A table with a layout is not emptied for a restored backup of another layout; see {@link
 *       Truncations}.
 *   <li>Regions of a clone whose links HBase misreads are neither split nor merged.
 * </ul>
 *
 * <p>HBase 2.6 lets no coprocessor refuse {@code truncate_region}, nor do restores of a snapshot
 * hold the table's lock when they are checked: neither is for a table that is being migrated.
 *
 * <p>Loaded by {@code hbase.coprocessor.master.classes}. Thread-safe. The hooks are public because
 * HBase calls them; nothing else should. Each runs in {@link Hooks}, which lets nothing out of it
 * that would stop the master.
 */
// HBase gives the master's own services to such a coprocessor only.
@CoreCoprocessor
public final class DescriptorGuard implements MasterCoprocessor, MasterObserver {
  /** Begins the names of snapshots of generations that are not in use. */
  private static final String CLOSED_SNAPSHOT = "closed-";

  /** The revision of the state with which a migration creates the next generation. */
  private static final long FIRST_REVISION = 1;

  private final Truncations truncations = new Truncations();

  /** For HBase. */
  public DescriptorGuard() {}

  @Override
  public Optional<MasterObserver> getMasterObserver() {
    return Optional.of(this);
  }

  // ---- descriptors

  /**
   * The state in the descriptor of a new table is the table's own, unless it is one of the middle
   * of a migration: then the descriptor is of a backup, and the table at rest. No index is read of
   * which the descriptor is one.
   */
  @Override
  public TableDescriptor preCreateTableRegionsInfos(
      ObserverContext<MasterCoprocessorEnvironment> c, TableDescriptor table) throws IOException {
    return Hooks.answer(
        "preCreateTableRegionsInfos", table, () -> RestoredIndexes.unread(created(table)));
  }

  private static TableDescriptor created(TableDescriptor table) {
    String value = table.getValue(GuardState.DESCRIPTOR_KEY);
    if (value == null) {
      return table;
    }
    GuardState state = parsed(value);
    boolean restored =
        state != null && state.mode() != GuardMode.OPEN && state.revision() > FIRST_REVISION;
    return restored
        ? TableDescriptorBuilder.newBuilder(table)
            .removeValue(GuardState.DESCRIPTOR_KEY)
            .removeValue(GuardState.TABLE_KEY)
            .removeValue(GuardState.STEP_KEY)
            .build()
        : owned(table);
  }

  /** Called while the procedure holds the table's lock, for new tables and for clones. */
  @Override
  public void preCreateTableAction(
      ObserverContext<MasterCoprocessorEnvironment> c, TableDescriptor table, RegionInfo[] regions)
      throws IOException {
    Hooks.run(
        "preCreateTableAction",
        table,
        () -> {
          Path root = CommonFSUtils.getRootDir(c.getEnvironment().getConfiguration());
          RestoredIndexes.begin(files(c, root), root, table);
        });
  }

  /** Called when a new table or clone is enabled. HBase repeats it until it succeeds. */
  @Override
  public void postCompletedCreateTableAction(
      ObserverContext<MasterCoprocessorEnvironment> c, TableDescriptor table, RegionInfo[] regions)
      throws IOException {
    Hooks.run(
        "postCompletedCreateTableAction",
        table,
        () -> {
          Path root = CommonFSUtils.getRootDir(c.getEnvironment().getConfiguration());
          FileSystem files = files(c, root);
          TableName name = table.getTableName();
          if (RestoredIndexes.isBegun(files, root, name)) {
            replace(c.getEnvironment(), name, RestoredIndexes::unread);
            RestoredIndexes.end(files, root, name);
          }
        });
  }

  private static FileSystem files(ObserverContext<MasterCoprocessorEnvironment> c, Path root)
      throws IOException {
    return root.getFileSystem(c.getEnvironment().getConfiguration());
  }

  // The master has the table's lock, and would go on with the descriptor that it remembers.
  @SuppressWarnings("deprecation") // HBase has nothing else for it
  private static void replace(
      MasterCoprocessorEnvironment env, TableName table, UnaryOperator<TableDescriptor> change)
      throws IOException {
    TableDescriptors all = ((HasMasterServices) env).getMasterServices().getTableDescriptors();
    TableDescriptor now = all.get(table);
    TableDescriptor next = now == null ? null : change.apply(now);
    if (next != null && next != now) {
      all.update(next);
    }
  }

  /** A state that is set is the table's own. One that was there before stays whose it was. */
  @Override
  public TableDescriptor preModifyTable(
      ObserverContext<MasterCoprocessorEnvironment> c,
      TableName name,
      TableDescriptor before,
      TableDescriptor next)
      throws IOException {
    return Hooks.answer("preModifyTable", name, () -> setsState(before, next) ? owned(next) : next);
  }

  private static boolean setsState(TableDescriptor before, TableDescriptor next) {
    String state = next.getValue(GuardState.DESCRIPTOR_KEY);
    return state != null && !state.equals(before.getValue(GuardState.DESCRIPTOR_KEY));
  }

  private static TableDescriptor owned(TableDescriptor table) {
    return TableDescriptorBuilder.newBuilder(table)
        .setValue(GuardState.TABLE_KEY, table.getTableName().getNameAsString())
        .build();
  }

  /**
   * Called while the procedure holds the table's lock, right before the descriptor is replaced.
   *
   * @throws DoNotRetryIOException if the new state is earlier than the present one, or the layout
   *     is another one under the same state
   */
  @Override
  public void preModifyTableAction(
      ObserverContext<MasterCoprocessorEnvironment> c,
      TableName name,
      TableDescriptor before,
      TableDescriptor next)
      throws IOException {
    Hooks.run(
        "preModifyTableAction",
        name,
        () -> {
          checkChange(name, before, next);
          if (!Objects.equals(
              before.getValue(DescribedIndexes.INDEXED_TABLE_KEY),
              next.getValue(DescribedIndexes.INDEXED_TABLE_KEY))) {
            Path root = CommonFSUtils.getRootDir(c.getEnvironment().getConfiguration());
            IndexEntries.checkOwner(files(c, root), root, before);
          }
        });
  }

  private static void checkChange(TableName name, TableDescriptor before, TableDescriptor next)
      throws DoNotRetryIOException {
    String now = TableText.state(before);
    String wanted = TableText.state(next);
    check(name, now, wanted);
    if (Objects.equals(now, wanted)) {
      checkLayout(name, TableText.of(before).layout(), TableText.of(next).layout());
      checkStep(name, TableText.of(before), TableText.of(next));
      checkIndexes(name, before, next);
      checkKey(name, TableText.of(before), TableText.of(next));
      checkFamilies(name, before, next);
    }
    IndexRows.checkFamilies(name, before, next);
    IndexRows.checkDurability(name, before, next);
  }

  // Clients that are under way go by the indexes that their regions know.
  private static void checkIndexes(TableName table, TableDescriptor before, TableDescriptor next)
      throws DoNotRetryIOException {
    String now = TableText.of(before).indexes();
    String wanted = TableText.of(next).indexes();
    boolean sameFormat =
        Objects.equals(before.getValue(TableText.FORMAT), next.getValue(TableText.FORMAT));
    if (!now.equals(wanted) || !sameFormat) {
      throw new DoNotRetryIOException(
          FailureMessage.of("indexes of an existing table cannot be changed by modifying the table")
              .with("table", table)
              .with("key", DescribedIndexes.DESCRIPTOR_KEY)
              .remedy("read the descriptor again, change something else, and repeat"));
    }
  }

  private static void checkLayout(TableName table, @Nullable String before, @Nullable String next)
      throws DoNotRetryIOException {
    if (!Objects.equals(before, next)) {
      throw new DoNotRetryIOException(
          FailureMessage.of("layout of an existing table cannot be changed by modifying the table")
              .with("table", table)
              .with("now", before == null ? "none" : before)
              .with("wanted", next == null ? "none" : next)
              .remedy(
                  "its rows would stay as they are: migrate the table, or record the layout of"
                      + " its rows"));
    }
  }

  // Applications that know the row key before would read and write by it again.
  private static void checkKey(TableName table, TableText before, TableText next)
      throws DoNotRetryIOException {
    if (before.keyChanged() != null && !before.keyChanged().equals(next.keyChanged())) {
      throw new DoNotRetryIOException(
          FailureMessage.of("history of the row key cannot be changed by modifying the table")
              .with("table", table)
              .with("key", KeyHistory.DESCRIPTOR_KEY)
              .with("now", before.keyChanged())
              .remedy("read the descriptor again, change something else, and repeat"));
    }
  }

  // The other generation would keep its own, and be in use after the switch, or be it now.
  private static void checkFamilies(TableName table, TableDescriptor before, TableDescriptor next)
      throws DoNotRetryIOException {
    String value = TableText.state(before);
    GuardState state = value == null ? null : parsed(value);
    boolean same = Arrays.equals(before.getColumnFamilies(), next.getColumnFamilies());
    if (same || state == null || !state.mode().keepsTombstones()) {
      return;
    }
    throw new DoNotRetryIOException(
        state.mode() == GuardMode.CLOSED
            ? "families of a generation that is not in use cannot be changed: table="
                + table
                + " in_use="
                + state.other()
                + "; change that table when the migration is over"
            : "families of a table that is being migrated cannot be changed: table="
                + table
                + " state="
                + state
                + "; the other generation would keep its own: finish the migration or roll it back"
                + " first");
  }

  // Without it, regions of a table in which a step is taken would refuse all requests.
  private static void checkStep(TableName table, TableText before, TableText next)
      throws DoNotRetryIOException {
    if (!isAtRest(before.state()) && !Objects.equals(before.step(), next.step())) {
      throw new DoNotRetryIOException(
          FailureMessage.of(
                  "table descriptor of a migration cannot be changed by modifying the table")
              .with("table", table)
              .with("key", GuardState.STEP_KEY)
              .remedy("read the descriptor again, change something else, and repeat"));
    }
  }

  static void check(TableName table, @Nullable String before, @Nullable String next)
      throws DoNotRetryIOException {
    if (Objects.equals(before, next)) {
      return;
    }
    GuardState wanted = next == null ? GuardState.REST : parse(table, next);
    GuardState now = before == null ? null : parsed(before);
    // One that is not understood can be replaced by any.
    if (now == null) {
      return;
    }
    boolean later =
        wanted.turn() > now.turn()
            || wanted.turn() == now.turn() && wanted.revision() > now.revision();
    if (!later) {
      throw new DoNotRetryIOException(
          FailureMessage.of("table descriptor with an outdated state of a migration")
              .with("table", table)
              .with("now", before)
              .with("wanted", next == null ? "none" : next)
              .remedy("read the descriptor again, change it, and repeat"));
    }
  }

  private static GuardState parse(TableName table, String value) throws DoNotRetryIOException {
    GuardState found = parsed(value);
    if (found == null) {
      throw new DoNotRetryIOException(
          FailureMessage.of("state of a migration not understood by the master's guard")
              .with("table", table)
              .with("state", value)
              .remedy("update evenkey-server there"));
    }
    return found;
  }

  private static @Nullable GuardState parsed(String value) {
    try {
      return GuardState.parse(value);
    } catch (RuntimeException e) {
      return null;
    }
  }

  // ---- rows

  /** A failure of it would be reported as one of the disabling, which goes on. */
  @Override
  public void postDisableTable(ObserverContext<MasterCoprocessorEnvironment> c, TableName table) {
    Hooks.attempt("postDisableTable", table, () -> truncations.disabling(table));
  }

  /** Called when a client asks for it. */
  @Override
  public void preTruncateTable(ObserverContext<MasterCoprocessorEnvironment> c, TableName table)
      throws IOException {
    Hooks.run("preTruncateTable", table, () -> truncations.check(c.getEnvironment(), table));
  }

  /**
   * Called while the procedure holds the table's lock. What is loaded into the empty table, as a
   * restored backup, comes without entries, so its indexes are not read from now on.
   */
  @Override
  public void preTruncateTableAction(
      ObserverContext<MasterCoprocessorEnvironment> c, TableName table) throws IOException {
    Hooks.run(
        "preTruncateTableAction",
        table,
        () -> {
          Configuration conf = c.getEnvironment().getConfiguration();
          Truncations.checkAlways(conf, table, descriptor(conf, table));
          replace(c.getEnvironment(), table, now -> RestoredIndexes.unread(Truncations.after(now)));
        });
  }

  /** Called while the procedure holds the table's lock. */
  @Override
  public void preDeleteTableAction(ObserverContext<MasterCoprocessorEnvironment> c, TableName table)
      throws IOException {
    Hooks.run(
        "preDeleteTableAction",
        table,
        () -> checkDeletion(c.getEnvironment().getConfiguration(), table));
  }

  private static void checkDeletion(Configuration conf, TableName table) throws IOException {
    TableDescriptor now = descriptor(conf, table);
    if (now != null) {
      Path root = CommonFSUtils.getRootDir(conf);
      IndexEntries.checkDeletion(root.getFileSystem(conf), root, now);
    }
  }

  /**
   * A generation that was left has not the rows that were written since then: a snapshot of it says
   * so by its name.
   */
  @Override
  public void preSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> c,
      SnapshotDescription snapshot,
      TableDescriptor of)
      throws IOException {
    Hooks.run("preSnapshot", of, () -> checkSnapshot(snapshot, of));
  }

  private static void checkSnapshot(SnapshotDescription snapshot, TableDescriptor of)
      throws IOException {
    String state = TableText.state(of);
    GuardState found = state == null ? null : parsed(state);
    if (found != null
        && found.mode() == GuardMode.CLOSED
        && !snapshot.getName().startsWith(CLOSED_SNAPSHOT)) {
      throw new DoNotRetryIOException(
          FailureMessage.of("table is a generation that is not in use")
              .with("table", of.getTableName())
              .with("in_use", found.other())
              .remedy(
                  "take the snapshot of "
                      + found.other()
                      + "; to keep these rows, which lack what was written since, give the"
                      + " snapshot a name that begins with '"
                      + CLOSED_SNAPSHOT
                      + "'"));
    }
  }

  @Override
  public void preRestoreSnapshot(
      ObserverContext<MasterCoprocessorEnvironment> c,
      SnapshotDescription snapshot,
      TableDescriptor of)
      throws IOException {
    Hooks.run(
        "preRestoreSnapshot",
        of,
        () -> checkRestore(c.getEnvironment().getConfiguration(), snapshot, of));
  }

  private static void checkRestore(
      Configuration conf, SnapshotDescription snapshot, TableDescriptor of) throws IOException {
    TableName table = of.getTableName();
    checkAtRest(
        table,
        descriptor(conf, table),
        "table that is being migrated cannot be restored from a snapshot");
    checkNoIndexes(conf, table, of);
    checkNoEntries(conf, table);
    String state = TableText.state(of);
    if (!isAtRest(state)) {
      throw new DoNotRetryIOException(
          FailureMessage.of("snapshot was taken during a migration and cannot be restored in place")
              .with("table", table)
              .with("snapshot", snapshot.getName())
              .with("state", state)
              .remedy("clone it under another name"));
    }
  }

  // Rows would change without their entries; and the snapshot has the indexes of its time.
  private static void checkNoIndexes(Configuration conf, TableName table, TableDescriptor snapshot)
      throws IOException {
    TableDescriptor now = descriptor(conf, table);
    boolean indexed = now != null && TableText.of(now).hasIndexes();
    if (indexed || TableText.of(snapshot).hasIndexes()) {
      throw new DoNotRetryIOException(
          FailureMessage.of("table with indexes cannot be restored from a snapshot in place")
              .with("table", table)
              .remedy(
                  "its rows would change without their entries: clone the snapshot under another"
                      + " name"));
    }
  }

  // ---- regions

  /** Called before the region is closed, for all splits. */
  @Override
  public void preSplitRegionAction(
      ObserverContext<MasterCoprocessorEnvironment> c, TableName table, byte[] row)
      throws IOException {
    Hooks.run(
        "preSplitRegionAction",
        table,
        () -> SplitChecks.checkSplit(c.getEnvironment().getConnection(), table, row));
  }

  /** Called before the regions are closed, for all merges. */
  @Override
  public void preMergeRegionsAction(
      ObserverContext<MasterCoprocessorEnvironment> c, RegionInfo[] regions) throws IOException {
    Hooks.run(
        "preMergeRegionsAction",
        regions,
        () -> SplitChecks.checkMerge(c.getEnvironment().getConfiguration(), regions));
  }

  // ---- the present state

  private static void checkNoEntries(Configuration conf, TableName table) throws IOException {
    TableDescriptor now = descriptor(conf, table);
    if (now != null) {
      Path root = CommonFSUtils.getRootDir(conf);
      IndexEntries.checkRestore(root.getFileSystem(conf), root, now);
    }
  }

  static void checkAtRest(TableName table, @Nullable TableDescriptor now, String problem)
      throws DoNotRetryIOException {
    String state = now == null ? null : TableText.state(now);
    if (!isAtRest(state)) {
      throw new DoNotRetryIOException(
          FailureMessage.of(problem)
              .with("table", table)
              .with("state", state)
              .remedy("finish the migration or roll it back first"));
    }
  }

  // The present one: nothing else changes it while the master has the table's lock.
  static @Nullable TableDescriptor descriptor(Configuration conf, TableName table)
      throws IOException {
    Path root = CommonFSUtils.getRootDir(conf);
    return FSTableDescriptors.getTableDescriptorFromFs(root.getFileSystem(conf), root, table);
  }

  static boolean isAtRest(@Nullable String state) {
    if (state == null) {
      return true;
    }
    GuardState found = parsed(state);
    return found != null && found.mode() == GuardMode.OPEN;
  }
}
