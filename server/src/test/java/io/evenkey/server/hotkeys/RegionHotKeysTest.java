/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hotkeys;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.gather.GatherAttributes;
import io.evenkey.protocol.hotkeys.HotItem;
import io.evenkey.protocol.hotkeys.HotKeyAnswer;
import io.evenkey.protocol.hotkeys.HotKeyKind;
import io.evenkey.protocol.hotkeys.HotKeyQuestion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.junit.jupiter.api.Test;

class RegionHotKeysTest {
  private static final String LINE = "salt(4) + device:string + ts:int64";
  private static final Layout LAYOUT = Layout.parse(LINE);

  private final SplittableRandom random = new SplittableRandom(1);
  private final RegionHotKeys hot = new RegionHotKeys("server", "region", () -> 0, () -> random);

  private HotKeyAnswer answer() {
    return hot.answer(new HotKeyQuestion(HotKeyQuestion.MOST_ITEMS, false));
  }

  private static byte[] row(String device, long ts) {
    return LAYOUT.encode(Values.of(Map.of("device", device, "ts", ts)));
  }

  @Test
  void countsNothingUnlessItIsSet() {
    hot.read(row("a", 1));
    assertThat(answer()).isEqualTo(new HotKeyAnswer("server", "region", "", "", 0, 0, Map.of()));
    hot.set("off", LINE);
    hot.read(row("a", 1));
    assertThat(answer().oneIn()).isZero();
    hot.set("sometimes", LINE);
    hot.read(row("a", 1));
    assertThat(answer())
        .isEqualTo(new HotKeyAnswer("server", "region", LINE, "sometimes", 0, 0, Map.of()));
  }

  @Test
  void countsRowsAndTheirLeadingFields() {
    hot.set("1/1", LINE);
    hot.read(row("a", 1));
    hot.read(row("a", 2));
    hot.read(row("a", 2));
    hot.read(new byte[] {3});
    HotKeyAnswer answer = answer();
    assertThat(answer.of(HotKeyKind.READ_KEYS).total()).isEqualTo(4);
    assertThat(answer.of(HotKeyKind.READ_KEYS).items().get(0))
        .isEqualTo(new HotItem(ByteString.of(row("a", 2)), 2, 2, 2));
    List<HotItem> fields = answer.of(HotKeyKind.READ_FIELDS).items();
    assertThat(fields).as("a row of no layout has none").hasSize(1);
    assertThat(fields.get(0).estimate()).isEqualTo(3);
    assertThat(LAYOUT.labelLogical(fields.get(0).item().toArray())).isEqualTo("device=a");
    assertThat(answer.of(HotKeyKind.WRITE_KEYS).total()).isZero();
  }

  @Test
  void aKeyOfOneFieldIsNotCountedTwice() {
    hot.set("1/1", "salt(4) + id:string");
    hot.read(new byte[] {0, 'x'});
    assertThat(answer().of(HotKeyKind.READ_KEYS).total()).isEqualTo(1);
    assertThat(answer().of(HotKeyKind.READ_FIELDS).total()).isZero();
  }

  @Test
  void countsStartsOfScansButNotOfGathers() {
    hot.set("1/1", null);
    hot.scanned(new Scan());
    hot.scanned(new Scan().withStartRow(new byte[] {1}));
    Scan gather = new Scan().withStartRow(new byte[] {1});
    gather.setAttribute(GatherAttributes.REQUEST, new byte[0]);
    hot.scanned(gather);
    assertThat(answer().of(HotKeyKind.SCAN_STARTS).items())
        .containsExactly(new HotItem(ByteString.of((byte) 1), 1, 1, 1));
  }

  @Test
  void countsTheRowsThatAScanReturns() {
    hot.set("1/4", LINE);
    List<Result> rows = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      rows.add(Result.create(List.of(new KeyValue(row("a", i), new byte[] {1}, new byte[] {1}))));
    }
    rows.add(Result.EMPTY_RESULT);
    hot.returned(rows);
    assertThat(answer().of(HotKeyKind.READ_KEYS).total()).isBetween(200L, 300L);
    assertThat(answer().of(HotKeyKind.READ_FIELDS).total())
        .isEqualTo(answer().of(HotKeyKind.READ_KEYS).total());
  }

  @Test
  void memoryIsBounded() {
    hot.set("1/1", null);
    for (int i = 0; i < 5_000; i++) {
      hot.read((i + "x".repeat(2_000)).getBytes(StandardCharsets.UTF_8));
    }
    List<HotItem> items = answer().of(HotKeyKind.READ_KEYS).items();
    assertThat(items).hasSize(HotKeyQuestion.MOST_ITEMS);
    assertThat(items)
        .allSatisfy(
            item -> assertThat(item.item().length()).isEqualTo(HotKeyAnswer.MOST_KEY_BYTES));
    assertThat(answer().toBytes().length).isLessThan(100_000);
  }

  @Test
  void countsAreKeptUntilTheSettingChanges() {
    hot.set("1/1", LINE);
    hot.read(row("a", 1));
    hot.set("1/1", LINE);
    assertThat(answer().of(HotKeyKind.READ_KEYS).total()).isEqualTo(1);
    hot.set("on", LINE);
    assertThat(answer().oneIn()).isEqualTo(256);
    assertThat(answer().of(HotKeyKind.READ_KEYS).total()).isZero();
    hot.set(null, LINE);
    assertThat(answer().oneIn()).isZero();
  }
}
