/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.failure;

import static io.evenkey.report.failure.FailureField.ACTION;
import static io.evenkey.report.failure.FailureField.FAMILY;
import static io.evenkey.report.failure.FailureField.FREE_TEXT;
import static io.evenkey.report.failure.FailureField.HOST;
import static io.evenkey.report.failure.FailureField.LIMIT;
import static io.evenkey.report.failure.FailureField.MISSING;
import static io.evenkey.report.failure.FailureField.NAMED_TABLE;
import static io.evenkey.report.failure.FailureField.NAMESPACE;
import static io.evenkey.report.failure.FailureField.NODE;
import static io.evenkey.report.failure.FailureField.PARENT;
import static io.evenkey.report.failure.FailureField.PATH;
import static io.evenkey.report.failure.FailureField.POLICY;
import static io.evenkey.report.failure.FailureField.REGION;
import static io.evenkey.report.failure.FailureField.SERVER;
import static io.evenkey.report.failure.FailureField.SNAPSHOT;
import static io.evenkey.report.failure.FailureField.TABLE;
import static io.evenkey.report.failure.FailureField.USER;
import static io.evenkey.report.failure.FailureField.WAIT;

import io.evenkey.client.internal.remedy.Remedy;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The kinds of failures in HBase and around it: their exceptions, the rule that a user reads, the
 * names in the line, and the remedy.
 *
 * <p>The order matters: if an exception matches two kinds, the first applies.
 */
public enum FailureKind {
  /** The user lacks a right in HBase. */
  ACCESS_DENIED(
      "access denied",
      "an HBase administrator can grant it in the HBase shell: grant '{user}', '{right}',"
          + " '{table}'",
      List.of(USER, ACTION, TABLE),
      "org.apache.hadoop.hbase.security.AccessDeniedException"),
  /** HBase has no such table. */
  NO_SUCH_TABLE(
      "no such table",
      Remedy.CREATE.toString(),
      List.of(NAMED_TABLE),
      "org.apache.hadoop.hbase.TableNotFoundException",
      "org.apache.hadoop.hbase.TableInfoMissingException"),
  /** HBase has no such namespace. */
  NO_SUCH_NAMESPACE(
      "no such namespace",
      "create it in the HBase shell: create_namespace '{namespace}'",
      List.of(NAMESPACE),
      "org.apache.hadoop.hbase.NamespaceNotFoundException"),
  /** The namespace exists already. */
  NAMESPACE_EXISTS(
      "namespace exists",
      "choose another name, nothing changed",
      List.of(NAMESPACE),
      "org.apache.hadoop.hbase.NamespaceExistException"),
  /** The table exists already. */
  TABLE_EXISTS(
      "table exists",
      "choose another name, nothing changed",
      List.of(NAMED_TABLE),
      "org.apache.hadoop.hbase.TableExistsException"),
  /** The table is disabled. */
  TABLE_DISABLED(
      "table disabled",
      "enable it in the HBase shell: enable '{table}'",
      List.of(NAMED_TABLE),
      "org.apache.hadoop.hbase.TableNotEnabledException"),
  /** The table has to be disabled first. */
  TABLE_ENABLED(
      "table not disabled",
      "disable it first in the HBase shell: disable '{table}'",
      List.of(NAMED_TABLE),
      "org.apache.hadoop.hbase.TableNotDisabledException"),
  /** The table has no such column family. */
  NO_SUCH_FAMILY(
      "no such column family",
      "name one that the table has, or add it in the HBase shell: alter '{table}', '{family}'",
      List.of(FAMILY, TABLE),
      "org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException"),
  /** An impossible change of column families. */
  INVALID_FAMILY(
      "impossible change of a column family",
      "compare with the table in the HBase shell: describe '{table}'",
      List.of(FREE_TEXT),
      "org.apache.hadoop.hbase.InvalidFamilyOperationException"),
  /** Another client changes the table. */
  TABLE_CHANGING(
      "table is being changed by another client",
      "wait until that has ended, then try again",
      List.of(NAMED_TABLE),
      "org.apache.hadoop.hbase.ConcurrentTableModificationException",
      "org.apache.hadoop.hbase.client.LockTimeoutException"),
  /** HBase refuses the table's descriptor. */
  TABLE_REFUSED(
      "HBase refuses the table's descriptor",
      "correct the setting that the reason names",
      List.of(FREE_TEXT),
      "org.apache.hadoop.hbase.exceptions.FailedSanityCheckException",
      "org.apache.hadoop.hbase.constraint.ConstraintException"),
  /** A quota on the space of a table or namespace is violated. */
  SPACE_QUOTA_EXCEEDED(
      "space quota exceeded",
      "delete data and compact, or have an administrator raise the quota in the HBase shell:"
          + " list_quotas, set_quota TYPE => SPACE",
      List.of(TABLE, POLICY),
      "org.apache.hadoop.hbase.quotas.SpaceLimitingException"),
  /** A quota of HDFS on a directory. */
  HDFS_QUOTA_EXCEEDED(
      "HDFS quota exceeded",
      "delete files, or have an administrator raise the quota: hdfs dfsadmin -setSpaceQuota",
      List.of(PATH),
      "org.apache.hadoop.hdfs.protocol.QuotaExceededException",
      "org.apache.hadoop.fs.ClusterStorageCapacityExceededException"),
  /** A quota on the number of tables or regions of a namespace. */
  QUOTA_EXCEEDED(
      "quota exceeded",
      "drop what is not needed, or have an administrator raise the quota of the namespace in the"
          + " HBase shell: alter_namespace",
      List.of(FREE_TEXT),
      "org.apache.hadoop.hbase.quotas.QuotaExceededException"),
  /** A quota on requests: the client has to send fewer. */
  THROTTLED(
      "request quota exceeded",
      "send fewer requests, or have an administrator raise the quota in the HBase shell:"
          + " list_quotas, set_quota TYPE => THROTTLE",
      List.of(TABLE, LIMIT, WAIT),
      "org.apache.hadoop.hbase.quotas.RpcThrottlingException",
      "org.apache.hadoop.hbase.quotas.ThrottlingException"),
  /** A region's memstore is full. */
  REGION_BUSY(
      "region too busy",
      "its writes wait for a flush: write more slowly, or find out in the region server's log why"
          + " flushes do not end",
      List.of(TABLE, REGION, SERVER),
      "org.apache.hadoop.hbase.RegionTooBusyException"),
  /** A server has more requests than it can queue. */
  SERVER_BUSY(
      "server too busy",
      "send fewer requests at once, or raise the server's handlers"
          + " (hbase.regionserver.handler.count)",
      List.of(SERVER),
      "org.apache.hadoop.hbase.CallQueueTooBigException",
      "org.apache.hadoop.hbase.CallDroppedException",
      "org.apache.hadoop.hbase.ipc.ServerTooBusyException",
      "org.apache.hadoop.hbase.exceptions.PreemptiveFastFailException"),
  /** HDFS is in safe mode. */
  SAFE_MODE(
      "HDFS is in safe mode",
      "wait until it leaves it, or see why it does not: hdfs dfsadmin -safemode get, hdfs fsck /",
      List.of(PATH),
      "org.apache.hadoop.hdfs.server.namenode.SafeModeException"),
  /** A Kerberos ticket or key is missing or refused. */
  NOT_AUTHENTICATED(
      "not authenticated",
      "get a Kerberos ticket with kinit, or name principal and keytab"
          + " (hbase.client.keytab.principal, hbase.client.keytab.file)",
      List.of(USER, FREE_TEXT),
      Pattern.compile("GSS initiate failed|Can't get Kerberos|Kerberos credentials"),
      "javax.security.sasl.SaslException",
      "javax.security.auth.login.LoginException",
      "org.ietf.jgss.GSSException",
      "org.apache.hadoop.security.KerberosAuthException",
      "org.apache.hadoop.security.authorize.AuthorizationException",
      "org.apache.hadoop.hbase.ipc.BadAuthException",
      "org.apache.hadoop.hbase.ipc.FallbackDisallowedException",
      "org.apache.hadoop.hbase.ipc.SecurityNotEnabledException",
      "org.apache.zookeeper.KeeperException$AuthFailedException"),
  /** ZooKeeper denies the user access to a node. */
  ZOOKEEPER_DENIED(
      "ZooKeeper denies access",
      "log in as a user with access (kinit, or evenkey.zookeeper.auth)",
      List.of(NODE),
      "org.apache.zookeeper.KeeperException$NoAuthException"),
  /** The file system denies the user access to a file. */
  FILE_DENIED(
      "file access denied",
      "have its owner change the permissions, or use an account with access",
      List.of(USER, ACTION, PATH),
      Pattern.compile("Permission denied"),
      "org.apache.hadoop.security.AccessControlException",
      "org.apache.hadoop.fs.PathAccessDeniedException",
      "org.apache.hadoop.fs.PathPermissionException",
      "java.nio.file.AccessDeniedException"),
  /** A disk is full. */
  DISK_FULL(
      "no space left on the disk",
      "delete files, or name a directory on another disk",
      List.of(PATH),
      Pattern.compile("No space left on device|Disk quota exceeded|There is not enough space"),
      "org.apache.hadoop.util.DiskChecker$DiskOutOfSpaceException"),
  /** The file does not exist. */
  NO_SUCH_FILE(
      "no such file",
      "correct the path",
      List.of(PATH),
      "java.io.FileNotFoundException",
      "java.nio.file.NoSuchFileException",
      "org.apache.hadoop.fs.PathNotFoundException"),
  /** The file to create exists already. */
  FILE_EXISTS(
      "file exists",
      "name another path, or remove it",
      List.of(PATH),
      "java.nio.file.FileAlreadyExistsException",
      "java.nio.file.DirectoryNotEmptyException",
      "org.apache.hadoop.fs.FileAlreadyExistsException",
      "org.apache.hadoop.fs.PathExistsException",
      "org.apache.hadoop.fs.PathIsNotEmptyDirectoryException"),
  /** No file system is installed for the path's scheme. */
  NO_SUCH_FILE_SYSTEM(
      "no such file system",
      "correct the scheme of the path, or add the file system's jar to the class path",
      List.of(FREE_TEXT),
      Pattern.compile("No FileSystem for scheme"),
      "org.apache.hadoop.fs.UnsupportedFileSystemException"),
  /** A corrupt file. */
  DAMAGED_FILE(
      "damaged file",
      "restore it from a replica, a snapshot or a backup: hdfs fsck, hbase hbck",
      List.of(PATH, FREE_TEXT),
      "org.apache.hadoop.hbase.io.hfile.CorruptHFileException",
      "org.apache.hadoop.hbase.io.hfile.InvalidHFileException",
      "org.apache.hadoop.fs.ChecksumException",
      "org.apache.hadoop.hdfs.BlockMissingException",
      "org.apache.hadoop.hbase.snapshot.CorruptedSnapshotException"),
  /** The snapshot does not exist. */
  NO_SUCH_SNAPSHOT(
      "no such snapshot",
      "list existing ones in the HBase shell: list_snapshots",
      List.of(SNAPSHOT),
      "org.apache.hadoop.hbase.snapshot.SnapshotDoesNotExistException",
      "org.apache.hadoop.hbase.snapshot.UnknownSnapshotException",
      "org.apache.hadoop.hbase.snapshot.SnapshotTTLExpiredException"),
  /** The snapshot exists already. */
  SNAPSHOT_EXISTS(
      "snapshot exists",
      "choose another name, or delete it in the HBase shell: delete_snapshot '{snapshot}'",
      List.of(SNAPSHOT),
      "org.apache.hadoop.hbase.snapshot.SnapshotExistsException"),
  /** A row, cell or request above HBase's limits. */
  TOO_BIG(
      "too big for HBase",
      "write less at once, or raise the limit on client and servers"
          + " (hbase.client.keyvalue.maxsize, hbase.server.keyvalue.maxsize,"
          + " hbase.ipc.max.request.size, hbase.table.max.rowsize)",
      List.of(FREE_TEXT),
      Pattern.compile("KeyValue size too large|exceeds limit of \\d+ bytes"),
      "org.apache.hadoop.hbase.client.RowTooBigException",
      "org.apache.hadoop.hbase.regionserver.RowTooBigException",
      "org.apache.hadoop.hbase.exceptions.RequestTooBigException"),
  /** A read-only table or region. */
  READ_ONLY(
      "table is read-only",
      "have an administrator change that in the HBase shell: alter '{table}', READONLY => 'false'",
      List.of(TABLE),
      Pattern.compile("(?i)\\bis read[- ]only\\b|\\bread[- ]only mode\\b")),
  /** A filter or coprocessor that a region server cannot load. */
  CLASS_MISSING(
      "class not found",
      "add its jar to the class path of the region servers (filters, coprocessors) or of this"
          + " program and its jobs (all else)",
      List.of(MISSING),
      "java.lang.ClassNotFoundException",
      "java.lang.NoClassDefFoundError"),
  /** A coprocessor endpoint that a table has not loaded, or a server of another version. */
  UNKNOWN_SERVICE(
      "server does not know this service",
      "check that client and servers are of one version, and that the table has loaded the"
          + " coprocessor",
      List.of(SERVER, FREE_TEXT),
      "org.apache.hadoop.hbase.exceptions.UnknownProtocolException",
      "org.apache.hadoop.hbase.ipc.UnknownServiceException",
      "org.apache.hadoop.hbase.ipc.WrongVersionException",
      "org.apache.hadoop.hbase.ipc.UnsupportedCellCodecException",
      "org.apache.hadoop.hbase.ipc.UnsupportedCompressionCodecException",
      "org.apache.hadoop.ipc.RpcNoSuchMethodException",
      "org.apache.hadoop.ipc.RpcNoSuchProtocolException"),
  /** A name that DNS does not know. */
  NO_SUCH_HOST(
      "host name not found",
      "correct the name, or add it to DNS or to the hosts file of this machine",
      List.of(HOST),
      "java.net.UnknownHostException",
      "java.nio.channels.UnresolvedAddressException"),
  /** The master is still starting. */
  MASTER_STARTING(
      "HBase is starting",
      "wait until the master is initialized, then try again",
      List.of(),
      "org.apache.hadoop.hbase.PleaseHoldException",
      "org.apache.hadoop.hbase.ipc.ServerNotRunningYetException",
      "org.apache.hadoop.hbase.NotAllMetaRegionsOnlineException",
      "org.apache.hadoop.hbase.PleaseRestartMasterException"),
  /** ZooKeeper has no HBase, or not under this node. */
  NO_HBASE(
      "no HBase in this ZooKeeper",
      "start HBase, or correct zookeeper.znode.parent",
      List.of(PARENT),
      "org.apache.zookeeper.KeeperException$NoNodeException"),
  /** No master answers. */
  NO_MASTER(
      "no HBase master answers",
      "start a master, or see in its log why it stopped",
      List.of(SERVER),
      Pattern.compile("Can't get master address from ZooKeeper"),
      "org.apache.hadoop.hbase.MasterNotRunningException",
      "org.apache.hadoop.hbase.exceptions.MasterRegistryFetchException",
      "org.apache.hadoop.hbase.exceptions.MasterStoppedException"),
  /** ZooKeeper does not answer. */
  NO_ZOOKEEPER(
      "ZooKeeper does not answer",
      "check that its servers run and can be reached (hbase.zookeeper.quorum)",
      List.of(NODE),
      Pattern.compile("^Zookeeper \\w+ could not be completed in"),
      "org.apache.hadoop.hbase.ZooKeeperConnectionException",
      "org.apache.zookeeper.KeeperException$ConnectionLossException",
      "org.apache.zookeeper.KeeperException$SessionExpiredException",
      "org.apache.zookeeper.KeeperException$OperationTimeoutException",
      "org.apache.zookeeper.KeeperException$RequestTimeoutException",
      "org.apache.curator.CuratorConnectionLossException",
      "io.evenkey.shaded.org.apache.curator.CuratorConnectionLossException"),
  /** A region that no server serves now. */
  REGION_OFFLINE(
      "region not served",
      "wait until a region server has opened it; if that lasts, see the master's log and hbase"
          + " hbck",
      List.of(TABLE, REGION, SERVER),
      "org.apache.hadoop.hbase.NotServingRegionException",
      "org.apache.hadoop.hbase.client.NoServerForRegionException",
      "org.apache.hadoop.hbase.client.RegionOfflineException",
      "org.apache.hadoop.hbase.UnknownRegionException",
      "org.apache.hadoop.hbase.regionserver.WrongRegionException",
      "org.apache.hadoop.hbase.snapshot.TablePartiallyOpenException"),
  /** A server that stops, or has stopped. */
  SERVER_STOPPED(
      "region server stopped",
      "HBase moves its regions to others, try again; if it stops again, see its log",
      List.of(SERVER),
      "org.apache.hadoop.hbase.regionserver.RegionServerStoppedException",
      "org.apache.hadoop.hbase.YouAreDeadException",
      "org.apache.hadoop.hbase.ipc.FailedServerException"),
  /** A scan whose scanner has expired on the region server. */
  SCAN_EXPIRED(
      "scan expired on the server",
      "read faster, or raise hbase.client.scanner.timeout.period on client and servers",
      List.of(TABLE, SERVER),
      "org.apache.hadoop.hbase.UnknownScannerException",
      "org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException",
      "org.apache.hadoop.hbase.exceptions.ScannerResetException",
      "org.apache.hadoop.hbase.regionserver.LeaseException"),
  /** A server that refuses connections or is unreachable. */
  NO_CONNECTION(
      "cannot connect",
      "check that the server runs, and that the network lets this machine reach it",
      List.of(SERVER),
      "java.net.ConnectException",
      "java.net.NoRouteToHostException",
      "java.net.PortUnreachableException",
      "org.apache.hadoop.net.ConnectTimeoutException"),
  /** This process, or a job's process, needs a larger heap. */
  OUT_OF_MEMORY(
      "out of memory",
      "give it a larger heap (EVENKEY_JAVA_OPTS=-Xmx4g; for jobs mapreduce.map.java.opts and"
          + " mapreduce.reduce.java.opts)",
      List.of(FREE_TEXT),
      "java.lang.OutOfMemoryError"),
  /** Another process listens on the address. */
  PORT_IN_USE(
      "port in use",
      "choose another port, or stop what listens there",
      List.of(),
      "java.net.BindException"),
  /** A timeout. If another failure caused it, that failure applies. */
  TIMEOUT(
      "no answer in time",
      "see whether the server is overloaded, or give it longer (hbase.rpc.timeout,"
          + " hbase.client.operation.timeout)",
      List.of(TABLE, SERVER),
      "org.apache.hadoop.hbase.ipc.CallTimeoutException",
      "org.apache.hadoop.hbase.exceptions.TimeoutIOException",
      "org.apache.hadoop.hbase.client.OperationTimeoutExceededException",
      "org.apache.hadoop.hbase.errorhandling.TimeoutException",
      "java.net.SocketTimeoutException",
      "java.util.concurrent.TimeoutException"),
  /** A broken connection. If another failure caused it, that failure applies. */
  CONNECTION_LOST(
      "connection lost",
      "try again; if that lasts, see the server's log",
      List.of(SERVER),
      "org.apache.hadoop.hbase.exceptions.ConnectionClosedException",
      "org.apache.hadoop.hbase.exceptions.ConnectionClosingException",
      "org.apache.hadoop.hbase.ipc.StoppedRpcClientException",
      "org.apache.hadoop.hbase.ipc.FatalConnectionException",
      "java.net.SocketException",
      "java.nio.channels.ClosedChannelException"),
  /** The program was interrupted. */
  INTERRUPTED(
      "interrupted",
      "start it again",
      List.of(),
      "java.lang.InterruptedException",
      "java.io.InterruptedIOException",
      "java.nio.channels.ClosedByInterruptException",
      "java.util.concurrent.CancellationException",
      "org.apache.hadoop.hbase.ipc.CallCancelledException"),
  /** A failure that Evenkey reports: its message is the line. */
  EVENKEY("", "", List.of()),
  /** Any other failure. */
  OTHER("", "", List.of());

  private final String rule;
  private final String remedy;

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable list
  private final List<FailureField> fields;

  private final @Nullable Pattern message;

  @SuppressWarnings("ImmutableEnumChecker") // an unmodifiable set
  private final Set<String> classes;

  FailureKind(String rule, String remedy, List<FailureField> fields, String... classes) {
    this(rule, remedy, fields, null, classes);
  }

  FailureKind(
      String rule,
      String remedy,
      List<FailureField> fields,
      @Nullable Pattern message,
      String... classes) {
    this.rule = rule;
    this.remedy = remedy;
    this.fields = fields;
    this.message = message;
    this.classes = Set.of(classes);
  }

  /** The kind of an exception, if known. */
  static FailureKind of(Cause cause) {
    for (FailureKind kind : values()) {
      if ((kind.message != null && kind.message.matcher(Text.firstLine(cause.message())).find())
          || cause.isOf(kind.classes)) {
        return kind;
      }
    }
    return OTHER;
  }

  /** Whether a failure that caused this one is more precise. */
  boolean isVague() {
    return this == TIMEOUT || this == CONNECTION_LOST || this == NO_MASTER || this == NO_ZOOKEEPER;
  }

  String rule() {
    return rule;
  }

  String remedy() {
    return remedy;
  }

  List<FailureField> fields() {
    return fields;
  }

  Set<String> classes() {
    return classes;
  }
}
