/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.dist;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/** The archive that the build made. */
final class Archive {
  static final String VERSION = System.getProperty("evenkey.version");
  static final Path FILE = Path.of(System.getProperty("evenkey.archive"));

  private Archive() {}

  /** A file beside the archive. */
  static Path beside(String name) {
    return FILE.resolveSibling(name);
  }

  static List<TarArchiveEntry> entries() throws IOException {
    List<TarArchiveEntry> entries = new ArrayList<>();
    try (TarArchiveInputStream tar =
        new TarArchiveInputStream(
            new GzipCompressorInputStream(new BufferedInputStream(Files.newInputStream(FILE))))) {
      TarArchiveEntry entry = tar.getNextEntry();
      while (entry != null) {
        entries.add(entry);
        entry = tar.getNextEntry();
      }
    }
    return entries;
  }

  /** Unpacks it into an empty directory and returns the directory that it has. */
  static Path unpack(Path directory) throws IOException {
    Shell.Run tar = Shell.in(directory).run("tar", "xzf", FILE.toString());
    if (tar.exit() != 0) {
      throw new IOException("archive not unpacked: file=" + FILE + " tar said " + tar.err());
    }
    return directory.resolve("evenkey-" + VERSION).toRealPath();
  }
}
