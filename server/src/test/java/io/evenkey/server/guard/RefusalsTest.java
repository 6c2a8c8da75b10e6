/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefusalsTest {
  private static final TableRules RULES =
      TableRules.of(
          new TableText(
              "orders",
              "salt(4) + id:string",
              "revision=1 mode=closed pass=0 turn=7 other=orders.g2",
              null,
              "",
              null,
              null,
              null,
              null));

  private final MetricRegistry registry =
      new MetricRegistryImpl(new MetricRegistryInfo("guard", "", "guard", "guard", false));
  private final Refusals refusals = new Refusals(new GuardMetrics(registry));

  @ParameterizedTest
  @EnumSource(
      value = Outcome.class,
      mode = EnumSource.Mode.EXCLUDE,
      names = {"ALLOWED", "MARKED", "UNREADABLE", "FOREIGN", "INDEXED"})
  void nameTheTableAndCarryTheMark(Outcome outcome) {
    IOException refusal = refusals.of(outcome, RULES, true);
    assertThat(refusal)
        .isExactlyInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("table=orders");
    assertThat(Refusal.of(refusal)).contains(Refusal.valueOf(outcome.name()));
    String counter =
        "refused" + outcome.name().charAt(0) + outcome.name().substring(1).toLowerCase(Locale.ROOT);
    assertThat(registry.getMetrics()).containsOnlyKeys(counter);
    assertThat(registry.counter(counter).getCount()).isEqualTo(1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Outcome.class,
      names = {"FOREIGN", "INDEXED"})
  void nameTheRowForWhichARequestWithoutALayoutIsRefused(Outcome outcome) {
    IOException refusal = refusals.ofRow(outcome, RULES, new byte[] {3, 'a'}, "cause=x");
    assertThat(refusal)
        .isExactlyInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("table=orders row=\\x03a layout=salt(4) + id:string");
    // A client of Evenkey that takes the table for a plain one has to look it up.
    assertThat(Refusal.of(refusal)).contains(Refusal.UNSTAMPED);
    assertThat(registry.getMetrics()).hasSize(1);
  }

  @Test
  void sayWhereTheLayoutOfAReplicatedRowIsKnown() {
    byte[] row = {3, 'a'};
    List<UUID> clusters = List.of(new UUID(1, 2));
    assertThat(refusals.ofReplicatedRow(Outcome.FOREIGN, RULES, row, "cause=x", clusters))
        .isExactlyInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining(
            "row=\\x03a layout=salt(4) + id:string"
                + " source_cluster=00000000-0000-0001-0000-000000000002 cause=x")
        .hasMessageContaining("evenkey doctor on its cluster names both");
    assertThat(refusals.ofReplicatedRow(Outcome.INDEXED, RULES, row, "", clusters))
        .hasMessageContaining("replication changes a column of an index, and brings no entries")
        .hasMessageContaining("drop the indexes of this table");
  }

  @Test
  void letHBasesOwnClientRepeatAFencedWrite() {
    IOException refusal = refusals.of(Outcome.FENCED, RULES, false);
    assertThat(refusal).isExactlyInstanceOf(RegionTooBusyException.class);
    assertThat(Refusal.of(refusal)).contains(Refusal.FENCED);
  }

  @Test
  void sayWhereToGoAndWhatToDo() {
    assertThat(refusals.of(Outcome.CLOSED, RULES, true)).hasMessageContaining("use=orders.g2");
    assertThat(refusals.of(Outcome.UNSTAMPED, RULES, false))
        .hasMessageContaining("layout=salt(4) + id:string")
        .hasMessageContaining("evenkey.raw");
  }

  @Test
  void haveNoMarkIfTheStateIsNotUnderstood() {
    TableRules strange =
        TableRules.of(
            new TableText("orders", null, "mode=melting", null, "", null, null, null, null));
    IOException refusal = refusals.of(Outcome.UNREADABLE, strange, true);
    assertThat(refusal).hasMessageContaining("state=mode=melting");
    assertThat(Refusal.of(refusal)).isEmpty();
  }
}
