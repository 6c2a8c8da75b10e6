/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LoadResultTest {
  @Test
  void aRunOfFewRecordsHasNoSkew() {
    assertThat(result(1, 0).serverSkew()).isNull();
    assertThat(result(1_000, 999).serverSkew()).isNull();
    assertThat(result(300, 0).serverSkew()).isEqualTo(3);
  }

  private static LoadResult result(long records, long resumedAt) {
    return new LoadResult(
        records, records, 0, List.of(), 0, List.of(), 0, List.of(), resumedAt, 1, 3.0);
  }
}
