/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running cluster of separate processes on this machine: HDFS, ZooKeeper, HBase and, unless it is
 * left out, YARN.
 *
 * <pre>{@code
 * try (SeparateCluster cluster = SeparateCluster.start(directory, ClusterOptions.defaults())) {
 *   Connection connection = ConnectionFactory.createConnection(cluster.configuration());
 *   cluster.kill(Member.regionServer(1));
 * }
 * }</pre>
 *
 * <p>The processes end when the cluster is closed, when this JVM exits, and when it is killed, all
 * YARN containers included; those of a cluster that {@linkplain ClusterOptions#stays() stays} end
 * by {@link #close} alone, of this object or of another that was {@linkplain #attach attached}. A
 * start takes about 45 s on two cores, and the processes take about 3 GB. Thread-safe.
 */
public final class SeparateCluster implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(SeparateCluster.class);
  private static final Duration START_TIMEOUT = Duration.ofMinutes(5);
  private static final Duration STOP_TIMEOUT = Duration.ofSeconds(60);
  private static final long POLL_MS = 200;

  private final ClusterDirectory directory;
  private final Ports ports;

  /**
   * The processes that this object has started; the pipe to a child closes if it is no longer
   * referenced.
   */
  private final Map<Member, Process> children = new LinkedHashMap<>();

  private final Thread closeOnExit = new Thread(this::closeOnExit, "evenkey-cluster-stop");
  private ClusterState state;
  private @Nullable Logins logins;
  private boolean closed;

  private SeparateCluster(ClusterDirectory directory, ClusterState state) {
    this.directory = directory;
    this.state = state;
    this.ports = new Ports(state.ports());
  }

  /** Is called with what a start waits for. */
  @FunctionalInterface
  public interface Listener {
    /** A process is about to be started, or is waited for. */
    void step(String what);
  }

  /** Starts it like {@link #start(Path, ClusterOptions, Listener)}, without a listener. */
  public static SeparateCluster start(Path directory, ClusterOptions options) throws IOException {
    return start(directory, options, step -> {});
  }

  /**
   * Starts a cluster, and returns when all of it does its work.
   *
   * @param directory made if need be. If it is that of a cluster that was stopped and kept its
   *     data, that one is started again, on the same ports
   * @throws ClusterException if a cluster runs there, the directory holds something else, or a
   *     process did not come up; nothing is left running then
   */
  public static SeparateCluster start(Path directory, ClusterOptions options, Listener listener)
      throws IOException {
    ClusterDirectory taken = ClusterDirectory.take(directory);
    SeparateCluster cluster;
    try {
      options.checkClassPath();
      refuseRunning(taken);
      cluster = new SeparateCluster(taken, state(taken, options));
      cluster.ports.checkFree();
      cluster.state.write(taken);
    } catch (IOException | RuntimeException e) {
      if (!taken.hasState()) {
        taken.clean(false);
      }
      taken.close();
      throw e;
    }
    // A start that is interrupted leaves nothing, whether the cluster is to stay or not.
    Runtime.getRuntime().addShutdownHook(cluster.closeOnExit);
    try {
      cluster.launch(listener);
      if (options.stays()) {
        cluster.letStay();
      }
      return cluster;
    } catch (IOException | RuntimeException e) {
      cluster.closeAfter(e);
      throw e;
    }
  }

  private static void refuseRunning(ClusterDirectory directory) throws ClusterException {
    List<Long> running = directory.processes().running().map(ProcessHandle::pid).toList();
    if (!running.isEmpty()) {
      throw new ClusterException(
          "cluster is running: path="
              + directory.path()
              + " processes="
              + running.size()
              + "; stop it first");
    }
  }

  private static ClusterState state(ClusterDirectory directory, ClusterOptions options)
      throws IOException {
    if (!directory.hasState()) {
      return ClusterState.of(
          options, Ports.choose(Member.all(options), RandomGenerator.getDefault()));
    }
    ClusterState before = ClusterState.read(directory);
    for (Role role : Role.values()) {
      if (options.count(role) != before.options().count(role)) {
        throw new ClusterException(
            "cluster has another number of processes: role="
                + role.label()
                + " has="
                + before.options().count(role)
                + " asked="
                + options.count(role)
                + "; ask for as many, or name a new directory");
      }
    }
    return before.with(options);
  }

  /**
   * A cluster that another process has started and that stays.
   *
   * @throws ClusterException if there is none in the directory
   */
  public static SeparateCluster attach(Path directory) throws IOException {
    ClusterDirectory existing = ClusterDirectory.existing(directory);
    return new SeparateCluster(existing, ClusterState.read(existing));
  }

  private synchronized void launch(Listener listener) throws IOException {
    ClusterOptions options = state.options();
    new SiteFiles(directory, options, ports).write();
    Map<Member, Long> started = new LinkedHashMap<>();
    if (options.kerberos() != null) {
      logins = Logins.enter(new KerberosFiles(directory), options.kerberos(), configuration());
      Member kdc = Member.of(Role.KDC);
      listener.step("starting " + kdc);
      started.put(kdc, startProcess(kdc));
      await(kdc, started, listener);
    }
    if (!Files.exists(directory.resolve("hdfs/namenode/current"))) {
      listener.step("formatting HDFS");
      format();
    }
    for (Member member : members()) {
      if (started.containsKey(member)) {
        continue;
      }
      if (logins != null
          && (member.role() == Role.RESOURCE_MANAGER || member.role() == Role.MASTER)) {
        await(Member.of(Role.NAME_NODE), started, listener);
        logins.createDirectories();
      }
      if (member.role() == Role.MASTER) {
        // It gives up without a file system.
        await(Member.of(Role.NAME_NODE), started, listener);
        await(Member.of(Role.ZOOKEEPER), started, listener);
      }
      listener.step("starting " + member);
      started.put(member, startProcess(member));
    }
    for (Member member : members()) {
      await(member, started, listener);
    }
  }

  private void await(Member member, Map<Member, Long> started, Listener listener)
      throws IOException {
    listener.step("waiting for " + member);
    awaitReady(member, started.getOrDefault(member, 0L));
  }

  private void format() throws IOException {
    Process format =
        JavaCommand.start(
            directory,
            state.options(),
            Member.of(Role.NAME_NODE),
            List.of("-format", "-force", "-nonInteractive"));
    if (!Processes.ends(format.toHandle(), START_TIMEOUT)) {
      format.destroyForcibly();
    }
    if (format.isAlive() || format.exitValue() != 0) {
      throw ended(Member.of(Role.NAME_NODE), "HDFS was not formatted");
    }
  }

  // Its number in milliseconds since 1970, before which no process of this member counts.
  private long startProcess(Member member) throws IOException {
    long startedMs = System.currentTimeMillis();
    Process process =
        JavaCommand.start(
            directory,
            state.options(),
            member,
            JavaCommand.arguments(directory, state.options(), ports, member));
    children.put(member, process);
    state = state.with(member, process.pid());
    state.write(directory);
    return startedMs;
  }

  private void awaitReady(Member member, long startedMs) throws IOException {
    Readiness readiness = new Readiness(state.options(), ports, configuration());
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    @Nullable IOException last = null;
    while (true) {
      if (process(member).isEmpty()) {
        throw ended(member, "process ended while it started");
      }
      try {
        if (isReady(readiness, member, startedMs)) {
          return;
        }
      } catch (IOException e) {
        // Not yet.
        last = e;
      }
      if (System.nanoTime() > deadline) {
        throw new ClusterException(
            "process is not ready after "
                + START_TIMEOUT.toSeconds()
                + " s: process="
                + member
                + " log="
                + directory.log(member)
                + "; the log has the details",
            last);
      }
      pause();
    }
  }

  private boolean isReady(Readiness readiness, Member member, long startedMs) throws IOException {
    if (logins == null) {
      return readiness.isReady(member, startedMs);
    }
    return member.role() == Role.KDC
        ? logins.isReady()
        : logins.asSuperuser(() -> readiness.isReady(member, startedMs));
  }

  private ClusterException ended(Member member, String what) {
    return new ClusterException(
        what
            + ": process="
            + member
            + " log="
            + directory.log(member)
            + "; the log has the details");
  }

  private static void pause() throws InterruptedIOException {
    try {
      Thread.sleep(POLL_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a process started");
    }
  }

  private void letStay() throws IOException {
    Runtime.getRuntime().removeShutdownHook(closeOnExit);
    directory.close();
  }

  /** Its processes, in the order in which they start. */
  public synchronized List<Member> members() {
    return Member.all(state.options());
  }

  /** The process of a member, if it runs. */
  public synchronized Optional<ProcessHandle> process(Member member) {
    Long pid = state.pids().get(member.name());
    return pid == null ? Optional.empty() : directory.processes().find(pid).findFirst();
  }

  /** All processes of the cluster that run, YARN's containers included. */
  public List<ProcessHandle> running() {
    return directory.processes().running().toList();
  }

  /** A new configuration with which a client reaches HBase, HDFS and YARN. */
  public synchronized Configuration configuration() {
    Configuration client = HBaseConfiguration.create();
    for (String file : SiteFiles.OF_CLIENTS) {
      Path site = configurationDirectory().resolve(file);
      if (Files.exists(site)) {
        client.addResource(new org.apache.hadoop.fs.Path(site.toUri()));
      }
    }
    return client;
  }

  /**
   * The files of that configuration, as {@code HBASE_CONF_DIR} and {@code HADOOP_CONF_DIR} name
   * them.
   */
  public Path configurationDirectory() {
    return directory.resolve(ClusterDirectory.CONF);
  }

  /**
   * Logs a user in, by the keytab of a cluster with Kerberos. The login is not that of the process:
   * actions in its {@code doAs} are this user's.
   *
   * @throws IllegalStateException if the cluster has no Kerberos, or was not started by this object
   */
  public synchronized UserGroupInformation login(String user) throws IOException {
    if (logins == null) {
      throw new IllegalStateException(
          "no Kerberos in this JVM: user=" + user + "; start the cluster by withKerberos");
    }
    return logins.user(user);
  }

  /** The {@code krb5.conf} of a cluster with Kerberos, for the JVMs of its clients. */
  public Path krb5() {
    return new KerberosFiles(directory).krb5();
  }

  /** The keys of all principals of a cluster with Kerberos. */
  public Path keytab() {
    return new KerberosFiles(directory).keytab();
  }

  /** ZooKeeper's address, such as {@code 127.0.0.1:21043}. */
  public String quorum() {
    return "127.0.0.1:" + ports.of(Role.ZOOKEEPER, "client");
  }

  /** The addresses of the web pages of HBase and YARN; of the first region server. */
  public synchronized Map<Role, String> webPages() {
    Map<Role, String> pages = new EnumMap<>(Role.class);
    for (Role role :
        List.of(
            Role.MASTER,
            Role.REGION_SERVER,
            Role.RESOURCE_MANAGER,
            Role.NODE_MANAGER,
            Role.HISTORY_SERVER)) {
      if (state.options().count(role) > 0) {
        pages.put(role, "http://localhost:" + ports.of(role, "web") + "/");
      }
    }
    return pages;
  }

  /** The port on 127.0.0.1 at which a process serves its clients. */
  public int port(Member member) {
    return ports.of(member, member.role().ports().get(0));
  }

  /** The directory that has all files of the cluster. */
  public Path directory() {
    return directory.path();
  }

  /** The output and log of a process. */
  public Path log(Member member) {
    return directory.log(member);
  }

  /**
   * Kills a process by SIGKILL, and returns when it is gone. The containers of a NodeManager that
   * is killed go on, as they do in any cluster.
   *
   * @throws ClusterException if it does not run
   */
  public synchronized void kill(Member member) throws IOException {
    ProcessHandle process = alive(member);
    process.destroyForcibly();
    Processes.awaitEnd(process, STOP_TIMEOUT);
  }

  /**
   * Stops a process by SIGSTOP, as a long pause would: it keeps its connections and answers
   * nothing.
   *
   * @throws ClusterException if it does not run
   */
  public synchronized void stop(Member member) throws IOException {
    Processes.signal(alive(member), "STOP");
  }

  /**
   * Lets a process that was {@linkplain #stop stopped} go on.
   *
   * @throws ClusterException if it does not run
   */
  public synchronized void cont(Member member) throws IOException {
    Processes.signal(alive(member), "CONT");
  }

  /**
   * Starts a process again, having killed it if it runs, and returns when it does its work.
   *
   * @throws ClusterException if it did not come up
   */
  public synchronized void restart(Member member) throws IOException {
    if (process(member).isPresent()) {
      kill(member);
    }
    awaitReady(member, startProcess(member));
  }

  private ProcessHandle alive(Member member) throws ClusterException {
    return process(member)
        .orElseThrow(
            () ->
                new ClusterException(
                    "process does not run: process="
                        + member
                        + " log="
                        + directory.log(member)
                        + "; start it first"));
  }

  /**
   * Stops all processes as an operator would, so that they write out what they hold, and keeps the
   * data for a later {@link #start}. Further calls do nothing.
   */
  public synchronized void stopAndKeep() throws IOException {
    if (closed) {
      return;
    }
    List<Role> order =
        List.of(
            Role.NODE_MANAGER,
            Role.RESOURCE_MANAGER,
            Role.HISTORY_SERVER,
            Role.REGION_SERVER,
            Role.MASTER,
            Role.ZOOKEEPER,
            Role.DATA_NODE,
            Role.NAME_NODE,
            Role.KDC);
    for (Role role : order) {
      List<ProcessHandle> ending = new ArrayList<>();
      for (Member member : members()) {
        if (member.role() == role) {
          process(member).ifPresent(ending::add);
        }
      }
      ending.forEach(ProcessHandle::destroy);
      for (ProcessHandle process : ending) {
        if (!Processes.ends(process, STOP_TIMEOUT)) {
          LOG.warn("process does not end by itself, and is killed: {}", process.pid());
        }
      }
    }
    directory.processes().killAll();
    release();
  }

  /**
   * Kills all processes, YARN's containers included, and deletes the data, and unless the options
   * say otherwise the logs. Further calls do nothing.
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    directory.processes().killAll();
    directory.clean(state.options().keepsLogs());
    release();
  }

  private void release() throws IOException {
    closed = true;
    if (logins != null) {
      Logins.leave();
    }
    children.clear();
    directory.close();
    try {
      Runtime.getRuntime().removeShutdownHook(closeOnExit);
    } catch (IllegalStateException e) {
      // This JVM is exiting, and this may be the hook.
      LOG.debug("stopped on exit", e);
    }
  }

  // The logs say why a start failed.
  private void closeAfter(Exception failure) {
    try {
      synchronized (this) {
        directory.processes().killAll();
        directory.clean(true);
        release();
      }
    } catch (IOException | RuntimeException e) {
      failure.addSuppressed(e);
    }
  }

  private void closeOnExit() {
    // Without the lock of this object, which a start may hold.
    try {
      directory.processes().killAll();
      directory.clean(state.options().keepsLogs());
    } catch (IOException e) {
      LOG.warn("not stopped cleanly: {}", this, e);
    }
  }

  @Override
  public String toString() {
    return "cluster on " + quorum() + " in " + directory.path();
  }
}
