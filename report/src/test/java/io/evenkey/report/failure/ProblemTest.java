/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.failure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.evenkey.jobs.load.LoadException;
import io.evenkey.layout.failure.EvenkeyException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import javax.security.sasl.SaslException;
import org.apache.hadoop.hbase.CallQueueTooBigException;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HBaseIOException;
import org.apache.hadoop.hbase.MasterNotRunningException;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.PleaseHoldException;
import org.apache.hadoop.hbase.RegionTooBusyException;
import org.apache.hadoop.hbase.TableNotDisabledException;
import org.apache.hadoop.hbase.TableNotEnabledException;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.RetriesExhaustedWithDetailsException;
import org.apache.hadoop.hbase.io.hfile.CorruptHFileException;
import org.apache.hadoop.hbase.ipc.CallTimeoutException;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.apache.hadoop.hbase.ipc.ServerNotRunningYetException;
import org.apache.hadoop.hbase.quotas.RpcThrottlingException;
import org.apache.hadoop.hbase.quotas.SpaceLimitingException;
import org.apache.hadoop.hbase.regionserver.RegionServerStoppedException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class ProblemTest {
  private static final String DETAILS = "the log has more";
  private static final String REGION = "readings,a,1700000000000.0123456789abcdef0123456789abcdef.";

  private static String line(Throwable failure) {
    return Problem.of(failure, DETAILS).line();
  }

  static Stream<Arguments> failures() {
    return Stream.of(
        arguments(
            new TableNotFoundException("readings"),
            "no such table: table=readings; create it from its plan"),
        arguments(
            new TableNotEnabledException("readings is disabled."),
            "table disabled: table=readings; enable it in the HBase shell: enable 'readings'"),
        arguments(
            new ExecutionException(new TableNotDisabledException("readings")),
            "table not disabled: table=readings; disable it first in the HBase shell: disable"
                + " 'readings'"),
        arguments(
            new RemoteWithExtrasException(
                "org.apache.hadoop.hbase.security.AccessDeniedException",
                "org.apache.hadoop.hbase.security.AccessDeniedException: Insufficient permissions"
                    + " (user=eve, scope=default:readings, params=[table=default:readings,],"
                    + "action=WRITE)\n\tat org.apache.hadoop.hbase.Foo.bar(Foo.java:1)",
                true),
            "access denied: user=eve action=WRITE table=readings; an HBase administrator can grant"
                + " it in the HBase shell: grant 'eve', 'W', 'readings'"),
        arguments(
            new RetriesExhaustedException(
                "Failed after attempts=16, exceptions:",
                new UnknownHostException("rs1.example.com: Name or service not known")),
            "host name not found: host=rs1.example.com; correct the name, or add it to DNS or to"
                + " the hosts file of this machine"),
        arguments(
            new RetriesExhaustedException(
                "Failed",
                new ConnectException("Call to rs1/10.0.0.1:16020 failed: Connection refused")),
            "cannot connect: server=rs1:16020; check that the server runs, and that the network"
                + " lets this machine reach it"),
        arguments(
            new NoRouteToHostException("No route to host"),
            "cannot connect; check that the server runs, and that the network lets this machine"
                + " reach it"),
        arguments(
            new MasterNotRunningException(new ConnectException("Connection refused: m1:16000")),
            "cannot connect: server=m1:16000; check that the server runs, and that the network"
                + " lets this machine reach it"),
        arguments(
            new IOException(new KeeperException.ConnectionLossException()),
            "ZooKeeper does not answer; check that its servers run and can be reached"
                + " (hbase.zookeeper.quorum)"),
        arguments(
            new DoNotRetryIOException("Zookeeper GET could not be completed in 10000 ms"),
            "ZooKeeper does not answer; check that its servers run and can be reached"
                + " (hbase.zookeeper.quorum)"),
        arguments(
            new IOException(new KeeperException.NoAuthException()),
            "ZooKeeper denies access; log in as a user with access (kinit, or"
                + " evenkey.zookeeper.auth)"),
        arguments(
            new RetriesExhaustedWithDetailsException(
                List.of(new RegionTooBusyException("Over memstore limit=1, server=rs1,16020,17")),
                List.of(new Put(new byte[1])),
                List.of("rs1:16020")),
            "region too busy: server=rs1:16020; its writes wait for a flush: write more slowly, or"
                + " find out in the region server's log why flushes do not end"),
        arguments(
            new CallQueueTooBigException("Call queue is full on rs1,16020,1700000000000"),
            "server too busy: server=rs1:16020; send fewer requests at once, or raise the server's"
                + " handlers (hbase.regionserver.handler.count)"),
        arguments(
            new RpcThrottlingException("number of requests exceeded - wait 59sec, 0ms"),
            "request quota exceeded: limit=number_of_requests wait=59sec; send fewer requests, or"
                + " have an administrator raise the quota in the HBase shell: list_quotas,"
                + " set_quota TYPE => THROTTLE"),
        arguments(
            new SpaceLimitingException("NO_INSERTS", "Puts are disallowed due to a space quota."),
            "space quota exceeded: policy=NO_INSERTS; delete data and compact, or have an"
                + " administrator raise the quota in the HBase shell: list_quotas, set_quota TYPE"
                + " => SPACE"),
        arguments(
            new CallTimeoutException("callTimeout=1, callDuration=2: row 'a' on table 'readings'")
                .initCause(new NotServingRegionException(REGION + " is not online on x")),
            "region not served: table=readings region=0123456789abcdef0123456789abcdef; wait until a"
                + " region server has opened it; if that lasts, see the master's log and hbase"
                + " hbck"),
        arguments(
            new SocketTimeoutException("callTimeout=1, callDuration=2"),
            "no answer in time; see whether the server is overloaded, or give it longer"
                + " (hbase.rpc.timeout, hbase.client.operation.timeout)"),
        arguments(
            new RegionServerStoppedException("Server rs1,16020,1700000000000 stopping"),
            "region server stopped: server=rs1:16020; HBase moves its regions to others, try again;"
                + " if it stops again, see its log"),
        arguments(
            new IOException(new PleaseHoldException("Master is initializing")),
            "HBase is starting; wait until the master is initialized, then try again"),
        arguments(
            new ServerNotRunningYetException("Server is not running yet"),
            "HBase is starting; wait until the master is initialized, then try again"),
        arguments(
            new UnknownScannerException("Unknown scanner '17'"),
            "scan expired on the server; read faster, or raise"
                + " hbase.client.scanner.timeout.period on client and servers"),
        arguments(
            new RemoteException(
                "org.apache.hadoop.hdfs.server.namenode.SafeModeException",
                "Cannot create directory /jobs/a. Name node is in safe mode."),
            "HDFS is in safe mode: path=/jobs/a; wait until it leaves it, or see why it does not:"
                + " hdfs dfsadmin -safemode get, hdfs fsck /"),
        arguments(
            new AccessControlException(
                "Permission denied: user=eve, access=WRITE, inode=\"/jobs\":hdfs:hdfs:drwxr-xr-x"),
            "file access denied: user=eve action=WRITE path=/jobs; have its owner change the"
                + " permissions, or use an account with access"),
        arguments(
            new AccessDeniedException("/etc/shadow"),
            "file access denied: path=/etc/shadow; have its owner change the permissions, or use"
                + " an account with access"),
        arguments(
            new NoSuchFileException("my records.csv"),
            "no such file: path=my records.csv; correct the path"),
        arguments(
            new FileNotFoundException("/data/x.csv (No such file or directory)"),
            "no such file: path=/data/x.csv; correct the path"),
        arguments(
            new FileSystemException("/data/x", null, "No space left on device"),
            "no space left on the disk: path=/data/x; delete files, or name a directory on another"
                + " disk"),
        arguments(
            new IOException("No space left on device"),
            "no space left on the disk; delete files, or name a directory on another disk"),
        arguments(
            new OutOfMemoryError("Java heap space"),
            "out of memory: reason=Java heap space; give it a larger heap"
                + " (EVENKEY_JAVA_OPTS=-Xmx4g; for jobs mapreduce.map.java.opts and"
                + " mapreduce.reduce.java.opts)"),
        arguments(new InterruptedException(), "interrupted; start it again"),
        arguments(new InterruptedIOException(), "interrupted; start it again"),
        arguments(
            new BindException("Address already in use"),
            "port in use; choose another port, or stop what listens there"),
        arguments(
            new IOException(
                new SaslException("GSS initiate failed [Caused by no valid credentials provided]")),
            "not authenticated: reason=GSS initiate failed [Caused by no valid credentials"
                + " provided]; get a Kerberos ticket with kinit, or name principal and keytab"
                + " (hbase.client.keytab.principal, hbase.client.keytab.file)"),
        arguments(
            new CorruptHFileException("Problem reading HFile Trailer from file hdfs://n/data/f1"),
            "damaged file: path=hdfs://n/data/f1 reason=Problem reading HFile Trailer from file"
                + " hdfs://n/data/f1; restore it from a replica, a snapshot or a backup: hdfs"
                + " fsck, hbase hbck"),
        arguments(
            new DoNotRetryIOException(
                "java.lang.reflect.InvocationTargetException\n\tat x.Y.z(Y.java:1)\nCaused by:"
                    + " java.lang.ClassNotFoundException: com.example.MyFilter\n\tat a.B.c(B.java:2)"),
            "class not found: class=com.example.MyFilter; add its jar to the class path of the"
                + " region servers (filters, coprocessors) or of this program and its jobs (all"
                + " else)"),
        arguments(
            new UncheckedIOException(new HBaseIOException("the disk sings")),
            "the disk sings; the log has more"),
        arguments(
            new NullPointerException(), "unexpected failure: kind=null_pointer; the log has more"),
        arguments(
            new CompletionException(new IllegalStateException((String) null)),
            "unexpected failure: kind=illegal_state; the log has more"),
        arguments(
            new IOException("gone"), "unexpected failure: kind=IO reason=gone; the log has more"));
  }

  @ParameterizedTest
  @MethodSource("failures")
  void failuresHaveARuleNamesAndARemedy(Throwable failure, String line) {
    assertThat(line(failure)).isEqualTo(line);
  }

  @Test
  void namesThatTheCallerKnowsAreFilledIn() {
    RegionTooBusyException failure = new RegionTooBusyException("Over memstore limit=1");
    assertThat(Problem.of(failure, DETAILS, Map.of("table", "readings")).line())
        .startsWith("region too busy: table=readings; ");
    assertThat(
            Problem.of(new TableNotEnabledException("other"), DETAILS, Map.of("table", "readings"))
                .line())
        .startsWith("table disabled: table=other; ");
  }

  @Test
  void messagesOfEvenkeyStayAndTheirCauseFollows() {
    assertThat(
            Problem.of(new EvenkeyException("nothing loaded: file=a; name another"), DETAILS)
                .line())
        .isEqualTo("nothing loaded: file=a; name another");
    assertThat(
            Problem.of(
                    new LoadException(
                        "load stopped: records_written=5; resume the load",
                        new TableNotEnabledException("readings")),
                    DETAILS)
                .line())
        .isEqualTo(
            "load stopped: records_written=5; resume the load; cause: table disabled:"
                + " table=readings; enable it in the HBase shell: enable 'readings'");
  }

  @Test
  void evenkeysMessagesAreRecognizedByTheirClassAlsoFromOtherProcesses() {
    EvenkeyException own = new EvenkeyException("rows differ: table=a; repair them");
    own.setStackTrace(new StackTraceElement[0]);
    assertThat(Problem.of(new ExecutionException(own), DETAILS))
        .isEqualTo(new Problem(FailureKind.EVENKEY, "rows differ: table=a; repair them"));
    String described = LoadException.class.getName() + ": load stopped: rows=5; resume the load";
    assertThat(
            Problem.of(new RemoteException(LoadException.class.getName(), described), DETAILS)
                .line())
        .isEqualTo("load stopped: rows=5; resume the load");
    assertThat(Problem.of(new IOException("io.evenkey.Gone: not a class"), DETAILS).kind())
        .isEqualTo(FailureKind.OTHER);
    assertThat(Problem.of(new IOException("thrown here by a library"), DETAILS).line())
        .isEqualTo("thrown here by a library; the log has more");
  }

  @ParameterizedTest
  @EnumSource(FailureKind.class)
  void classesOfAKindExist(FailureKind kind) throws Exception {
    for (String name : kind.classes()) {
      if (!name.contains("org.apache.curator.")) {
        assertThat(Throwable.class).isAssignableFrom(Class.forName(name, false, loader()));
      }
    }
  }

  @Test
  void everyExceptionOfHBaseAndHadoopHasASentence() throws Exception {
    List<String> names = new ArrayList<>();
    for (Class<?> in :
        List.of(
            HBaseIOException.class,
            TableNotFoundException.class,
            CorruptHFileException.class,
            RemoteException.class,
            KeeperException.class)) {
      names.addAll(exceptions(in));
    }
    assertThat(names).hasSizeGreaterThan(200);
    for (String name : names) {
      Class<?> type = Class.forName(name, false, loader());
      if (!Throwable.class.isAssignableFrom(type)) {
        continue;
      }
      List<Throwable> failures = new ArrayList<>();
      failures.add(new RemoteException(name, null));
      failures.add(new RemoteException(name, name + ": it broke\n\tat a.B.c(B.java:1)"));
      failures.add(new IOException(name));
      for (String message : new String[] {null, "", "it broke", name + ": it broke"}) {
        // Exceptions about paths take a path, not a message.
        if (!type.getSimpleName().startsWith("Path")) {
          made(type, message, failures);
        }
      }
      for (Throwable failure : failures) {
        assertThat(
                line(new RetriesExhaustedException("Failed after attempts=1:", wrapped(failure))))
            .as("%s of %s", failure.getMessage(), name)
            .matches("\\w[^\\n]+; \\S[^\\n]+")
            .doesNotContain("org.apache", "Exception", "\tat ", "=null");
      }
    }
  }

  private static IOException wrapped(Throwable failure) {
    return failure instanceof IOException io ? io : new IOException(failure);
  }

  private static void made(Class<?> type, String message, List<Throwable> failures) {
    try {
      Constructor<?> constructor = type.getDeclaredConstructor(String.class);
      if (!Modifier.isAbstract(type.getModifiers())) {
        constructor.setAccessible(true);
        failures.add((Throwable) constructor.newInstance(message));
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      // The class has no such constructor: use the server's description of the exception.
      assertThat(failures).isNotEmpty();
    }
  }

  private static List<String> exceptions(Class<?> in) throws Exception {
    Path jar = Path.of(in.getProtectionDomain().getCodeSource().getLocation().toURI());
    try (JarFile file = new JarFile(jar.toFile())) {
      return file.stream()
          .map(JarEntry::getName)
          .filter(name -> name.matches("org/apache/.*Exception\\.class"))
          .map(name -> name.replace('/', '.').replaceFirst("\\.class$", ""))
          .toList();
    }
  }

  private static ClassLoader loader() {
    return ProblemTest.class.getClassLoader();
  }
}
