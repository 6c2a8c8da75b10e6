/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CopyDirectoriesTest {
  @TempDir private Path work;

  private CopyDirectories directories(String table) {
    return new CopyDirectories(
        new org.apache.hadoop.fs.Path(work.toUri()), TableName.valueOf(table));
  }

  private static Configuration cluster(String quorum) {
    Configuration configuration = HBaseConfiguration.create();
    configuration.set(HConstants.ZOOKEEPER_QUORUM, quorum);
    return configuration;
  }

  @Test
  void onlyWhatWasMadeForTheCopyIsCleared() throws IOException {
    Configuration here = cluster("here");
    Path ours = made(directories("t.g2").make(here, 3));
    Path ofAnotherTable = made(directories("t.g3").make(here, 3));
    Path ofAnotherCluster = made(directories("t.g2").make(cluster("there"), 3));
    Path foreign = work.resolve("t.g2.3-00000000-0000-0000-0000-000000000000");
    Files.writeString(Files.createDirectory(foreign).resolve("letter"), "the only copy");
    Files.writeString(ours.resolve("files"), "of the copy");

    directories("t.g2").clear(here);

    assertThat(ours).doesNotExist();
    assertThat(ofAnotherTable).isNotEmptyDirectory();
    assertThat(ofAnotherCluster).isNotEmptyDirectory();
    assertThat(foreign.resolve("letter")).hasContent("the only copy");
  }

  private static Path made(org.apache.hadoop.fs.Path path) {
    return Path.of(path.toUri().getPath());
  }

  @Test
  void aFileInPlaceOfTheDirectoryIsNamedInTheError() throws IOException {
    Path file = Files.writeString(work.resolve("letter"), "the only copy");
    CopyDirectories inFile =
        new CopyDirectories(new org.apache.hadoop.fs.Path(file.toUri()), TableName.valueOf("t.g2"));
    assertThatThrownBy(() -> inFile.make(cluster("here"), 0))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("work directory cannot be made: path=")
        .hasMessageContaining(file.toString());
    assertThat(file).hasContent("the only copy");
  }
}
