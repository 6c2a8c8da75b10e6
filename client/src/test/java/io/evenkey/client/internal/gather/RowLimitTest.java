/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RowLimitTest {
  private static Result piece(int row, boolean more) {
    return Result.create(
        List.of(new KeyValue(Bytes.toBytes(row), Bytes.toBytes("f"), Bytes.toBytes("q"))),
        null,
        false,
        more);
  }

  @Test
  void rowsAreAdmittedUpToTheLimit() {
    RowLimit limit = new RowLimit(2);
    assertThat(limit.isReached()).isFalse();
    assertThat(limit.admits(piece(1, false))).isTrue();
    assertThat(limit.isReached()).isFalse();
    assertThat(limit.admits(piece(2, false))).isTrue();
    assertThat(limit.isReached()).isTrue();
  }

  @Test
  void allPiecesOfTheLastRowAreAdmittedAndNoPieceOfAnother() {
    RowLimit limit = new RowLimit(1);
    assertThat(limit.admits(piece(1, true))).isTrue();
    assertThat(limit.isReached()).as("the rest of the row may come").isFalse();
    assertThat(limit.admits(piece(1, true))).isTrue();
    assertThat(limit.admits(piece(2, true))).isFalse();
    assertThat(limit.isReached()).as("the rest was filtered away").isTrue();
  }

  @Test
  void theLastPieceOfTheLastRowReachesTheLimit() {
    RowLimit limit = new RowLimit(1);
    assertThat(limit.admits(piece(1, true))).isTrue();
    assertThat(limit.admits(piece(1, false))).isTrue();
    assertThat(limit.isReached()).isTrue();
  }

  @Test
  void aRowOfManyPiecesCountsOnce() {
    RowLimit limit = new RowLimit(2);
    for (int i = 0; i < 5; i++) {
      assertThat(limit.admits(piece(1, true))).isTrue();
    }
    assertThat(limit.admits(piece(2, false))).isTrue();
    assertThat(limit.isReached()).isTrue();
  }

  @Test
  void nothingIsAdmittedAfterTheEnd() {
    RowLimit limit = new RowLimit(9);
    assertThat(limit.admits(piece(1, true))).isTrue();
    limit.end();
    assertThat(limit.isReached()).isTrue();
    assertThat(limit.admits(piece(1, false))).as("the rest of a row").isFalse();
    assertThat(limit.admits(piece(2, false))).isFalse();
  }

  @Test
  void aLimitOfNoRowsIsReached() {
    assertThat(new RowLimit(0).isReached()).isTrue();
  }
}
