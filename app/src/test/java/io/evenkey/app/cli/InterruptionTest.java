/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InterruptionTest {
  private final List<String> said = new ArrayList<>();

  @Test
  void whatIsSaidIsTheLatest() {
    try (Interruption interruption = new Interruption(said::add)) {
      interruption.say();
      interruption.says(() -> "go on with: evenkey export t");
      interruption.finished("file=a is written");
      interruption.say();
    }
    assertThat(said).containsExactly("file=a is written; only its report is missing");
  }
}
