/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The jar for applications with {@code hbase-shaded-client}. */
class ShadedJarIT {
  private static final long MOST_BYTES = 5_000_000;

  private static Path jar() throws IOException {
    return ClientJars.HBASE_SHADED_CLIENT_2_6.classPath().stream()
        .filter(path -> path.getFileName().toString().startsWith("evenkey-shaded-client-"))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shadedJarHasOnlyRelocatedLibraries() throws IOException {
    try (JarFile jar = new JarFile(jar().toFile())) {
      List<String> classes =
          jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".class")).toList();
      assertThat(classes)
          .allMatch(
              name ->
                  name.startsWith("io/evenkey/")
                      || name.startsWith("org/apache/hadoop/hbase/client/"));
      // Classes that minimisation must not remove.
      assertThat(classes)
          .contains(
              "io/evenkey/client/EvenkeyConnection.class",
              "io/evenkey/client/EvenkeyAsyncConnection.class",
              "io/evenkey/client/select/Selection.class",
              "io/evenkey/shaded/org/apache/curator/framework/CuratorFramework.class");
    }
  }

  @Test
  void shadedJarIsSmall() throws IOException {
    assertThat(Files.size(jar())).isLessThan(MOST_BYTES);
  }

  @Test
  void applicationsNeedNoneOfWhatIsInIt() throws IOException {
    assertThat(ClientJars.HBASE_SHADED_CLIENT_2_6.classPath())
        .extracting(path -> path.getFileName().toString())
        .noneMatch(
            name ->
                name.matches(
                    "(evenkey-(client|layout)|curator|zookeeper|jackson|datasketches|protobuf).*"));
  }
}
