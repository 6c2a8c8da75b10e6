/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.guard.GuardState;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DescriptorGuardTest {
  private static final TableName TABLE = TableName.valueOf("shop:orders");
  private static final TableName CLONE = TableName.valueOf("shop:clone");

  private static String state(String turnAndRevision) {
    if (turnAndRevision == null) {
      return null;
    }
    String[] numbers = turnAndRevision.split("/", -1);
    return "revision=" + numbers[1] + " mode=tracked pass=1 turn=" + numbers[0] + " other=";
  }

  @ParameterizedTest
  @CsvSource({", ", ", 0/0", ", 1/1", "2/7, 2/7", "2/7, 2/8", "2/7, 3/1", "0/0, 0/1"})
  void aStateGoesOn(String before, String next) {
    assertThatCode(() -> DescriptorGuard.check(TABLE, state(before), state(next)))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({"2/7, ", "2/7, 2/6", "2/7, 1/8", "2/7, 0/0", "1/1, "})
  void aStateDoesNotGoBack(String before, String next) {
    assertThatThrownBy(() -> DescriptorGuard.check(TABLE, state(before), state(next)))
        .isExactlyInstanceOf(DoNotRetryIOException.class)
        .hasMessage(
            "table descriptor with an outdated state of a migration: table=shop:orders now="
                + state(before)
                + " wanted="
                + (next == null ? "none" : state(next))
                + "; read the descriptor again, change it, and repeat");
  }

  @Test
  void anotherStateOfTheSameRevisionIsOutdated() {
    String before = "revision=1 mode=tracked pass=1 turn=1 other=";
    String next = "revision=1 mode=open pass=1 turn=1 other=";
    assertThatThrownBy(() -> DescriptorGuard.check(TABLE, before, next))
        .hasMessageContaining("outdated");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "open", "revision=9 mode=melting pass=1 turn=9 other="})
  void malformedStateIsRefusedAndCanBeReplaced(String strange) {
    for (String before : new String[] {null, state("1/1")}) {
      assertThatThrownBy(() -> DescriptorGuard.check(TABLE, before, strange))
          .isExactlyInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("not understood")
          .hasMessageContaining("state=" + strange);
    }
    assertThatCode(() -> DescriptorGuard.check(TABLE, strange, strange)).doesNotThrowAnyException();
    assertThatCode(() -> DescriptorGuard.check(TABLE, strange, null)).doesNotThrowAnyException();
    assertThatCode(() -> DescriptorGuard.check(TABLE, strange, state("1/1")))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @CsvSource({
    "open, true",
    "tracked, false",
    "fenced, false",
    "read_only, false",
    "closed, false",
    "melting, false"
  })
  void onlyATableThatIsOpenIsAtRest(String mode, boolean rest) {
    assertThat(
            DescriptorGuard.isAtRest("revision=1 mode=" + mode + " pass=0 turn=1 other=orders.g2"))
        .isEqualTo(rest);
    assertThat(DescriptorGuard.isAtRest(null)).isTrue();
  }

  private static TableDescriptor table(TableName name, String state, String of) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(name);
    if (state != null) {
      table.setValue(GuardState.DESCRIPTOR_KEY, state);
    }
    if (of != null) {
      table.setValue(GuardState.TABLE_KEY, of);
    }
    return table.build();
  }

  @Test
  void aStateIsOfTheTableForWhichItIsSet() throws IOException {
    DescriptorGuard guard = new DescriptorGuard();
    TableDescriptor plain = table(TABLE, null, null);
    assertThat(guard.preCreateTableRegionsInfos(null, plain)).isSameAs(plain);
    assertThat(guard.preModifyTable(null, TABLE, plain, plain)).isSameAs(plain);
    TableDescriptor created =
        guard.preCreateTableRegionsInfos(null, table(TABLE, state("1/1"), null));
    assertThat(created.getValue(GuardState.TABLE_KEY)).isEqualTo("shop:orders");
    assertThat(TableText.state(created)).isEqualTo(state("1/1"));
    // The next generation of a table is created with the descriptor of the present one.
    TableDescriptor next =
        guard.preCreateTableRegionsInfos(null, table(CLONE, state("1/1"), "shop:orders"));
    assertThat(TableText.state(next)).isEqualTo(state("1/1"));
  }

  @Test
  void aTableOfABackupThatWasMadeDuringAMigrationIsAtRest() throws IOException {
    TableDescriptor restored =
        new DescriptorGuard()
            .preCreateTableRegionsInfos(
                null,
                table(CLONE, "revision=4 mode=tracked pass=1 turn=1 other=x.g2", "shop:orders"));
    assertThat(TableText.state(restored)).isNull();
    assertThat(restored.getValue(GuardState.TABLE_KEY)).isNull();
  }

  @Test
  void indexesOfATableThatIsRestoredUnderItsNameAreNotRead() throws IOException {
    String index = "by_e events public since 2 as \"e:string + id:string\" from e=d:e";
    String indexes = "format=1 version=3; " + index;
    TableDescriptor restored =
        new DescriptorGuard().preCreateTableRegionsInfos(null, indexed(TABLE, indexes));
    TableText text = TableText.of(restored);
    assertThat(text.indexes())
        .isEqualTo("format=1 version=4; " + index.replace("public", "joining"));
    assertThat(text.hasIndexes()).isTrue();
    assertThat(text.needsEntries()).isFalse();
    assertThat(RestoredIndexes.unread(restored)).isSameAs(restored);
    // It is of another table.
    TableDescriptor clone = indexed(CLONE, indexes);
    assertThat(RestoredIndexes.unread(clone)).isSameAs(clone);
    TableDescriptor later = indexed(TABLE, "format=9 version=3; " + index);
    assertThat(RestoredIndexes.unread(later)).isSameAs(later);
    assertThat(TableText.of(later).needsEntries()).isTrue();
  }

  private static TableDescriptor indexed(TableName name, String indexes) {
    return TableDescriptorBuilder.newBuilder(name)
        .setValue(DescribedIndexes.DESCRIPTOR_KEY, TABLE + " " + indexes)
        .build();
  }

  @Test
  void aCloneHasNoStateUntilOneIsSet() throws IOException {
    DescriptorGuard guard = new DescriptorGuard();
    TableDescriptor clone = table(CLONE, state("1/5"), "shop:orders");
    assertThat(TableText.of(clone).state()).isNull();
    // Another change leaves it so.
    assertThat(TableText.state(guard.preModifyTable(null, CLONE, clone, clone))).isNull();
    TableDescriptor migrating =
        guard.preModifyTable(null, CLONE, clone, table(CLONE, state("1/1"), "shop:orders"));
    assertThat(TableText.state(migrating)).isEqualTo(state("1/1"));
    assertThatCode(
            () -> DescriptorGuard.check(CLONE, TableText.state(clone), TableText.state(migrating)))
        .doesNotThrowAnyException();
  }

  @Test
  void aDescriptorThatNamesNoTableIsOfTheTableItself() {
    assertThat(TableText.state(table(TABLE, state("1/5"), null))).isEqualTo(state("1/5"));
  }

  private static TableDescriptor spread(String layout, String format, String state) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(table(TABLE, state, null));
    if (layout != null) {
      table.setValue(TableText.LAYOUT, layout).setValue(TableText.FORMAT, format);
    }
    return table.build();
  }

  @ParameterizedTest
  @CsvSource({
    "salt(8) + id:string, salt(9) + id:string",
    "salt(8) + id:string, ",
    ", salt(8) + id:string"
  })
  void aLayoutChangesOnlyTogetherWithTheState(String before, String next) throws IOException {
    DescriptorGuard guard = new DescriptorGuard();
    for (String state : new String[] {null, state("0/3")}) {
      TableDescriptor now = spread(before, "1", state);
      TableDescriptor byHand = spread(next, "1", state);
      assertThatThrownBy(() -> guard.preModifyTableAction(null, TABLE, now, byHand))
          .isExactlyInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("table=shop:orders")
          .hasMessageContaining("now=" + (before == null ? "none" : before))
          .hasMessageContaining("wanted=" + (next == null ? "none" : next))
          .hasMessageContaining("migrate the table, or record the layout of its rows");
      guard.preModifyTableAction(null, TABLE, now, spread(next, "1", state("0/4")));
    }
  }

  @Test
  void theMeaningOfALayoutDoesNotChangeByHand() {
    DescriptorGuard guard = new DescriptorGuard();
    TableDescriptor now = spread("salt(8) + id:string", "1", null);
    TableDescriptor byHand = spread("salt(8) + id:string", "3", null);
    assertThatThrownBy(() -> guard.preModifyTableAction(null, TABLE, now, byHand))
        .hasMessageContaining("wanted=format=3 salt(8) + id:string");
  }

  @Test
  void indexesDoNotChangeByHand() throws IOException {
    DescriptorGuard guard = new DescriptorGuard();
    TableDescriptor now = spread("salt(8) + id:string", "1", null);
    TableDescriptor format = spread("salt(8) + id:string", "2", null);
    TableDescriptor indexed =
        TableDescriptorBuilder.newBuilder(format)
            .setValue(
                "EVENKEY_INDEXES",
                "shop:orders format=1 version=1; by_id events joining as \"id:string\"")
            .build();
    for (TableDescriptor byHand : List.of(format, indexed)) {
      assertThatThrownBy(() -> guard.preModifyTableAction(null, TABLE, now, byHand))
          .isExactlyInstanceOf(DoNotRetryIOException.class)
          .hasMessageContaining("indexes of an existing table cannot be changed by modifying");
      assertThatThrownBy(() -> guard.preModifyTableAction(null, TABLE, indexed, now))
          .hasMessageContaining("table=shop:orders key=EVENKEY_INDEXES");
    }
    guard.preModifyTableAction(null, TABLE, indexed, indexed);
    TableDescriptor together =
        TableDescriptorBuilder.newBuilder(indexed)
            .setValue(GuardState.DESCRIPTOR_KEY, state("0/4"))
            .build();
    guard.preModifyTableAction(null, TABLE, now, together);
  }
}
