/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.report.terminal.Shell;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The command for the key before is one that the table accepts. */
class KeyBeforeIndexTest {
  private static KeyBeforeIndex of(String before, String after) {
    return KeyBeforeIndex.of(
        TableName.valueOf("shop:orders"), new Kind.AnotherKey(before, after, "c=d:c"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "salt(4) + id:int64 | salt(4) + id:int64",
        "id:int64 | id:int64",
        "reverse(id:string) | salt(8) + id:string",
        "salt(4) + reverse(id:string) | salt(8) + id:string",
        "md5(id)[0..8] + id:int64 | salt(8) + id:int64",
      })
  void theLayoutBeforeIsMadeOneThatAnIndexCanHave(String before, String index) {
    KeyBeforeIndex made =
        of(before, "salt(8) + c:string + " + (before.endsWith("64") ? "id:int64" : "id:string"));
    assertThat(made.problem()).isEmpty();
    assertThat(made.command())
        .isEqualTo("evenkey index add shop:orders by_key_before " + Shell.quoted(index));
  }

  @Test
  void aTableOfPlainKeysMayHaveTheIndex() {
    KeyBeforeIndex made = of("salt(4) + id:int64", "c:string + id:int64");
    assertThat(made.problem()).isEmpty();
    assertThat(made.command())
        .isEqualTo("evenkey index add shop:orders by_key_before 'salt(4) + id:int64'");
  }

  @Test
  void aKeyBeforeThatTheOtherFieldsCannotFollowIsNamedAsTheReason() {
    String longest = "id:string + \"" + "!".repeat(65_510) + "\"";
    KeyBeforeIndex made = of("salt(4) + " + longest, "salt(4) + c:string + id:string");
    assertThat(made.isPossible()).isFalse();
    assertThat(made.problem())
        .startsWith("no index can have the old key: ")
        .contains("rest of the table's key cannot be appended to the layout");
  }
}
