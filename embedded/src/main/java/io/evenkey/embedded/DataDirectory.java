/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one instance, held for it alone while it is open.
 *
 * <pre>
 * evenkey.lock         locked while an instance runs; holds its process id
 * evenkey.properties   format of this directory, and the HBase that wrote it last
 * hbase/ zookeeper/    data
 * logs/ tmp/
 * conf/                hbase-site.xml for clients, while an instance runs
 * </pre>
 *
 * <p>A directory with other content, and no stamp of an instance, is refused and left as it is.
 */
final class DataDirectory implements AutoCloseable {
  /** Raised when an older Evenkey could not read what a newer one wrote. */
  static final int FORMAT = 1;

  private static final String QUORUM = "hbase.zookeeper.quorum";
  private static final String CLIENT_PORT = "hbase.zookeeper.property.clientPort";
  private static final String LOCK = "evenkey.lock";
  private static final String STAMP = "evenkey.properties";

  /** Subdirectory for those who set {@code HBASE_CONF_DIR}. */
  static final String CLIENT_SETTINGS = "conf";

  private static final String SITE = "hbase-site.xml";
  private static final List<String> CLIENT_NAMES =
      List.of(QUORUM, CLIENT_PORT, HConstants.HBASE_DIR);

  private final Path path;
  private final FileChannel lockFile;
  private final boolean temporary;
  private byte[] clientSettings = new byte[0];

  private DataDirectory(Path path, FileChannel lockFile, boolean temporary) {
    this.path = path;
    this.lockFile = lockFile;
    this.temporary = temporary;
  }

  /**
   * Takes a directory, made if need be, for one instance.
   *
   * @param temporary whether to delete it, with all that is in it, when it is let go; it has to be
   *     new or empty then
   * @throws EmbeddedHBaseException if it is in use, of a newer version, or has other content
   */
  static DataDirectory open(Path directory, boolean temporary) throws IOException {
    Path path = directory.toAbsolutePath().normalize();
    if (Files.exists(path) && !Files.isDirectory(path)) {
      throw new EmbeddedHBaseException(
          "data directory is a file: path=" + path + "; name a directory");
    }
    FileChannel lockFile = take(path, temporary);
    try {
      checkVersion(path);
      refuseForeignSettings(path);
      writeStamp(path);
      for (String part : new String[] {"hbase", "zookeeper", "logs", "tmp"}) {
        Files.createDirectories(path.resolve(part));
      }
      return new DataDirectory(path, lockFile, temporary);
    } catch (IOException | RuntimeException e) {
      lockFile.close();
      throw e;
    }
  }

  Path path() {
    return path;
  }

  /** Writes what a client in another process has to know; replaced as a whole, or not at all. */
  void writeClientSettings(Configuration client) throws IOException {
    clientSettings = clientSettings(client);
    Path directory = Files.createDirectories(resolve(CLIENT_SETTINGS));
    Path draft = directory.resolve(SITE + "." + UUID.randomUUID() + ".tmp");
    Files.write(draft, clientSettings, StandardOpenOption.CREATE_NEW);
    Files.move(
        draft,
        directory.resolve(SITE),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static byte[] clientSettings(Configuration client) throws IOException {
    Configuration settings = new Configuration(false);
    for (String name : CLIENT_NAMES) {
      settings.set(name, client.get(name, ""));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    settings.writeXml(out);
    return out.toByteArray();
  }

  /** Takes the settings away again, unless they were changed: then they are the user's. */
  void removeClientSettings() throws IOException {
    Path site = resolve(CLIENT_SETTINGS).resolve(SITE);
    if (Files.exists(site) && Arrays.equals(Files.readAllBytes(site), clientSettings)) {
      Files.delete(site);
    }
  }

  // What a killed instance left is ours if it is, byte for byte, what these values are written as.
  private static void refuseForeignSettings(Path path) throws IOException {
    Path site = path.resolve(CLIENT_SETTINGS).resolve(SITE);
    if (Files.exists(site)) {
      byte[] found = Files.readAllBytes(site);
      Configuration settings = new Configuration(false);
      settings.addResource(new ByteArrayInputStream(found), SITE);
      boolean ours;
      try {
        ours = Arrays.equals(found, clientSettings(settings));
      } catch (RuntimeException e) {
        // No settings at all: that is how Hadoop says so.
        ours = false;
      }
      if (!ours) {
        throw new EmbeddedHBaseException(
            "client settings were changed: path="
                + site
                + "; they are written at each start: move yours to another directory");
      }
    }
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  private static FileChannel take(Path path, boolean temporary) throws IOException {
    try {
      Files.createDirectories(path);
      refuseForeign(path, temporary);
      return lock(path);
    } catch (FileSystemException e) {
      throw new EmbeddedHBaseException(
          "data directory cannot be written: path=" + path + "; name one that can be", e);
    }
  }

  private static void refuseForeign(Path path, boolean temporary) throws IOException {
    if (!temporary && Files.exists(path.resolve(LOCK)) && Files.exists(path.resolve(STAMP))) {
      return;
    }
    // A first start that was killed leaves no more than these.
    Set<String> known = temporary ? Set.of() : Set.of(LOCK, STAMP + ".tmp");
    try (Stream<Path> content = Files.list(path)) {
      if (content.anyMatch(file -> !known.contains(file.getFileName().toString()))) {
        throw new EmbeddedHBaseException(
            "directory holds something else: path="
                + path
                + "; name an empty or a new directory"
                + (temporary ? "" : ", or one that an embedded HBase made"));
      }
    }
  }

  private static FileChannel lock(Path path) throws IOException {
    Path file = path.resolve(LOCK);
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
    FileLock lock = tryLock(channel);
    if (lock == null) {
      String owner = Files.readString(file).strip();
      channel.close();
      throw new EmbeddedHBaseException(
          "data directory in use: path="
              + path
              + " process="
              + (owner.isEmpty() ? "unknown" : owner)
              + "; stop that one, or name another directory");
    }
    channel.truncate(0);
    channel.write(
        ByteBuffer.wrap(
            Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
    return channel;
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Locks belong to processes: this is how another instance in this one shows.
      return null;
    }
  }

  private static void checkVersion(Path path) throws IOException {
    Path file = path.resolve(STAMP);
    if (!Files.exists(file)) {
      return;
    }
    Properties stamp = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      stamp.load(in);
    }
    String format = stamp.getProperty("format", "");
    String hbase = stamp.getProperty("hbase", "");
    if (!format.matches("[0-9]{1,9}") || hbase.isEmpty()) {
      throw new EmbeddedHBaseException(
          "version stamp of the data directory is damaged: file="
              + file
              + "; restore it, or name another directory");
    }
    if (Integer.parseInt(format) > FORMAT) {
      throw new EmbeddedHBaseException(
          "data directory of a newer Evenkey: path="
              + path
              + " format="
              + format
              + " understood="
              + FORMAT
              + "; use that version, or name another directory");
    }
    if (VersionInfo.compareVersion(hbase, VersionInfo.getVersion()) > 0) {
      throw new EmbeddedHBaseException(
          "data directory of a newer HBase: path="
              + path
              + " written_by="
              + hbase
              + " this="
              + VersionInfo.getVersion()
              + "; use that version, or name another directory");
    }
  }

  // Replaced as a whole: a stamp cut short by a crash would lock its owner out.
  private static void writeStamp(Path path) throws IOException {
    Properties stamp = new Properties();
    stamp.setProperty("format", Integer.toString(FORMAT));
    stamp.setProperty("hbase", VersionInfo.getVersion());
    Path draft = path.resolve(STAMP + ".tmp");
    try (OutputStream out = Files.newOutputStream(draft)) {
      stamp.store(out, "written by the embedded HBase at each start");
    }
    Path target = path.resolve(STAMP);
    try {
      Files.move(
          draft, target, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (AtomicMoveNotSupportedException e) {
      Files.move(draft, target, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Lets the directory go. What is in it stays, unless it is temporary. */
  @Override
  public void close() throws IOException {
    lockFile.close();
    if (temporary && Files.exists(path)) {
      List<Path> files;
      try (Stream<Path> walk = Files.walk(path)) {
        files = walk.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path file : files) {
        Files.deleteIfExists(file);
      }
    }
  }
}
