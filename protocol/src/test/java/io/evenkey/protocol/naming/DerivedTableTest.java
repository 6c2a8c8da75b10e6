/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.naming;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DerivedTableTest {
  @ParameterizedTest
  @CsvSource({
    "orders, orders.g2",
    "feed, feed-g2",
    "a1, a1-g2",
    "2024, 2024-g2",
    "cafe_del, cafe_del-g2",
    "cafe_SeqId_7_, cafe_SeqId_7_-g2",
    "cafe.orders, cafe-.orders-g2",
    "CAFE, CAFE.g2",
    "ns:feed, ns:feed.g2",
    "cafe:feed, cafe:feed.g2",
    "feeds.daily, feeds.daily.g2",
  })
  void generationsHaveNamesThatLinksCanHave(String table, String generation) {
    assertThat(DerivedTable.generation(table, 2)).isEqualTo(generation);
    assertThat(DerivedTable.isMisread(generation)).isFalse();
    assertThat(DerivedTable.number(table, generation)).hasValue(2);
    assertThat(DerivedTable.tablesOf(generation)).contains(table);
    assertThat(generation).matches(DerivedTable.generations(table));
  }

  @ParameterizedTest
  @ValueSource(strings = {"feed", "cafe.orders", "ns:orders", "orders"})
  void namesOfBeforeAreKnown(String table) {
    String before = table + ".g3";
    assertThat(DerivedTable.number(table, before)).hasValue(3);
    assertThat(DerivedTable.tablesOf(before)).contains(table);
    assertThat(before).matches(DerivedTable.generations(table));
  }

  @Test
  void namesOfOtherTablesAreNoGenerations() {
    assertThat(DerivedTable.number("orders", "orders")).isEmpty();
    assertThat(DerivedTable.number("orders", "orders-g2")).isEmpty();
    assertThat(DerivedTable.number("orders", "orders.by_customer")).isEmpty();
    assertThat(DerivedTable.number("orders", "orders.g99999999999")).isEmpty();
    assertThat(DerivedTable.tablesOf("orders-g2")).isEmpty();
    assertThat(DerivedTable.isOf("orders", "orders.by_customer")).isTrue();
    assertThat(DerivedTable.isOf("orders", "orders2.by_customer")).isFalse();
  }

  @Test
  void onlyANameWithADotIsMisread() {
    assertThat(DerivedTable.isMisread("feed")).isFalse();
    assertThat(DerivedTable.isMisread("feed.g2")).isTrue();
    assertThat(DerivedTable.isMisread("ns:feed.g2")).isFalse();
    assertThat(DerivedTable.isMisread("feed-g2.keys")).isFalse();
  }
}
