/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import org.apache.hadoop.hbase.TableName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the scans of a merge once: when its owner says so, or when the owner is garbage, after which
 * no application can read on. The merge must not lead to its owner. Thread-safe.
 */
final class MergeCloser {
  private static final Logger LOG = LoggerFactory.getLogger(MergeCloser.class);
  private static final OwnerCleaner OWNERS = new OwnerCleaner();

  private final Action action;
  private final OwnerCleaner.Watched watched;

  MergeCloser(Object owner, TableName table, Merge merge) {
    this.action = new Action(table, merge);
    this.watched = OWNERS.watch(owner, action);
  }

  /** Ends the scans, by their owner. */
  void now() {
    action.byOwner = true;
    watched.end();
  }

  private static final class Action implements Runnable {
    private final TableName table;
    private final Merge merge;
    private volatile boolean byOwner;

    Action(TableName table, Merge merge) {
      this.table = table;
      this.merge = merge;
    }

    @Override
    public void run() {
      if (!byOwner && !merge.isEnded()) {
        LOG.warn(
            "scan not closed: table={} openedAt={}; close scanners that are not read to their end",
            table,
            merge.idle().openedAt());
      }
      merge.close();
      if (!byOwner) {
        merge.span().end();
      }
    }
  }
}
