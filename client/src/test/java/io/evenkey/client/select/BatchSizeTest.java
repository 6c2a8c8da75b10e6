/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Values;
import io.evenkey.protocol.index.EntryLimit;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class BatchSizeTest {
  private static final byte[] A = Bytes.toBytes("a");

  private final BatchSize size = BatchSize.of(false);

  private static Result result(int bytes) {
    return Result.create(new Cell[] {new KeyValue(A, A, A, new byte[bytes])});
  }

  private void came(int entryBytes, @Nullable Result row) {
    KeyedRow entry = new KeyedRow(Values.of("k", "a"), result(entryBytes), "");
    List<KeyedRow> entries = Collections.nCopies(size.rows(), entry);
    size.came(entries, Collections.nCopies(size.rows(), row).toArray(Result[]::new));
  }

  @Test
  void batchesOfSmallRowsGrowToEightHundred() {
    assertThat(size.rows()).isEqualTo(64);
    came(10, result(100));
    assertThat(size.rows()).isEqualTo(256);
    came(10, result(100));
    assertThat(size.rows()).isEqualTo(800);
    came(10, result(100));
    assertThat(size.rows()).isEqualTo(800);
  }

  @Test
  void batchesOfSettledEntriesGrowFurther() {
    for (int i = 0; i < 4; i++) {
      came(10, null);
    }
    assertThat(size.rows()).isEqualTo(3_200);
    came(10, result(100));
    assertThat(size.rows()).isEqualTo(800);
  }

  @Test
  void oneBatchIsBegunUntilTheSizeOfTheRowsIsKnown() {
    assertThat(size.ahead()).isEqualTo(1);
    came(10, result(100));
    assertThat(size.ahead()).isEqualTo(3);
  }

  @Test
  void aBatchOfLargeRowsOrEntriesHasTwoMegabytes() {
    came(10, result(20_000));
    assertThat(size.rows()).isEqualTo(104);
    came(10, result(1 << 20));
    assertThat(size.rows()).isEqualTo(1);
    assertThat(size.ahead()).isEqualTo(3);
    came(10, result(10 << 20));
    assertThat(size.rows()).isEqualTo(1);
    assertThat(size.ahead()).as("a row is more than a batch should be").isEqualTo(1);
    came(10, result(100));
    assertThat(size.rows()).isEqualTo(4);
    came(900_000, null);
    assertThat(size.rows()).isEqualTo(2);
  }

  @Test
  void staleEntriesSayNothingOfTheSizeOfRows() {
    for (int i = 0; i < 9; i++) {
      came(10, Result.EMPTY_RESULT);
    }
    assertThat(size.rows()).isEqualTo(256);
    assertThat(size.ahead()).isEqualTo(1);
    came(10, result(1 << 20));
    came(10, Result.EMPTY_RESULT);
    assertThat(size.rows()).isEqualTo(1);
  }

  @Test
  void aLimitOfAHundredRowsTakesOneBatch() {
    assertThat(BatchSize.of(true).rows()).isGreaterThanOrEqualTo(EntryLimit.of(100));
  }
}
