package io.evenkey.client.registry;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.curator.retry.ExponentialBackoffRetry;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/** How the registry is reached, by the configuration of HBase's client. Stateless. */
public final class RegistrySettings {
  /** Configuration key: {@code host:port,…} of a ZooKeeper of its own; HBase's unless set. */
  public static final String QUORUM = "evenkey.zookeeper.quorum";

  /** Configuration key: the node under which everything is; {@value #DEFAULT_ROOT} unless set. */
  public static final String ROOT = "evenkey.zookeeper.root";

  /**
   * Configuration key: who may do what with new nodes. {@code open}: everybody everything. {@code
   * creator}: who made them, and HBase's superusers, everything, others nothing. {@code
   * world-readable}: the same, and everybody may read. Unless set, {@code world-readable} on a
   * cluster with Kerberos and {@code open} on others, as HBase's own nodes are.
   */
  public static final String ACL = "evenkey.zookeeper.acl";

  /**
   * Configuration key: {@code scheme:identity} to present to ZooKeeper, as in {@code
   * digest:user:password}. SASL needs none: ZooKeeper's client takes the {@code Client} section of
   * the JVM's login configuration.
   */
  public static final String AUTH = "evenkey.zookeeper.auth";

  /** Configuration key: milliseconds to wait for a connection; 10,000 unless set. */
  public static final String TIMEOUT = "evenkey.zookeeper.timeout.ms";

  static final String DEFAULT_ROOT = "/evenkey";

  private static final int DEFAULT_TIMEOUT_MS = 10_000;
  private static final int RETRIES = 3;
  private static final int RETRY_AFTER_MS = 100;

  private RegistrySettings() {}

  static Nodes nodes(Configuration configuration) {
    return new Nodes(configuration.getTrimmed(ROOT, DEFAULT_ROOT));
  }

  static String quorum(Configuration configuration) {
    String own = configuration.getTrimmed(QUORUM, "");
    return own.isEmpty() ? ZKConfig.getZKQuorumServersString(configuration) : own;
  }

  static int timeoutMs(Configuration configuration) {
    return configuration.getInt(TIMEOUT, DEFAULT_TIMEOUT_MS);
  }

  static CuratorFramework client(Configuration configuration) {
    int timeoutMs = timeoutMs(configuration);
    CuratorFrameworkFactory.Builder client =
        CuratorFrameworkFactory.builder()
            .connectString(quorum(configuration))
            .connectionTimeoutMs(timeoutMs)
            .sessionTimeoutMs(Math.max(timeoutMs, 10_000))
            .retryPolicy(new ExponentialBackoffRetry(RETRY_AFTER_MS, RETRIES))
            // ZooKeeper may publish addresses that are of no use here, such as 0.0.0.0.
            .ensembleTracker(false)
            .aclProvider(acls(configuration));
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

  private static ACLProvider acls(Configuration configuration) {
    boolean kerberos =
        "kerberos".equalsIgnoreCase(configuration.get("hbase.security.authentication"));
    String setting =
        configuration
            .getTrimmed(ACL, kerberos ? "world-readable" : "open")
            .toLowerCase(Locale.ROOT);
    List<ACL> acls = new ArrayList<>();
    switch (setting) {
      case "open" -> acls.addAll(Ids.OPEN_ACL_UNSAFE);
      case "creator", "world-readable" -> {
        acls.addAll(Ids.CREATOR_ALL_ACL);
        for (String user : configuration.getTrimmedStrings("hbase.superuser")) {
          // Groups, which begin with @, mean nothing to ZooKeeper.
          if (!user.startsWith("@")) {
            acls.add(new ACL(Perms.ALL, new Id("sasl", user)));
          }
        }
        if (setting.equals("world-readable")) {
          acls.addAll(Ids.READ_ACL_UNSAFE);
        }
      }
      default ->
          throw new IllegalArgumentException(
              "unknown rights: "
                  + ACL
                  + "="
                  + setting
                  + "; expected open, creator or world-readable");
    }
    return new SameEverywhere(acls);
  }

  private record SameEverywhere(List<ACL> acls) implements ACLProvider {
    @Override
    public List<ACL> getDefaultAcl() {
      return acls;
    }

    @Override
    public List<ACL> getAclForPath(String path) {
      return acls;
    }
  }
}
