/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

class TableTextTest {
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
    assertThat(layout(null, "2")).isNull();
  }

  @Test
  void namesTheVersionOfALineThatMayMeanSomethingElse() {
    assertThat(layout(LINE, "2")).isEqualTo("format=2 " + LINE);
    assertThat(layout(LINE, null)).isEqualTo("format=null " + LINE);
  }
}
