package io.evenkey.app.cli;

import io.evenkey.embedded.EmbeddedHBase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * An embedded HBase for one command, stopped when the command ends and also when it is interrupted:
 * a stop writes everything out, and a temporary directory goes with it.
 */
final class Workplace implements AutoCloseable {
  private final EmbeddedHBase hbase;
  private final boolean temporary;
  private final Thread onInterrupt = new Thread(this::stop, "evenkey-stop");

  private Workplace(EmbeddedHBase hbase, boolean temporary) {
    this.hbase = hbase;
    this.temporary = temporary;
    Runtime.getRuntime().addShutdownHook(onInterrupt);
  }

  /** Over a directory that stays. */
  static Workplace in(Path directory, int servers) throws IOException {
    return new Workplace(EmbeddedHBase.in(directory).servers(servers).start(), false);
  }

  /** Over a directory that goes. */
  static Workplace temporary(int servers) throws IOException {
    Path directory = Files.createTempDirectory("evenkey-");
    try {
      return new Workplace(EmbeddedHBase.in(directory).servers(servers).start(), true);
    } catch (IOException e) {
      delete(directory);
      throw e;
    }
  }

  EmbeddedHBase hbase() {
    return hbase;
  }

  private synchronized void stop() {
    try {
      hbase.close();
      if (temporary) {
        delete(hbase.directory());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> files;
    try (Stream<Path> walk = Files.walk(directory)) {
      files = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path file : files) {
      Files.deleteIfExists(file);
    }
  }

  @Override
  public void close() {
    stop();
    try {
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
    } catch (IllegalStateException e) {
      // The JVM is already on its way out, and the hook with it.
      return;
    }
  }
}
