/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.LocalHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.security.access.PermissionStorage;
import org.apache.hadoop.hbase.util.JVMClusterUtil;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.apache.hadoop.hbase.zookeeper.RecoverableZooKeeper;
import org.apache.hadoop.metrics2.impl.JmxCacheBuster;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A real HBase in this JVM, for tests and for trying things out: ZooKeeper, one master and several
 * region servers over a local directory. The servers are HBase's own classes, not imitations, and
 * carry Evenkey's guard.
 *
 * <pre>{@code
 * try (EmbeddedHBase hbase = EmbeddedHBase.in(directory).servers(3).start()) {
 *   Table table = hbase.connection().getTable(name);
 * }
 * }</pre>
 *
 * <p>JUnit tests use {@link EmbeddedHBaseExtension}, which shares one instance among test classes.
 *
 * <p><b>Cost.</b> Starting takes some seconds, about 50 MB of heap and 200 threads. Everything
 * listens on 127.0.0.1, on free ports. <b>Data</b> stays in the directory: a later start, also with
 * another number of servers or after the process was killed, finds all tables again. An open
 * instance is closed when its process exits, also by Ctrl-C. Thread-safe.
 */
public final class EmbeddedHBase implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EmbeddedHBase.class);
  private static final Duration START_TIMEOUT = Duration.ofMinutes(3);
  private static final String ZOOKEEPER = "zookeeper";

  private final DataDirectory directory;
  private final LogFile log;
  private final MiniZooKeeperCluster zooKeeper;
  private final LocalHBaseCluster cluster;
  private final int zooKeeperPort;
  private final Thread stopOnExit = new Thread(this::closeOnExit, "evenkey-stop");
  private @Nullable Connection connection;
  private boolean closed;

  private EmbeddedHBase(
      DataDirectory directory,
      LogFile log,
      MiniZooKeeperCluster zooKeeper,
      LocalHBaseCluster cluster) {
    this.directory = directory;
    this.log = log;
    this.zooKeeper = zooKeeper;
    this.cluster = cluster;
    this.zooKeeperPort = zooKeeper.getClientPort();
  }

  /**
   * Returns the settings of an instance with three region servers. Nothing runs until {@link
   * Setup#start}.
   *
   * @param directory where everything is kept; created if it does not exist
   */
  public static Setup in(Path directory) {
    return new Setup(directory, 3, false, true, false, Map.of());
  }

  /**
   * Returns the settings of an instance with three region servers in a new temporary directory,
   * which is deleted when the instance is closed.
   */
  public static Setup temporary() throws IOException {
    return new Setup(Files.createTempDirectory("evenkey-"), 3, true, true, false, Map.of());
  }

  /**
   * The settings of an instance. Immutable: each method returns other settings.
   *
   * <pre>{@code
   * EmbeddedHBase hbase =
   *     EmbeddedHBase.temporary()
   *         .servers(1)
   *         .settings(Map.of("hbase.regionserver.handler.count", "10"))
   *         .start();
   * }</pre>
   *
   * @param directory where everything is kept; created if it does not exist
   * @param servers the number of region servers, from 1 to 100
   * @param temporary whether closing deletes the directory, which then must be new or empty
   * @param guard whether the regions of all tables load Evenkey's guard
   * @param accessControl whether HBase checks rights
   * @param settings further properties of HBase's configuration
   */
  public record Setup(
      Path directory,
      int servers,
      boolean temporary,
      boolean guard,
      boolean accessControl,
      Map<String, String> settings) {
    /** Checks the number of servers. */
    public Setup {
      settings = Map.copyOf(settings);
      if (servers < 1 || servers > 100) {
        throw new EvenkeyArgumentException(
            "number of region servers out of range: servers=" + servers + "; expected 1 to 100");
      }
    }

    /** Returns this setup with {@code count} region servers. */
    public Setup servers(int count) {
      return new Setup(directory, count, temporary, guard, accessControl, settings);
    }

    /**
     * Returns this setup with Evenkey's guard in the regions of all tables, which is the default,
     * or without it.
     */
    public Setup guard(boolean loaded) {
      return new Setup(directory, servers, temporary, loaded, accessControl, settings);
    }

    /**
     * Returns this setup with these properties of HBase's configuration, which replace earlier
     * ones.
     */
    public Setup settings(Map<String, String> byName) {
      return new Setup(directory, servers, temporary, guard, accessControl, byName);
    }

    /**
     * Returns this setup with HBase's {@code AccessController} in all servers, or without it. The
     * user of this process is the superuser. When {@link #start} returns, rights can be granted.
     */
    public Setup accessControl(boolean checked) {
      return new Setup(directory, servers, temporary, guard, checked, settings);
    }

    /**
     * Starts HBase, and returns when every region server is in service.
     *
     * @throws EmbeddedHBaseException if the directory is in use, belongs to a newer version or
     *     another program, or if HBase did not start; nothing is left running then
     */
    public EmbeddedHBase start() throws IOException {
      // Before any other class of HBase: otherwise the second server of a JVM dies of the first
      // one's metrics.
      DefaultMetricsSystem.setMiniClusterMode(true);
      keepMetricsBeans();
      DataDirectory data = DataDirectory.open(directory, temporary);
      LogFile log = LogFile.open(data.resolve("logs").resolve("hbase.log"));
      try {
        return launch(data, log, this);
      } catch (IOException | RuntimeException e) {
        closeAfter(e, log, data);
        throw e;
      }
    }
  }

  // After every table that is created or dropped HBase would register all beans of all servers
  // with JMX again: an eighth of the work of tests that create many tables.
  private static void keepMetricsBeans() {
    // It can be stopped only once it has begun.
    JmxCacheBuster.clearJmxCache();
    JmxCacheBuster.stop();
  }

  private static EmbeddedHBase launch(DataDirectory directory, LogFile log, Setup setup)
      throws IOException {
    int servers = setup.servers();
    Configuration conf = ServerSettings.of(directory, servers);
    setup.settings().forEach(conf::set);
    if (setup.guard()) {
      ServerSettings.addGuard(conf);
    }
    if (setup.accessControl()) {
      ServerSettings.addAccessControl(conf);
    }
    MiniZooKeeperCluster zooKeeper = new MiniZooKeeperCluster(conf);
    EmbeddedHBase started = null;
    try {
      int port = zooKeeper.startup(directory.resolve(ZOOKEEPER).toFile());
      conf.setInt("hbase.zookeeper.property.clientPort", port);
      if (!setup.temporary()) {
        ZooKeeperSession.removeServers(port, conf.get(HConstants.ZOOKEEPER_ZNODE_PARENT, "/hbase"));
      }
      LocalHBaseCluster cluster = cluster(conf, setup);
      started = new EmbeddedHBase(directory, log, zooKeeper, cluster);
      Runtime.getRuntime().addShutdownHook(started.stopOnExit);
      cluster.startup();
      started.awaitServers(servers);
      if (setup.accessControl()) {
        started.awaitPermissions();
      }
      directory.writeClientSettings(started.configuration());
      return started;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException failure =
          new InterruptedIOException("interrupted while HBase started");
      closeAfter(failure, started == null ? zooKeeper::shutdown : started);
      throw failure;
    } catch (IOException | RuntimeException e) {
      closeAfter(e, started == null ? zooKeeper::shutdown : started);
      throw new EmbeddedHBaseException(
          "HBase did not start: log=" + log.path() + "; the log has the details", e);
    }
  }

  private static LocalHBaseCluster cluster(Configuration conf, Setup setup) throws IOException {
    return setup.temporary()
        ? new LocalHBaseCluster(conf, 1, setup.servers(), HMaster.class, TransientServer.class)
        : new LocalHBaseCluster(conf, setup.servers());
  }

  // What went wrong first is what is thrown.
  private static void closeAfter(Exception failure, AutoCloseable... parts) {
    for (AutoCloseable part : parts) {
      try {
        part.close();
      } catch (Exception e) {
        if (e instanceof InterruptedException) {
          Thread.currentThread().interrupt();
        }
        failure.addSuppressed(e);
      }
    }
  }

  private void awaitServers(int servers) throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    while (!isInService(servers)) {
      if (cluster.getLiveMasters().isEmpty()) {
        throw new EvenkeyException("the master stopped");
      }
      awaitUntil(deadline, "not in service");
    }
  }

  // The master creates the table some time after its start; until then it refuses every grant.
  private void awaitPermissions() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
    try (Admin admin = connection().getAdmin()) {
      while (!admin.tableExists(PermissionStorage.ACL_TABLE_NAME)
          || !admin.isTableAvailable(PermissionStorage.ACL_TABLE_NAME)) {
        awaitUntil(deadline, "no table of permissions");
      }
    }
  }

  private static void awaitUntil(long deadline, String what)
      throws IOException, InterruptedException {
    if (System.nanoTime() > deadline) {
      throw new EvenkeyException(what + " after " + START_TIMEOUT.toSeconds() + " s");
    }
    Thread.sleep(20);
  }

  private boolean isInService(int servers) {
    var master = cluster.getActiveMaster();
    return master != null
        && master.isInitialized()
        && master.getServerManager().getOnlineServersList().size() >= servers;
  }

  /** Returns a new configuration for clients in this process or another. */
  public Configuration configuration() {
    Configuration client = ServerSettings.client(zooKeeperPort);
    // For those who read its files, as jobs over snapshots do.
    client.set(HConstants.HBASE_DIR, directory.resolve("hbase").toUri().toString());
    return client;
  }

  /** Returns a connection that all callers share. It is closed with this HBase; do not close it. */
  public synchronized Connection connection() throws IOException {
    if (closed) {
      throw new EmbeddedHBaseException(
          "HBase is stopped: path=" + directory.path() + "; start it again");
    }
    Connection open = connection;
    if (open == null) {
      open = ConnectionFactory.createConnection(configuration());
      connection = open;
    }
    return open;
  }

  /** The region servers in service. */
  public List<ServerName> servers() {
    return inService().map(thread -> thread.getRegionServer().getServerName()).toList();
  }

  // The thread of a server that was killed lives on for a while.
  private Stream<JVMClusterUtil.RegionServerThread> inService() {
    return cluster.getLiveRegionServers().stream()
        .filter(thread -> !thread.getRegionServer().isAborted())
        .filter(thread -> !thread.getRegionServer().isStopped());
  }

  /**
   * Kills a region server, as if its process had died: it flushes nothing, and its regions move to
   * the other servers after these have replayed its log. For tests of what survives that.
   *
   * @throws IllegalArgumentException if no server of this name is in service
   */
  public void kill(ServerName server) {
    thread(server).getRegionServer().abort("killed by a test");
  }

  /**
   * Ends a region server's session with ZooKeeper, as a long pause or a lost network would. The
   * server learns of it from ZooKeeper, and aborts. For tests of what survives that.
   *
   * <p>Write nothing until the server has ended: until it learns of its end, it acknowledges writes
   * to a log that other servers have already taken over. On HDFS, leases prevent that; a local
   * directory has none.
   *
   * @throws IllegalArgumentException if no server of this name is in service
   * @throws IOException if ZooKeeper cannot be reached
   */
  public void expireSession(ServerName server) throws IOException {
    RecoverableZooKeeper session =
        thread(server).getRegionServer().getZooKeeper().getRecoverableZooKeeper();
    try {
      ZooKeeperSession.expire(zooKeeperPort(), session.getZooKeeper());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while a session was ended");
    }
  }

  private JVMClusterUtil.RegionServerThread thread(ServerName server) {
    return inService()
        .filter(thread -> thread.getRegionServer().getServerName().equals(server))
        .findFirst()
        .orElseThrow(
            () ->
                new EvenkeyArgumentException(
                    "no such region server in service: server="
                        + server
                        + " servers="
                        + servers()));
  }

  /**
   * Blocks until this HBase has stopped serving without having been closed, because its master or
   * all its region servers have ended. They end when their sessions with ZooKeeper do, as after a
   * long standstill of the process.
   */
  public void awaitEnd() throws InterruptedException {
    while (!cluster.getLiveMasters().isEmpty() && !servers().isEmpty()) {
      TimeUnit.MILLISECONDS.sleep(500);
    }
  }

  /** Starts one more region server, and returns when it is in service. */
  public synchronized ServerName startServer() throws IOException {
    JVMClusterUtil.RegionServerThread thread = cluster.addRegionServer();
    thread.start();
    thread.waitForServerOnline();
    return thread.getRegionServer().getServerName();
  }

  /**
   * Kills the master, as if its process had died, and starts another one, which is in service when
   * this returns. For tests of what survives that.
   *
   * @throws IOException if the new master did not start
   */
  public synchronized void restartMaster() throws IOException {
    stopMaster();
    startMaster();
  }

  /**
   * Kills the master, as if its process had died, and returns when it is gone. For tests of what
   * works without a master.
   */
  public synchronized void stopMaster() throws IOException {
    cluster.getActiveMaster().abort("killed by a test");
    try {
      long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
      while (!cluster.getLiveMasters().isEmpty()) {
        awaitUntil(deadline, "the master that was killed is not gone");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the master stopped");
    }
  }

  /**
   * Starts a master after {@link #stopMaster}; it is in service when this returns.
   *
   * @throws IOException if it did not start
   */
  public synchronized void startMaster() throws IOException {
    try {
      cluster.addMaster().start();
      awaitServers(cluster.getLiveRegionServers().size());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while another master started");
    }
  }

  /**
   * Kills ZooKeeper, and starts it again with its data, at the same port and with the same
   * sessions. For tests of what survives that.
   *
   * @throws IOException if it did not start
   */
  public synchronized void restartZooKeeper() throws IOException {
    stopZooKeeper();
    startZooKeeper();
  }

  /**
   * Kills ZooKeeper. The master and the region servers go on as far as they can, and keep their
   * sessions if it is started again. For tests of what works without ZooKeeper.
   */
  public synchronized void stopZooKeeper() throws IOException {
    zooKeeper.shutdown();
  }

  /**
   * Starts ZooKeeper after {@link #stopZooKeeper} with its data, at the same port and with the same
   * sessions.
   *
   * @throws IOException if it did not start
   */
  public synchronized void startZooKeeper() throws IOException {
    zooKeeper.addClientPort(zooKeeperPort);
    try {
      if (zooKeeper.startup(directory.resolve(ZOOKEEPER).toFile()) != zooKeeperPort) {
        throw new EvenkeyException("another process has ZooKeeper's port: port=" + zooKeeperPort);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while ZooKeeper started");
    }
  }

  /** The port of ZooKeeper on 127.0.0.1, by which clients find this HBase. */
  public int zooKeeperPort() {
    return zooKeeperPort;
  }

  /** The directory with all files of this HBase. */
  public Path directory() {
    return directory.path();
  }

  /**
   * A directory with an {@code hbase-site.xml} for clients, as {@code HBASE_CONF_DIR} names one. It
   * exists while this HBase runs.
   */
  public Path configurationDirectory() {
    return directory.resolve(DataDirectory.CLIENT_SETTINGS);
  }

  /** HBase's log file, if Logback is the logging backend. */
  public Path logFile() {
    return log.path();
  }

  /**
   * Stops all servers after they have flushed their data, and releases the directory. A temporary
   * directory is deleted, so nothing is flushed. Further calls do nothing.
   */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    forgetExit();
    try {
      if (connection != null) {
        connection.close();
      }
      for (JVMClusterUtil.RegionServerThread server : cluster.getRegionServers()) {
        if (server.getRegionServer() instanceof TransientServer held) {
          held.leave();
        }
      }
      cluster.shutdown();
      cluster.join();
    } finally {
      zooKeeper.shutdown();
      log.close();
      directory.removeClientSettings();
      directory.close();
    }
  }

  private void forgetExit() {
    try {
      Runtime.getRuntime().removeShutdownHook(stopOnExit);
    } catch (IllegalStateException e) {
      LOG.debug("closed by the exit of the process itself", e);
    }
  }

  private void closeOnExit() {
    try {
      close();
    } catch (IOException e) {
      LOG.warn("not stopped cleanly: {}", this, e);
    }
  }

  @Override
  public String toString() {
    return "HBase on 127.0.0.1:" + zooKeeperPort() + " in " + directory();
  }
}
