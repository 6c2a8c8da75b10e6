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
 * A running HBase: ZooKeeper, one master and some region servers, all in this JVM, over a local
 * directory. The servers are HBase's own; only the machine room is small.
 *
 * <pre>{@code
 * try (EmbeddedHBase hbase = EmbeddedHBase.in(directory).servers(3).start()) {
 *   Table table = hbase.connection().getTable(name);
 * }
 * }</pre>
 *
 * <p>Everything listens on 127.0.0.1, on ports that were free. Data stays in the directory: a later
 * start, with the same number of servers or another, has all tables again, also when the process
 * was killed. An instance that is still open is closed when its process exits, on Ctrl-C too.
 * Starting takes some seconds, about 50 MB of heap and 200 threads. Thread-safe.
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

  /** The settings of an instance, three region servers by default; nothing runs yet. */
  public static Setup in(Path directory) {
    return new Setup(directory, 3, false, true, false, Map.of());
  }

  /** As {@link #in}, in a new temporary directory that is deleted when the instance is closed. */
  public static Setup temporary() throws IOException {
    return new Setup(Files.createTempDirectory("evenkey-"), 3, true, true, false, Map.of());
  }

  /**
   * The settings of an instance.
   *
   * @param directory where everything is kept; made if it does not exist
   * @param servers the number of region servers, from 1 to 100
   * @param temporary whether the directory is deleted when the instance is closed; it has to be new
   *     or empty then
   * @param guard whether Evenkey's guard is loaded into the regions of all tables
   * @param accessControl whether HBase checks permissions
   * @param settings additional properties of HBase's configuration
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
     * Returns this setup with Evenkey's guard in the regions of all tables, the default, or
     * without.
     */
    public Setup guard(boolean loaded) {
      return new Setup(directory, servers, temporary, loaded, accessControl, settings);
    }

    /** Returns this setup with these settings of HBase's only. */
    public Setup settings(Map<String, String> byName) {
      return new Setup(directory, servers, temporary, guard, accessControl, byName);
    }

    /**
     * Returns this setup with HBase's {@code AccessController} in all servers, or without. The user
     * of this process is the superuser. The table of permissions is available when {@link #start}
     * returns.
     */
    public Setup accessControl(boolean checked) {
      return new Setup(directory, servers, temporary, guard, checked, settings);
    }

    /**
     * Starts, and returns when every region server is in service.
     *
     * @throws EmbeddedHBaseException if the directory is in use, of a newer version or another
     *     program's, or if HBase did not come up; nothing is left running then
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

  /** A new configuration with which a client, in this process or another, reaches this HBase. */
  public Configuration configuration() {
    Configuration client = ServerSettings.client(zooKeeperPort);
    // For those who read its files, as jobs over snapshots do.
    client.set(HConstants.HBASE_DIR, directory.resolve("hbase").toUri().toString());
    return client;
  }

  /** A connection shared by all callers and closed with this HBase: not to be closed by them. */
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

  /** The region servers now in service. */
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
   * Kills a region server, as if its process had died: it writes nothing out, and its regions move
   * to the others when they have read its log. For tests of what survives that.
   *
   * @throws IllegalArgumentException if no server of this name is in service
   */
  public void kill(ServerName server) {
    thread(server).getRegionServer().abort("killed by a test");
  }

  /**
   * Ends a region server's session with ZooKeeper, as a long pause or a lost network would: the
   * server learns of it from ZooKeeper, and aborts. For tests of what survives that.
   *
   * <p>Let no writes be under way: until the server learns of it, it acknowledges writes to a log
   * that has already been taken from it. HDFS prevents that by leases; a local directory has none.
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
   * Waits until this HBase does not serve any more, without having been closed: its master or all
   * its region servers have ended. They do when their sessions with ZooKeeper have, which a process
   * that stood still for long finds when it goes on.
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
   * Kills the master, as if its process had died, and starts another, which is in service on
   * return. For tests of what survives that.
   *
   * @throws IOException if the other one did not come up
   */
  public synchronized void restartMaster() throws IOException {
    stopMaster();
    startMaster();
  }

  /**
   * Kills the master, as if its process had died, and returns when it is gone. For tests of what
   * goes on without one.
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
   * Starts another master after {@link #stopMaster}; it is in service on return.
   *
   * @throws IOException if it did not come up
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
   * Kills ZooKeeper, and starts it again with what it had written: at the same port, with the same
   * sessions. For tests of what survives that.
   *
   * @throws IOException if it did not come up
   */
  public synchronized void restartZooKeeper() throws IOException {
    stopZooKeeper();
    startZooKeeper();
  }

  /**
   * Kills ZooKeeper. The master and the region servers go on as they can, and keep their sessions
   * if it is started again. For tests of what goes on without it.
   */
  public synchronized void stopZooKeeper() throws IOException {
    zooKeeper.shutdown();
  }

  /**
   * Starts ZooKeeper after {@link #stopZooKeeper}, with what it had written: at the same port, with
   * the same sessions.
   *
   * @throws IOException if it did not come up
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

  /** The port on 127.0.0.1 at which ZooKeeper, and with it this HBase, is found. */
  public int zooKeeperPort() {
    return zooKeeperPort;
  }

  /** The directory that has all files of this HBase. */
  public Path directory() {
    return directory.path();
  }

  /**
   * A directory with an {@code hbase-site.xml} for clients, as {@code HBASE_CONF_DIR} names one; it
   * is there while this runs.
   */
  public Path configurationDirectory() {
    return directory.resolve(DataDirectory.CLIENT_SETTINGS);
  }

  /** The log file of HBase, if Logback is the logging backend. */
  public Path logFile() {
    return log.path();
  }

  /**
   * Stops all servers, having written out what they hold, and lets the directory go; a temporary
   * one is deleted, so that nothing is written out. Further calls do nothing.
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
