/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of one cluster.
 *
 * <pre>
 * cluster.json   ports and processes, see {@link ClusterState}
 * cluster.lock   locked by the process that starts, changes or stops the cluster
 * conf/          what servers and clients are configured with; $HADOOP_CONF_DIR, $HBASE_CONF_DIR
 * logs/          a log for each process, those of YARN's containers in logs/containers
 * kerberos/      keys and configuration of Kerberos, where the cluster is secured
 * hdfs/ zookeeper/ yarn/ tmp/   data
 * </pre>
 *
 * <p>A directory with other content is refused and left as it is.
 */
final class ClusterDirectory implements AutoCloseable {
  static final String CONF = "conf";
  static final String LOGS = "logs";
  static final String YARN = "yarn";
  static final String KERBEROS = "kerberos";
  private static final String LOCK = "cluster.lock";
  private static final List<String> DATA =
      List.of(ClusterState.FILE, CONF, KERBEROS, "hdfs", "zookeeper", YARN, "tmp");

  private final Path path;
  private final @Nullable FileChannel lock;

  private ClusterDirectory(Path path, @Nullable FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /**
   * Takes a directory, made if need be.
   *
   * @throws ClusterException if another process has locked it, or it contains other files
   */
  static ClusterDirectory take(Path directory) throws IOException {
    Path path = normal(directory);
    try {
      Files.createDirectories(path);
      // Links resolved, as the processes will name it.
      path = path.toRealPath();
      refuseForeign(path);
      ClusterDirectory taken = new ClusterDirectory(path, lock(path));
      for (String part : new String[] {CONF, LOGS, "hdfs", "zookeeper", YARN, "tmp"}) {
        Files.createDirectories(path.resolve(part));
      }
      return taken;
    } catch (FileSystemException e) {
      throw new ClusterException(
          "directory cannot be written: path=" + path + "; name one that can be", e);
    }
  }

  /**
   * The directory of a cluster that was started before.
   *
   * @throws ClusterException if there is none
   */
  static ClusterDirectory existing(Path directory) throws IOException {
    Path path = normal(directory);
    if (!Files.isRegularFile(path.resolve(ClusterState.FILE))) {
      throw new ClusterException(
          "no cluster in this directory: path="
              + path
              + "; name the one that it was started in, or start one");
    }
    return new ClusterDirectory(path.toRealPath(), null);
  }

  private static Path normal(Path directory) {
    return directory.toAbsolutePath().normalize();
  }

  private static void refuseForeign(Path path) throws IOException {
    // The lock comes first and goes last: what else is there is of a cluster where it is.
    if (Files.exists(path.resolve(LOCK))) {
      return;
    }
    try (Stream<Path> content = Files.list(path)) {
      if (content.findAny().isPresent()) {
        throw new ClusterException(
            "directory holds something else: path="
                + path
                + "; name an empty or a new directory, or one of a cluster");
      }
    }
  }

  private static FileChannel lock(Path path) throws IOException {
    FileChannel channel =
        FileChannel.open(path.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      // Locks belong to processes: this is how another cluster of this one shows.
    }
    channel.close();
    throw new ClusterException(
        "another process works on the cluster: path=" + path + "; wait for it, or stop it");
  }

  Path path() {
    return path;
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  Path log(Member member) {
    return path.resolve(LOGS).resolve(member.name() + ".log");
  }

  Processes processes() {
    return new Processes(path);
  }

  /** Deletes the data, and the logs as well unless they are to stay. */
  void clean(boolean keepsLogs) throws IOException {
    for (String part : DATA) {
      delete(path.resolve(part));
    }
    if (!keepsLogs) {
      delete(path.resolve(LOGS));
      Files.deleteIfExists(path.resolve(LOCK));
      try (Stream<Path> left = Files.list(path)) {
        if (left.findAny().isPresent()) {
          return;
        }
      }
      Files.delete(path);
    }
  }

  /** Whether a cluster was started in it. */
  boolean hasState() {
    return Files.exists(resolve(ClusterState.FILE));
  }

  private static void delete(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> walk = Files.walk(path)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }

  /** Lets the directory go. */
  @Override
  public void close() throws IOException {
    if (lock != null) {
      lock.close();
    }
  }
}
