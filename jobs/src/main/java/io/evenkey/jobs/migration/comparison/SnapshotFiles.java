/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.comparison;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * The store files of a snapshot. HBase never changes a store file, and gives no two the same name:
 * every cell that was written between two snapshots of a table is in a file that only the later one
 * has. Immutable.
 */
final class SnapshotFiles {
  private final Map<String, StoredFile> byName;

  private SnapshotFiles(Map<String, StoredFile> byName) {
    this.byName = byName;
  }

  /**
   * Reads which files a snapshot has.
   *
   * @param configuration with the directory of HBase
   */
  static SnapshotFiles of(Configuration configuration, String snapshot) throws IOException {
    Path root = CommonFSUtils.getRootDir(configuration);
    FileSystem files = root.getFileSystem(configuration);
    Path directory = SnapshotDescriptionUtils.getCompletedSnapshotDir(snapshot, root);
    SnapshotManifest manifest =
        SnapshotManifest.open(
            configuration,
            files,
            directory,
            SnapshotDescriptionUtils.readSnapshotInfo(files, directory));
    Map<String, StoredFile> byName = new HashMap<>();
    for (SnapshotRegionManifest region : manifest.getRegionManifests()) {
      RegionInfo info = ProtobufUtil.toRegionInfo(region.getRegionInfo());
      for (SnapshotRegionManifest.FamilyFiles family : region.getFamilyFilesList()) {
        String name = family.getFamilyName().toStringUtf8();
        for (SnapshotRegionManifest.StoreFile file : family.getStoreFilesList()) {
          StoredFile stored = stored(info, name, file.getName());
          byName.put(stored.name(), stored);
        }
      }
    }
    return new SnapshotFiles(byName);
  }

  // A region that was split refers to the files of its parent, a clone to those of its origin.
  private static StoredFile stored(RegionInfo region, String family, String name) {
    String file = name;
    String of = region.getEncodedName();
    if (StoreFileInfo.isReference(name)) {
      int parent = name.lastIndexOf('.');
      file = name.substring(0, parent);
      of = name.substring(parent + 1);
    }
    return HFileLink.isHFileLink(file)
        ? new StoredFile(
            HFileLink.getReferencedTableName(file),
            HFileLink.getReferencedRegionName(file),
            family,
            HFileLink.getReferencedHFileName(file))
        : new StoredFile(region.getTable(), of, family, file);
  }

  /** The files that an earlier snapshot has not. */
  List<StoredFile> since(SnapshotFiles earlier) {
    List<StoredFile> since = new ArrayList<>();
    for (StoredFile file : byName.values()) {
      if (!earlier.byName.containsKey(file.name())) {
        since.add(file);
      }
    }
    return since;
  }
}
