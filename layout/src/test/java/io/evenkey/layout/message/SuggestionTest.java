/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.message;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SuggestionTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      nullValues = "none",
      value = {
        // one letter missing, too many, wrong, or swapped with its neighbour
        "strng      | string decimal | string",
        "sttring    | string decimal | string",
        "strung     | string decimal | string",
        "slat       | salt slabs     | salt",
        "slat       | slab salt      | salt",
        "latitdue   | latitude       | latitude",
        // a third of the letters may be wrong, and one always
        "tamestimp  | timestamp      | timestamp",
        "tamistimp  | timestamp      | timestamp",
        "tamistomp  | timestamp      | timestamp",
        "xamistomp  | timestamp      | none",
        "ab         | xb             | xb",
        "ab         | xy             | none",
        // a beginning, of two letters at least
        "ti         | timestamp      | timestamp",
        "t          | timestamp      | none",
        "t          | to             | to",
        "xtimes     | timestamp      | none",
        // of two that are as close: with the same first letter, then the first of the alphabet
        "nt         | int not        | not",
        "Hex        | hex HEX        | HEX",
        "int        | int8 int4      | int4",
        "decimals   | decimal digits | decimal",
        "zzz        | int8 string    | none"
      })
  void theClosestKnownWordIsSuggested(String typed, String known, String closest) {
    assertThat(Suggestion.closest(typed, List.of(known.split(" ", -1))).orElse(null))
        .isEqualTo(closest);
  }

  @Test
  void aHintNamesTheWordOrIsEmpty() {
    assertThat(Suggestion.hint("strng", List.of("string"))).isEqualTo("; did you mean 'string'?");
    assertThat(Suggestion.hint("zzz", List.of("string"))).isEmpty();
    assertThat(Suggestion.hint("", List.of("a"))).isEmpty();
  }

  @Test
  void ofManyKnownWordsTheFirstAreListed() {
    List<String> many = IntStream.range(0, 5_000).mapToObj(i -> "c" + i).toList();
    assertThat(Suggestion.listed(List.of("a", "b"))).isEqualTo("a, b");
    assertThat(Suggestion.listed(many)).startsWith("c0, c1, ").endsWith(", c29 and 4970 more");
    assertThat(Suggestion.listed(List.of("x".repeat(70)))).hasSize(61).endsWith("x…");
  }
}
