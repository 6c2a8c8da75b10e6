/**
 * A cluster of separate processes on one machine: HDFS, ZooKeeper, HBase and YARN, each process a
 * JVM of its own, for tests and for trying things out.
 *
 * <p>A {@link io.evenkey.cluster.SeparateCluster} lives in one directory, which holds its
 * configuration, its data, its logs and the list of its processes. Each process is a {@link
 * io.evenkey.cluster.Member} with a {@link io.evenkey.cluster.Role}; tests kill, stop and restart
 * members one by one. A process carries the directory on its command line: by that, and not by its
 * number alone, it is known to belong to the cluster.
 */
@NullMarked
package io.evenkey.cluster;

import org.jspecify.annotations.NullMarked;
