/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StandardErrorTest {
  @Test
  void dropsStackTracesAndPassesOnWhatIsLogged() {
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    try (StandardError err = new StandardError(written)) {
      new IllegalStateException("printed", new RuntimeException("behind it")).printStackTrace(err);
      byte[] line = "WARN  something\n".getBytes(StandardCharsets.UTF_8);
      err.write(line, 0, line.length);
    }
    assertThat(written.toString(StandardCharsets.UTF_8)).isEqualTo("WARN  something\n");
  }
}
