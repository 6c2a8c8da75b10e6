/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import io.evenkey.client.internal.registry.Registry;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.index.IndexRemoval;
import io.evenkey.jobs.index.IndexVerification;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;

/**
 * The indexes that one side of a comparison has added. They are dropped before their tables, so
 * that nothing of them stays in the registry. Not thread-safe.
 */
final class CreatedIndexes {
  private final Connection plain;
  private final Deque<Created> all = new ArrayDeque<>();

  /**
   * @param plain a connection to which rows are what is stored
   */
  CreatedIndexes(Connection plain) {
    this.plain = plain;
  }

  private record Created(TableName table, TableIndex index) {
    TableName entries() {
      return TableName.valueOf(index.tableName(table.getNameAsString()));
    }
  }

  /**
   * Adds an index.
   *
   * @throws io.evenkey.jobs.guard.GuardException if servers are without the guard
   */
  void add(TableName table, TableIndex index, int regions) throws IOException {
    all.push(new Created(table, index));
    try (Registry registry = open()) {
      new IndexAddition(table, index, regions, 0).run(plain, registry, IndexListener.NONE);
    }
  }

  private Registry open() throws IOException {
    return Registry.open(plain.getConfiguration());
  }

  /** The tables of their entries. */
  List<TableName> tables() {
    return all.stream().map(Created::entries).toList();
  }

  /** Removes entries without rows, and settles the others. */
  void sweep() throws IOException {
    try (Registry registry = open()) {
      for (Created one : all) {
        IndexVerification.sweep(plain, registry, one.table, one.index.name(), IndexListener.NONE);
      }
    }
  }

  /** Drops them, and what is left of one whose addition failed. */
  void drop() throws IOException {
    if (all.isEmpty()) {
      return;
    }
    try (Registry registry = open()) {
      while (!all.isEmpty()) {
        Created one = all.element();
        if (registry.indexes().get(one.table, one.index.name()).isPresent()) {
          IndexRemoval.run(plain, registry, one.table, one.index.name(), IndexListener.NONE);
        }
        all.pop();
      }
    }
  }
}
