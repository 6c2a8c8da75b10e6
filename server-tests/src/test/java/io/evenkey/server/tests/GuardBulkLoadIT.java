/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.OTHER_STAMP;
import static io.evenkey.server.tests.GuardedTable.STAMP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.protocol.guard.FileStamp;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(EmbeddedHBaseExtension.class)
class GuardBulkLoadIT {
  private static final byte[] RUN = GuardAttributes.number(7);

  private final Connection impatient;
  private final GuardedTable table;
  @TempDir private Path directory;
  private int loads;

  GuardBulkLoadIT(EmbeddedHBase hbase) throws IOException {
    Configuration conf = hbase.configuration();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    impatient = ConnectionFactory.createConnection(conf);
    table = GuardedTable.withLayout(hbase.connection());
  }

  @AfterEach
  void close() throws IOException {
    impatient.close();
  }

  @BeforeEach
  void startEmpty() throws IOException {
    assertThat(table.stored(0)).isEmpty();
  }

  /** Loads one file with one row and these keys in its file info. */
  private Void load(String row, Map<String, byte[]> info) throws IOException {
    new GuardedTable(impatient, table.name()).load(directory.resolve("load" + loads++), row, info);
    return null;
  }

  private Refusal refusal(Map<String, byte[]> info) {
    Throwable thrown = catchThrowable(() -> load("refused", info));
    assertThat(thrown).isNotNull();
    return Refusal.of(thrown).orElseThrow(() -> new AssertionError(thrown));
  }

  @Test
  void anOpenTableTakesFilesOfItsLayoutOnly() throws Exception {
    assertThat(refusal(Map.of())).isEqualTo(Refusal.UNSTAMPED);
    assertThat(refusal(Map.of(FileStamp.LAYOUT, OTHER_STAMP))).isEqualTo(Refusal.LAYOUT);
    load("a", Map.of(FileStamp.LAYOUT, STAMP));
    assertThat(table.stored(0)).containsExactly("a/q/Put");
    table.describe("EVENKEY_RAW_WRITES", "allow");
    table.askAll(1);
    load("b", Map.of());
    assertThat(table.stored(0)).containsExactly("a/q/Put", "b/q/Put");
  }

  @Test
  void aTableBeingMigratedTakesNone() throws Exception {
    table.set(1, GuardMode.TRACKED);
    assertThat(refusal(Map.of(FileStamp.LAYOUT, STAMP))).isEqualTo(Refusal.MIGRATING);
    table.set(2, GuardMode.FENCED);
    assertThat(refusal(Map.of(FileStamp.LAYOUT, STAMP, FileStamp.TURN, RUN)))
        .isEqualTo(Refusal.MIGRATING);
  }

  @Test
  void aClosedTableTakesThoseOfTheMigration() throws Exception {
    table.set(1, GuardMode.CLOSED);
    assertThat(refusal(Map.of(FileStamp.LAYOUT, STAMP))).isEqualTo(Refusal.CLOSED);
    assertThat(refusal(Map.of(FileStamp.TURN, GuardAttributes.number(6)))).isEqualTo(Refusal.TURN);
    load("a", Map.of(FileStamp.TURN, RUN));
    assertThat(table.stored()).containsExactly("a/q/Put");
    // The load is over, so that nothing waits for it.
    assertThat(table.set(2, GuardMode.FENCED)).hasSize(1);
  }
}
