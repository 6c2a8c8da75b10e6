/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.text.SyntaxException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueryFileTest {
  private static final List<String> COLUMNS = List.of("device", "ts", "host", "rows");

  private static Workload parse(String... lines) {
    return QueryFile.parse(Arrays.asList(lines), COLUMNS);
  }

  @Test
  void readsWhatIsSaidAloud() {
    Workload workload =
        parse(
            "# comment",
            "",
            "device = ? and ts between ? and 2026-01-01 newest first limit 100 : weight 60",
            "host under example.com oldest first",
            "device in (?, ?, 'x y') and ts >= ? : weight 2.5",
            "host starts with ?",
            "all limit 10",
            "writes 5000",
            "rows 2e9",
            "value 120",
            "growth 1.5",
            "servers 12");

    assertThat(workload.queries()).hasSize(5);
    Query first = workload.queries().get(0);
    assertThat(first.text())
        .isEqualTo("device = ? and ts between ? and 2026-01-01 newest first limit 100");
    assertThat(first.conditions())
        .containsExactly(
            new QueryCondition(
                "device", QueryCondition.Operator.EQUAL, Arrays.asList((String) null)),
            new QueryCondition(
                "ts", QueryCondition.Operator.BETWEEN, Arrays.asList(null, "2026-01-01")));
    assertThat(first.order()).isEqualTo(Query.Order.NEWEST_FIRST);
    assertThat(first.limit()).isEqualTo(100);
    assertThat(first.weight()).isEqualTo(60);
    assertThat(workload.queries().get(1).weight()).isEqualTo(1);
    assertThat(workload.queries().get(2).conditions().get(0).values())
        .containsExactly(null, null, "x y");
    assertThat(workload.queries().get(4).conditions()).isEmpty();
    assertThat(workload.writesPerSecond()).isEqualTo(5000);
    assertThat(workload.rows()).isEqualTo(2e9);
    assertThat(workload.valueBytes()).isEqualTo(120);
    assertThat(workload.growth()).isEqualTo(1.5);
    assertThat(workload.servers()).isEqualTo(12);
    assertThat(workload.weight()).isEqualTo(65.5);
  }

  @Test
  void columnMayHaveTheNameOfASetting() {
    Workload workload = parse("rows = ?", "rows 500");
    assertThat(workload.queries()).hasSize(1);
    assertThat(workload.rows()).isEqualTo(500);
  }

  @Test
  void columnsAreListedAsAQueryNamesThem() {
    assertThatThrownBy(() -> QueryFile.parse(List.of("a = ?"), List.of("a `b`", "Time Stamp", "c")))
        .hasMessageContaining("expected one of `Time Stamp`, `a \\`b\\``, c");
  }

  @Test
  void mistakesAreShownWithTheirPlace() {
    assertThatThrownBy(() -> parse("devise = ?"))
        .isInstanceOf(SyntaxException.class)
        .hasMessage(
            """
            queries: unknown column 'devise'; did you mean 'device'?
              devise = ?
              ^^^^^^
              expected one of device, host, rows, ts""");
    assertThatThrownBy(() -> parse("device = ? newest limit 3"))
        .hasMessageContaining("expected 'first'");
    assertThatThrownBy(() -> parse("device like ?"))
        .hasMessageContaining("expected one of = < <= > >= between in starts under");
    assertThatThrownBy(() -> parse("device = ? limit 0")).hasMessageContaining("out of range: 0");
    assertThatThrownBy(() -> parse("device = ? : weight -1"))
        .hasMessageContaining("not a number above 0: -1");
    assertThatThrownBy(() -> parse("writes fast")).hasMessageContaining("not a number above 0");
    assertThatThrownBy(() -> parse("device = ? please"))
        .hasMessageContaining("expected 'and', 'newest first'");
  }
}
