/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.text.RowException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LayoutTest {
  private static final Layout SALTED = Layout.parse("salt(16) + s:string + n:int64");
  private static final Values RECORD = Values.of("s", "a").and("n", 5L);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "salt(16) + s:string + n:int64        | s:string + n:int64                   | false",
        "s:string + n:int64 desc              | s:string + n:int64 desc              | true",
        "reverse(n:int64) + s:string          | n:int64 + s:string                   | false",
        "md5(s)[0..2] + reverse(s:string)     | s:string                             | false",
        "phoenix_salt(8) + s:string + n:int64 | phoenix_salt(0) + s:string + n:int64 | false",
        "phoenix_salt(0) + s:string           | phoenix_salt(0) + s:string           | true",
        "salt(1) + s:string                   | s:string                             | false"
      })
  void thePlainLayoutHasTheSameLogicalKeysAndNoSpread(String line, String plain, boolean isPlain) {
    Layout layout = Layout.parse(line);
    assertThat(layout.plain()).hasToString(plain);
    assertThat(layout.plain().isPlain()).isTrue();
    assertThat(layout.isPlain()).isEqualTo(isPlain);
  }

  @Test
  void layoutsAreEqualByTheirLines() {
    assertThat(SALTED)
        .isEqualTo(Layout.parse("salt(16)+s:string+n:int64"))
        .hasSameHashCodeAs(Layout.parse("salt(16)+s:string+n:int64"))
        .isNotEqualTo(Layout.parse("salt(17) + s:string + n:int64"))
        .isNotEqualTo(SALTED.toString());
    assertThat(SALTED).doesNotHaveSameHashCodeAs(SALTED.plain());
  }

  @Test
  void recordsAreEqualByTheirValues() {
    assertThat(RECORD)
        .isEqualTo(Values.of(Map.of("n", 5L, "s", "a")))
        .hasSameHashCodeAs(Values.of(Map.of("n", 5L, "s", "a")))
        .isNotEqualTo(RECORD.and("n", 6L))
        .isNotEqualTo(RECORD.asMap());
    assertThat(RECORD).doesNotHaveSameHashCodeAs(RECORD.and("n", 6L)).hasToString("{s=a, n=5}");
    assertThat(RECORD.asMap())
        .isUnmodifiable()
        .containsExactlyInAnyOrderEntriesOf(new HashMap<>(Map.of("n", 5L, "s", "a")));
  }

  @Test
  void anExplanationHasTheLogicalKeyTheRowAndTheBucket() {
    Explanation explained = SALTED.explain(RECORD);
    assertThat(explained.logical()).isEqualTo(SALTED.logicalKey(RECORD));
    assertThat(explained.physical()).isEqualTo(SALTED.encode(RECORD));
    assertThat(explained.bucket()).hasValue(explained.physical()[0]);
    assertThat(explained.pieces())
        .extracting(Explanation.Piece::part)
        .containsExactly("salt(16)", "s:string", "n:int64");
    assertThat(Layout.parse("md5(s)[0..2] + \":\" + s:string").explain(RECORD).pieces())
        .extracting(Explanation.Piece::part)
        .containsExactly("md5(s)[0..2]", "\":\"", "s:string");
    assertThat(Layout.parse("phoenix_salt(0) + s:string").explain(RECORD).pieces())
        .extracting(Explanation.Piece::part)
        .containsExactly("s:string");
  }

  @Test
  void rowsAreWrittenAndReadByChainedCalls() {
    RowWriter rows = SALTED.writer();
    assertThat(rows.start().put("a").put(5L).row()).isEqualTo(SALTED.encode(RECORD));
    assertThat(rows.start().put((CharSequence) "a").put(5L).row()).isEqualTo(SALTED.encode(RECORD));
    assertThat(rows.start().put((Object) "b").put((Object) 6L).rowInBuffer().toArray())
        .isEqualTo(SALTED.encode(Values.of("s", "b").and("n", 6L)));
    assertThat(SALTED.reader().open(SALTED.encode(RECORD)).getLong(1)).isEqualTo(5);
  }

  @Test
  void aReaderRefusesARowInTheWrongBucket() {
    for (String line :
        new String[] {"salt(16) + s:string + n:int64", "salt(16) + reverse(s:string + n:int64)"}) {
      Layout layout = Layout.parse(line);
      byte[] row = layout.encode(RECORD);
      RowReader rows = layout.reader();
      assertThat(rows.open(row).get(0)).isEqualTo("a");
      row[0] ^= 1;
      assertThatThrownBy(() -> rows.open(row)).as(line).isInstanceOf(RowException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "salt(1000) + s:string, 1000",
    "md5(s)[0..2] + s:string, 256",
    "hbasewd_salt(10) + s:string, 10"
  })
  void bucketsAreCounted(String line, int buckets) {
    assertThat(Layout.parse(line).buckets()).hasValue(buckets);
  }

  @Test
  void bucketsThatAreTooManyForAScanAreNotCounted() {
    assertThat(Layout.parse("md5(s)[0..4] + s:string").buckets()).hasValue(65_536);
    assertThat(Layout.parse("md5(s)[0..5] + s:string").buckets()).isEmpty();
    assertThat(Layout.parse("s:string").buckets()).isEmpty();
  }
}
