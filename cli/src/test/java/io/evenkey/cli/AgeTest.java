/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgeTest {
  @ParameterizedTest
  @CsvSource({
    "-5, 0 s ago",
    "119, 119 s ago",
    "120, 2 min ago",
    "7199, 119 min ago",
    "7200, 2 h ago",
    "172799, 47 h ago",
    "172800, 2 days ago"
  })
  void isInTheLargestUnitOfWhichThereAreTwo(long seconds, String text) {
    Instant now = Instant.parse("2026-11-27T10:00:00Z");
    assertThat(Age.of(now.minusSeconds(seconds), now)).isEqualTo(text);
  }
}
