/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.failure.RangeScanException;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RangeFailureTest {
  private static final Scan SCAN =
      new Scan().withStartRow(new byte[] {5}).withStopRow(Bytes.toBytes("z"));
  private static final String RANGE = "range not read: table=t range=[\\x05, z) server=host:1";

  private static Throwable of(Scan scan, Throwable failure) {
    return RangeFailure.of(TableName.valueOf("t"), scan, "host:1", failure);
  }

  private static RetriesExhaustedException exhausted(Throwable last) {
    return new RetriesExhaustedException(
        2, List.of(new RetriesExhaustedException.ThrowableWithExtraContext(last, 0, "server")));
  }

  @Test
  void namesTheRangeWhereManyTriesFailed() {
    IOException last = new IOException("connection refused");
    assertThat(of(SCAN, exhausted(last)))
        .isInstanceOf(RangeScanException.class)
        .hasMessageStartingWith(RANGE + ": Failed after attempts=3")
        .hasCause(last);
  }

  @Test
  void namesTheRangeWhereNoTrySaysWhy() {
    RetriesExhaustedException failure = new RetriesExhaustedException("given up");
    assertThat(of(SCAN, failure)).hasMessage(RANGE + ": given up").hasCause(failure);
  }

  @Test
  void anErrorThatNoTryCanChangeKeepsItsClass() {
    IOException permanent = new DoNotRetryIOException("no such family");
    for (Throwable failure : List.of(permanent, exhausted(permanent))) {
      assertThat(of(SCAN, failure)).isSameAs(permanent);
    }
    assertThat(permanent.getSuppressed())
        .allSatisfy(range -> assertThat(range).isInstanceOf(IOException.class).hasMessage(RANGE));
  }

  @Test
  void anyOtherFailureKeepsItsClass() {
    IllegalStateException failure = new IllegalStateException("a mistake");
    assertThat(of(SCAN, failure)).isSameAs(failure).hasSuppressedException(new IOException(RANGE));
  }

  @Test
  void aRangeThatIsReadBackwardsIsNamedSo() {
    Scan reversed =
        new Scan().setReversed(true).withStartRow(Bytes.toBytes("z")).withStopRow(new byte[] {5});
    assertThat(of(reversed, new IOException()).getSuppressed())
        .singleElement()
        .satisfies(
            range ->
                assertThat(range)
                    .hasMessage(
                        "range not read: table=t range=[z, \\x05] backwards server=host:1"));
  }
}
