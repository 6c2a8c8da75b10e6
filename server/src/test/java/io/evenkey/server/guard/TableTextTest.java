/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.protocol.guard.DescribedIndexes;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TableTextTest {
  private static final String KEY = DescribedIndexes.INDEXED_TABLE_KEY;
  private static final String LINE = "salt(4) + id:string";

  private static String layout(String line, String format) {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"));
    if (line != null) {
      table.setValue(TableText.LAYOUT, line);
    }
    if (format != null) {
      table.setValue(TableText.FORMAT, format);
    }
    return TableText.of(table.build()).layout();
  }

  @Test
  void hasTheLineOfTheVersionThatIsUnderstood() {
    assertThat(layout(LINE, "1")).isEqualTo(LINE);
    assertThat(layout(null, null)).isNull();
    assertThat(layout(LINE, "2")).isEqualTo(LINE);
    assertThat(layout(null, "3")).isNull();
  }

  @Test
  void hasTheIndexesOfItsOwnTableOnly() {
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TableName.valueOf("t"));
    assertThat(TableText.of(table.build()).hasIndexes()).isFalse();
    String text = "format=1 version=3; by_id events joining as \"id:string\"";
    table.setValue("EVENKEY_INDEXES", "t " + text);
    assertThat(TableText.of(table.build()).indexes()).isEqualTo(text);
    assertThat(TableText.of(table.build()).hasIndexes()).isTrue();
    table.setValue("EVENKEY_INDEXES", "other " + text);
    assertThat(TableText.of(table.build()).indexes()).isEmpty();
    table.setValue("EVENKEY_INDEXES", "t format=1 version=4");
    assertThat(TableText.of(table.build()).hasIndexes()).isFalse();
    table.setValue("EVENKEY_INDEXES", "t format=9 x");
    assertThat(TableText.of(table.build()).hasIndexes()).isTrue();
  }

  private static TableDescriptorBuilder with(String key, String value) {
    return TableDescriptorBuilder.newBuilder(TableName.valueOf("t")).setValue(key, value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " ", "not a table name", "a:b:c", ":b", "a:", "../x", "a/b", "([", ".META."})
  void aNameThatNoTableCanHaveIsOfNoIndex(String name) {
    assertThat(TableText.of(with(KEY, name).build()).indexedTable()).isNull();
  }

  @Test
  void hasTheNameOfTheIndexedTable() {
    assertThat(TableText.of(with(KEY, "shop:orders").build()).indexedTable())
        .isEqualTo("shop:orders");
    assertThat(TableText.of(with(KEY, "default:orders").build()).indexedTable())
        .isEqualTo("orders");
  }

  @Test
  void namesTheVersionOfALineThatMayMeanSomethingElse() {
    assertThat(layout(LINE, "3")).isEqualTo("format=3 " + LINE);
    assertThat(layout(LINE, null)).isEqualTo("format=null " + LINE);
  }
}
