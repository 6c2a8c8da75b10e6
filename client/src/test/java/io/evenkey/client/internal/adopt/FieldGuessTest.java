/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.verify.FittingRows;
import io.evenkey.client.internal.verify.Plausibility;
import io.evenkey.client.internal.verify.StoredRows;
import io.evenkey.layout.Layout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.IntFunction;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FieldGuessTest {
  private static final long NOW = 1_790_000_000_000L;
  private static final SplittableRandom RANDOM = new SplittableRandom(20261128L);

  private static long time(int i) {
    return NOW + 1_000L * i;
  }

  private static byte[] uuid() {
    UUID uuid =
        new UUID(RANDOM.nextLong() & ~0xf000L | 0x4000L, RANDOM.nextLong() >>> 2 | 1L << 63);
    return ByteBuffer.allocate(16)
        .putLong(uuid.getMostSignificantBits())
        .putLong(uuid.getLeastSignificantBits())
        .array();
  }

  /** Keys as applications make them, by the line that reads them. */
  static Map<String, IntFunction<byte[]>> applications() {
    Map<String, IntFunction<byte[]>> keys = new LinkedHashMap<>();
    keys.put("id:long", i -> Bytes.toBytes(i * 7L));
    keys.put("id:int", i -> Bytes.toBytes(i * 7));
    keys.put("ts:timestamp(long)", i -> Bytes.toBytes(time(i)));
    keys.put("ts:timestamp desc", i -> Bytes.toBytes(Long.MAX_VALUE - time(i)));
    keys.put("id:int64 desc", i -> Bytes.toBytes(Long.MAX_VALUE - i));
    keys.put("ts:timestamp", i -> Bytes.toBytes(time(i) ^ Long.MIN_VALUE));
    keys.put(
        "ts:timestamp(long) + id:long",
        i -> Bytes.add(Bytes.toBytes(time(i)), Bytes.toBytes((long) RANDOM.nextInt(90_000))));
    keys.put(
        "id:int + ts:timestamp desc",
        i -> Bytes.add(Bytes.toBytes(i % 50), Bytes.toBytes(Long.MAX_VALUE - time(i))));
    keys.put(
        "name:string(6) + ts:timestamp(long)",
        i -> Bytes.add(Bytes.toBytes("dev" + (char) ('a' + i % 7) + "xy"), Bytes.toBytes(time(i))));
    keys.put(
        "name:string + \"|\" + ts:timestamp(long)",
        i -> Bytes.add(Bytes.toBytes("device" + i % 200 + "|"), Bytes.toBytes(time(i))));
    keys.put("uuid:uuid", i -> uuid());
    keys.put("uuid:uuid + ts:timestamp(long)", i -> Bytes.add(uuid(), Bytes.toBytes(time(i))));
    keys.put(
        "name:string + \"_\" + no:digits(13)", i -> Bytes.toBytes("user" + i % 30 + "_" + time(i)));
    keys.put(
        "no:digits(6) + \"-\" + ts:timestamp(\"yyyyMMdd\")",
        i -> Bytes.toBytes("%06d-202601%02d".formatted(i * 3, 1 + i % 28)));
    keys.put("hash:hex(16)", i -> Bytes.toBytes("%016x".formatted(RANDOM.nextLong())));
    keys.put(
        "id:int + name:string",
        i -> Bytes.add(Bytes.toBytes(i % 50), Bytes.toBytes("user" + RANDOM.nextInt(9_000))));
    keys.put(
        "ts:timestamp desc + name:string",
        i -> Bytes.add(Bytes.toBytes(Long.MAX_VALUE - time(i)), Bytes.toBytes("host" + i % 200)));
    keys.put(
        "name:string + id:int",
        i -> Bytes.add(Bytes.toBytes("user" + i % 200 + "\0"), Bytes.toBytes(i)));
    keys.put("name:string + name2:string", i -> Bytes.toBytes("user" + i % 200 + "\0item" + i));
    keys.put(
        "name:string + \"|\" + ts:timestamp desc",
        i ->
            Bytes.add(
                Bytes.toBytes("设备" + i % 200 + "|"), Bytes.toBytes(Long.MAX_VALUE - time(i))));
    keys.put("name:string", i -> Bytes.toBytes("设备" + i));
    keys.put("uuid:string", i -> Bytes.toBytes(UUID.nameUUIDFromBytes(uuid()).toString()));
    keys.put(
        "ts:timestamp(\"yyyyMMddHHmm\") + no:digits(6)",
        i -> Bytes.toBytes("2026011210%02d%06d".formatted(i % 60, RANDOM.nextInt(999_999))));
    keys.put(
        "ts:timestamp(\"yyyy-MM-dd\") + \"|\" + name:string",
        i -> Bytes.toBytes("2026-01-%02d|user%d".formatted(1 + i % 28, i)));
    keys.put(
        "name:string(3) + ts:timestamp(long)",
        i -> Bytes.add(Bytes.toBytes("EVT"), Bytes.toBytes(time(i))));
    keys.put("seconds:int", i -> Bytes.toBytes((int) (time(i) / 1_000)));
    keys.put("seconds:long", i -> Bytes.toBytes(time(i) / 1_000));
    keys.put("micros:long", i -> Bytes.toBytes(time(i) * 1_000));
    keys.put("nanos:long", i -> Bytes.toBytes(time(i) * 1_000_000));
    keys.put(
        "id:int + seconds:int",
        i -> Bytes.add(Bytes.toBytes(i % 50), Bytes.toBytes((int) (time(i) / 1_000))));
    keys.put(
        "seconds:int + name:string",
        i -> Bytes.add(Bytes.toBytes((int) (time(i) / 1_000)), Bytes.toBytes("user" + i)));
    keys.put(
        "name:string + \"|\" + seconds:int",
        i -> Bytes.add(Bytes.toBytes("m" + i % 9 + "|"), Bytes.toBytes((int) (time(i) / 1_000))));
    keys.put("no:digits(8)", i -> Bytes.toBytes("%08d".formatted(RANDOM.nextInt(99_999_999))));
    return keys;
  }

  static List<String> lines() {
    return List.copyOf(applications().keySet());
  }

  private static List<byte[]> rows(String line) {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      rows.add(applications().get(line).apply(i));
    }
    return rows;
  }

  private static List<Proposal> refined(String prefix, List<byte[]> rows) {
    FittingRows fit = FittingRows.of(Layout.parse(prefix + "key:bytes"), rows);
    assertThat(fit.isComplete()).isTrue();
    StoredRows stored = new StoredRows(rows, 1, 1, NOW, NOW + 300_000);
    return FieldGuess.refined(List.of(new Proposal(fit, "some", "")), stored, "key:bytes");
  }

  @ParameterizedTest
  @MethodSource("lines")
  void fieldsAreGuessedFromRows(String line) {
    List<Proposal> found = refined("", rows(line));
    assertThat(found.get(0).fit().layout()).hasToString(line);
    assertThat(found.get(1).fit().layout()).hasToString("key:bytes");
    assertThat(Plausibility.doubts(Layout.parse(line), rows(line))).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("lines")
  void fieldsAreGuessedBehindASalt(String line) {
    Layout salted = Layout.parse("salt(8) + key:bytes");
    List<byte[]> rows = rows(line).stream().map(salted::physical).toList();
    assertThat(refined("salt(8) + ", rows).get(0).fit().layout()).hasToString("salt(8) + " + line);
  }

  @Test
  void nothingIsGuessedOfBytesThatSayNothing() {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      byte[] row = new byte[5 + i % 3];
      row[0] = (byte) RANDOM.nextInt();
      row[1] = (byte) 0xff;
      row[row.length - 1] = (byte) RANDOM.nextInt();
      rows.add(row);
    }
    assertThat(refined("", rows)).hasSize(1);
    assertThat(refined("", rows("id:long").subList(0, 3))).as("too few").hasSize(1);
    List<byte[]> zeros = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      zeros.add(new byte[203]);
      zeros.get(i)[202] = (byte) (0x80 + i);
    }
    assertThat(refined("", zeros)).as("a long way to nowhere").hasSize(2);
  }

  /** As old tables and histories that were loaded of late have them. */
  @Test
  void timesInOtherUnitsAreNumbersNearTheCellsTimestamps() {
    List<byte[]> early = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      early.add(Bytes.toBytes(i));
    }
    assertThat(refined("", early).get(0).fit().layout()).hasToString("id:int");
    List<byte[]> floats = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      floats.add(Bytes.toBytes(20.5f + i / 7f));
    }
    assertThat(refined("", floats)).as("degrees, not seconds").hasSize(1);
  }

  @Test
  void implausibleValuesNameTheTypeThatReadsThem() {
    List<byte[]> rows = rows("ts:timestamp(long) + id:long");
    List<String> doubts = Plausibility.doubts(Layout.parse("ts:timestamp + order_id:int64"), rows);
    assertThat(doubts).hasSize(2);
    assertThat(doubts.get(0))
        .contains(
            "field=ts:timestamp ", "rows=300", "ts:timestamp(long) + order_id:int64 fits", "2026-");
    assertThat(doubts.get(1))
        .contains("field=order_id:int64 ", "ts:timestamp + order_id:long fits");
    assertThat(Plausibility.doubts(Layout.parse("ts:uint64 + order_id:uint64"), rows)).isEmpty();
    assertThat(Plausibility.doubts(Layout.parse("ts:timestamp(long)"), rows("ts:timestamp desc")))
        .singleElement()
        .asString()
        .contains("ts:timestamp desc fits");
  }

  @Test
  void aDoubtNamesATypeOfAFieldWhoseNameIsQuoted() {
    assertThat(
            Plausibility.doubts(
                Layout.parse("`at:utc`:timestamp + id:long"), rows("ts:timestamp(long) + id:long")))
        .singleElement()
        .asString()
        .contains("`at:utc`:timestamp(long) + id:long fits");
  }
}
