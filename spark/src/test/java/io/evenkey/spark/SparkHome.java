/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;

/**
 * A Spark installation as on the nodes of a cluster: a directory that has the jars of Spark and of
 * Hadoop, and none of HBase or Evenkey. Spark starts the processes of executors from it. The
 * environment variable {@code SPARK_HOME} names the directory.
 */
final class SparkHome {
  private static final List<Path> CLASS_PATH =
      Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
          .map(Path::of)
          .filter(path -> path.toString().endsWith(".jar"))
          .toList();

  private static final List<String> OF_JOB =
      List.of("hbase-", "evenkey-", "curator-", "datasketches-", "micrometer-", "opentelemetry-");

  private final Path directory;

  private SparkHome(Path directory) {
    this.directory = directory;
  }

  /** Creates the directory, with links to the jars that this process has. */
  static SparkHome create() throws IOException {
    Path directory = Path.of(System.getenv("SPARK_HOME"));
    Path jars = Files.createDirectories(directory.resolve("jars"));
    for (Path jar : CLASS_PATH) {
      if (!isOfJob(jar)) {
        link(jars.resolve(jar.getFileName()), jar);
      }
    }
    return new SparkHome(directory);
  }

  private static void link(Path link, Path jar) throws IOException {
    try {
      Files.createSymbolicLink(link, jar);
    } catch (FileAlreadyExistsException ofAnEarlierRun) {
      return;
    }
  }

  /**
   * The jars that a program ships to executors: those of HBase and Evenkey, and a thin one of the
   * program's own classes.
   *
   * @param program a class of the program, of which the jar has the package
   */
  String[] jarsToShip(Class<?> program) throws IOException, URISyntaxException {
    return Stream.concat(
            Stream.of(thinJar(program)), CLASS_PATH.stream().filter(SparkHome::isOfJob))
        .map(Path::toString)
        .toArray(String[]::new);
  }

  private static boolean isOfJob(Path jar) {
    String name = jar.getFileName().toString();
    return OF_JOB.stream().anyMatch(name::startsWith);
  }

  private Path thinJar(Class<?> program) throws IOException, URISyntaxException {
    Path root = Path.of(program.getProtectionDomain().getCodeSource().getLocation().toURI());
    Path jar = directory.resolve("program.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> files = Files.walk(root)) {
      for (Path path : files.filter(Files::isRegularFile).toList()) {
        out.putNextEntry(new JarEntry(root.relativize(path).toString()));
        Files.copy(path, out);
      }
    }
    return jar;
  }
}
