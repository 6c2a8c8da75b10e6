package io.evenkey.app.cli;

import io.evenkey.embedded.EmbeddedHBase;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * An embedded HBase for one command, stopped when the command ends and also when it is interrupted:
 * a stop writes everything out.
 */
final class Workplace implements AutoCloseable {
  private final EmbeddedHBase hbase;
  private final Thread onInterrupt = new Thread(this::stop, "evenkey-stop");

  private Workplace(EmbeddedHBase hbase) {
    this.hbase = hbase;
    Runtime.getRuntime().addShutdownHook(onInterrupt);
  }

  static Workplace start(EmbeddedHBase.Setup setup) throws IOException {
    return new Workplace(setup.start());
  }

  EmbeddedHBase hbase() {
    return hbase;
  }

  private void stop() {
    try {
      hbase.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
