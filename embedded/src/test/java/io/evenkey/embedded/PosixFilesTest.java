/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same as Hadoop's own file system, which starts a process for each file. */
class PosixFilesTest {
  @TempDir private java.nio.file.Path directory;
  private RawLocalFileSystem files;
  private RawLocalFileSystem hadoops;

  @BeforeEach
  void open() throws IOException {
    Configuration configuration = new Configuration(false);
    LocalFiles local = new LocalFiles();
    local.initialize(directory.toUri(), configuration);
    files = (RawLocalFileSystem) local.getRaw();
    LocalFileSystem other = new LocalFileSystem();
    other.initialize(directory.toUri(), configuration);
    hadoops = (RawLocalFileSystem) other.getRaw();
  }

  private Path path(String name) {
    return new Path(directory.resolve(name).toUri());
  }

  private static String text(FileStatus file) {
    return String.join(
        " ",
        file.getOwner(),
        file.getGroup(),
        file.getPermission().toString(),
        file.toString().substring(file.toString().indexOf('{')));
  }

  @Test
  void statusesAreThoseOfHadoop() throws IOException {
    Files.writeString(directory.resolve("a file"), "content");
    Files.createDirectory(directory.resolve("sub"));
    Files.setPosixFilePermissions(
        directory.resolve("a file"), PosixFilePermissions.fromString("rw-r-x--x"));
    for (String name : new String[] {"a file", "sub", ""}) {
      FileStatus[] listed = files.listStatus(path(name));
      FileStatus[] expected = hadoops.listStatus(path(name));
      assertThat(listed).hasSameSizeAs(expected);
      for (int i = 0; i < listed.length; i++) {
        assertThat(text(listed[i])).isEqualTo(text(expected[i]));
      }
      assertThat(text(files.getFileStatus(path(name))))
          .isEqualTo(text(hadoops.getFileStatus(path(name))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"777", "640", "711", "000", "1777"})
  void permissionsAreSet(String octal) throws IOException {
    FsPermission permission = new FsPermission(octal);
    assertThat(files.mkdirs(path("set"))).isTrue();
    files.setPermission(path("set"), permission);
    assertThat(hadoops.getFileStatus(path("set")).getPermission().toShort())
        .isEqualTo(permission.toShort());
  }

  @Test
  void aFileThatIsNotThereIsHadoopsException() {
    assertThatThrownBy(() -> files.getFileStatus(path("missing")))
        .isInstanceOf(FileNotFoundException.class);
    assertThatThrownBy(() -> files.listStatus(path("missing")))
        .isInstanceOf(FileNotFoundException.class);
  }
}
