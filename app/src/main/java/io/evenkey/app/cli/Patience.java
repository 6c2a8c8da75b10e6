package io.evenkey.app.cli;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * How long a command tries. HBase's own settings are for services: at a terminal, twenty minutes
 * look like a hang. What the user has set stays.
 *
 * <p>Timeouts of operations alone do not do it: a request that does not know its region asks {@code
 * hbase:meta} for it as often as there are retries, each time until that scan's own timeout.
 */
enum Patience {
  /** A question at a terminal. */
  QUESTION(60_000, 5_000, 7),
  /** Work that has to outlast a server that dies, until its regions are open on another. */
  WORK(300_000, 10_000, HConstants.DEFAULT_HBASE_CLIENT_RETRIES_NUMBER);

  // HBase's constant of it is not public.
  private static final String META_SCAN = "hbase.client.meta.scanner.timeout.period";
  private static final String DEFAULTS = "hbase-default.xml";

  private final int operationMs;
  private final int metaScanMs;
  private final int retries;

  Patience(int operationMs, int metaScanMs, int retries) {
    this.operationMs = operationMs;
    this.metaScanMs = metaScanMs;
    this.retries = retries;
  }

  void applyTo(Configuration settings) {
    Map.of(
            HConstants.HBASE_CLIENT_OPERATION_TIMEOUT,
            operationMs,
            HConstants.HBASE_CLIENT_META_OPERATION_TIMEOUT,
            operationMs,
            META_SCAN,
            metaScanMs,
            HConstants.HBASE_CLIENT_RETRIES_NUMBER,
            retries)
        .forEach(
            (name, value) -> {
              if (isDefault(settings, name)) {
                settings.setInt(name, value);
              }
            });
  }

  private static boolean isDefault(Configuration settings, String name) {
    String[] sources = settings.getPropertySources(name);
    return sources == null || sources.length == 0 || sources[sources.length - 1].endsWith(DEFAULTS);
  }
}
