/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.util.VersionInfo;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {
  @TempDir private Path parent;

  private void stamp(String format, String hbase) throws IOException {
    DataDirectory.open(parent.resolve("data"), false).close();
    Files.writeString(
        parent.resolve("data/evenkey.properties"), "format=" + format + "\nhbase=" + hbase + "\n");
  }

  @Test
  void isCreatedStampedAndReleased() throws IOException {
    Path data = parent.resolve("a/b/data");
    try (DataDirectory open = DataDirectory.open(data, false)) {
      assertThat(open.path()).isEqualTo(data);
      assertThat(Files.readString(data.resolve("evenkey.lock")))
          .isEqualTo(Long.toString(ProcessHandle.current().pid()));
      assertThat(Files.readString(data.resolve("evenkey.properties")))
          .contains("format=1", "hbase=" + VersionInfo.getVersion());
    }
    DataDirectory.open(data, false).close();
  }

  @Test
  void isDeletedWhenItIsTemporary() throws IOException {
    Path data = parent.resolve("data");
    try (DataDirectory open = DataDirectory.open(data, true)) {
      assertThat(open.resolve("hbase")).isDirectory();
    }
    assertThat(data).doesNotExist();
  }

  @Test
  void isRefusedWhileInUse() throws IOException {
    try (DataDirectory open = DataDirectory.open(parent.resolve("data"), false)) {
      assertThatThrownBy(() -> DataDirectory.open(open.path(), false))
          .isInstanceOf(EmbeddedHBaseException.class)
          .hasMessageStartingWith("data directory in use: path=" + open.path() + " process=");
    }
  }

  @Test
  void isRefusedWhenOfANewerFormat() throws IOException {
    stamp("2", "2.6.1");
    assertThatThrownBy(() -> DataDirectory.open(parent.resolve("data"), false))
        .isInstanceOf(EmbeddedHBaseException.class)
        .hasMessageContaining("newer Evenkey")
        .hasMessageContaining("format=2 understood=1");
  }

  @Test
  void isRefusedWhenOfANewerHBase() throws IOException {
    stamp("1", "3.0.0");
    assertThatThrownBy(() -> DataDirectory.open(parent.resolve("data"), false))
        .isInstanceOf(EmbeddedHBaseException.class)
        .hasMessageContaining("written_by=3.0.0 this=" + VersionInfo.getVersion());
    assertThat(Files.readString(parent.resolve("data/evenkey.properties")))
        .as("a refusal changes nothing")
        .contains("hbase=3.0.0");
  }

  @Test
  void isRefusedWhenItsStampIsDamaged() throws IOException {
    stamp("", "");
    assertThatThrownBy(() -> DataDirectory.open(parent.resolve("data"), false))
        .isInstanceOf(EmbeddedHBaseException.class)
        .hasMessageContaining("damaged");
  }

  @Test
  void isRefusedWhenItHoldsOtherFiles() throws IOException {
    Files.writeString(parent.resolve("letter.txt"), "dear");
    assertThatThrownBy(() -> DataDirectory.open(parent, false))
        .isInstanceOf(EmbeddedHBaseException.class)
        .hasMessageContaining("something else: path=" + parent);
    assertThatThrownBy(() -> DataDirectory.open(parent.resolve("letter.txt"), false))
        .isInstanceOf(EmbeddedHBaseException.class)
        .hasMessageContaining("is a file");
    assertThat(parent).isDirectoryNotContaining(file -> !file.endsWith("letter.txt"));
  }

  @Test
  void aLockAloneDoesNotMakeADirectoryOurs() throws IOException {
    Path data = Files.createDirectory(parent.resolve("data"));
    Files.writeString(data.resolve("evenkey.lock"), "theirs");
    Files.writeString(data.resolve("letter.txt"), "dear");
    assertThatThrownBy(() -> DataDirectory.open(data, false))
        .isInstanceOf(EmbeddedHBaseException.class)
        .hasMessageContaining("something else: path=" + data);
    assertThat(data.resolve("evenkey.lock")).hasContent("theirs");

    // That is what a first start leaves that was killed.
    Files.delete(data.resolve("letter.txt"));
    Files.createFile(data.resolve("evenkey.properties.tmp"));
    DataDirectory.open(data, false).close();
  }

  @Test
  void onlyANewOrEmptyDirectoryIsTemporary() throws IOException {
    Path data = parent.resolve("data");
    DataDirectory.open(data, false).close();
    assertThatThrownBy(() -> DataDirectory.open(data, true))
        .isInstanceOf(EmbeddedHBaseException.class)
        .hasMessageContaining("something else: path=" + data);
    assertThat(data.resolve("evenkey.properties")).exists();
  }

  private static Configuration client(String port) {
    Configuration client = new Configuration(false);
    client.set("hbase.zookeeper.quorum", "127.0.0.1");
    client.set("hbase.zookeeper.property.clientPort", port);
    client.set("hbase.rootdir", "file:///data/hbase");
    return client;
  }

  @Test
  void clientSettingsOfAKilledInstanceAreReplacedAndOthersAreNot() throws IOException {
    Path data = parent.resolve("data");
    Path site = data.resolve("conf/hbase-site.xml");
    try (DataDirectory killed = DataDirectory.open(data, false)) {
      killed.writeClientSettings(client("1"));
    }
    try (DataDirectory open = DataDirectory.open(data, false)) {
      open.writeClientSettings(client("2"));
      assertThat(site).content().contains("<value>2</value>").doesNotContain("<value>1</value>");
      open.removeClientSettings();
      assertThat(site.getParent()).isEmptyDirectory();
      open.writeClientSettings(client("3"));
    }
    String edited =
        Files.readString(site)
            .replace(
                "</configuration>",
                "<property><name>mine</name><value>x</value></property></configuration>");
    for (String content : List.of(edited, "a letter\n", "")) {
      Files.writeString(site, content);
      assertThatThrownBy(() -> DataDirectory.open(data, false))
          .isInstanceOf(EmbeddedHBaseException.class)
          .hasMessageStartingWith("client settings were changed: path=" + site);
      assertThat(site).content().isEqualTo(content);
    }
  }

  @Test
  void clientSettingsThatWereChangedMeanwhileStay() throws IOException {
    try (DataDirectory open = DataDirectory.open(parent.resolve("data"), false)) {
      open.writeClientSettings(client("1"));
      Path site = open.resolve("conf/hbase-site.xml");
      Files.writeString(site, "changed");
      open.removeClientSettings();
      assertThat(site).hasContent("changed");
    }
  }
}
