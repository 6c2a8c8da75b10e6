/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;

class JobTest {
  /** Hadoop reports it by an error, and not by an exception. */
  @Test
  void aFullDiskEndsAJob() {
    assumeThat(Files.exists(Path.of("/dev/full"))).isTrue();
    Job job = new Job("migration", "Migration of t");
    job.run(
        running -> {
          FileSystem local = FileSystem.getLocal(new Configuration()).getRaw();
          try (FSDataOutputStream full =
              local.create(new org.apache.hadoop.fs.Path("/dev/full"), true)) {
            full.write(1);
          }
          return Map.of();
        });
    assertThat(job.json().state()).isEqualTo("failed");
    assertThat(job.json().text()).startsWith("no space left on the disk");
  }
}
