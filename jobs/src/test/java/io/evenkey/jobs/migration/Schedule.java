/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.SpreadTables;
import io.evenkey.client.failure.MigrationConflictException;
import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.Tables;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.jobs.schedule.SlowPass;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * One migration and perhaps a renaming after it, with faults at moments that a seed says. Used
 * once.
 */
final class Schedule {
  private static final int MOST_LIVES = 40;
  private static final int MOST_CLIENTS = 6;
  private static final int MOST_CONFLICTS = 5;
  private static final int LONGEST_LIFE = 24;

  /**
   * A region that is migrated while ZooKeeper is away may be on no server for more than a minute,
   * with HBase's own client too.
   */
  private static final int OPERATION_MS = 300_000;

  private static final String PLAIN = "key:bytes";
  private static final List<String> LAYOUTS =
      List.of(
          PLAIN,
          "salt(2) + key:bytes",
          "salt(3) + key:bytes",
          "hbasewd_salt(4) + key:bytes",
          "md5(key)[0..1]:bytes + key:bytes");

  /**
   * The result of a run.
   *
   * @param kills the number of times that a migrator was killed, or ended because ZooKeeper was
   *     down
   * @param pauses the number of times that the process of clients was stopped
   * @param outlasted the number of last passes that took longer than writes are refused
   * @param reads the number of rows that a client has read which does not write
   * @param finished whether the migration was; else it was rolled back
   * @param renamed whether the next generation got the table's name
   */
  record Outcome(
      int kills, int pauses, int outlasted, long reads, boolean finished, boolean renamed) {}

  /** The work of a migrator until it is killed. */
  @FunctionalInterface
  private interface Life {
    /**
     * Runs it.
     *
     * @param first whether it begins the migration
     * @param until after how many steps it is killed; 0 for never
     */
    Migration run(boolean first, int until) throws IOException;
  }

  private final Connection plain;
  private final SplittableRandom random;
  private final TableName name;
  private final MigrationSettings settings;
  private final Migration.Fence fence;
  private final Map<RowChange, Map<String, String>> foreign = new EnumMap<>(RowChange.class);
  private Layout source = Layout.parse(PLAIN);
  private int kills;

  /**
   * @param fence the barrier that keeps clients from a generation that is left: by names, none is
   *     renamed
   */
  Schedule(Connection plain, long seed, Path directory, Migration.Fence fence) {
    this.plain = plain;
    this.fence = fence;
    this.random = new SplittableRandom(seed);
    this.name = TableName.valueOf("schedule_" + seed);
    this.settings =
        new MigrationSettings(
            new org.apache.hadoop.fs.Path(directory.resolve(String.valueOf(seed)).toUri()), 10_000);
  }

  Outcome run() throws Exception {
    String from = LAYOUTS.get(random.nextInt(LAYOUTS.size()));
    String to = LAYOUTS.get(random.nextInt(LAYOUTS.size()));
    while (to.equals(from)) {
      to = LAYOUTS.get(random.nextInt(LAYOUTS.size()));
    }
    create(from);
    // All that decides how the schedule ends is drawn first: faults draw as often as time allows.
    boolean back = random.nextInt(3) == 0;
    Stage goal = random.nextBoolean() ? Stage.FINISHED : Stage.SWITCHED;
    Stage afterSwitch = random.nextBoolean() ? Stage.FINISHED : Stage.ROLLED_BACK;
    boolean renames = random.nextBoolean() && fence == Migration.Fence.GUARD;
    Migration.By by = List.of(Migration.By.values()).get(random.nextInt(3));
    MigrationPlan plan =
        MigrationPlan.of(name, Layout.parse(to)).by(by).aimFor(goal).acceptingPause();
    try (Traffic traffic = new Traffic(plain.getConfiguration(), name, "", OPERATION_MS);
        ClientProcess process = ClientProcess.start(plain, name, random.nextLong())) {
      traffic.start(random.nextLong());
      traffic.start(random.nextLong());
      traffic.startReader();
      Faults faults = new Faults(traffic, process, random.split());
      Migration migration =
          ended(
              (first, until) ->
                  migrate(plan, afterSwitch, !first && back, faults.listener(until, true)));
      boolean finished = migration.stage() == Stage.FINISHED;
      boolean renamed = finished && renames;
      if (renamed) {
        migration = ended((first, until) -> rename(faults.listener(until, false)));
      }
      traffic.isWell();
      traffic.check();
      process.check();
      checkForeign(migration.generation(), finished ? plan.layout() : source);
      return new Outcome(
          kills, process.pauses(), faults.outlasted, traffic.readRows(), finished, renamed);
    } finally {
      Tables.dropGenerations(plain, name);
    }
  }

  /** Lives of migrators until one comes to the end. */
  private Migration ended(Life life) throws IOException {
    for (int number = 0; number < MOST_LIVES; number++) {
      // In the end none is killed: a copy may take longer than most lives.
      int until = number < MOST_LIVES / 2 ? random.nextInt(LONGEST_LIFE) : 0;
      try {
        return life.run(number == 0, until);
      } catch (Killed | RegistryException | RetriesExhaustedException e) {
        // A region may be on no server for minutes: then an operator resumes the migration.
        kills++;
      }
    }
    throw new AssertionError("migration did not end: table=" + name + " lives=" + MOST_LIVES);
  }

  private Migration migrate(
      MigrationPlan plan, Stage afterSwitch, boolean back, MigrationListener listener)
      throws IOException {
    // The sessions and connections of a process end with it.
    try (Registry registry = Registry.open(plain.getConfiguration());
        Migrator migrator = migrator(registry, plan, listener)) {
      Stage now = migrator.migration().stage();
      if (back && now != Stage.FINISHED) {
        migrator.aimFor(Stage.ROLLED_BACK);
      } else if (!now.isOver() && migrator.migration().goal() != Stage.ROLLED_BACK) {
        migrator.aimFor(plan.goal());
      }
      Migration migration = migrator.run();
      if (migration.stage() == Stage.SWITCHED) {
        migrator.aimFor(afterSwitch);
        migration = migrator.run();
      }
      return migration;
    }
  }

  private Migrator migrator(Registry registry, MigrationPlan plan, MigrationListener listener)
      throws IOException {
    for (int conflicts = 0; ; conflicts++) {
      try {
        return registry.migrations().get(name).isPresent()
            ? Migrator.resume(plain, registry, name, settings, listener)
            : Migrator.begin(plain, registry, plan, settings, listener);
      } catch (MigrationConflictException e) {
        // Until its session ends, the migrator that was killed has the lock.
        if (conflicts == MOST_CONFLICTS) {
          throw e;
        }
      }
    }
  }

  private Migration rename(MigrationListener listener) throws IOException {
    try (Registry registry = Registry.open(plain.getConfiguration())) {
      boolean begun =
          registry.migrations().get(name).orElseThrow().value().kind() instanceof Kind.Renaming;
      try (Migrator migrator =
          begun
              ? Migrator.resume(plain, registry, name, settings, listener)
              : Migrator.rename(plain, registry, name, settings, listener)) {
        return migrator.run();
      }
    }
  }

  private void create(String line) throws IOException {
    if (line.equals(PLAIN)) {
      // One that knows nothing of layouts.
      try (Admin admin = plain.getAdmin()) {
        admin.createTable(
            TableDescriptorBuilder.newBuilder(name).setColumnFamily(Traffic.FAMILY).build());
      }
    } else {
      try (SpreadTables tables = SpreadTables.on(plain);
          Admin admin = plain.getAdmin()) {
        Layout layout = Layout.parse(line);
        tables.create(name, layout, layout.splits(2), List.of("d"));
        admin.modifyColumnFamily(name, Traffic.FAMILY);
      }
    }
    source = Layout.parse(line);
    try (Table table = plain.getTable(name)) {
      for (RowChange change : RowChange.values()) {
        table.put(RowChange.before(source.physical(foreignKey(change))));
      }
    }
  }

  private static byte[] foreignKey(RowChange change) {
    return Bytes.toBytes("foreign-" + change);
  }

  /** HBase's own client changes a row of its own in the source, each in another way. */
  private void writeForeign(SplittableRandom faults) throws IOException {
    List<RowChange> changes = List.of(RowChange.values());
    RowChange change = changes.get(faults.nextInt(changes.size()));
    if (!foreign.containsKey(change)) {
      try (Table table = plain.getTable(name)) {
        change.make(table, source.physical(foreignKey(change)));
        foreign.put(change, cells(name, source, change));
      } catch (TableNotFoundException e) {
        // By names, the source has another one after a migration that was killed in the pause.
        assertThat(fence).isEqualTo(Migration.Fence.NAMES);
      }
    }
  }

  private Map<String, String> cells(TableName stored, Layout layout, RowChange change)
      throws IOException {
    Map<String, String> cells = new TreeMap<>();
    try (Table table = plain.getTable(stored)) {
      Get get = new Get(layout.physical(foreignKey(change))).readAllVersions();
      Result row = table.get(get.addFamily(Bytes.toBytes("d")));
      for (Cell cell : row.isEmpty() ? List.<Cell>of() : row.listCells()) {
        cells.put(
            Bytes.toString(CellUtil.cloneQualifier(cell)) + "/" + cell.getTimestamp(),
            Bytes.toStringBinary(CellUtil.cloneValue(cell)));
      }
    }
    return cells;
  }

  private void checkForeign(TableName stored, Layout layout) throws IOException {
    for (Map.Entry<RowChange, Map<String, String>> change : foreign.entrySet()) {
      assertThat(cells(stored, layout, change.getKey()))
          .as(change.getKey() + " by HBase's own client")
          .isEqualTo(change.getValue());
    }
  }

  /** The faults at each step of a migrator's work. */
  private final class Faults {
    private final Traffic traffic;
    private final ClientProcess process;
    private final SplittableRandom random;
    private int outlasted;

    Faults(Traffic traffic, ClientProcess process, SplittableRandom random) {
      this.traffic = traffic;
      this.process = process;
      this.random = random;
    }

    /**
     * For one life.
     *
     * @param writes whether HBase's own client writes to the source
     */
    MigrationListener listener(int until, boolean writes) {
      int[] seen = {0};
      return new MigrationListener() {
        private boolean isPaused;

        @Override
        public void pausing(Duration expected) {
          isPaused = fence == Migration.Fence.GUARD;
        }

        @Override
        public void paused(Duration pause) {
          isPaused = false;
        }

        @Override
        public void stage(Migration migration) {
          if (writes
              && (migration.stage() == Stage.COPYING || migration.stage() == Stage.VERIFYING)) {
            try {
              writeForeign(random);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          }
          step();
        }

        @Override
        public void progress(double share, long rows) {
          if (isPaused && random.nextInt(3) == 0) {
            outlast();
            if (until > 0 && random.nextBoolean()) {
              throw new Killed();
            }
          }
          isPaused = false;
          step();
        }

        private void step() {
          happen();
          if (++seen[0] == until) {
            throw new Killed();
          }
        }
      };
    }

    private void happen() {
      try {
        switch (random.nextInt(20)) {
          case 0 -> another();
          case 1 -> traffic.client(0).die();
          case 2 -> moveRegion();
          case 3, 4 -> process.toggle();
          default -> {
            // Most moments are quiet.
          }
        }
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }

    /** The last pass takes so long that clients write again. */
    private void outlast() {
      SlowPass.outlast(traffic::written);
      outlasted++;
    }

    private void another() throws IOException {
      if (traffic.clients() < MOST_CLIENTS) {
        traffic.start(random.nextLong());
      }
    }

    private void moveRegion() throws IOException {
      try (Admin admin = plain.getAdmin()) {
        if (admin.tableExists(name)) {
          List<RegionInfo> regions = admin.getRegions(name);
          admin.move(regions.get(random.nextInt(regions.size())).getEncodedNameAsBytes());
        }
      } catch (DoNotRetryIOException refused) {
        // The region is closed: a switch by names disables the table. This fault does not happen.
      }
    }
  }
}
