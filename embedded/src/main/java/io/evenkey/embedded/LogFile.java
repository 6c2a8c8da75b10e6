/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.nio.file.Path;
import org.slf4j.ILoggerFactory;
import org.slf4j.LoggerFactory;

/**
 * The log of HBase, Hadoop and ZooKeeper: three files of at most 16 MB each. Their start-up alone
 * is thousands of lines that do not belong on a terminal. Where another logging backend than
 * Logback is bound, its own configuration holds and nothing is done.
 *
 * @param path the file being written
 * @param route sends log events to the file
 */
record LogFile(Path path, AutoCloseable route) implements AutoCloseable {
  private static final String LOGBACK = "ch.qos.logback.classic.LoggerContext";

  static LogFile open(Path path) {
    ILoggerFactory bound = LoggerFactory.getILoggerFactory();
    boolean logback = bound.getClass().getName().equals(LOGBACK);
    return new LogFile(path, logback ? LogbackRoute.open(bound, path) : () -> {});
  }

  @Override
  public void close() throws IOException {
    try {
      route.close();
    } catch (Exception e) {
      throw new EvenkeyException("log cannot be closed: file=" + path, e);
    }
  }
}
