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

/** Key bytes are for ever: these rows exist somewhere. None of them may change. */
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
        "md5(uid)[0..2]:bytes + uid:string      | uid=1231231            | 8d46 31323331323331",
        // reversal of a whole key and of a part
        "reverse(key:string)                    | key=foo0001            | 313030306f6f66",
        "reverse(time:digits(16))               | time=2021010101010101  | 31303130313031303130313031323032",
        "reverse(order_id:digits(14)) + ts:int64 desc | order_id=20210101000001,ts=1 |"
            + " 3130303030303130313031323032 7ffffffffffffffe",
        // newest first: Long.MAX_VALUE - timestamp
        "uid:string + ts:timestamp desc         | uid=u1,ts=1700000000000 | 7531 00 7ffffe74301a97ff",
        "uid:string + ts:timestamp desc         | uid=u1,ts=0            | 7531 00 7fffffffffffffff",
        // composites
        "seller:string + ts:timestamp + order:string | seller=s,ts=1,order=o | 73 00 8000000000000001 6f",
        "user:string + \"-\" + date:digits(8) + \"-\" + msg:digits | user=u,date=20200101,msg=7 |"
            + " 75 2d 3230323030313031 2d 37",
        // whole numbers
        "n:int64                                | n=-9223372036854775808 | 0000000000000000",
        "n:int64                                | n=-1                   | 7fffffffffffffff",
        "n:int64                                | n=0                    | 8000000000000000",
        "n:int64                                | n=1                    | 8000000000000001",
        "n:int64                                | n=9223372036854775807  | ffffffffffffffff",
        "n:int64 desc                           | n=0                    | 7fffffffffffffff",
        // times
        "t:timestamp                            | t=-1                   | 7fffffffffffffff",
        "t:timestamp                            | t=1969-12-31T23:59:59.999Z | 7fffffffffffffff",
        "t:timestamp                            | t=1970-01-01           | 8000000000000000",
        "t:timestamp                            | t=2026-01-31T08:30+01:00 | 8000019c12f56cc0",
        "t:timestamp                            | t=+12026-01-31T08:30Z  | 8001209e54509740",
        // text
        "s:string                               | s=                     | ''",
        "s:string                               | s=é日                  | c3a9e697a5",
        "s:string desc                          | s=abc                  | 9e9d9c ff",
        "s:string(4)                            | s=ab                   | 61620000",
        "s:string(4) desc                       | s=ab                   | 9e9dffff",
        "s:string + n:int64                     | s=,n=0                 | 00 8000000000000000",
        "s:string desc + n:int64                | s=a,n=0                | 9e ff 8000000000000000",
        "s:string desc + \"-\" + n:digits       | s=a,n=1                | 9e ff 2d 31",
        // digits
        "d:digits(6)                            | d=42                   | 303030303432",
        "d:digits                               | d=007                  | 303037",
        "d:digits desc                          | d=12                   | cecd ff",
        "d:digits + s:string                    | d=12,s=x               | 3132 00 78",
        // salts: one byte up to 256 buckets, two above
        "salt(16) + s:string                    | s=row-000001           | 02 726f772d303030303031",
        "salt(256) + s:string                   | s=row-000001           | 72 726f772d303030303031",
        "salt(1000) + s:string                  | s=row-000001           | 0152 726f772d303030303031",
        "salt(16, s) + \"_\" + s:string + n:int64 | s=row-000001,n=0     |"
            + " 02 5f 726f772d303030303031 00 8000000000000000",
      })
  void bytesOf(String line, String record, String hex) {
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
