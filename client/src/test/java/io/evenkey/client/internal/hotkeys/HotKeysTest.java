/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.hotkeys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.hotkeys.HotItem;
import io.evenkey.layout.hotkeys.HotItems;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Test;

class HotKeysTest {
  private static final Layout LAYOUT = Layout.parse("salt(4, user) + user:string + n:int64");
  private static final TableName TABLE = TableName.valueOf("t");

  private static byte[] key(String user, long n) {
    return LAYOUT.logicalKey(Values.of(Map.of("user", user, "n", n)));
  }

  // Bounds that do not hold are worse than none.
  @Test
  void boundsHoldForEveryItemOfManyStreamsTakenTogether() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      Map<ByteString, Long> truth = new HashMap<>();
      List<HotItems> streams = new ArrayList<>();
      for (int client = 0; client < 3; client++) {
        Sketch sketch = new Sketch();
        for (int i = 0; i < 30_000; i++) {
          // A few hot ones, and a long tail.
          int item = random.nextInt(4) == 0 ? random.nextInt(20) : 100 + random.nextInt(200_000);
          ByteString bytes = ByteString.of((byte) (item >> 16), (byte) (item >> 8), (byte) item);
          truth.merge(bytes, 1L, Long::sum);
          sketch.count(bytes);
        }
        streams.add(sketch.take(100));
      }
      HotItems sum = HotItems.sum(streams, 50);
      assertThat(sum.total()).isEqualTo(90_000);
      for (HotItem item : sum.items()) {
        long counted = truth.get(item.item());
        assertThat(counted).as("seed " + seed).isBetween(item.lower(), item.upper());
      }
      List<ByteString> named = sum.items().stream().map(HotItem::item).toList();
      for (int hot = 0; hot < 20; hot++) {
        assertThat(named)
            .as("seed " + seed)
            .contains(ByteString.of((byte) 0, (byte) 0, (byte) hot));
      }
      truth.forEach(
          (item, count) -> {
            if (!named.contains(item)) {
              assertThat(count).isLessThanOrEqualTo(sum.error());
            }
          });
    }
  }

  @Test
  void noCountIsUncertainWhileAllKeysAreListed() {
    List<HotItems> streams = new ArrayList<>();
    for (int client = 0; client < 5; client++) {
      Sketch sketch = new Sketch();
      sketch.count(ByteString.of((byte) (client % 2)));
      streams.add(sketch.take(100));
    }
    HotItems sum = HotItems.sum(streams, 20);
    assertThat(sum.error()).isZero();
    assertThat(sum.items().get(0)).isEqualTo(new HotItem(ByteString.of((byte) 0), 3, 3, 3));
  }

  @Test
  void keysAndLeadingFieldsAreCountedAndReset() {
    TableHotKeys keys = new TableHotKeys(LAYOUT, false, "");
    for (int n = 0; n < 100; n++) {
      keys.write(key(n < 70 ? "ann" : "bob", n % 10));
    }
    keys.read(key("ann", 1));
    HotKeyReport report = keys.take();
    assertThat(report.writeFields().items().get(0).estimate()).isEqualTo(70);
    assertThat(LAYOUT.labelLogical(report.writeFields().items().get(0).item().toArray()))
        .isEqualTo("user=ann");
    assertThat(report.writeKeys().items().get(0).estimate()).isEqualTo(7);
    assertThat(report.readKeys().total()).isEqualTo(1);
    assertThat(keys.take().writeKeys().total()).isZero();
  }

  @Test
  void hashesSayNothingOfTheValues() throws Exception {
    TableHotKeys keys = new TableHotKeys(LAYOUT, true, "secret");
    keys.write(key("ann", 1));
    keys.write(key("ann", 2));
    HotKeyReport report = keys.take();
    assertThat(new String(report.toJson(), StandardCharsets.UTF_8)).doesNotContain("616e6e");
    assertThat(report.writeFields().items())
        .singleElement()
        .satisfies(
            item -> {
              assertThat(item.item().length()).isEqualTo(8);
              assertThat(item.estimate()).isEqualTo(2);
            });
    TableHotKeys others = new TableHotKeys(LAYOUT, true, "another");
    others.write(key("ann", 1));
    assertThat(others.take().writeFields().items().get(0).item())
        .as("without the secret values cannot be tried")
        .isNotEqualTo(report.writeFields().items().get(0).item());
  }

  @Test
  void reportsComeBackAsTheyWere() throws Exception {
    TableHotKeys keys = new TableHotKeys(LAYOUT, false, "");
    keys.write(key("ann", 1));
    HotKeyReport report = keys.take();
    assertThat(HotKeyReport.parse(report.toJson())).isEqualTo(report);
    assertThatThrownBy(() -> HotKeyReport.parse("{\"format\":2}".getBytes(StandardCharsets.UTF_8)))
        .hasMessageContaining("format=2 understood=1");
  }

  @Test
  void nothingIsCountedUnlessAskedFor() {
    Configuration configuration = new Configuration(false);
    try (HotKeys off = new HotKeys(configuration, report -> {})) {
      assertThat(off.of(TABLE, LAYOUT)).isNull();
    }
    configuration.set("evenkey.hotkeys", "some");
    assertThatThrownBy(() -> new HotKeys(configuration, report -> {}))
        .hasMessageContaining("expected off, hashed or plain");
  }

  @Test
  void theLastReportIsDeliveredWhenClosed() {
    Configuration configuration = new Configuration(false);
    configuration.set("evenkey.hotkeys", "plain");
    List<Put> delivered = new ArrayList<>();
    HotKeys keys = new HotKeys(configuration, delivered::add);
    keys.of(TABLE, LAYOUT).write(key("ann", 1));
    keys.close();
    assertThat(delivered).hasSize(1);
    assertThat(HotKeyTable.LAYOUT.decode(delivered.get(0).getRow()).get("table")).isEqualTo("t");
  }
}
