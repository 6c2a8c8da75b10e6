/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.bytes.ByteText;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowLabelTest {
  private static final Layout READINGS =
      Layout.parse("salt(16, device) + device:string + ts:timestamp desc");

  @Test
  void wholeRowsHaveAllTheirFields() {
    byte[] row = READINGS.encode(Values.of(Map.of("device", "d1", "ts", "2026-01-31T08:30:00Z")));
    assertThat(READINGS.label(row)).isEqualTo("bucket 2 · device=d1 · ts=2026-01-31T08:30:00Z");
    assertThat(READINGS.labelLogical(READINGS.logical(row)))
        .isEqualTo("device=d1 · ts=2026-01-31T08:30:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "'salt(16, device) + device:string + ts:timestamp desc', '', ''",
    "'salt(16, device) + device:string + ts:timestamp desc', 05, bucket 5",
    "'salt(16, device) + device:string + ts:timestamp desc', 056465, 'bucket 5 · device=de…'",
    "'salt(16, device) + device:string + ts:timestamp desc', 05643100, 'bucket 5 · device=d1'",
    "'salt(300, k) + k:string', 01, 'prefix \\x01'",
    "'salt(300, k) + k:string', 0102, 'bucket 258'",
    "'md5(uid)[0..6] + uid:string', 353430353461, 'prefix 54054a'",
    "'n:int64', 80000000, 'n=0'",
    "'n:int64', 8000000000000064, 'n=100'",
    "'day:date + k:string', 'c8', 'day=…'",
    "'k:string', 61ff, 'k=a\\xFF…'",
    "'k:string', 616263646566676869606162636465666768696061626364656667686960616263646566676869, 'k=abcdefghi`abcdefghi`abcdefghi`abcdefghi…'",
    "'k:string', 616263646566676869606162636465666768696061626364656667686960616263646566676869606162, 'k=abcdefghi`abcdefghi`abcdefghi`abcdefghi…'",
    "'n:int64 + k:string + m:int32', '8000000000000064616263007f', 'n=100 · k=abc · m=-16777216'",
    "'n:int64 + k:string + m:int32', '80000000000000646162', 'n=100 · k=ab…'",
    "'k:string desc', 9e9d, 'k=ab…'",
    "'reverse(n:int64)', '01', '\\x01'",
    "'reverse(n:int32)', '64000080', 'n=100'"
  })
  void beginningsSayAsMuchAsTheyCan(String line, String hex, String label) {
    String found = Layout.parse(line).label(ByteText.fromHex(hex));
    if (label.endsWith("=…")) {
      assertThat(found).startsWith(label.substring(0, label.length() - 1));
    } else {
      assertThat(found).isEqualTo(label);
    }
  }

  // A region may start with any bytes.
  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      quoteCharacter = '`',
      value = {
        "salt(16, device) + device:string + ts:timestamp desc # (bucket|prefix) .+?( · device=.*)?",
        "d:date + u:uuid + x:decimal desc + b:bytes # d=.+",
        "phoenix_salt(8) + a:string + n:int32 # (bucket|prefix) .+?( · a=.*)?",
        "reverse(h:string(8)) + t:timestamp # .+",
        "xxh3(k)[0..4] + \"-\" + k:string + f:float64 # prefix .+( · k=.*)?"
      })
  void anyBytesAreLabelledByTheirPrefixOrFirstField(String line, String pattern) {
    Layout layout = Layout.parse(line);
    assertThat(layout.label(new byte[0])).isEmpty();
    Property.holds(
        3_000,
        (random, size) -> {
          byte[] row = new byte[1 + random.nextInt(40)];
          random.nextBytes(row);
          assertThat(layout.label(row)).as(ByteText.hex(row)).matches("(?s)" + pattern);
        });
  }
}
