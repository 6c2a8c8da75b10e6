/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.IndexParser;
import io.evenkey.protocol.index.IndexProtocol;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.report.heat.history.HistoryTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Set;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code evenkey doctor} has nothing to say about a healthy cluster, whatever a migration does. */
class HealthyClusterIT {
  private static final String TABLE = "orders";

  @TempDir private Path directory;

  /** In every stage of a migration, in the rests between its commands, and after its end. */
  @Tag("long")
  @Test
  void theDoctorIsSilent() throws Exception {
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(3).start();
        SpreadTables tables = SpreadTables.on(hbase.connection());
        Registry registry = Registry.open(hbase.configuration())) {
      isSilent(hbase, "fresh");
      // The portal's.
      HistoryTable.create(hbase.connection(), tables);
      run(hbase, "plan", TABLE, "--layout", "salt(3) + id:string", "--families", "d");
      run(hbase, "create", TABLE);
      run(hbase, "put", TABLE, "id=a", "d:v=1");
      isSilent(hbase, "a table");
      indexes(hbase, registry);
      Set<Stage> seen = EnumSet.noneOf(Stage.class);
      MigrationListener doctor =
          new MigrationListener() {
            @Override
            public void stage(Migration migration) {
              seen.add(migration.stage());
              try {
                isSilent(hbase, migration.stage().toString());
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          };
      MigrationPlan plan =
          MigrationPlan.of(TableName.valueOf(TABLE), Layout.parse("salt(6) + id:string"))
              .by(Migration.By.PUTS);
      MigrationSettings settings =
          MigrationSettings.in(new org.apache.hadoop.fs.Path(directory.toUri()));
      try (Migrator migrator =
          Migrator.begin(hbase.connection(), registry, plan, settings, doctor)) {
        migrator.run();
      }
      assertThat(seen).contains(Stage.PREPARING, Stage.COPYING, Stage.VERIFYING, Stage.READY);
      isSilent(hbase, "ready, and no process runs it");
      run(hbase, "migrate", TABLE, "--switch");
      isSilent(hbase, "switched");
      run(hbase, "migrate", TABLE, "--rollback");
      isSilent(hbase, "rolled back");
      run(hbase, "migrate", TABLE, "--yes", "--layout", "salt(6) + id:string", "--finish");
      isSilent(hbase, "finished, not renamed");
      run(hbase, "migrate", TABLE, "--rename");
      isSilent(hbase, "renamed");
    }
  }

  /** A doctor that finds no process behind an index that is being added names how to go on. */
  private static void indexes(EmbeddedHBase hbase, Registry registry) throws IOException {
    String line = "salt(3) + v:string";
    TableIndex index =
        TableIndex.of(
                "by_v",
                IndexProtocol.EVENTS,
                Layout.parse(line),
                IndexParser.columns("v=d:v"),
                IndexParser.covering("d:w"))
            .where("v != 'none'");
    IndexAddition addition = new IndexAddition(TableName.valueOf(TABLE), index, 0, 0);
    IndexListener killed =
        new IndexListener() {
          @Override
          public void begins(Phase phase) {
            try {
              isSilent(hbase, phase.toString());
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
            if (phase == Phase.COMPARE_ROWS) {
              throw new IllegalStateException("killed");
            }
          }

          @Override
          public void progress(double share, long rows) {}
        };
    assertThatThrownBy(() -> addition.run(hbase.connection(), registry, killed))
        .hasMessage("killed");
    assertThat(Run.on(hbase, "doctor", "--seconds", "0").done().out())
        .contains(
            "addition of an index was interrupted, and no process runs it: table=orders index=by_v"
                + " state=building",
            "evenkey index add orders by_v 'salt(3) + v:string' --from v=d:v --covering d:w"
                + " --where 'v != '\\''none'\\'''; or give it up: evenkey index drop orders by_v");
    run(
        hbase,
        "index",
        "add",
        TABLE,
        "by_v",
        line,
        "--from",
        "v=d:v",
        "--covering",
        "d:w",
        "--where",
        "v != 'none'");
    isSilent(hbase, "an index");
  }

  private static void run(EmbeddedHBase hbase, String... arguments) {
    Run.on(hbase, arguments).done();
  }

  private static void isSilent(EmbeddedHBase hbase, String when) throws IOException {
    Run run = Run.on(hbase, "doctor", "--seconds", "0", "--json");
    assertThat(run.exit()).as(when + run.out() + run.err()).isZero();
    for (JsonNode check : run.json().get("checks")) {
      assertThat(check.get("findings")).as(when + ": " + check).isEmpty();
    }
  }
}
