/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.message.FailureMessage;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.HasMasterServices;
import org.apache.hadoop.hbase.coprocessor.MasterCoprocessorEnvironment;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.shaded.protobuf.generated.MasterProtos.TruncateTableRequest;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.HFileArchiveUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Truncations of tables. {@code hbase restore -o} disables its target and empties it, with its
 * regions kept, before it looks at the first row; {@code truncate_preserve} of HBase's shell sends
 * the same requests, and nothing in them says which backup is restored, if any. So where HBase's
 * backups are enabled on the master, or were made, a table with a layout is emptied in this way
 * only if its descriptor says what for: {@value #KEY} names a backup of the same layout, or is
 * {@value #ONCE}. The truncation removes it. A restore of another cluster's backup needs neither:
 * then the master only logs where the rows are.
 *
 * <p>Both disable the table first. If the connection that has disabled it must not empty it, the
 * table is enabled again, as it would be after a truncation. Thread-safe.
 */
final class Truncations {
  private static final Logger LOG = LoggerFactory.getLogger(Truncations.class);

  /** A {@linkplain NamedBackup backup} that is to be restored, or {@value #ONCE} without one. */
  static final String KEY = "EVENKEY_TRUNCATE";

  private static final String ONCE = "once";
  private static final String ENABLED = "hbase.backup.enable";
  private static final String SYSTEM_TABLE = "hbase.backup.system.table.name";
  private static final int MOST_TABLES = 1_000;

  /** The connection that disabled each table last. */
  private final Map<TableName, String> disabled =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<TableName, String> eldest) {
          return size() > MOST_TABLES;
        }
      };

  /** A table is being disabled, which was enabled. */
  void disabling(TableName table) {
    RpcServer.getCurrentCall()
        .ifPresent(
            call -> {
              synchronized (disabled) {
                disabled.remove(table);
                disabled.put(table, connection(call));
              }
            });
  }

  /**
   * Checks whether a table may be emptied. If it must not be, and the client has disabled it by the
   * same connection, it is enabled.
   *
   * @throws DoNotRetryIOException if it must not be
   */
  void check(MasterCoprocessorEnvironment environment, TableName table) throws IOException {
    RpcCall call = RpcServer.getCurrentCall().orElse(null);
    try {
      Configuration conf = environment.getConfiguration();
      TableDescriptor now = DescriptorGuard.descriptor(conf, table);
      checkAlways(conf, table, now);
      if (now != null && call != null && keepsRegions(call)) {
        checkRestore(environment, now);
      }
    } catch (DoNotRetryIOException e) {
      if (call == null || !hasDisabled(call, table)) {
        throw e;
      }
      enable(environment, table);
      throw new DoNotRetryIOException(e.getMessage() + "; the table is enabled again", e);
    }
  }

  @SuppressWarnings("deprecation") // HBase has nothing else for it
  private static void enable(MasterCoprocessorEnvironment environment, TableName table)
      throws IOException {
    ((HasMasterServices) environment)
        .getMasterServices()
        .enableTable(table, HConstants.NO_NONCE, HConstants.NO_NONCE);
  }

  /** Checks a table that is about to be emptied, whose lock the master has. */
  static void checkAlways(Configuration conf, TableName table, @Nullable TableDescriptor now)
      throws IOException {
    DescriptorGuard.checkAtRest(table, now, "table that is being migrated cannot be truncated");
    if (now != null) {
      Path root = CommonFSUtils.getRootDir(conf);
      FileSystem files = root.getFileSystem(conf);
      IndexEntries.checkTruncation(files, root, now);
    }
  }

  private static void checkRestore(MasterCoprocessorEnvironment environment, TableDescriptor now)
      throws IOException {
    Configuration conf = environment.getConfiguration();
    String layout = TableText.of(now).layout();
    TableName backups = TableName.valueOf(conf.get(SYSTEM_TABLE, "backup:system"));
    if (layout == null || backups.equals(now.getTableName())) {
      return;
    }
    if (!conf.getBoolean(ENABLED, false) && !exists(environment, backups)) {
      LOG.warn(
          "table with a layout is emptied with its regions kept: table={} layout={}; if a client's"
              + " hbase restore -o asks for it, set {} on the master, which compares the layout of"
              + " the backup then; its files stay in HBase's archive for {}: {}",
          now.getTableName(),
          layout,
          ENABLED,
          "hbase.master.hfilecleaner.ttl",
          HFileArchiveUtil.getTableArchivePath(conf, now.getTableName()));
      return;
    }
    String said = now.getValue(KEY);
    if (said == null) {
      throw new DoNotRetryIOException(
          FailureMessage.of(
                  "table with a layout cannot be truncated with its regions kept, as hbase"
                      + " restore -o does before it reads a row")
              .with("table", now.getTableName())
              .with("layout", layout)
              .remedy(
                  "name the backup, whose layout is compared then: alter '"
                      + now.getTableName()
                      + "', METADATA => {'"
                      + KEY
                      + "' => 'ROOT BACKUP_ID [TABLE]'}, or '"
                      + ONCE
                      + "' to restore none, and repeat; or restore it as a new table: hbase"
                      + " restore -m"));
    }
    if (!said.equals(ONCE)) {
      checkBackup(conf, now.getTableName(), layout, said);
    }
  }

  // The table of HBase's backups, which the first one on this cluster makes.
  @SuppressWarnings("deprecation") // HBase has nothing else for it
  private static boolean exists(MasterCoprocessorEnvironment environment, TableName table)
      throws IOException {
    return ((HasMasterServices) environment)
        .getMasterServices()
        .getTableDescriptors()
        .exists(table);
  }

  private static void checkBackup(Configuration conf, TableName table, String layout, String said)
      throws DoNotRetryIOException {
    List<TableDescriptor> descriptors;
    try {
      descriptors = NamedBackup.parse(said, table).descriptors(conf);
    } catch (IOException | IllegalArgumentException e) {
      throw new DoNotRetryIOException(
          "backup cannot be read by the master: table="
              + table
              + " "
              + KEY
              + "="
              + said
              + " cause="
              + e.getMessage()
              + "; name it as for hbase restore: ROOT BACKUP_ID, and its table if that has another"
              + " name",
          e);
    }
    for (TableDescriptor then : descriptors) {
      String line = TableText.of(then).layout();
      if (!layout.equals(line)) {
        throw new DoNotRetryIOException(
            FailureMessage.of("backup has another layout than the table")
                .with("table", table)
                .with("layout", layout)
                .with("backup", said)
                .with("its_layout", line == null ? "none" : line)
                .remedy("restore it as a new table: hbase restore -m"));
      }
    }
  }

  /** The descriptor of a table after a truncation; the same one if nothing is to be changed. */
  static TableDescriptor after(TableDescriptor table) {
    return table.getValue(KEY) == null
        ? table
        : TableDescriptorBuilder.newBuilder(table).removeValue(KEY).build();
  }

  private boolean hasDisabled(RpcCall call, TableName table) {
    synchronized (disabled) {
      return disabled.remove(table, connection(call));
    }
  }

  private static boolean keepsRegions(RpcCall call) {
    return call.getParam() instanceof TruncateTableRequest request && request.getPreserveSplits();
  }

  private static String connection(RpcCall call) {
    return call.getRemoteAddress() + ":" + call.getRemotePort();
  }
}
