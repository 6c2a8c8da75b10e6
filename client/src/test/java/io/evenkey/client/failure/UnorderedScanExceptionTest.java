/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class UnorderedScanExceptionTest {
  @Test
  void namesTableLayoutAndRemedy() {
    Layout layout = Layout.parse("md5(k) + k:string");
    assertThat(new UnorderedScanException(TableName.valueOf("t"), layout))
        .hasMessage(
            "rows cannot be read in logical order: table=t layout=md5(k) + k:string; fix the fields"
                + " that are hashed or reversed to one value each, or read without order");
  }
}
