/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BackupProtos.BackupImage;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.util.FSTableDescriptors;
import org.jspecify.annotations.Nullable;

/**
 * A table in one of HBase's backups, named as {@code hbase restore} names it: the directory of all
 * backups, the backup, and the table. Immutable.
 */
record NamedBackup(Path root, String id, TableName table) {
  private static final String MANIFEST = ".backup.manifest";

  /**
   * What an operator has written: {@code ROOT BACKUP_ID [TABLE]}.
   *
   * @param restored the table that is restored, which the backup is of unless said otherwise
   * @throws IllegalArgumentException if it is nothing such
   */
  static NamedBackup parse(String text, TableName restored) {
    String[] words = text.trim().split("\\s+", -1);
    if (words.length < 2 || words.length > 3) {
      throw new IllegalArgumentException("ROOT BACKUP_ID [TABLE] expected");
    }
    TableName table = words.length == 2 ? restored : TableName.valueOf(words[2]);
    return new NamedBackup(new Path(words[0]), words[1], table);
  }

  /** The descriptors that the table had when the backup, and all that it builds on, were made. */
  List<TableDescriptor> descriptors(Configuration conf) throws IOException {
    BackupImage last;
    Path manifest = new Path(new Path(root, id), MANIFEST);
    try (FSDataInputStream in = manifest.getFileSystem(conf).open(manifest)) {
      last = BackupImage.parseFrom(in.readAllBytes());
    }
    List<TableDescriptor> descriptors = new ArrayList<>();
    add(conf, last, descriptors);
    if (descriptors.isEmpty()) {
      throw new FileNotFoundException("the backup has no table of this name");
    }
    return descriptors;
  }

  private void add(Configuration conf, BackupImage image, List<TableDescriptor> descriptors)
      throws IOException {
    for (HBaseProtos.TableName name : image.getTableListList()) {
      if (name.getNamespace().toStringUtf8().equals(table.getNamespaceAsString())
          && name.getQualifier().toStringUtf8().equals(table.getQualifierAsString())) {
        descriptors.add(descriptor(conf, image));
      }
    }
    for (BackupImage before : image.getAncestorsList()) {
      add(conf, before, descriptors);
    }
  }

  // A full backup has a snapshot, an incremental one the descriptor alone.
  private TableDescriptor descriptor(Configuration conf, BackupImage image) throws IOException {
    Path directory =
        new Path(
            String.join(
                Path.SEPARATOR,
                image.getBackupRootDir(),
                image.getBackupId(),
                table.getNamespaceAsString(),
                table.getQualifierAsString()));
    FileSystem files = directory.getFileSystem(conf);
    Path snapshots = new Path(directory, HConstants.SNAPSHOT_DIR_NAME);
    TableDescriptor found =
        files.exists(snapshots)
            ? ofSnapshot(conf, files, snapshots)
            : FSTableDescriptors.getTableDescriptorFromFs(files, directory);
    if (found == null) {
      throw new FileNotFoundException("no table descriptor in " + directory);
    }
    return found;
  }

  private static @Nullable TableDescriptor ofSnapshot(
      Configuration conf, FileSystem files, Path snapshots) throws IOException {
    for (FileStatus found :
        files.listStatus(
            snapshots, new SnapshotDescriptionUtils.CompletedSnaphotDirectoriesFilter(files))) {
      return SnapshotManifest.open(
              conf,
              files,
              found.getPath(),
              SnapshotDescriptionUtils.readSnapshotInfo(files, found.getPath()))
          .getTableDescriptor();
    }
    return null;
  }
}
