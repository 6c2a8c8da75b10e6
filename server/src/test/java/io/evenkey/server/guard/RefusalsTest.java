/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.hadoop.hbase.metrics.impl.MetricRegistryImpl;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RefusalsTest {
  private static final TableRules RULES = rules("salt(4) + id:string");

  private static TableRules rules(String layout) {
    return TableRules.of(
        new TableText(
            "orders",
            layout,
            "revision=1 mode=closed pass=0 turn=7 other=orders.g2",
            null,
            "",
            null,
            null,
            null,
            null,
            null,
            null));
  }

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

  private static Put replicated(@Nullable String layout) {
    Put put = new Put(new byte[] {3, 'a'});
    put.setClusterIds(List.of(new UUID(1, 2)));
    if (layout != null) {
      put.setAttribute(GuardAttributes.SOURCE_LAYOUT, layout.getBytes(StandardCharsets.UTF_8));
    }
    return put;
  }

  @Test
  void nameBothLayoutsOfAReplicatedRow() {
    String both = "row=\\x03a layout=salt(4) + id:string source_layout=";
    String cluster = " source_cluster=00000000-0000-0001-0000-000000000002";
    String other = "salt(8) + id:string";
    assertThat(refusals.ofReplicatedRow(Outcome.FOREIGN, RULES, replicated(other), "cause=x"))
        .isExactlyInstanceOf(DoNotRetryIOException.class)
        .hasMessageContaining("does not fit the table's layout: table=orders ")
        .hasMessageContaining(both + other + cluster + " cause=x; create this table again");
    assertThat(refusals.ofReplicatedRow(Outcome.FOREIGN, RULES, replicated(other), null))
        .hasMessageContaining("of another layout than the table's: table=orders ")
        .hasMessageContaining(both + other + cluster + "; create this table again");
    assertThat(refusals.ofReplicatedRow(Outcome.FOREIGN, RULES, replicated(null), "cause=x"))
        .hasMessageContaining(both + "unknown" + cluster + " cause=x; only a source with a layout")
        .hasMessageContaining("a check of its cluster names both");
    assertThat(
            refusals.ofReplicatedRow(
                Outcome.FOREIGN, RULES, replicated("salt(4) + key:string"), "cause=x"))
        .hasMessageContaining("the source has rows that do not fit its own layout");
    assertThat(
            refusals.ofReplicatedRow(
                Outcome.FOREIGN,
                rules("salt(4) + no:int64"),
                replicated("salt(4; 8 from no 100) + no:int64"),
                null))
        .hasMessageContaining("go on with the migration at the source");
    assertThat(refusals.ofReplicatedRow(Outcome.INDEXED, RULES, replicated(null), null))
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
            new TableText(
                "orders", null, "mode=melting", null, "", null, null, null, null, null, null));
    IOException refusal = refusals.of(Outcome.UNREADABLE, strange, true);
    assertThat(refusal).hasMessageContaining("state=mode=melting");
    assertThat(Refusal.of(refusal)).isEmpty();
  }
}
