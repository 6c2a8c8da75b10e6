/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import java.io.IOException;
import java.util.Objects;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BackupProtos.BackupInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BackupProtos.BackupTableInfo;
import org.apache.hadoop.hbase.shaded.protobuf.generated.BackupProtos.BackupType;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's backups of a table from before it had its present layout. {@code hbase restore -o}
 * empties the table first, as {@code truncate} does, and no hook can tell these two; then its rows
 * would be rejected. So a table of which the cluster has such a backup is not emptied. Stateless.
 */
final class EarlierBackups {
  private static final Logger LOG = LoggerFactory.getLogger(EarlierBackups.class);
  private static final String ENABLED = "hbase.backup.enable";
  private static final String SYSTEM_TABLE = "hbase.backup.system.table.name";
  private static final String SESSIONS = "session:";
  private static final byte[] SESSION = Bytes.toBytes("session");

  private EarlierBackups() {}

  /**
   * Checks whether a table may be emptied. A backup that cannot be read cannot be restored either.
   *
   * @throws DoNotRetryIOException if there is a backup of it with another layout
   */
  static void checkTruncation(Connection connection, Configuration conf, TableDescriptor table)
      throws IOException {
    String layout = TableText.of(table).layout();
    TableName system = TableName.valueOf(conf.get(SYSTEM_TABLE, "backup:system"));
    if (layout == null || !conf.getBoolean(ENABLED, false) || system.equals(table.getTableName())) {
      return;
    }
    try (Table backups = connection.getTable(system);
        ResultScanner sessions =
            backups.getScanner(
                new Scan()
                    .addFamily(SESSION)
                    .setStartStopRowForPrefixScan(Bytes.toBytes(SESSIONS)))) {
      for (Result session : sessions) {
        check(conf, table, layout, BackupInfo.parseFrom(session.value()));
      }
    } catch (DoNotRetryIOException e) {
      throw e;
    } catch (IOException e) {
      LOG.warn("backups of {} not known", table.getTableName(), e);
    }
  }

  private static void check(
      Configuration conf, TableDescriptor table, String layout, BackupInfo backup)
      throws DoNotRetryIOException {
    if (backup.getBackupType() != BackupType.FULL) {
      // It is restored on top of a full one.
      return;
    }
    for (BackupTableInfo of : backup.getBackupTableInfoList()) {
      TableDescriptor then = isOf(of, table.getTableName()) ? descriptor(conf, backup, of) : null;
      String line = then == null ? layout : TableText.of(then).layout();
      if (!Objects.equals(line, layout)) {
        throw new DoNotRetryIOException(
            "table has a backup of another layout, and cannot be emptied: table="
                + table.getTableName()
                + " layout="
                + layout
                + " backup="
                + backup.getBackupId()
                + " its_layout="
                + (line == null ? "none" : line)
                + "; to restore it, name a new table: hbase restore -m; to empty this one, delete"
                + " the backup before: hbase backup delete");
      }
    }
  }

  private static boolean isOf(BackupTableInfo backup, TableName table) {
    return backup.getTableName().getNamespace().toStringUtf8().equals(table.getNamespaceAsString())
        && backup.getTableName().getQualifier().toStringUtf8().equals(table.getQualifierAsString());
  }

  private static @Nullable TableDescriptor descriptor(
      Configuration conf, BackupInfo backup, BackupTableInfo of) {
    Path snapshot =
        new Path(
            String.join(
                Path.SEPARATOR,
                backup.getBackupRootDir(),
                backup.getBackupId(),
                of.getTableName().getNamespace().toStringUtf8(),
                of.getTableName().getQualifier().toStringUtf8(),
                HConstants.SNAPSHOT_DIR_NAME,
                of.getSnapshotName()));
    try {
      FileSystem files = snapshot.getFileSystem(conf);
      return SnapshotManifest.open(
              conf, files, snapshot, SnapshotDescriptionUtils.readSnapshotInfo(files, snapshot))
          .getTableDescriptor();
    } catch (IOException | RuntimeException e) {
      LOG.info("backup {} not read: {}", backup.getBackupId(), e.toString());
      return null;
    }
  }
}
