/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.zookeeper;

import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.failure.EvenkeyArgumentException;
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
  public static final String QUORUM = Setting.ZOOKEEPER_QUORUM.key();

  /** Configuration key: the node that holds the registry. */
  public static final String ROOT = Setting.ZOOKEEPER_ROOT.key();

  /**
   * Configuration key: who may do what with nodes. {@code open}: everybody everything. {@code
   * creator}: the user who made them, HBase's superusers and {@link #WRITERS} everything, others
   * nothing. {@code world-readable}: the same, and everybody may read. Unless set, {@code
   * world-readable} on a cluster with Kerberos and {@code open} on others, as HBase's own nodes
   * are.
   */
  public static final String ACL = Setting.ZOOKEEPER_ACL.key();

  /**
   * Configuration key: users who may write, in addition to those who made a node and HBase's
   * superusers, separated by commas, by the short names that ZooKeeper has for them.
   */
  public static final String WRITERS = Setting.ZOOKEEPER_WRITERS.key();

  /**
   * Configuration key: whether, on a cluster with Kerberos, the user of HBase's client is presented
   * to ZooKeeper; {@code true} unless set. A {@code Client} section in the JVM's login
   * configuration goes before.
   */
  public static final String SASL = Setting.ZOOKEEPER_SASL.key();

  /**
   * Configuration key: {@code scheme:identity} to present to ZooKeeper too, as in {@code
   * digest:user:password}.
   */
  public static final String AUTH = Setting.ZOOKEEPER_AUTH.key();

  /** Configuration key: milliseconds to wait for a connection; 10,000 unless set. */
  public static final String TIMEOUT = Setting.ZOOKEEPER_TIMEOUT.key();

  private static final int RETRIES = 3;
  private static final int RETRY_AFTER_MS = 100;

  private RegistrySettings() {}

  /** The node under which everything is. */
  public static String root(Configuration configuration) {
    return Setting.ZOOKEEPER_ROOT.text(configuration);
  }

  public static String quorum(Configuration configuration) {
    String own = Setting.ZOOKEEPER_QUORUM.text(configuration);
    return own.isEmpty() ? ZKConfig.getZKQuorumServersString(configuration) : own;
  }

  public static int timeoutMs(Configuration configuration) {
    return Setting.ZOOKEEPER_TIMEOUT.integer(configuration);
  }

  /** The login of a session; null for one without. */
  public static @Nullable LoginSection login(Configuration configuration) throws IOException {
    return isKerberos(configuration) && Setting.ZOOKEEPER_SASL.isOn(configuration)
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
    String auth = Setting.ZOOKEEPER_AUTH.text(configuration);
    int colon = auth.indexOf(':');
    if (colon > 0) {
      client.authorization(
          auth.substring(0, colon), auth.substring(colon + 1).getBytes(StandardCharsets.UTF_8));
    } else if (!auth.isEmpty()) {
      throw new EvenkeyArgumentException(
          "identity without a scheme: " + AUTH + "; expected as in digest:user:password");
    }
    return client.build();
  }

  static boolean isKerberos(Configuration configuration) {
    return "kerberos".equalsIgnoreCase(configuration.get("hbase.security.authentication"));
  }
}
