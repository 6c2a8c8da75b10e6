/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class ClusterOptionTest {
  private static final String[] TIMEOUTS = {
    "hbase.client.operation.timeout", "hbase.client.meta.operation.timeout"
  };

  @Command(name = "question")
  private static final class Question {
    @Mixin private ClusterOption cluster = new ClusterOption();
  }

  private static Configuration configuration(Patience patience, String... arguments) {
    Question question = new Question();
    new CommandLine(question).parseArgs(arguments);
    return question.cluster.configuration(patience);
  }

  @Test
  void operationsEndSoonerThanInHBasesOwnClient() {
    assertThat(configuration(Patience.QUESTION).get("hbase.client.retries.number")).isEqualTo("7");
    assertThat(configuration(Patience.WORK).get("hbase.client.retries.number")).isEqualTo("15");
    for (String name : TIMEOUTS) {
      assertThat(configuration(Patience.QUESTION, "--quorum", "h:1").get(name)).isEqualTo("60000");
      assertThat(configuration(Patience.WORK, "--quorum", "h:1").get(name)).isEqualTo("300000");
    }
  }

  @Test
  void settingsOfTheUserStay(@TempDir Path directory) throws Exception {
    Files.writeString(
        directory.resolve("hbase-site.xml"),
        "<configuration><property><name>hbase.client.operation.timeout</name><value>1200000</value>"
            + "</property></configuration>");
    Configuration settings =
        configuration(
            Patience.QUESTION,
            "--conf",
            directory.toString(),
            "-D",
            "hbase.client.meta.operation.timeout=7");
    assertThat(settings.get(TIMEOUTS[0])).isEqualTo("1200000");
    assertThat(settings.get(TIMEOUTS[1])).isEqualTo("7");
  }

  @Test
  void hadoopsFilesInTheDirectoryAreReadAndHBasesWin(@TempDir Path directory) throws Exception {
    write(directory, "core-site.xml", "fs.defaultFS", "hdfs://name:1");
    write(directory, "mapred-site.xml", "mapreduce.framework.name", "yarn");
    write(directory, "yarn-site.xml", "yarn.resourcemanager.hostname", "from.yarn");
    write(directory, "hbase-site.xml", "yarn.resourcemanager.hostname", "from.hbase");
    Configuration settings = configuration(Patience.WORK, "--conf", directory.toString());
    assertThat(settings.get("fs.defaultFS")).isEqualTo("hdfs://name:1");
    assertThat(settings.get("mapreduce.framework.name")).isEqualTo("yarn");
    assertThat(settings.get("yarn.resourcemanager.hostname")).isEqualTo("from.hbase");
  }

  private static void write(Path directory, String file, String name, String value)
      throws Exception {
    Files.writeString(
        directory.resolve(file),
        "<configuration><property><name>"
            + name
            + "</name><value>"
            + value
            + "</value></property></configuration>");
  }
}
