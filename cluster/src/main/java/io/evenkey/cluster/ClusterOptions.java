/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.io.File;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The options of a cluster.
 *
 * @param regionServers the number of region servers, from 1 to 10
 * @param dataNodes the number of DataNodes, from 1 to 5; each block is on up to three of them
 * @param yarn whether YARN is started
 * @param guard whether Evenkey's guard is loaded into the master and the regions of all tables
 * @param stays whether the processes stay when the process that started them ends; otherwise they
 *     end with it, also when it is killed
 * @param keepsLogs whether the logs stay in the directory when the cluster is closed
 * @param settings additional properties of HBase's configuration
 * @param classPath the class path of the processes, as {@code java -cp} takes it
 * @param kerberos the users and keys of a secured cluster; null for one that does not check users
 */
public record ClusterOptions(
    int regionServers,
    int dataNodes,
    boolean yarn,
    boolean guard,
    boolean stays,
    boolean keepsLogs,
    Map<String, String> settings,
    String classPath,
    @Nullable Kerberos kerberos) {
  /**
   * System property with the class path of the processes; without it they have that of this JVM.
   */
  public static final String CLASS_PATH = "evenkey.cluster.classpath";

  /** Checks the numbers. */
  public ClusterOptions {
    settings = Map.copyOf(settings);
    check("region servers", "regionServers", regionServers, 10);
    check("DataNodes", "dataNodes", dataNodes, 5);
  }

  private static void check(String what, String name, int count, int most) {
    if (count < 1 || count > most) {
      throw new EvenkeyArgumentException(
          "number of " + what + " out of range: " + name + "=" + count + "; expected 1 to " + most);
    }
  }

  /** Three region servers, one DataNode, YARN and the guard; ends with this process. */
  public static ClusterOptions defaults() {
    return new ClusterOptions(
        3,
        1,
        true,
        true,
        false,
        false,
        Map.of(),
        System.getProperty(CLASS_PATH, System.getProperty("java.class.path")),
        null);
  }

  /** Returns these options with {@code count} region servers. */
  public ClusterOptions withRegionServers(int count) {
    return new ClusterOptions(
        count, dataNodes, yarn, guard, stays, keepsLogs, settings, classPath, kerberos);
  }

  /** Returns these options with {@code count} DataNodes. */
  public ClusterOptions withDataNodes(int count) {
    return new ClusterOptions(
        regionServers, count, yarn, guard, stays, keepsLogs, settings, classPath, kerberos);
  }

  /** Returns these options with YARN, or without. */
  public ClusterOptions withYarn(boolean started) {
    return new ClusterOptions(
        regionServers, dataNodes, started, guard, stays, keepsLogs, settings, classPath, kerberos);
  }

  /** Returns these options without Evenkey's guard. */
  public ClusterOptions withoutGuard() {
    return new ClusterOptions(
        regionServers, dataNodes, yarn, false, stays, keepsLogs, settings, classPath, kerberos);
  }

  /** Returns these options with processes that stay when this one ends. */
  public ClusterOptions thatStays() {
    return new ClusterOptions(
        regionServers, dataNodes, yarn, guard, true, keepsLogs, settings, classPath, kerberos);
  }

  /** Returns these options with logs that stay in the directory when the cluster is closed. */
  public ClusterOptions keepingLogs() {
    return new ClusterOptions(
        regionServers, dataNodes, yarn, guard, stays, true, settings, classPath, kerberos);
  }

  /** Returns these options with these settings of HBase's only. */
  public ClusterOptions withSettings(Map<String, String> byName) {
    return new ClusterOptions(
        regionServers, dataNodes, yarn, guard, stays, keepsLogs, byName, classPath, kerberos);
  }

  /**
   * Returns these options with all services secured by Kerberos, and with rights that HBase and
   * HDFS check. A secured cluster is reached with its {@linkplain SeparateCluster#krb5 krb5.conf}.
   */
  public ClusterOptions withKerberos(Kerberos secured) {
    return new ClusterOptions(
        regionServers, dataNodes, yarn, guard, stays, keepsLogs, settings, classPath, secured);
  }

  /** Returns these options with this class path of the processes, as {@code java -cp} takes it. */
  public ClusterOptions withClassPath(String path) {
    return new ClusterOptions(
        regionServers, dataNodes, yarn, guard, stays, keepsLogs, settings, path, kerberos);
  }

  int count(Role role) {
    return switch (role) {
      case REGION_SERVER -> regionServers;
      case DATA_NODE -> dataNodes;
      case RESOURCE_MANAGER, NODE_MANAGER, HISTORY_SERVER -> yarn ? 1 : 0;
      case KDC -> kerberos == null ? 0 : 1;
      default -> 1;
    };
  }

  /**
   * Refuses a class path without the servers, which would only show as processes that end at once.
   *
   * @throws ClusterException if HDFS's NameNode is on none of it
   */
  void checkClassPath() throws ClusterException {
    for (String entry : classPath.split(File.pathSeparator, -1)) {
      if (entry.endsWith("*")) {
        String[] files = new File(entry.substring(0, entry.length() - 1)).list();
        if (files != null && Arrays.stream(files).anyMatch(ClusterOptions::isHdfs)) {
          return;
        }
      } else if (isHdfs(new File(entry).getName())) {
        return;
      }
    }
    throw new ClusterException(
        "servers are not on the class path of the cluster: missing=hadoop-hdfs; start it"
            + " by the launcher of Evenkey's sources, or with evenkey-cluster-servers on the class"
            + " path");
  }

  private static boolean isHdfs(String file) {
    return file.matches("hadoop-hdfs-[0-9].*\\.jar");
  }
}
