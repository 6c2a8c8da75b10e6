/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.embedded;

import io.evenkey.server.guard.DescriptorGuard;
import io.evenkey.server.guard.LayoutGuard;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.security.Superusers;
import org.apache.hadoop.hbase.security.User;
import org.apache.hadoop.hbase.security.access.AccessController;

/** The configuration of an instance: what its servers run with, and what its clients need. */
final class ServerSettings {
  private static final String LOOPBACK = "127.0.0.1";

  /** Pauses of a minute and more: a laptop's lid, a swapping machine, a debugger. */
  private static final int SESSION_MS = 180_000;

  private ServerSettings() {}

  static Configuration of(DataDirectory directory, int servers) {
    Configuration conf = HBaseConfiguration.create();
    conf.set("fs.defaultFS", "file:///");
    conf.setClass("fs.file.impl", LocalFiles.class, FileSystem.class);
    conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    conf.set("hbase.tmp.dir", directory.resolve("tmp").toString());
    conf.set(HConstants.HBASE_DIR, directory.resolve("hbase").toUri().toString());

    // A local directory has neither hflush nor hsync; a killed process loses nothing all the same,
    // since what the log file was given is the kernel's.
    conf.setBoolean("hbase.unsafe.stream.capability.enforce", false);
    conf.setBoolean("hbase.procedure.store.wal.use.hsync", false);
    conf.set("hbase.wal.provider", "filesystem");

    outlastPauses(conf);
    listenOnLoopback(conf);
    startQuickly(conf, servers);
    changeTablesQuickly(conf);
    staySmall(conf);
    return conf;
  }

  private static void listenOnLoopback(Configuration conf) {
    conf.setBoolean("hbase.cluster.distributed", false);
    conf.setBoolean("hbase.localcluster.assign.random.ports", true);
    for (String server : new String[] {"master", "regionserver"}) {
      conf.setInt("hbase." + server + ".port", 0);
      conf.setInt("hbase." + server + ".info.port", -1);
      conf.set("hbase." + server + ".ipc.address", LOOPBACK);
      conf.set("hbase." + server + ".hostname", "localhost");
    }
    conf.set("hbase.unsafe.regionserver.hostname", "localhost");
    conf.set(HConstants.ZOOKEEPER_QUORUM, LOOPBACK);
  }

  // A pause of the process pauses ZooKeeper too, which ends the sessions of all servers when it
  // goes
  // on: each server then aborts. A session is told of once in a third of this time. No start waits
  // for the sessions of a process that was killed: their nodes are removed.
  private static void outlastPauses(Configuration conf) {
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, SESSION_MS);
    conf.setInt("hbase.zookeeper.property.maxSessionTimeout", SESSION_MS);
  }

  private static void startQuickly(Configuration conf, int servers) {
    conf.setInt("hbase.master.wait.on.regionservers.mintostart", servers);
    conf.setInt("hbase.master.wait.on.regionservers.maxtostart", servers);
    conf.setInt("hbase.regionserver.msginterval", 1000);
    conf.setInt("hbase.master.start.timeout.localHBaseCluster", 120_000);
    conf.setInt("hbase.splitlog.manager.timeoutmonitor.period", 200);
    conf.set("hbase.regionserver.abort.timeout.task", StuckAbort.class.getName());
  }

  // The intervals of HBase are for networks and hundreds of servers. Here they would be most of the
  // time that it takes to create, alter, flush or snapshot a table.
  private static void changeTablesQuickly(Configuration conf) {
    conf.setInt("hbase.procedure.remote.dispatcher.delay.msec", 5);
    conf.setInt("hbase.snapshot.region.wakefrequency", 20);
    conf.setInt("hbase.flush.procedure.region.wakefrequency", 20);
    // Until then a half of a region that was split cannot be split again.
    conf.setInt("hbase.hfile.compaction.discharger.interval", 2_000);
  }

  private static void staySmall(Configuration conf) {
    conf.setInt("hbase.regionserver.handler.count", 10);
    conf.setInt("hbase.regionserver.metahandler.count", 4);
    conf.setInt("hbase.regionserver.replication.handler.count", 1);
    conf.setInt("hbase.master.handler.count", 8);
    conf.setInt("hbase.hconnection.threads.max", 32);
    conf.setInt("hbase.hconnection.threads.core", 4);
    // Fractions of the one heap that all servers share.
    conf.setFloat("hbase.regionserver.global.memstore.size", 0.12f);
    conf.setFloat("hfile.block.cache.size", 0.08f);
    conf.setBoolean("hbase.table.sanity.checks", true);
    // Every five minutes the balancer computes for 30 s, if it may, in the processors of all
    // servers.
    conf.setLong("hbase.master.balancer.stochastic.maxRunningTime", 1_000);
  }

  /** Loads the guard into the master and the regions of all tables, after what is loaded there. */
  static void addGuard(Configuration conf) {
    add(conf, CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY, LayoutGuard.class);
    add(conf, CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY, DescriptorGuard.class);
  }

  /** Loads HBase's check of permissions into all servers; the user of this process may do all. */
  static void addAccessControl(Configuration conf) throws IOException {
    conf.setBoolean(User.HBASE_SECURITY_AUTHORIZATION_CONF_KEY, true);
    conf.set(Superusers.SUPERUSER_CONF_KEY, User.getCurrent().getShortName());
    add(conf, CoprocessorHost.MASTER_COPROCESSOR_CONF_KEY, AccessController.class);
    add(conf, CoprocessorHost.REGIONSERVER_COPROCESSOR_CONF_KEY, AccessController.class);
    add(conf, CoprocessorHost.REGION_COPROCESSOR_CONF_KEY, AccessController.class);
  }

  private static void add(Configuration conf, String key, Class<?> coprocessor) {
    String loaded = conf.get(key, "").strip();
    if (!loaded.contains(coprocessor.getName())) {
      conf.set(
          key, loaded.isEmpty() ? coprocessor.getName() : loaded + "," + coprocessor.getName());
    }
  }

  /** The configuration of a client of this instance. */
  static Configuration client(int zooKeeperPort) {
    Configuration conf = HBaseConfiguration.create();
    conf.set(HConstants.ZOOKEEPER_QUORUM, LOOPBACK);
    conf.setInt(HConstants.ZOOKEEPER_CLIENT_PORT, zooKeeperPort);
    conf.setInt(HConstants.ZK_SESSION_TIMEOUT, 10_000);
    // A client waits this long before it asks the master again whether a table is changed. The
    // product with the number of retries, for how long it waits for a region, is about HBase's.
    conf.setInt(HConstants.HBASE_CLIENT_PAUSE, 20);
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 40);
    return conf;
  }
}
