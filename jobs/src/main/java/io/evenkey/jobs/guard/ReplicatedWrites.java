/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.guard;

import io.evenkey.layout.guard.GuardAttributes;
import io.evenkey.layout.guard.SinkQuestion;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;

/**
 * Writes that HBase's replication brings to a table from another cluster. Their rows are of the
 * layout there, so the table here cannot get another one alone. The regions know of them since they
 * opened; a table of which they know none may be a sink all the same. As thread-safe as the
 * connection.
 */
public final class ReplicatedWrites {
  /** A table that was not written so for this long is taken for one that is no sink any more. */
  public static final Duration RECENT = Duration.ofMinutes(10);

  private static final byte[] ANSWER = GuardAttributes.ANSWER.getBytes(StandardCharsets.US_ASCII);
  private static final byte[] FIRST_ROW = {0};

  private final Connection plain;

  public ReplicatedWrites(Connection plain) {
    this.plain = plain;
  }

  /** The last one, if it is {@linkplain #RECENT recent}; empty too if the guard is missing. */
  public Optional<Instant> recent(TableName table) throws IOException {
    long last = 0;
    try (Admin admin = plain.getAdmin();
        Table asked = plain.getTable(table)) {
      for (RegionInfo region : admin.getRegions(table)) {
        last = Math.max(last, lastMs(asked, region));
      }
    }
    boolean isRecent = System.currentTimeMillis() - last < RECENT.toMillis();
    return isRecent ? Optional.of(Instant.ofEpochMilli(last)) : Optional.empty();
  }

  private static long lastMs(Table asked, RegionInfo region) throws IOException {
    byte[] start = region.getStartKey();
    Get get =
        new Get(start.length == 0 ? FIRST_ROW : start)
            .setCacheBlocks(false)
            .setMaxResultsPerColumnFamily(1);
    get.setAttribute(GuardAttributes.ASK, SinkQuestion.ask());
    try {
      byte[] answer = asked.get(get).getValue(ANSWER, ANSWER);
      return answer == null ? 0 : GuardAttributes.number(answer);
    } catch (DoNotRetryIOException e) {
      // A guard of an earlier version does not know.
      return 0;
    }
  }
}
