/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.dist;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A Java runtime without a compiler or any other tool, and a {@code PATH} with what each system
 * has.
 */
final class BareRuntime {
  private static final String MODULES =
      "java.se,jdk.charsets,jdk.crypto.ec,jdk.jfr,jdk.localedata,jdk.management,jdk.management.agent,"
          + "jdk.naming.dns,jdk.net,jdk.security.auth,jdk.security.jgss,jdk.unsupported,jdk.zipfs";
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "cat",
          "cksum",
          "cut",
          "dirname",
          "find",
          "mkdir",
          "mv",
          "nice",
          "readlink",
          "rm",
          "sed",
          "sort",
          "stty");

  private BareRuntime() {}

  /** Makes the runtime of this Java's modules and returns its home. */
  static Path make(Path home) throws IOException {
    Path jlink = Path.of(System.getProperty("java.home"), "bin", "jlink");
    Shell.Run made =
        Shell.in(home.getParent())
            .run(jlink.toString(), "--add-modules", MODULES, "--output", home.toString());
    if (made.exit() != 0) {
      throw new IOException("no runtime made: " + made.out() + made.err());
    }
    return home;
  }

  /** A directory with these tools and no other program. */
  static Path tools(Path directory) throws IOException {
    Files.createDirectory(directory);
    for (String tool : TOOLS) {
      Path found =
          Path.of(Shell.in(directory).run("/bin/sh", "-c", "command -v " + tool).out().strip());
      Files.createSymbolicLink(directory.resolve(tool), found);
    }
    return directory;
  }
}
