/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SourceLayoutTest {
  private static boolean differ(@Nullable String source, @Nullable String own) {
    return new SourceLayout(source).differsFrom(own);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "salt(4) + id:string | salt(8) + id:string",
        "salt(4) + id:string | salt(4) + id:bytes",
        "salt(4, a) + a:string + b:string | salt(4, b) + a:string + b:string"
      })
  void anotherOneStoresRowsInAnotherWay(String source, String own) {
    assertThat(differ(source, own)).isTrue();
    assertThat(differ(own, source)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "salt(4) + id:string | salt(4) + id:string",
        "salt(4) + id:string | salt(4) + key:string",
        "salt(4, a) + a:string + b:string | salt(4, no) + no:string + a:string",
        "salt(4) + id:string | salt(4) + id:melted"
      })
  void namesOfFieldsAndWhatIsNotUnderstoodDoNotMatter(String source, String own) {
    assertThat(differ(source, own)).isFalse();
    assertThat(differ(own, source)).isFalse();
  }

  @Test
  void oneThatIsNotKnownMayBeAnyLayout() {
    assertThat(differ(null, "salt(4) + id:string")).isFalse();
    assertThat(differ("salt(4) + id:string", null)).isFalse();
    assertThat(new SourceLayout(null)).hasToString("unknown");
  }

  @Test
  void theRulesOfATableCompareEachLayoutOnce() {
    TableRules rules =
        TableRules.of(
            TableText.of(
                TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
                    .setValue(TableText.LAYOUT, "salt(4) + id:string")
                    .setValue(TableText.FORMAT, "1")
                    .build()));
    SourceLayout renamed = new SourceLayout("salt(4) + key:string");
    SourceLayout other = new SourceLayout("salt(8) + id:string");
    byte[] row = {0, 'a', 0};
    assertThat(rules.isOther(renamed, row)).isFalse();
    assertThat(rules.comparison(new SourceLayout("salt(4) + key:string")))
        .isSameAs(rules.comparison(renamed));
    assertThat(rules.isOther(other, row)).isTrue();
    assertThat(rules.isOther(renamed, row)).isFalse();
    assertThat(rules.isOther(SourceLayout.UNKNOWN, row)).isFalse();
  }
}
