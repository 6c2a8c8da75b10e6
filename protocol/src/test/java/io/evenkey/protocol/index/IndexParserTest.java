/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.layout.text.LayoutException;
import io.evenkey.layout.text.SyntaxException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndexParserTest {
  private static final String BY_CUSTOMER =
      "by_customer events public as \"salt(8, customer) + customer:string + ts:timestamp desc\""
          + " from customer=d:customer covering d:amount, d:state";
  private static final String BY_AMOUNT =
      "by_amount mutable joining as \"amount:int64 + day:timestamp(\\\"yyyyMMdd\\\")\""
          + " from amount=d:amount:long, day=`e-1`:`tag` where \"amount > 10 and day >= '20260101'\"";

  /** The text of docs/key-format.md. */
  @Test
  void textsAreFrozen() {
    TableIndexes indexes =
        TableIndexes.NONE.with(TableIndex.parse(BY_CUSTOMER)).with(TableIndex.parse(BY_AMOUNT));
    String text =
        "format=1 version=2; "
            + BY_CUSTOMER.replace(" as ", " since 1 as ")
            + "; "
            + BY_AMOUNT.replace("`tag`", "tag").replace(" as ", " since 2 as ");
    assertThat(indexes).hasToString(text);
    assertThat(TableIndexes.parse(text)).isEqualTo(indexes);
    assertThat(indexes.names()).containsExactly("by_customer", "by_amount");
    assertThat(TableIndexes.NONE).hasToString("");
    assertThat(TableIndexes.parse("")).isEqualTo(TableIndexes.NONE);
    TableIndexes none = indexes.without("by_customer").without("by_amount");
    assertThat(none).hasToString("format=1 version=4").isNotEqualTo(TableIndexes.NONE);
    assertThat(none.isEmpty()).isTrue();
    assertThat(TableIndexes.parse("format=1 version=4")).isEqualTo(none);
  }

  @Test
  void anIndexHasItsColumnsItsTableAndItsState() {
    TableIndex index = TableIndex.parse(BY_CUSTOMER);
    assertThat(index.column("customer"))
        .contains(new IndexColumn("customer", new ColumnName("d", "customer"), ColumnForm.TEXT));
    assertThat(index.column("ts")).isEmpty();
    assertThat(index.tableName("shop:orders")).isEqualTo("shop:orders.by_customer");
    assertThat(index.in(IndexState.CLOSING).state()).isEqualTo(IndexState.CLOSING);
    assertThat(TableIndexes.NONE.with(index).get("by_customer")).contains(index.since(1));
    assertThat(TableIndexes.NONE.with(index).get("by_seller")).isEmpty();
  }

  @Test
  void onlyAPublicIndexIsRead() {
    assertThat(IndexState.values())
        .filteredOn(IndexState::isRead)
        .containsExactly(IndexState.PUBLIC);
  }

  @Test
  void columnsInArgumentsOfCommandsAreRead() {
    assertThat(IndexParser.columns("customer=d:customer,amount = d : amount : int"))
        .extracting(IndexColumn::toString)
        .containsExactly("customer=d:customer", "amount=d:amount:int");
    assertThat(IndexParser.covering("d:a,`d-1`:`7`"))
        .isEqualTo(List.of(new ColumnName("d", "a"), new ColumnName("d-1", "7")))
        .extracting(ColumnName::toString)
        .containsExactly("d:a", "`d-1`:`7`");
  }

  @Test
  void anIndexThatIsAddedAgainDiffersFromTheOneBefore() {
    TableIndex index = TableIndex.parse("b events joining as \"id:int64\"");
    TableIndexes first = TableIndexes.NONE.with(index);
    TableIndexes open = first.with(index.in(IndexState.PUBLIC));
    assertThat(open).hasToString("format=1 version=2; b events public since 1 as \"id:int64\"");
    TableIndexes again = open.without("b").with(index).with(index.in(IndexState.PUBLIC));
    assertThat(again).hasToString("format=1 version=5; b events public since 4 as \"id:int64\"");
    assertThat(again.get("b")).isNotEqualTo(open.get("b"));
    assertThat(TableIndexes.parse(again.toString())).isEqualTo(again);
  }

  @Test
  void aMistakeIsShownWithItsPlace() {
    assertThatThrownBy(() -> IndexParser.columns("customer=d:customer:lnog"))
        .isInstanceOf(SyntaxException.class)
        .hasMessage(
            """
            columns: unknown column form 'lnog'; did you mean 'long'?
              customer=d:customer:lnog
                                  ^^^^
              expected one of int, long, text""");
    assertThatThrownBy(() -> IndexParser.columns("customer=d:1"))
        .hasMessage(
            """
            columns: a name that begins with a digit
              customer=d:1
                         ^
              put it between `backquotes`: `1`""");
    assertThatThrownBy(() -> IndexParser.columns("customer=my-family:customer"))
        .hasMessage(
            """
            columns: a name with '-' in it
              customer=my-family:customer
                         ^
              put the whole name between `backquotes`""");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "customer              | expected '='",
        "customer=d            | expected ':'",
        "customer=             | expected a column: family:qualifier",
        "=d:x                  | expected a field: field=family:qualifier",
        "a=d:x b=d:y           | expected the end of the line",
        "a=d:x,                | expected a field",
        "a=d:x-1               | put the whole name between `backquotes`",
        "a=d:x.y               | a name with special characters goes between `backquotes`"
      })
  void invalidColumnsAreRefused(String text, String message) {
    assertThatThrownBy(() -> IndexParser.columns(text))
        .isInstanceOf(SyntaxException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x",
        "format=1",
        "format=1 version=0",
        "format=0 version=1",
        "format=1 version=1;",
        "format=1 version=1; by_x",
        "format=1 version=1; by_x events open as \"a:string\"",
        "format=1 version=1; by_x sometimes public as \"a:string\"",
        "format=1 version=1; by_x events public as a:string",
        "format=1 version=1; by_x events public as \"a:strng\"",
        "format=1 version=1; by_x events public as \"a:string\" covering d",
        "format=1 version=1; by_x events public as \"a:string\" covering d:a, d:a",
        "format=1 version=1; by_x events public as \"a:string\" from a=d:a, a=d:b",
        "format=1 version=1; g2 events public as \"a:string\"",
        "format=1 version=1; `by x` events public as \"a:string\"",
        "format=1 version=1; b events public as \"a:string\"; b events public as \"b:string\""
      })
  void invalidTextsAreRefused(String text) {
    assertThatThrownBy(() -> TableIndexes.parse(text)).isInstanceOf(LayoutException.class);
  }

  @Test
  void aLaterFormatIsRefusedWithBothVersionsWhateverFollows() {
    assertThatThrownBy(() -> TableIndexes.parse("format=2 seven more things"))
        .isInstanceOf(IndexException.class)
        .hasMessageStartingWith("indexes of a later format: format=2 newest=1; ");
  }

  @Test
  void anIndexThatIsNotThereIsNamedWithThoseThatAre() {
    assertThatThrownBy(() -> TableIndexes.NONE.with(TableIndex.parse(BY_AMOUNT)).without("x"))
        .isInstanceOf(IndexException.class)
        .hasMessage("no such index: index=x indexes=by_amount; use one of these");
  }

  @Test
  void aColumnHasAFamilyAndAQualifier() {
    assertThatThrownBy(() -> new ColumnName("d", ""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("qualifier=``");
    assertThat(new ColumnName("d", "é").qualifierBytes()).containsExactly(0xc3, 0xa9);
    assertThat(new ColumnName("d", "é").familyBytes()).containsExactly('d');
  }
}
