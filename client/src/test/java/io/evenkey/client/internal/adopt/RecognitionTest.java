/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.adopt;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CoprocessorDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RecognitionTest {
  private static final TableDescriptor TABLE =
      TableDescriptorBuilder.newBuilder(TableName.valueOf("t")).build();

  /** Keys as people have them: {@code user-0042_1700000000123}. */
  private static List<byte[]> keys() {
    SplittableRandom random = new SplittableRandom(20261121L);
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String key =
          String.format(
              "user%04d_%d", random.nextInt(60), 1_700_000_000_000L + random.nextInt(99999));
      keys.add(key.getBytes(StandardCharsets.UTF_8));
    }
    return keys;
  }

  private static List<byte[]> rows(String line) {
    Layout layout = Layout.parse(line);
    return keys().stream().map(layout::physical).toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "hbasewd_salt(16) + key:bytes",
        "hbasewd_salt(7) + key:bytes",
        "salt(16) + key:bytes",
        "salt(20; as=digits(2), sep=\"_\") + key:bytes",
        "md5(key)[0..6] + key:bytes",
        "md5(key):HEX + \":\" + key:bytes",
        "sha1(key)[0..4] + \"-\" + key:bytes",
        "sha256(key)[0..2]:bytes + key:bytes",
        "murmur3(key)[0..4]:bytes + key:bytes",
        "md5(id)[0..5] + id:string + \"_\" + rest:bytes",
        "md5(id)[0..3]:bytes + id:bytes(16) + rest:bytes",
        "key:bytes",
      })
  void tellsALayoutByItsRows(String line) {
    assertThat(Recognition.of(TABLE, rows(line), "key:bytes").best().fit().layout())
        .hasToString(Layout.parse(line).toString());
  }

  /**
   * A digit in front of dates, or of addresses of one network, is that of some hash of the rest.
   */
  @ParameterizedTest
  @ValueSource(strings = {"2026-01-%02d|user%d", "10.%d.7.%d", "com.example%d.www/p/%d", "EVT%d%d"})
  void aPrefixThatHardlyChangesIsNoHashAndNoSalt(String form) {
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      rows.add(String.format(form, i % 28, 900 + i).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(Recognition.of(TABLE, rows, "key:bytes").proposals())
        .singleElement()
        .extracting(proposal -> proposal.fit().layout().toString())
        .isEqualTo("key:bytes");
  }

  @Test
  void oneRowShowsNoSalt() {
    assertThat(Recognition.of(TABLE, keys().subList(0, 1), "key:bytes").best().fit().layout())
        .hasToString("key:bytes");
  }

  @Test
  void recognisesPhoenixByItsCoprocessors() throws Exception {
    TableDescriptor phoenix =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setCoprocessor(
                CoprocessorDescriptorBuilder.newBuilder(
                        "org.apache.phoenix.coprocessor.ScanRegionObserver")
                    .build())
            .build();
    String line = "phoenix_salt(20) + key:bytes";
    assertThat(Recognition.of(phoenix, rows(line), "key:bytes").best().fit().layout())
        .hasToString(line);
    // Without them the bytes are also HBaseWD's, and both are named.
    assertThat(Recognition.of(TABLE, rows(line), "key:bytes").proposals())
        .extracting(proposal -> proposal.fit().layout().toString())
        .startsWith("hbasewd_salt(20) + key:bytes", line);
  }

  @Test
  void recognisesOpenTsdb() {
    Layout layout =
        Layout.parse("opentsdb_salt(1, 20) + metric:bytes(3) + base:uint32 + tags:bytes");
    List<byte[]> rows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      byte[] metric = {0, 0, (byte) (1 + i % 9)};
      byte[] tags = {0, 0, 1, 0, 0, (byte) i};
      rows.add(
          layout.physical(
              Bytes.add(
                  metric, Bytes.toBytes(1_700_000_000 / 3600 * 3600 + 3600 * (i % 7)), tags)));
    }
    assertThat(Recognition.of(TABLE, rows, "key:bytes").best().fit().layout()).isEqualTo(layout);
  }

  @Test
  void triesTheKeyItIsGiven() {
    String key = "user:string + \"_\" + ts:digits";
    List<byte[]> rows = rows("sha1(key)[0..4] + key:bytes");
    assertThat(Recognition.of(TABLE, rows, key).proposals())
        .as("the hash is of the whole key, not of these fields")
        .extracting(proposal -> proposal.fit().layout().toString())
        .noneMatch(line -> line.startsWith("sha1"));
    assertThat(
            Recognition.of(TABLE, rows("md5(id)[0..5] + id:string + \"_\" + rest:bytes"), key)
                .best()
                .fit()
                .layout())
        .hasToString("md5(user)[0..5] + user:string + \"_\" + ts:digits");
  }

  @Test
  void saysWhatItCannotDetect() {
    SplittableRandom random = new SplittableRandom(1);
    List<byte[]> rows =
        keys().stream().map(key -> Bytes.add(new byte[] {(byte) random.nextInt(8)}, key)).toList();
    Proposal best = Recognition.of(TABLE, rows, "key:bytes").best();
    assertThat(best.fit().layout()).hasToString("salt(8, random) + key:bytes");
    assertThat(best.caution()).contains("the rule that chose the bucket is not known");
  }

  @Test
  void fewRowsAreSaidToBeFew() {
    Proposal best =
        Recognition.of(TABLE, rows("hbasewd_salt(16) + key:bytes").subList(0, 5), "key:bytes")
            .best();
    assertThat(best.caution()).startsWith("only 5 rows");
    assertThat(Recognition.of(TABLE, List.of(), "key:bytes").proposals()).isEmpty();
  }
}
