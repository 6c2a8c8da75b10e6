/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The Markdown files of this repository, without those that a build makes. */
final class Documents {
  static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Set<String> NOT_OURS = Set.of("target", "node_modules");

  private Documents() {}

  static List<Path> markdown() throws IOException {
    List<Path> files = new ArrayList<>();
    Files.walkFileTree(
        ROOT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            String name = directory.getFileName().toString();
            boolean ours = name.equals(".github") || !name.startsWith(".");
            return directory.equals(ROOT) || ours && !NOT_OURS.contains(name)
                ? FileVisitResult.CONTINUE
                : FileVisitResult.SKIP_SUBTREE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              files.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return files;
  }
}
