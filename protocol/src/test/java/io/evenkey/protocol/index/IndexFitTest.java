/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.Layout;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IndexFitTest {
  private static final String TABLE = "salt(16) + seller:string + ts:timestamp + id:int64";

  private static TableIndex complete(String table, String index) {
    return IndexFit.complete(
        Layout.parse(table), TableIndex.parse("by_x events joining as " + index));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "c:string + ts:timestamp desc | c:string + ts:timestamp desc + seller:string + id:int64",
        "c:string + id:int64 + ts:timestamp + seller:string | c:string + id:int64 + ts:timestamp"
            + " + seller:string",
        "md5(c)[0..2] + c:string      | md5(c)[0..2] + c:string + seller:string + ts:timestamp"
            + " + id:int64",
        "salt(4; as=digits(2), sep=\\\"_\\\") + c:string | salt(4; as=digits(2), sep=\"_\")"
            + " + c:string + seller:string + ts:timestamp + id:int64"
      })
  void theRestOfTheTablesKeyIsAppended(String given, String completed) {
    assertThat(complete(TABLE, '"' + given + "\" from c=d:c").layout()).hasToString(completed);
  }

  @Test
  void reversedFieldsOfTheTableAreAppendedWithTheirDirection() {
    assertThat(
            complete("reverse(id:digits(8)) + ts:timestamp desc", "\"c:string\" from c=d:c")
                .layout())
        .hasToString("c:string + id:digits(8) + ts:timestamp desc");
    assertThat(complete("reverse_domain(url:string)", "\"c:string\" from c=d:c").layout())
        .hasToString("c:string + reverse_domain(url:string)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "salt(8, random) + c:string    | index whose salt does not depend on the key",
        "hbasewd_salt(8, rotating) + c:string | index whose salt does not depend on the key",
        "md5(c) + c:string             | index without an order: its prefix has more than 65536",
        "md5(c)[0..5] + c:string       | index without an order: its prefix has more than 65536",
        "reverse(c:string)             | index without an order: a part of its key is reversed",
        "phoenix_salt(4) + c:string    | index with keys of Phoenix",
        "c:string + d:string           | field that is neither of the table's key nor from a"
            + " column: index=by_x field=d key=seller,ts,id; say from which column it is taken,"
            + " d=family:qualifier",
        "c:string + sellr:string       | did you mean seller?",
        "ts:timestamp                  | column for a field that the layout does not have:"
            + " index=by_x field=c layout=\"ts:timestamp\"; ",
        "c:string + ts:int64           | field of the table's key with another type: index=by_x"
            + " field=ts type=int64 table_type=timestamp; "
      })
  void anIndexThatDoesNotFitItsTableIsRefused(String line, String message) {
    assertThatThrownBy(() -> complete(TABLE, '"' + line + "\" from c=d:c"))
        .isInstanceOf(IndexException.class)
        .hasMessageContaining(message)
        .hasMessageContaining("index=by_x ");
  }

  @Test
  void aColumnForAFieldOfTheKeyIsRefused() {
    assertThatThrownBy(() -> complete(TABLE, "\"ts:timestamp\" from ts=d:ts"))
        .isInstanceOf(IndexException.class)
        .hasMessage(
            "column for a field of the table's key: index=by_x field=ts column=d:ts; give the field"
                + " of the column another name");
  }

  @ParameterizedTest
  @CsvSource({
    "int64, true",
    "uint8, true",
    "timestamp, true",
    "decimal, true",
    "digits(4), true",
    "string, false",
    "bytes, false",
    "bool, false",
    "uuid, false",
    "date, false"
  })
  void binaryNumbersAreForFieldsThatTakeThem(String type, boolean fits) {
    String index = "\"c:" + type + "\" from c=d:c:long";
    if (fits) {
      assertThat(complete(TABLE, index).columns()).hasSize(1);
    } else {
      assertThatThrownBy(() -> complete(TABLE, index))
          .isInstanceOf(IndexException.class)
          .hasMessageStartingWith(
              "column of a form that the field cannot hold: index=by_x field=c");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "phoenix_salt(4) + a:string | table with the keys of Phoenix has no indexes",
        "salt(4, random) + a:string | table whose salt does not depend on the key has no indexes"
      })
  void anIndexOfATableThatCannotHaveIndexesIsRefused(String table, String message) {
    assertThatThrownBy(() -> complete(table, "\"c:string\" from c=d:c"))
        .isInstanceOf(IndexException.class)
        .hasMessageStartingWith(message + ": index=by_x table_layout=");
  }

  @Test
  void aLayoutThatTheRestOfTheKeyCannotFollowIsRefused() {
    String longest = "c:string + \"" + "!".repeat(65_510) + "\"";
    TableIndex index =
        TableIndex.of(
            "by_x",
            IndexProtocol.EVENTS,
            Layout.parse(longest),
            IndexParser.columns("c=d:c"),
            List.of());
    assertThatThrownBy(() -> IndexFit.complete(Layout.parse(TABLE), index))
        .isInstanceOf(IndexException.class)
        .hasMessageStartingWith("rest of the table's key cannot be appended to the layout: ")
        .hasMessageContaining("problem=\"line too long")
        .hasMessageEndingWith("name the other fields of the key in the layout");
  }

  private static IndexKey nextKey(String table, String next, String columns) {
    return IndexKey.ofNextKey(
        Layout.parse(table),
        Layout.parse(next),
        columns == null ? List.of() : IndexParser.columns(columns));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "salt(4) + id:int64 | salt(8, c) + c:string     | c=d:c | salt(8, c) + c:string + id:int64",
        "a:string + b:int64 | b:int64 desc + a:string   |       | b:int64 desc + a:string",
        "a:string + b:int64 | md5(b)[0..1]:bytes + b:int64 | | md5(b)[0..1]:bytes + b:int64 +"
            + " a:string",
        "a:digits(4) + b:int64 | b:int64 + reverse(a:digits(4)) | | b:int64 + reverse(a:digits(4))"
      })
  void theNextRowKeyHasAllFieldsOfTheOneBefore(
      String table, String next, String columns, String completed) {
    assertThat(nextKey(table, next, columns).index().layout()).isEqualTo(Layout.parse(completed));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "id:int64 | c:string                  |       | field that is neither of the table's key"
            + " nor from a column: field=c key=id; ",
        "id:int64 | id:int64                  | c=d:c | column for a field that the layout does not"
            + " have: field=c layout=\"id:int64\"; name the field in the layout",
        "id:int64 | salt(4, random) + id:int64 |      | row key cannot be changed to or from one"
            + " whose salt does not depend on it: layout=",
        "phoenix_salt(4) + id:int64 | id:int64 |      | row key cannot be changed to or from"
            + " Phoenix's form: layout="
      })
  void aRowKeyThatRowsCannotGetIsRefused(
      String table, String next, String columns, String message) {
    assertThatThrownBy(() -> nextKey(table, next, columns))
        .isInstanceOf(IndexException.class)
        .hasMessageStartingWith(message)
        .message()
        .doesNotContain("index=");
  }
}
