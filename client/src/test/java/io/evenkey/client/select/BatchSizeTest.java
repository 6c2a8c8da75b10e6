/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.select;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Values;
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

  private final BatchSize size = new BatchSize();

  private static Result result(int bytes) {
    return Result.create(new Cell[] {new KeyValue(A, A, A, new byte[bytes])});
  }

  private void came(int entryBytes, @Nullable Result row) {
    KeyedRow entry = new KeyedRow(Values.of("k", "a"), result(entryBytes));
    List<KeyedRow> entries = Collections.nCopies(size.rows(), entry);
    size.came(entries, Collections.nCopies(size.rows(), row).toArray(Result[]::new));
  }

  @Test
  void batchesOfSmallRowsGrowToEightHundred() {
    came(10, result(100));
    assertThat(size.rows()).isEqualTo(200);
    for (int i = 0; i < 5; i++) {
      came(10, result(100));
    }
    assertThat(size.rows()).isEqualTo(800);
  }

  @Test
  void batchesOfSettledEntriesGrowFasterAndFurther() {
    came(10, null);
    assertThat(size.rows()).isEqualTo(400);
    came(10, null);
    came(10, null);
    assertThat(size.rows()).isEqualTo(3_200);
    came(10, result(100));
    assertThat(size.rows()).isEqualTo(800);
  }

  @Test
  void largeRowsAndLargeSettledEntriesMakeThemSmall() {
    came(10, null);
    came(10_000, null);
    assertThat(size.isLarge()).isTrue();
    assertThat(size.rows()).isEqualTo(200);
    came(10, result(20_000));
    assertThat(size.isLarge()).isTrue();
    assertThat(size.rows()).isEqualTo(100);
  }
}
