/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The packages of each module and their dependencies are those of {@code packages.txt}. A new
 * dependency is added there first, so that a reviewer sees it.
 */
class PackagePictureTest {
  private static final String ROOT = "io.evenkey.";

  @Test
  void packagesUseEachOtherAsThePictureShows() throws IOException {
    Map<String, NavigableSet<String>> arrows = new TreeMap<>();
    for (JavaClass type :
        new ClassFileImporter().withImportOption(new OwnClasses()).importPackages("io.evenkey")) {
      String from = name(type);
      NavigableSet<String> uses = arrows.computeIfAbsent(from, name -> new TreeSet<>());
      type.getDirectDependenciesFromSelf().stream()
          .map(dependency -> dependency.getTargetClass().getBaseComponentType())
          .filter(target -> target.getPackageName().startsWith(ROOT))
          .map(PackagePictureTest::name)
          .filter(target -> !target.equals(from) && module(target).equals(module(from)))
          .forEach(uses::add);
    }
    assertThat(
            arrows.entrySet().stream()
                .map(entry -> line(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining("\n", "", "\n")))
        .isEqualTo(picture());
  }

  private static String line(String from, NavigableSet<String> uses) {
    return uses.isEmpty() ? from : from + ": " + String.join(" ", uses);
  }

  private static String name(JavaClass type) {
    return type.getPackageName().substring(ROOT.length());
  }

  private static String module(String name) {
    return name.contains(".") ? name.substring(0, name.indexOf('.')) : name;
  }

  private static String picture() throws IOException {
    try (InputStream in = PackagePictureTest.class.getResourceAsStream("packages.txt")) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
