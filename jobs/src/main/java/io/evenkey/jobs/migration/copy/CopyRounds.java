/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationRecord;
import io.evenkey.jobs.migration.row.RowRewriter;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** The copy of all rows, round by round, at the pace that the registry says. Not thread-safe. */
public final class CopyRounds {
  private final Connection plain;
  private final Registry registry;
  private final MigrationRecord record;
  private final Path work;
  private final MigrationListener listener;

  public CopyRounds(
      Connection plain,
      Registry registry,
      MigrationRecord record,
      Path work,
      MigrationListener listener) {
    this.plain = plain;
    this.registry = registry;
    this.record = record;
    this.work = work;
    this.listener = listener;
  }

  /** Makes the rounds that are not done yet. */
  public void run(RowRewriter rekeyed) throws IOException {
    Set<byte[]> families = families();
    try (LatencyController governor = LatencyController.of(plain, registry, record.migration())) {
      int rounds = record.migration().work().rounds().size();
      long rows = record.migration().work().rows();
      for (int round = record.migration().work().copied(); round < rounds; round++) {
        int at = round;
        long before = rows;
        Copy copy = new Copy(plain, rekeyed, record.migration(), families, work);
        rows +=
            copy.round(
                round,
                (share, done) -> {
                  listener.progress((at + share) / rounds, before + done);
                  governor.look();
                });
        Migration now = record.migration();
        record.store(now.withWork(now.work().copied(round + 1, rows)));
      }
      new Copy(plain, rekeyed, record.migration(), families, work).tidy();
    }
  }

  private Set<byte[]> families() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.getDescriptor(record.migration().source()).getColumnFamilyNames();
    }
  }
}
