/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.zookeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.apache.zookeeper.client.ZKClientConfig;
import org.jspecify.annotations.Nullable;

/** The settings of the registry in the configuration of HBase's client. Stateless. */
public final class RegistrySettings {
  /** Configuration key: {@code host:port,…} of a ZooKeeper of its own; HBase's unless set. */
  public static final String QUORUM = "evenkey.zookeeper.quorum";

  /** Configuration key: the node under which everything is; {@value #DEFAULT_ROOT} unless set. */
  public static final String ROOT = "evenkey.zookeeper.root";

  /**
   * Configuration key: who may do what with nodes. {@code open}: everybody everything. {@code
   * creator}: the user who made them, HBase's superusers and {@link #WRITERS} everything, others
   * nothing. {@code world-readable}: the same, and everybody may read. Unless set, {@code
   * world-readable} on a cluster with Kerberos and {@code open} on others, as HBase's own nodes
   * are.
   */
  public static final String ACL = "evenkey.zookeeper.acl";

  /**
   * Configuration key: users who may write besides those who made a node and HBase's superusers,
   * separated by commas, by the short names that ZooKeeper has for them.
   */
  public static final String WRITERS = "evenkey.zookeeper.writers";

  /**
   * Configuration key: whether, on a cluster with Kerberos, the user of HBase's client is presented
   * to ZooKeeper; {@code true} unless set. A {@code Client} section in the JVM's login
   * configuration goes before.
   */
  public static final String SASL = "evenkey.zookeeper.sasl";

  /**
   * Configuration key: {@code scheme:identity} to present to ZooKeeper besides, as in {@code
   * digest:user:password}.
   */
  public static final String AUTH = "evenkey.zookeeper.auth";

  /** Configuration key: milliseconds to wait for a connection; 10,000 unless set. */
  public static final String TIMEOUT = "evenkey.zookeeper.timeout.ms";

  public static final String DEFAULT_ROOT = "/evenkey";

  private static final int DEFAULT_TIMEOUT_MS = 10_000;
  private static final int RETRIES = 3;
  private static final int RETRY_AFTER_MS = 100;

  private RegistrySettings() {}

  /** The node under which everything is. */
  public static String root(Configuration configuration) {
    return configuration.getTrimmed(ROOT, DEFAULT_ROOT);
  }

  public static String quorum(Configuration configuration) {
    String own = configuration.getTrimmed(QUORUM, "");
    return own.isEmpty() ? ZKConfig.getZKQuorumServersString(configuration) : own;
  }

  public static int timeoutMs(Configuration configuration) {
    return configuration.getInt(TIMEOUT, DEFAULT_TIMEOUT_MS);
  }

  /** The login of a session; null for one without. */
  public static @Nullable LoginSection login(Configuration configuration) throws IOException {
    return isKerberos(configuration) && configuration.getBoolean(SASL, true)
        ? LoginSection.ofCurrentUser()
        : null;
  }

  public static CuratorFramework client(
      Configuration configuration, NodeRights rights, @Nullable LoginSection login) {
    int timeoutMs = timeoutMs(configuration);
    CuratorFrameworkFactory.Builder client =
        CuratorFrameworkFactory.builder()
            .connectString(quorum(configuration))
            .connectionTimeoutMs(timeoutMs)
            .sessionTimeoutMs(Math.max(timeoutMs, 10_000))
            .retryPolicy(new ExponentialBackoffRetry(RETRY_AFTER_MS, RETRIES))
            // ZooKeeper may publish addresses that a client cannot use, such as 0.0.0.0.
            .ensembleTracker(false)
            .aclProvider(rights);
    if (login != null) {
      ZKClientConfig session = new ZKClientConfig();
      login.applyTo(session);
      client.zkClientConfig(session);
    }
    String auth = configuration.getTrimmed(AUTH, "");
    int colon = auth.indexOf(':');
    if (colon > 0) {
      client.authorization(
          auth.substring(0, colon), auth.substring(colon + 1).getBytes(StandardCharsets.UTF_8));
    } else if (!auth.isEmpty()) {
      throw new IllegalArgumentException(
          "identity without a scheme: " + AUTH + "; expected as in digest:user:password");
    }
    return client.build();
  }

  static boolean isKerberos(Configuration configuration) {
    return "kerberos".equalsIgnoreCase(configuration.get("hbase.security.authentication"));
  }
}
