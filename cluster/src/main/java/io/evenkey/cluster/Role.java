/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import java.util.List;

/** The role of a process of the cluster. */
public enum Role {
  /** The Kerberos server of a cluster that is secured. */
  KDC("kdc", "org.apache.hadoop.minikdc.MiniKdc", 96),
  /** HDFS's NameNode. */
  NAME_NODE("namenode", "org.apache.hadoop.hdfs.server.namenode.NameNode", 256),
  /** HDFS's DataNode. */
  DATA_NODE("datanode", "org.apache.hadoop.hdfs.server.datanode.DataNode", 256),
  /** ZooKeeper, one server. */
  ZOOKEEPER("zookeeper", "org.apache.zookeeper.server.ZooKeeperServerMain", 128),
  /** HBase's master. */
  MASTER("master", "org.apache.hadoop.hbase.master.HMaster", 512),
  /** A region server. */
  REGION_SERVER("regionserver", "org.apache.hadoop.hbase.regionserver.HRegionServer", 768),
  /** YARN's ResourceManager. */
  RESOURCE_MANAGER(
      "resourcemanager", "org.apache.hadoop.yarn.server.resourcemanager.ResourceManager", 256),
  /** MapReduce's history server: it answers for jobs whose application master has ended. */
  HISTORY_SERVER("historyserver", "org.apache.hadoop.mapreduce.v2.hs.JobHistoryServer", 192),
  /** YARN's NodeManager; its containers are processes of their own. */
  NODE_MANAGER("nodemanager", "org.apache.hadoop.yarn.server.nodemanager.NodeManager", 256);

  private final String label;
  private final String mainClass;
  private final int heapMb;

  Role(String label, String mainClass, int heapMb) {
    this.label = label;
    this.mainClass = mainClass;
    this.heapMb = heapMb;
  }

  /** The name in lists and of log files, such as {@code regionserver}. */
  public String label() {
    return label;
  }

  String mainClass() {
    return mainClass;
  }

  int heapMb() {
    return heapMb;
  }

  /** Whether there can be several, which are numbered. */
  boolean isNumbered() {
    return this == REGION_SERVER || this == DATA_NODE;
  }

  /** Which ports a process of this role listens on, by name; the first is that of its clients. */
  List<String> ports() {
    return switch (this) {
      case NAME_NODE, MASTER, REGION_SERVER -> List.of("rpc", "web");
      case DATA_NODE -> List.of("data", "ipc", "web");
      case ZOOKEEPER -> List.of("client");
      case KDC -> List.of("tcp");
      case RESOURCE_MANAGER -> List.of("rpc", "scheduler", "tracker", "admin", "web");
      case NODE_MANAGER -> List.of("rpc", "localizer", "web");
      case HISTORY_SERVER -> List.of("rpc", "admin", "web");
    };
  }
}
