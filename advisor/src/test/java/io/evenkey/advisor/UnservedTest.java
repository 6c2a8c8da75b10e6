/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.advisor.evaluate.QueryFigures;
import io.evenkey.advisor.query.Query;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnservedTest {
  private static List<String> unserved(double ranges, double read, double returned) {
    Query query = new Query("ts between ? and ?", List.of(), Query.Order.ANY, 0, 1);
    QueryFigures figures =
        new QueryFigures(query, ranges, read, returned, 3, false, List.of(), List.of(), 1);
    return Unserved.of(List.of(new QueryAccess(figures, null, null, 0, Naming.NOTHING, 1, null)));
  }

  @Test
  void rowsReadInVainAreJudged() {
    assertThat(unserved(3, 199, 10)).isEmpty();
    assertThat(unserved(3, 200, 10))
        .containsExactly(
            "\"ts between ? and ?\" reads 20 rows for each it returns, and no index makes it much"
                + " cheaper");
  }

  @Test
  void rangesOpenedForFewRowsAreJudged() {
    assertThat(unserved(65_536, 5, 5))
        .containsExactly(
            "\"ts between ? and ?\" opens 65,536 ranges for 5.0 rows that it returns, and no index"
                + " opens fewer");
    assertThat(unserved(Unserved.RANGES - 1, 5, 5)).isEmpty();
    assertThat(unserved(Unserved.RANGES, 5, 5)).hasSize(1);
    assertThat(unserved(Unserved.RANGES, 100, 100)).as("10 for each row").isEmpty();
  }
}
