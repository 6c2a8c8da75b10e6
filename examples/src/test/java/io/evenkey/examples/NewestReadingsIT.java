/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.hbase.client.Connection;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** README's sample, on a real HBase. */
@ExtendWith(EmbeddedHBaseExtension.class)
class NewestReadingsIT {
  @Test
  void printsTheNewestReadingsOfOneDevice(Connection connection) throws IOException {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream standardOutput = System.out;
    System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      NewestReadings.run(connection.getConfiguration());
    } finally {
      System.setOut(standardOutput);
    }

    // Standard output also has the log, where a class path sends it there.
    assertThat(
            printed.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("  d")))
        .containsExactly("1769851740000  d1 23", "1769851680000  d1 22", "1769851620000  d1 21");
  }
}
