/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.dist;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files in the archive, and those beside it. */
class ArchiveIT {
  @TempDir private static Path directory;
  private static Path home;

  @BeforeAll
  static void unpack() throws IOException {
    home = Archive.unpack(directory);
  }

  @Test
  void noFileIsInItTwice() throws IOException {
    List<String> names = Archive.entries().stream().map(TarArchiveEntry::getName).toList();

    assertThat(names)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.startsWith("evenkey-" + Archive.VERSION + "/"));
    assertThat(names.stream().map(name -> name.substring(name.indexOf('/') + 1)))
        .contains(
            "bin/evenkey",
            "evenkey.jar",
            "completion/evenkey",
            "completion/_evenkey",
            "man/man1/evenkey.1.gz",
            "server/evenkey-server-" + Archive.VERSION + "-all.jar",
            "systemd/evenkey-portal.service",
            "docker/Dockerfile",
            "docker/compose.yaml",
            "helm/evenkey-portal/Chart.yaml",
            "docs/installation.md",
            "README.md",
            "LICENSE",
            "NOTICE",
            "THIRD-PARTY.txt");
  }

  @Test
  void nothingOfTheMachineThatBuiltItIsInTheEntries() throws IOException {
    List<TarArchiveEntry> entries = Archive.entries();

    assertThat(entries.stream().map(TarArchiveEntry::getLastModifiedTime).distinct()).hasSize(1);
    assertThat(entries).allMatch(entry -> entry.getUserName().equals("root"));
    assertThat(entries)
        .allMatch(entry -> entry.getLongUserId() == 0 && entry.getLongGroupId() == 0);
    assertThat(entries.stream().map(TarArchiveEntry::getMode).map(mode -> mode & 0777).distinct())
        .containsExactlyInAnyOrder(0755, 0644);
  }

  @Test
  void theClassPathIsWhatIsInLib() throws IOException {
    try (JarFile jar = new JarFile(home.resolve("evenkey.jar").toFile())) {
      String path = jar.getManifest().getMainAttributes().getValue("Class-Path");

      assertThat(path.split(" "))
          .containsExactlyInAnyOrderElementsOf(jars().stream().map(name -> "lib/" + name).toList());
    }
  }

  @Test
  void eachLibraryIsInTheListOfLicences() throws IOException {
    String list = Files.readString(home.resolve("THIRD-PARTY.txt"));
    Set<String> listed =
        list.lines()
            .filter(line -> line.contains("* "))
            .map(line -> line.replaceFirst(".*\\([^():]+:([^:]+):([^ :]+) - .*", "$1-$2"))
            .collect(Collectors.toCollection(TreeSet::new));

    // A native library has its system behind the version.
    List<String> missing = new ArrayList<>();
    for (String jar : jars()) {
      boolean found =
          listed.stream().anyMatch(name -> jar.matches("\\Q" + name + "\\E(-[^.]+)?\\.jar"));
      if (!found && !jar.startsWith("evenkey-")) {
        missing.add(jar);
      }
    }

    assertThat(listed).hasSizeGreaterThan(80);
    assertThat(missing).isEmpty();
  }

  @Test
  void theBillOfMaterialsListsEachJarByItsChecksum() throws Exception {
    JsonNode bill =
        new ObjectMapper()
            .readTree(Archive.beside("evenkey-" + Archive.VERSION + "-sbom.json").toFile());
    Set<String> listed = new TreeSet<>();
    for (JsonNode component : bill.get("components")) {
      for (JsonNode hash : component.path("hashes")) {
        if (hash.get("alg").asText().equals("SHA-512")) {
          listed.add(hash.get("content").asText());
        }
      }
    }
    List<String> missing = new ArrayList<>();
    for (String jar : jars()) {
      if (!listed.contains(sha512(home.resolve("lib").resolve(jar)))) {
        missing.add(jar);
      }
    }

    assertThat(bill.get("bomFormat").asText()).isEqualTo("CycloneDX");
    assertThat(missing).isEmpty();
    assertThat(listed).contains(sha512(home.resolve("evenkey.jar")));
  }

  @Test
  void checksumsAreThoseOfTheFiles() throws Exception {
    List<Path> released =
        List.of(
            Archive.FILE,
            Archive.beside("evenkey-" + Archive.VERSION + "-sbom.json"),
            Archive.beside("evenkey-portal-" + Archive.VERSION + ".tgz"),
            Archive.beside("evenkey_" + Archive.VERSION + "_all.deb"));
    for (Path file : released) {
      assertThat(Path.of(file + ".sha512"))
          .content()
          .isEqualToIgnoringNewLines(sha512(file) + "  " + file.getFileName());
    }
  }

  private static List<String> jars() throws IOException {
    try (Stream<Path> files = Files.list(home.resolve("lib"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".jar"))
          .sorted()
          .toList();
    }
  }

  private static String sha512(Path file) throws Exception {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-512").digest(Files.readAllBytes(file)));
  }
}
