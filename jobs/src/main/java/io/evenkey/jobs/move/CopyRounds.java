package io.evenkey.jobs.move;

import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;

/** The copy of all rows, round by round, at the pace that the registry says. Not thread-safe. */
final class CopyRounds {
  private final Connection plain;
  private final Registry registry;
  private final MoveRecord record;
  private final Path work;
  private final MoveWatch watch;

  CopyRounds(Connection plain, Registry registry, MoveRecord record, Path work, MoveWatch watch) {
    this.plain = plain;
    this.registry = registry;
    this.record = record;
    this.work = work;
    this.watch = watch;
  }

  /** Makes the rounds that are not done yet. */
  void run(Rekeyed rekeyed) throws IOException {
    Set<byte[]> families = families();
    try (Governor governor = Governor.of(plain, registry, record.move())) {
      int rounds = record.move().work().rounds().size();
      long rows = record.move().work().rows();
      for (int round = record.move().work().copied(); round < rounds; round++) {
        int at = round;
        long before = rows;
        Copy copy = new Copy(plain, rekeyed, record.move(), families, work);
        rows +=
            copy.round(
                round,
                (share, done) -> {
                  watch.progress((at + share) / rounds, before + done);
                  governor.look();
                });
        Move now = record.move();
        record.store(now.with(now.work().copied(round + 1, rows)));
      }
      new Copy(plain, rekeyed, record.move(), families, work).tidy();
    }
  }

  private Set<byte[]> families() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.getDescriptor(record.move().source()).getColumnFamilyNames();
    }
  }
}
