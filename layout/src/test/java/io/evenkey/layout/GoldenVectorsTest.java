/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;

import com.dynatrace.hash4j.hashing.Hashing;
import io.evenkey.layout.bytes.ByteText;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Key bytes are for ever: users' tables have such rows. None of these vectors may change. */
class GoldenVectorsTest {
  private static final String MESSAGES =
      "md5(message_id):HEX + \":\" + send_date:digits(6) + \":\" + send_time:digits(6) + \":\""
          + " + message_id:digits";

  @ParameterizedTest
  @CsvSource({
    "1231231, 063031, 8D4646EB2D7067126EB08ADB0672F7BB:230611:063031:1231231",
    "1231232, 063032, 715782C59C0561E9B6CE0F3D522C32F1:230611:063032:1231232",
    "1231233, 063032, 57F962C03EF3526EC6E95CEB50785C4C:230611:063032:1231233",
    "1231234, 063033, 8B353D5CC07E13577608711F4602FCB7:230611:063033:1231234",
    "1231235, 063033, 430EDB0C535BF08174E122EFECFA711D:230611:063033:1231235"
  })
  void md5InFrontOfAMessage(String id, String time, String row) {
    Layout layout = Layout.parse(MESSAGES);
    Values message = Values.of("message_id", id).and("send_date", "230611").and("send_time", time);
    assertThat(new String(layout.encode(message), StandardCharsets.US_ASCII)).isEqualTo(row);
    assertThat(layout.decode(layout.encode(message))).isEqualTo(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // the first hex digits of a hash, and the key
        "md5(uid)[0..6] + uid:string            | uid=1231231            | 386434363436 31323331323331",
        "sha1(uid)[0..8] + uid:string           | uid=abc                | 6139393933653336 616263",
        "sha1(uid)[36..40]:HEX + uid:string     | uid=abc                | 44383944 616263",
        "sha256(uid)[0..8] + uid:string         | uid=abc                | 6261373831366266 616263",
        "sha256(uid)[30..32]:bytes + uid:string | uid=abc                | 15ad 616263",
        "sha512(uid)[0..8] + uid:string         | uid=abc                | 6464616633356131 616263",
        "sha512(uid)[62..64]:bytes + uid:string | uid=abc                | a49f 616263",
        "md5(uid)[0..2]:bytes + uid:string      | uid=1231231            | 8d46 31323331323331"
      })
  void aRecordHasTheBytesOfItsVector(String line, String record, String hex) {
    Layout layout = Layout.parse(line);
    Map<String, String> columns = new LinkedHashMap<>();
    for (String pair : record.split(",", -1)) {
      columns.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
    Values values = layout.read(columns::get);
    assertThat(ByteText.hex(layout.encode(values))).isEqualTo(hex.replace(" ", ""));
    assertThat(layout.decode(layout.encode(values))).isEqualTo(values);
  }

  @Test
  void aSaltIsTheUnsignedHashOfTheWholeLogicalKeyModuloTheBuckets() {
    for (int buckets : new int[] {1, 3, 10, 16, 100, 256}) {
      Layout layout = Layout.parse("salt(" + buckets + ") + s:string + n:int64");
      for (int i = 0; i < 200; i++) {
        Values record = Values.of("s", "row-" + i).and("n", (long) i);
        long hash = Hashing.xxh3_64().hashBytesToLong(layout.logicalKey(record));
        assertThat(layout.encode(record)[0] & 0xff)
            .isEqualTo((int) Long.remainderUnsigned(hash, buckets));
      }
    }
  }

  @Test
  void anAffineSaltDependsOnNothingButItsFields() {
    byte expected = Layout.parse("salt(200, s) + s:string").encode(Values.of("s", "d1"))[0];
    Values record = Values.of("s", "d1").and("n", 5L);
    for (String line :
        new String[] {
          "salt(200, s) + s:string + n:int64",
          "salt(200, s) + s:string desc + n:int64",
          "salt(200, s) + n:int64 desc + s:string",
          "salt(200, s) + s:string + \"!\" + n:int64",
          "salt(200, s) + n:int64 + reverse(s:string)"
        }) {
      assertThat(Layout.parse(line).encode(record)[0]).as(line).isEqualTo(expected);
    }
  }
}
