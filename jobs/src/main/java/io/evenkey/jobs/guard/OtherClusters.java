/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.guard;

import io.evenkey.client.internal.guard.SinkQuestion;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.protocol.guard.ReplicatedWrites;
import java.io.IOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.jspecify.annotations.Nullable;

/**
 * Other clusters whose replication writes to a table. Their rows have the layout of the table
 * there, and no entries of an index, so the table here is not changed alone until their replication
 * has ended. As thread-safe as the connection.
 */
public final class OtherClusters {
  /** The words of messages for such a table. */
  public static final String WRITE = "another cluster replicates to the table";

  /** The remedy when the replication has ended. */
  public static final String REMEDY =
      "if its peer is disabled there and all rows have arrived, "
          + Remedy.DECLARE_REPLICATION_ENDED;

  private final Connection plain;

  public OtherClusters(Connection plain) {
    this.plain = plain;
  }

  /** When replication wrote to a table first, and last; null if it does not, or has ended. */
  public @Nullable String writes(TableName table) throws IOException {
    ReplicatedWrites writes = SinkQuestion.ask(plain, table);
    if (writes.sinceMs() == 0) {
      return null;
    }
    // Regions that have opened since then do not know the last one.
    return "first_write="
        + SinkQuestion.shown(writes.sinceMs())
        + (writes.admittedMs() == 0
            ? ""
            : " last_write=" + SinkQuestion.shown(writes.admittedMs()));
  }

  /**
   * Has the guard forget the replication to a table, as it has ended. If it goes on, its next write
   * is recorded again.
   */
  public void end(TableName table) throws IOException {
    SinkQuestion.end(plain, table);
  }
}
