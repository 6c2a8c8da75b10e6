/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import io.evenkey.protocol.guard.GuardClasses;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * The configuration files of a cluster, for its servers and its clients alike. All servers listen
 * on 127.0.0.1; so does not, for lack of a setting, what belongs to YARN's running jobs: the
 * shuffle handler and the application master.
 */
final class SiteFiles {
  static final String ZOOKEEPER = "zoo.cfg";

  /** The directory in which jobs keep their files. */
  static final String STAGING = "/user/staging";

  /** The files that a client reads, in this order. */
  static final List<String> OF_CLIENTS =
      List.of(
          "core-site.xml", "hdfs-site.xml", "mapred-site.xml", "yarn-site.xml", "hbase-site.xml");

  private static final String LOOPBACK = "127.0.0.1";
  private static final String HOST = "localhost";

  private final ClusterDirectory directory;
  private final ClusterOptions options;
  private final Ports ports;
  private final @Nullable SecureSettings secure;

  SiteFiles(ClusterDirectory directory, ClusterOptions options, Ports ports) {
    this.directory = directory;
    this.options = options;
    this.ports = ports;
    this.secure =
        options.kerberos() == null
            ? null
            : new SecureSettings(new KerberosFiles(directory), options.kerberos());
  }

  void write() throws IOException {
    if (secure != null) {
      secure.files().write(ports);
    }
    write("core-site.xml", core());
    write("hdfs-site.xml", hdfs());
    write("hbase-site.xml", hbase());
    if (options.yarn()) {
      write("yarn-site.xml", yarn());
      write("mapred-site.xml", mapreduce());
      write("capacity-scheduler.xml", scheduler());
    }
    Files.write(file(ZOOKEEPER), zooKeeper());
    Files.writeString(file("logback.xml"), LOGBACK);
    // HDFS's jar is published without its pages, and its servers do not start without a place for
    // them. Metrics and WebHDFS need no pages.
    for (String server : List.of("hdfs", "datanode")) {
      Files.createDirectories(file("webapps").resolve(server));
    }
  }

  private Path file(String name) {
    return directory.resolve(ClusterDirectory.CONF).resolve(name);
  }

  private void write(String name, Map<String, String> settings) throws IOException {
    Configuration configuration = new Configuration(false);
    new TreeMap<>(settings).forEach(configuration::set);
    try (OutputStream out = Files.newOutputStream(file(name))) {
      configuration.writeXml(out);
    }
  }

  private String address(Role role, String port) {
    return HOST + ":" + ports.of(role, port);
  }

  private String uri(String name) {
    return directory.resolve(name).toUri().toString();
  }

  private Map<String, String> core() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("fs.defaultFS", "hdfs://" + address(Role.NAME_NODE, "rpc"));
    settings.put("hadoop.tmp.dir", directory.resolve("tmp").toString());
    addSecure(settings, SecureSettings::core);
    return settings;
  }

  private Map<String, String> hdfs() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("dfs.namenode.http-address", address(Role.NAME_NODE, "web"));
    settings.put("dfs.namenode.name.dir", uri("hdfs/namenode"));
    settings.put("dfs.namenode.safemode.extension", "0");
    settings.put("dfs.namenode.handler.count", "8");
    settings.put("dfs.replication", String.valueOf(Math.min(3, options.dataNodes())));
    settings.put("dfs.datanode.hostname", HOST);
    settings.put("dfs.datanode.handler.count", "4");
    settings.put("dfs.datanode.du.reserved", "0");
    // A pipeline continues with the remaining DataNodes: there are no others.
    settings.put("dfs.client.block.write.replace-datanode-on-failure.policy", "NEVER");
    // A DataNode that is gone counts as dead after 40 s, not after ten minutes.
    settings.put("dfs.namenode.heartbeat.recheck-interval", "5000");
    addSecure(settings, SecureSettings::hdfs);
    return settings;
  }

  private void addSecure(
      Map<String, String> settings, Function<SecureSettings, Map<String, String>> more) {
    if (secure != null) {
      settings.putAll(more.apply(secure));
    }
  }

  private List<String> zooKeeper() {
    List<String> lines = new ArrayList<>();
    lines.add("dataDir=" + directory.resolve("zookeeper"));
    lines.add("clientPortAddress=" + LOOPBACK);
    lines.add("clientPort=" + ports.of(Role.ZOOKEEPER, "client"));
    lines.add("admin.enableServer=false");
    lines.add("4lw.commands.whitelist=srvr");
    lines.add("tickTime=2000");
    lines.add("maxClientCnxns=0");
    if (secure != null) {
      lines.addAll(secure.zooKeeper());
    }
    return lines;
  }

  private Map<String, String> hbase() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("hbase.rootdir", "hdfs://" + address(Role.NAME_NODE, "rpc") + "/hbase");
    settings.put("hbase.cluster.distributed", "true");
    settings.put("hbase.tmp.dir", directory.resolve("tmp").toString());
    settings.put("hbase.zookeeper.quorum", LOOPBACK);
    settings.put(
        "hbase.zookeeper.property.clientPort", String.valueOf(ports.of(Role.ZOOKEEPER, "client")));
    // What a killed server held is taken over after so long.
    settings.put("zookeeper.session.timeout", "10000");
    settings.put("hbase.master.port", String.valueOf(ports.of(Role.MASTER, "rpc")));
    settings.put("hbase.master.info.port", String.valueOf(ports.of(Role.MASTER, "web")));
    for (String server : new String[] {"master", "regionserver"}) {
      settings.put("hbase." + server + ".ipc.address", LOOPBACK);
      settings.put("hbase." + server + ".info.bindAddress", LOOPBACK);
      settings.put("hbase." + server + ".hostname", HOST);
    }
    settings.put("hbase.unsafe.regionserver.hostname", HOST);
    String servers = String.valueOf(options.regionServers());
    settings.put("hbase.master.wait.on.regionservers.mintostart", servers);
    settings.put("hbase.master.wait.on.regionservers.maxtostart", servers);
    settings.put("hbase.regionserver.msginterval", "1000");
    // The asynchronous log reaches into HDFS's client, and fits one version of it.
    settings.put("hbase.wal.provider", "filesystem");
    settings.put("hbase.regionserver.handler.count", "12");
    settings.put("hbase.regionserver.metahandler.count", "6");
    settings.put("hbase.master.handler.count", "8");
    addSecure(settings, SecureSettings::hbase);
    settings.putAll(options.settings());
    if (options.guard()) {
      settings.merge(
          "hbase.coprocessor.user.region.classes", GuardClasses.REGION, SiteFiles::joined);
      settings.merge("hbase.coprocessor.master.classes", GuardClasses.MASTER, SiteFiles::joined);
    }
    return settings;
  }

  private static String joined(String first, String second) {
    return first + "," + second;
  }

  private Map<String, String> yarn() {
    Map<String, String> settings = new LinkedHashMap<>();
    String manager = "yarn.resourcemanager.";
    settings.put(manager + "hostname", HOST);
    settings.put(manager + "address", address(Role.RESOURCE_MANAGER, "rpc"));
    settings.put(manager + "scheduler.address", address(Role.RESOURCE_MANAGER, "scheduler"));
    settings.put(manager + "resource-tracker.address", address(Role.RESOURCE_MANAGER, "tracker"));
    settings.put(manager + "admin.address", address(Role.RESOURCE_MANAGER, "admin"));
    settings.put(manager + "webapp.address", address(Role.RESOURCE_MANAGER, "web"));
    String node = "yarn.nodemanager.";
    settings.put(node + "hostname", HOST);
    settings.put(node + "address", address(Role.NODE_MANAGER, "rpc"));
    settings.put(node + "localizer.address", address(Role.NODE_MANAGER, "localizer"));
    settings.put(node + "webapp.address", address(Role.NODE_MANAGER, "web"));
    settings.put(node + "local-dirs", directory.resolve("yarn/local").toString());
    settings.put(node + "log-dirs", directory.resolve("logs/containers").toString());
    settings.put(node + "aux-services", "mapreduce_shuffle");
    settings.put(node + "resource.memory-mb", "4096");
    settings.put(node + "resource.cpu-vcores", "8");
    // Address space says nothing of what a JVM uses.
    settings.put(node + "vmem-check-enabled", "false");
    // A disk that is nearly full is the user's; HDFS refuses what does not fit.
    settings.put(node + "disk-health-checker.enable", "false");
    settings.put(node + "delete.debug-delay-sec", "0");
    settings.put("yarn.scheduler.minimum-allocation-mb", "128");
    settings.put("yarn.application.classpath", containerClassPath());
    addSecure(settings, SecureSettings::yarn);
    return settings;
  }

  /** Containers have what the servers have; a job brings its own classes. */
  private String containerClassPath() {
    return (directory.resolve(ClusterDirectory.CONF) + File.pathSeparator + options.classPath())
        .replace(File.pathSeparatorChar, ',');
  }

  private Map<String, String> mapreduce() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("mapreduce.framework.name", "yarn");
    settings.put("mapreduce.application.classpath", containerClassPath());
    settings.put("mapreduce.shuffle.port", "0");
    String history = "mapreduce.jobhistory.";
    settings.put(history + "address", address(Role.HISTORY_SERVER, "rpc"));
    settings.put(history + "admin.address", address(Role.HISTORY_SERVER, "admin"));
    settings.put(history + "webapp.address", address(Role.HISTORY_SERVER, "web"));
    settings.put("yarn.app.mapreduce.am.staging-dir", STAGING);
    settings.put("yarn.app.mapreduce.am.resource.mb", "512");
    settings.put("yarn.app.mapreduce.am.command-opts", javaOptions(384));
    for (String task : new String[] {"map", "reduce"}) {
      settings.put("mapreduce." + task + ".memory.mb", "640");
      settings.put("mapreduce." + task + ".java.opts", javaOptions(448));
    }
    settings.put("mapreduce.task.io.sort.mb", "64");
    addSecure(settings, SecureSettings::mapreduce);
    return settings;
  }

  private String javaOptions(int heapMb) {
    return "-Xmx"
        + heapMb
        + "m "
        + Processes.mark(directory.path())
        + " "
        + String.join(" ", JavaCommand.smallOptions())
        + " "
        + String.join(" ", JavaCommand.moduleOptions())
        + (secure == null ? "" : " " + String.join(" ", secure.files().javaOptions()));
  }

  private static Map<String, String> scheduler() {
    return Map.of(
        "yarn.scheduler.capacity.root.queues",
        "default",
        "yarn.scheduler.capacity.root.default.capacity",
        "100",
        "yarn.scheduler.capacity.maximum-am-resource-percent",
        "0.5");
  }

  /** Servers print their log; what started them puts it into a file. */
  private static final String LOGBACK =
      """
      <configuration>
        <appender name="stdout" class="ch.qos.logback.core.ConsoleAppender">
          <encoder>
            <pattern>%d{ISO8601} %-5level [%thread] %logger{1}: %msg%n</pattern>
          </encoder>
        </appender>
        <root level="INFO">
          <appender-ref ref="stdout"/>
        </root>
      </configuration>
      """;
}
