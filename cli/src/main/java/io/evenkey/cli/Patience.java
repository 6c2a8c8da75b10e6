/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;

/**
 * Timeouts and retries of a command. HBase's defaults are for services: at a terminal, twenty
 * minutes look like a hang. Settings of the user are kept.
 *
 * <p>Operation timeouts alone do not suffice: a request that does not know its region scans {@code
 * hbase:meta} once per retry, each time until that scan's own timeout.
 */
public enum Patience {
  /** An interactive query. */
  QUESTION(60_000, 5_000, 7),
  /**
   * Work that has to survive the death of a region server until its regions are open on another.
   */
  WORK(300_000, 10_000, HConstants.DEFAULT_HBASE_CLIENT_RETRIES_NUMBER);

  // HBase's constant for this is not public.
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
