/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.dist;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of classes (CDS) that shortens the start of commands. */
class ClassArchiveIT {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Shell.Run VERSION =
      new Shell.Run(0, "evenkey " + Archive.VERSION + "\n", "");

  @TempDir private static Path all;
  private static Path home;
  private static Shell shell;

  @TempDir private Path directory;

  @BeforeAll
  static void unpack() throws IOException {
    home = Archive.unpack(all);
    shell = Shell.in(all).with("JAVA_HOME", System.getProperty("java.home"));
  }

  private static Shell.Run version(Shell shell) throws IOException {
    return shell.run(home.resolve("bin/evenkey").toString(), "--version");
  }

  @Test
  void theFirstStartMakesAnArchiveOfClassesThatLaterOnesUse() throws IOException {
    Path cache = directory.resolve("cache");
    Shell cached = shell.with("EVENKEY_CACHE", cache.toString());
    Path classes = directory.resolve("classes.txt");
    Shell watched = cached.with("EVENKEY_OPTS", "-Xlog:class+load:file=" + classes);

    assertThat(version(watched).err()).isEmpty();
    assertThat(Files.readString(classes)).doesNotContain("io.evenkey.app.Main source: shared");
    await().atMost(PATIENCE).until(() -> archives(cache) == 1);

    assertThat(version(watched)).isEqualTo(VERSION);
    assertThat(Files.readString(classes))
        .contains("io.evenkey.app.Main source: shared", "picocli.CommandLine source: shared");
    Shell.Run again = cached.run(home.resolve("bin/evenkey-archive").toString());
    assertThat(again.exit()).isZero();
    assertThat(Path.of(again.out().strip())).isRegularFile().hasParent(cache);
  }

  private static long archives(Path cache) throws IOException {
    if (!Files.exists(cache)) {
      return 0;
    }
    try (Stream<Path> files = Files.list(cache)) {
      return files.filter(file -> file.toString().endsWith(".jsa")).count();
    }
  }

  @Test
  void withoutAPlaceForTheArchiveCommandsRun() throws IOException {
    Shell nowhere = shell.with("EVENKEY_CACHE", "/proc/evenkey");

    assertThat(version(nowhere)).isEqualTo(VERSION);
    assertThat(nowhere.run(home.resolve("bin/evenkey-archive").toString()).err())
        .isEqualTo(
            "evenkey: no directory can be written to: /proc/evenkey; name one by EVENKEY_CACHE\n");
  }

  @Test
  void anotherArchiveIsIgnored() throws IOException {
    Path cache = Files.createDirectory(directory.resolve("cache"));
    Shell cached = shell.with("EVENKEY_CACHE", cache.toString());
    Path archive =
        Path.of(cached.run(home.resolve("bin/evenkey-archive").toString()).out().strip());
    Files.delete(archive);
    Files.writeString(archive, "no archive");

    assertThat(version(cached)).isEqualTo(VERSION);
  }
}
