/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HashesTest {
  @Test
  void theNamesAreThoseOfTheLanguage() {
    assertThat(Hashes.names())
        .containsExactlyInAnyOrder("md5", "sha1", "sha256", "sha512", "murmur3", "xxh3");
    assertThat(Hashes.named("md6")).isNull();
  }

  @ParameterizedTest
  @CsvSource({"md5, 16", "sha1, 20", "sha256, 32", "sha512, 64", "murmur3, 4", "xxh3, 8"})
  void aDigestFillsItsWidthAndNothingElse(String name, int width) {
    Hash hash = Hashes.named(name);
    assertThat(hash.name()).isEqualTo(name);
    assertThat(hash.width()).isEqualTo(width);
    byte[] input = "0123456789".getBytes(StandardCharsets.US_ASCII);
    byte[] alone = new byte[width];
    hash.digest(Arrays.copyOfRange(input, 2, 7), 0, 5, alone, 0);
    assertThat(alone).isNotEqualTo(new byte[width]);
    byte[] inside = new byte[width + 2];
    hash.digest(input, 2, 5, inside, 1);
    assertThat(Arrays.copyOfRange(inside, 1, width + 1)).isEqualTo(alone);
    assertThat(inside[0] | inside[width + 1]).isZero();
  }
}
