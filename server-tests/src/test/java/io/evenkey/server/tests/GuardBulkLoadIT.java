/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.FAMILY;
import static io.evenkey.server.tests.GuardedTable.OTHER_STAMP;
import static io.evenkey.server.tests.GuardedTable.QUALIFIER;
import static io.evenkey.server.tests.GuardedTable.STAMP;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.guard.FileStamp;
import io.evenkey.layout.guard.GuardAttributes;
import io.evenkey.layout.guard.GuardMode;
import io.evenkey.layout.guard.Refusal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(EmbeddedHBaseExtension.class)
class GuardBulkLoadIT {
  private static final byte[] RUN = GuardAttributes.number(7);

  private final Configuration conf;
  private final GuardedTable table;
  @TempDir private Path directory;
  private int loads;

  GuardBulkLoadIT(EmbeddedHBase hbase) throws IOException {
    conf = hbase.configuration();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    table = GuardedTable.withLayout(hbase.connection());
  }

  @BeforeEach
  void startEmpty() throws IOException {
    assertThat(table.stored(0)).isEmpty();
  }

  /** Loads one file with one row and these keys in its file info. */
  private Void load(String row, Map<String, byte[]> info) throws IOException {
    Path source = directory.resolve("load" + loads++);
    Path file = Files.createDirectories(source.resolve("f")).resolve("file");
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path(file.toUri());
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(FileSystem.getLocal(conf), path)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      writer.append(new KeyValue(Bytes.toBytes(row), FAMILY, QUALIFIER, 1, QUALIFIER));
      for (Map.Entry<String, byte[]> entry : info.entrySet()) {
        writer.appendFileInfo(Bytes.toBytes(entry.getKey()), entry.getValue());
      }
    }
    BulkLoadHFiles.create(conf)
        .bulkLoad(table.name(), new org.apache.hadoop.fs.Path(source.toUri()));
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
