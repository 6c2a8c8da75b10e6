/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingFileAppender;
import ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.ILoggerFactory;

/**
 * Logback's loggers of the servers, sent to rolling files. In a class of its own, since Logback
 * need not be there.
 */
final class LogbackRoute implements AutoCloseable {
  /** All that servers run, and not the user. */
  private static final List<String> SOURCES =
      List.of("org.apache", "SecurityLogger", "io.netty", "io.evenkey.server");

  private final LoggerContext context;
  private final RollingFileAppender<ILoggingEvent> appender = new RollingFileAppender<>();

  private LogbackRoute(LoggerContext context) {
    this.context = context;
  }

  static AutoCloseable open(ILoggerFactory factory, Path path) {
    LogbackRoute route = new LogbackRoute((LoggerContext) factory);
    route.start(path);
    return route;
  }

  private void start(Path path) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%d{ISO8601} %-5level [%thread] %logger{0}: %msg%n");
    encoder.start();

    FixedWindowRollingPolicy rolling = new FixedWindowRollingPolicy();
    rolling.setContext(context);
    rolling.setParent(appender);
    rolling.setFileNamePattern(path + ".%i");
    rolling.setMinIndex(1);
    rolling.setMaxIndex(2);

    SizeBasedTriggeringPolicy<ILoggingEvent> trigger = new SizeBasedTriggeringPolicy<>();
    trigger.setContext(context);
    trigger.setMaxFileSize(new FileSize(16 * FileSize.MB_COEFFICIENT));

    appender.setContext(context);
    appender.setFile(path.toString());
    appender.setEncoder(encoder);
    appender.setRollingPolicy(rolling);
    appender.setTriggeringPolicy(trigger);
    rolling.start();
    trigger.start();
    appender.start();

    for (String name : SOURCES) {
      Logger source = context.getLogger(name);
      source.setLevel(Level.INFO);
      source.setAdditive(false);
      source.addAppender(appender);
    }
  }

  @Override
  public void close() {
    // Threads of a stopped server may still speak; they are not to fall back to the console.
    SOURCES.forEach(name -> context.getLogger(name).detachAppender(appender));
    appender.stop();
  }
}
