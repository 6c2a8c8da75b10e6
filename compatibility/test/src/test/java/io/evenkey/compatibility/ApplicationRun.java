/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.index.TableIndex;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/**
 * Runs the {@link Application} as a separate process, and adds an index and migrates a table on
 * request.
 *
 * @param jars its class path
 * @param configuration the directory of the hbase-site.xml
 * @param connection HBase's own connection of this process, for the migration
 * @param guarded whether the servers have the guard, without which tables have no indexes
 * @param accepted additional permissions of the migration
 * @param directory the directory for output files
 */
record ApplicationRun(
    ClientJars jars,
    Path configuration,
    Connection connection,
    boolean guarded,
    UnaryOperator<MigrationPlan> accepted,
    Path directory) {
  private static final Layout NEXT = Layout.parse("salt(3) + id:string");
  private static final TableIndex BY_STATE =
      TableIndex.parse(
          IndexedTables.INDEX
              + " mutable joining as \"salt(2) + state:string\" from state=d:state");
  private static final String LINES_OF_HBASE = "org\\.apache\\.hadoop\\.hbase\\.client\\.Line\\d+";

  private static final String EVENKEYS =
      "(io\\.evenkey|org\\.apache\\.hadoop\\.hbase)\\.client\\.\\S+";

  /** Libraries that Evenkey's jars relocate, and that Hadoop has in its own versions. */
  private static final String LIBRARIES =
      "(com\\.fasterxml\\.jackson|org\\.apache\\.(curator|datasketches))\\.\\S+";

  /** Runs the application and expects success. */
  void run() throws IOException, InterruptedException {
    Path errors = directory.resolve("errors");
    Path loaded = directory.resolve("loaded");
    Process application = start(errors, loaded);
    List<String> lines = new ArrayList<>();
    try (BufferedReader output = application.inputReader();
        Writer answers = application.outputWriter()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
        if (line.startsWith(Application.MIGRATE)) {
          migrate(TableName.valueOf(line.substring(Application.MIGRATE.length())));
          answer(answers);
        } else if (line.startsWith(Application.ADD_INDEX)) {
          index(TableName.valueOf(line.substring(Application.ADD_INDEX.length())));
          answer(answers);
        }
      }
      assertThat(application.waitFor()).as("%s %s", lines, Files.readString(errors)).isZero();
    } finally {
      application.destroyForcibly();
    }
    assertThat(lines)
        .contains(
            "own interface: done",
            "drop-in connection: done",
            "asynchronous drop-in connection: done",
            guarded ? "indexed table: done" : "next generation: done",
            "next generation: done");
    String classes = Files.readString(loaded);
    assertThat(named(LINES_OF_HBASE, classes)).containsExactly(jars.line());
    assertThat(named(EVENKEYS, classes)).isNotEmpty().doesNotContainAnyElementsOf(jars.unused());
    assertThat(named(LIBRARIES, classes)).isEmpty();
    assertThat(named("io\\.evenkey\\.shaded\\." + LIBRARIES, classes)).isNotEmpty();
  }

  private static List<String> named(String name, String classes) {
    Pattern pattern = Pattern.compile("(?<= )" + name + "(?= source:)");
    return pattern.matcher(classes).results().map(MatchResult::group).toList();
  }

  private Process start(Path errors, Path loaded) throws IOException {
    Path application = Path.of("target", "classes");
    String classPath =
        Stream.concat(Stream.of(application, configuration), jars.classPath().stream())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xlog:class+load:file=" + loaded + "::filesize=0",
            "-cp",
            classPath,
            Application.class.getName(),
            jars.name(),
            servers(connection),
            String.valueOf(guarded))
        .redirectError(errors.toFile())
        .start();
  }

  /** Region servers, of which clients of HBase 3.0 learn where the others are. */
  static String servers(Connection connection) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getRegionServers().stream()
          .map(server -> server.getAddress().toString())
          .collect(Collectors.joining(","));
    }
  }

  private static void answer(Writer answers) throws IOException {
    answers.write("done\n");
    answers.flush();
  }

  private void index(TableName table) throws IOException {
    try (Registry registry = Registry.open(connection.getConfiguration())) {
      new IndexAddition(table, BY_STATE, 0, 0).run(connection, registry, IndexListener.NONE);
    }
  }

  private void migrate(TableName table) throws IOException {
    MigrationPlan plan =
        accepted.apply(MigrationPlan.of(table, NEXT).by(Migration.By.PUTS).aimFor(Stage.FINISHED));
    MigrationSettings settings =
        MigrationSettings.in(
            new org.apache.hadoop.fs.Path(directory.resolve(table.getNameAsString()).toUri()));
    try (Registry registry = Registry.open(connection.getConfiguration());
        Migrator migrator =
            Migrator.begin(connection, registry, plan, settings, MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.FINISHED);
    }
  }
}
