package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Stage;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.move.MovePlan;
import io.evenkey.jobs.move.MoveSettings;
import io.evenkey.jobs.move.MoveWatch;
import io.evenkey.jobs.move.Mover;
import io.evenkey.layout.Layout;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application works with exactly the jars that it has, whichever client of HBase's it is. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ClientJarsIT {
  private static final Layout NEXT = Layout.parse("salt(3) + id:string");

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void anApplicationWorksWithItsClientJars(ClientJars jars, EmbeddedHBase hbase) throws Exception {
    Path errors = directory.resolve("errors");
    Path loaded = directory.resolve("loaded");
    Process application = start(jars, hbase, errors, loaded);
    List<String> lines = new ArrayList<>();
    try (BufferedReader output = application.inputReader();
        Writer answers = application.outputWriter()) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
        if (line.startsWith(Application.MIGRATE)) {
          migrate(hbase, TableName.valueOf(line.substring(Application.MIGRATE.length())));
          answers.write("migrated\n");
          answers.flush();
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
            "next generation: done");
    assertThat(linesOfHBase(loaded)).containsExactly(jars.line());
  }

  private static List<String> linesOfHBase(Path loaded) throws IOException {
    Pattern line = Pattern.compile("org\\.apache\\.hadoop\\.hbase\\.client\\.Line\\d+(?= source:)");
    return line.matcher(Files.readString(loaded)).results().map(MatchResult::group).toList();
  }

  private static Process start(ClientJars jars, EmbeddedHBase hbase, Path errors, Path loaded)
      throws IOException {
    Path application = Path.of("target", "classes");
    String classPath =
        Stream.concat(
                Stream.of(application, hbase.configurationDirectory()), jars.classPath().stream())
            .map(Path::toString)
            .collect(Collectors.joining(File.pathSeparator));
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xlog:class+load:file=" + loaded + "::filesize=0",
            "-cp",
            classPath,
            Application.class.getName(),
            jars.name())
        .redirectError(errors.toFile())
        .start();
  }

  private void migrate(EmbeddedHBase hbase, TableName table) throws IOException {
    MovePlan plan = MovePlan.of(table, NEXT).by(Move.By.PUTS).to(Stage.FINISHED);
    MoveSettings settings =
        MoveSettings.in(
            new org.apache.hadoop.fs.Path(directory.resolve(table.getNameAsString()).toUri()));
    try (Registry registry = Registry.open(hbase.configuration());
        Mover mover = Mover.begin(hbase.connection(), registry, plan, settings, MoveWatch.NONE)) {
      assertThat(mover.run().stage()).isEqualTo(Stage.FINISHED);
    }
  }
}
