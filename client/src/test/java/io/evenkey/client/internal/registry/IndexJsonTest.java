/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.failure.RegistryException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is stored of the work on an index is read again, also if an earlier version stored it. */
class IndexJsonTest {
  private static final TableName ORDERS = TableName.valueOf("orders");
  private static final Instant THEN = Instant.parse("2026-11-27T10:00:00Z");
  private static final IndexWork BEGUN = IndexWork.begun(ORDERS, "by_customer", "0a", THEN);

  private static IndexWork again(IndexWork work) throws RegistryException {
    return parsed(new String(RegistryJson.bytes(IndexJson.of(work)), StandardCharsets.UTF_8));
  }

  private static IndexWork parsed(String json) throws RegistryException {
    byte[] stored = json.getBytes(StandardCharsets.UTF_8);
    return IndexJson.parse(RegistryJson.object(stored, "here"), ORDERS, "by_customer", "here");
  }

  private static IndexWork.DifferenceCounts found(long missing, long stale, long phantoms) {
    return new IndexWork.DifferenceCounts(missing, 0, 0, 0, stale, phantoms, 0);
  }

  private static IndexWork.Verification verification(
      Instant at, IndexWork.DifferenceCounts found, long added, long removed) {
    return new IndexWork.Verification(at, 300, 310, found, added, removed);
  }

  @Test
  void aVerificationIsReadAsItWasStored() throws RegistryException {
    IndexWork verified = BEGUN.with(verification(THEN.plusSeconds(5), found(3, 13, 1), 2, 10));
    assertThat(again(verified)).isEqualTo(verified);
    assertThat(again(BEGUN)).isEqualTo(BEGUN);
    IndexWork all =
        BEGUN.with(verification(THEN, new IndexWork.DifferenceCounts(1, 2, 3, 4, 5, 6, 7), 8, 9));
    assertThat(again(all)).isEqualTo(all);
    IndexWork swept = verified.with(new IndexWork.Sweep(THEN.plusSeconds(6), 310, 12, 11, 70));
    assertThat(again(swept)).isEqualTo(swept);
    IndexWork slow = swept.with(swept.filling().at(100));
    assertThat(again(slow)).isEqualTo(slow);
  }

  @Test
  void removedEntriesDoNotMakeUpForMissingOnes() {
    assertThat(verification(THEN, found(3, 10, 0), 0, 10).differences()).isEqualTo(3);
    assertThat(verification(THEN, found(3, 10, 0), 3, 10).differences()).isZero();
    assertThat(verification(THEN, found(0, 10, 0), 0, 0).differences()).isZero();
    assertThat(verification(THEN, found(0, 10, 4), 0, 0).differences()).isEqualTo(4);
  }

  @Test
  void rowsThatHaveToBeWrittenAgainAreDifferencesThatNoRepairRemoves() {
    IndexWork.DifferenceCounts found = new IndexWork.DifferenceCounts(2, 1, 3, 4, 6, 5, 7);
    IndexWork.Verification repaired = verification(THEN, found, 3, 0);
    assertThat(repaired.toRepair()).isEqualTo(5);
    assertThat(repaired.differences()).isEqualTo(12);
    assertThat(verification(THEN, found, 0, 0).toRepair()).isEqualTo(8);
  }

  @Test
  void staleEntriesAreThoseThatAreLeftAndNoPhantoms() {
    assertThat(verification(THEN, found(3, 10, 4), 0, 0).staleEntries()).isEqualTo(6);
    assertThat(verification(THEN, found(3, 10, 0), 3, 10).staleEntries()).isZero();
  }

  @Test
  void aSweepLeavesNoStaleEntriesOfAnEarlierVerification() {
    IndexWork.Sweep sweep = new IndexWork.Sweep(THEN.plusSeconds(6), 310, 12, 11, 70);
    IndexWork.Verification before = verification(THEN.plusSeconds(5), found(0, 10, 0), 0, 0);
    IndexWork.Verification after = verification(THEN.plusSeconds(7), found(0, 4, 0), 0, 0);
    assertThat(BEGUN.with(before).staleEntries()).isEqualTo(10);
    assertThat(BEGUN.with(before).with(sweep).staleEntries()).isEqualTo(1);
    assertThat(BEGUN.with(before).with(sweep).isSweptSinceVerified()).isTrue();
    assertThat(BEGUN.with(after).with(sweep).staleEntries()).isEqualTo(4);
    assertThat(BEGUN.with(after).with(sweep).isSweptSinceVerified()).isFalse();
    assertThat(BEGUN.with(sweep).staleEntries()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"13, 3, 10, 0", "10, 0, 10, 3", "0, 0, 0, 3", "11, 1, 10, 2"})
  void aSumOfRepairsCountsNoMoreAddedEntriesThanItProves(
      long repaired, long added, long removed, long differences) throws RegistryException {
    IndexWork.Verification read =
        parsed(
                ("{'format': 1, 'since': '2026-11-27T10:00:00Z', 'nonce': '0a', 'rows': 300,"
                        + " 'entries': 300, 'done': [], 'verified': {'at':"
                        + " '2026-11-27T11:00:00Z', 'rows': 300, 'entries': 310, 'missing': 3,"
                        + " 'stale': 10, 'repaired': "
                        + repaired
                        + "}}")
                    .replace('\'', '"'))
            .verified();
    assertThat(read.added()).isEqualTo(added);
    assertThat(read.removed()).isEqualTo(removed);
    assertThat(read.differences()).isEqualTo(differences);
  }
}
