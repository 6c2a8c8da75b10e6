/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unpacked archive runs on a bare Java runtime. */
class DistIT {
  @TempDir private static Path all;
  private static Path home;
  private static Shell bare;

  @TempDir private Path directory;

  @BeforeAll
  static void unpack() throws IOException {
    home = Archive.unpack(Files.createDirectory(all.resolve("a directory")));
    Path tools = BareRuntime.tools(all.resolve("tools"));
    Path runtime = BareRuntime.make(all.resolve("runtime"));
    bare =
        Shell.in(all)
            .with("PATH", tools.toString())
            .with("JAVA_HOME", runtime.toString())
            .with("EVENKEY_CACHE", "");
  }

  private static Shell.Run evenkey(Shell shell, String... arguments) throws IOException {
    return shell.run(
        Stream.concat(Stream.of(launcher()), Stream.of(arguments)).toArray(String[]::new));
  }

  private static String launcher() {
    return home.resolve("bin/evenkey").toString();
  }

  @Test
  void thePathHasNeitherMavenNorACompiler() throws IOException {
    Shell.Run run =
        bare.run(
            "/bin/bash", "-c", "command -v mvn javac java; ls \"$JAVA_HOME/bin\" | grep javac");

    assertThat(run.out()).isEmpty();
  }

  @Test
  void versionIsThatOfTheBuild() throws IOException {
    Shell.Run run = evenkey(bare, "--version");

    assertThat(run).isEqualTo(new Shell.Run(0, "evenkey " + Archive.VERSION + "\n", ""));
  }

  @Test
  void helpListsTheCommands() throws IOException {
    Shell.Run run = evenkey(bare, "--help");

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains("Design a key:", "explain", "portal");
  }

  @Test
  void aWrongArgumentIsAUsageError() throws IOException {
    Shell.Run run = evenkey(bare, "explain", "salt(");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).startsWith("evenkey: ").doesNotContain("\tat ");
  }

  @Test
  void theDemoRunsAnHBase() throws IOException {
    StringBuilder csv = new StringBuilder("id,celsius\n");
    for (int id = 0; id < 6000; id++) {
      csv.append(String.format("%06d,%d%n", id, id % 30));
    }
    Path records = Files.writeString(directory.resolve("records.csv"), csv);

    Shell.Run run = evenkey(bare, "demo", "--json", "--csv", records.toString(), "--key", "id");

    assertThat(run.exit()).as(run.err()).isZero();
    JsonNode json = new ObjectMapper().readTree(run.out());
    assertThat(json.get("records").asInt()).isEqualTo(6000);
    assertThat(json.get("order_identical").asBoolean()).isTrue();
    assertThat(json.at("/spread/write_skew/mean").asDouble())
        .isLessThan(json.at("/naive/write_skew/mean").asDouble());
  }

  @Test
  void linksToTheLauncherAreFollowed() throws IOException {
    Path first = Files.createSymbolicLink(directory.resolve("first"), home.resolve("bin/evenkey"));
    Path second = Files.createSymbolicLink(directory.resolve("second"), Path.of("first"));
    assertThat(first).isSymbolicLink();

    Shell.Run run = new Shell(directory, bare.environment()).run(second.toString(), "--version");

    assertThat(run.out()).isEqualTo("evenkey " + Archive.VERSION + "\n");
  }

  @Test
  void optionsReachJava() throws IOException {
    Shell.Run run = evenkey(bare.with("EVENKEY_OPTS", "-showversion -Dx=y"), "--version");

    assertThat(run.exit()).isZero();
    assertThat(run.err()).containsIgnoringCase("openjdk");
  }

  @Test
  void withoutJavaTheMessageNamesTheRemedy() throws IOException {
    Shell.Run wrong = evenkey(bare.with("JAVA_HOME", "/nowhere"), "--version");
    Shell.Run none =
        evenkey(Shell.in(all).with("PATH", bare.environment().get("PATH")), "--version");

    assertThat(wrong.exit()).isEqualTo(1);
    assertThat(wrong.err())
        .isEqualTo(
            "evenkey: no Java in JAVA_HOME: JAVA_HOME=/nowhere; name a Java runtime, 17 or later, or unset it\n");
    assertThat(none.exit()).isEqualTo(1);
    assertThat(none.err())
        .isEqualTo(
            "evenkey: Java not found: java; install a Java runtime, 17 or later, or set JAVA_HOME\n");
  }

  @Test
  void anOldJavaIsRefused() throws IOException {
    Path old = Files.createDirectories(directory.resolve("old/bin"));
    Files.copy(Path.of("/bin/true"), old.resolve("java"));
    Files.writeString(directory.resolve("old/release"), "JAVA_VERSION=\"11.0.2\"\n");

    Shell.Run run =
        evenkey(bare.with("JAVA_HOME", directory.resolve("old").toString()), "--version");

    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).startsWith("evenkey: Java too old: version=11 ");
  }
}
