/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.trace.OperationSpan;
import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends a scan once: when its owner says so, or when the owner is garbage, after which no
 * application can read on. The strategy must not lead to the owner. Thread-safe.
 */
final class ScanCloser {
  private static final Logger LOG = LoggerFactory.getLogger(ScanCloser.class);
  private static final OwnerCleaner OWNERS = new OwnerCleaner();

  private final Action action;
  private final OwnerCleaner.Watched watched;

  ScanCloser(Object owner, TableName table, ScanStrategy strategy, OperationSpan span) {
    this.action = new Action(table, strategy, span);
    this.watched = OWNERS.watch(owner, action);
  }

  /** Ends the scans, by their owner. */
  void now() {
    action.byOwner = true;
    watched.end();
  }

  private static final class Action implements Runnable {
    private final TableName table;
    private final ScanStrategy strategy;
    private final OperationSpan span;
    private volatile boolean byOwner;

    Action(TableName table, ScanStrategy strategy, OperationSpan span) {
      this.table = table;
      this.strategy = strategy;
      this.span = span;
    }

    @Override
    public void run() {
      // Without a merge, region servers hold nothing.
      Merge merge = strategy.merge();
      if (!byOwner && merge != null && !strategy.isEnded()) {
        LOG.warn(
            "scan not closed: table={} openedAt={}; close scanners that are not read to their end",
            table,
            merge.idle().openedAt());
      }
      strategy.close();
      if (!byOwner) {
        span.end();
      }
    }
  }
}
