/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system, but that it reads and sets permissions itself. Where Hadoop's native
 * library is missing, Hadoop starts a process for each file instead, {@code ls} or {@code chmod}:
 * HBase makes so many such calls that they take most of the machine's time.
 */
final class PosixFiles extends RawLocalFileSystem {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    return loaded(super.getFileStatus(path));
  }

  @Override
  public FileStatus[] listStatus(Path path) throws IOException {
    FileStatus[] files = super.listStatus(path);
    for (int i = 0; i < files.length; i++) {
      files[i] = loaded(files[i]);
    }
    return files;
  }

  private FileStatus loaded(FileStatus file) throws IOException {
    if (!POSIX || file.getClass() == FileStatus.class) {
      return file;
    }
    PosixFileAttributes attributes = attributes(file.getPath());
    return new FileStatus(
        file.getLen(),
        file.isDirectory(),
        file.getReplication(),
        file.getBlockSize(),
        file.getModificationTime(),
        file.getAccessTime(),
        FsPermission.valueOf(
            (file.isDirectory() ? "d" : "-")
                + PosixFilePermissions.toString(attributes.permissions())),
        attributes.owner().getName(),
        attributes.group().getName(),
        file.getPath());
  }

  private PosixFileAttributes attributes(Path path) throws IOException {
    try {
      return Files.readAttributes(pathToFile(path).toPath(), PosixFileAttributes.class);
    } catch (NoSuchFileException e) {
      // Deleted since then: callers expect Hadoop's exception.
      throw (IOException) new FileNotFoundException(path + " does not exist").initCause(e);
    }
  }

  @Override
  public void setPermission(Path path, FsPermission permission) throws IOException {
    if (!POSIX || permission.getStickyBit()) {
      super.setPermission(path, permission);
      return;
    }
    String text =
        permission.getUserAction().SYMBOL
            + permission.getGroupAction().SYMBOL
            + permission.getOtherAction().SYMBOL;
    Files.setPosixFilePermissions(pathToFile(path).toPath(), PosixFilePermissions.fromString(text));
  }
}
