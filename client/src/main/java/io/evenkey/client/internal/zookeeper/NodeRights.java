/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.zookeeper;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.api.ACLProvider;
import org.apache.hadoop.conf.Configuration;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/**
 * The rights on the registry's nodes, which are the same for all of them. A node keeps the users it
 * has. A client that writes below a node, and may change its rights, also adds the users whom its
 * configuration names, and takes away what everybody had: so a new writer, and a cluster that is
 * secured later, need no work by hand.
 *
 * @param of a new node
 */
public record NodeRights(List<ACL> of) implements ACLProvider {
  private static final String WORLD = Ids.ANYONE_ID_UNSAFE.getScheme();
  private static final String CREATOR = Ids.AUTH_IDS.getScheme();

  public static NodeRights of(Configuration configuration) {
    String setting =
        configuration
            .getTrimmed(
                RegistrySettings.ACL,
                RegistrySettings.isKerberos(configuration) ? "world-readable" : "open")
            .toLowerCase(Locale.ROOT);
    List<ACL> acls = new ArrayList<>();
    switch (setting) {
      case "open" -> acls.addAll(Ids.OPEN_ACL_UNSAFE);
      case "creator", "world-readable" -> {
        acls.addAll(Ids.CREATOR_ALL_ACL);
        writers(configuration).forEach(user -> acls.add(new ACL(Perms.ALL, new Id("sasl", user))));
        if (setting.equals("world-readable")) {
          acls.addAll(Ids.READ_ACL_UNSAFE);
        }
      }
      default ->
          throw new EvenkeyArgumentException(
              "unknown rights: "
                  + RegistrySettings.ACL
                  + "="
                  + setting
                  + "; expected open, creator or world-readable");
    }
    return new NodeRights(acls);
  }

  private static Set<String> writers(Configuration configuration) {
    Set<String> users = new LinkedHashSet<>();
    for (String name : new String[] {"hbase.superuser", RegistrySettings.WRITERS}) {
      for (String user : configuration.getTrimmedStrings(name)) {
        // Groups, which begin with @, mean nothing to ZooKeeper.
        if (!user.startsWith("@")) {
          users.add(user);
        }
      }
    }
    // Clients know the user of HBase's servers, and often no superuser else.
    String service = configuration.getTrimmed("hbase.master.kerberos.principal", "");
    if (!service.isEmpty()) {
      users.add(service.split("[/@]", 2)[0]);
    }
    return users;
  }

  /** Gives a node that is there the rights that it lacks, if this client may do so. */
  public void extend(CuratorFramework client, String node) throws Exception {
    if (of.equals(Ids.OPEN_ACL_UNSAFE)) {
      return;
    }
    try {
      List<ACL> now = client.getACL().forPath(node);
      List<ACL> wanted = over(now);
      if (!Set.copyOf(wanted).equals(Set.copyOf(now))) {
        client.setACL().withACL(wanted).forPath(node);
      }
    } catch (KeeperException.NoNodeException | KeeperException.NoAuthException e) {
      // It is made later; or an owner or a superuser can do it, and this client may still write.
      return;
    }
  }

  private List<ACL> over(List<ACL> now) {
    List<ACL> owned = now.stream().filter(acl -> !isOf(acl, WORLD)).toList();
    Set<ACL> all = new LinkedHashSet<>(owned);
    for (ACL acl : of) {
      // A node that everybody owned becomes that of the client.
      if (!isOf(acl, CREATOR) || owned.isEmpty()) {
        all.add(acl);
      }
    }
    return new ArrayList<>(all);
  }

  private static boolean isOf(ACL acl, String scheme) {
    return acl.getId().getScheme().equals(scheme);
  }

  // ZooKeeper's client asks each list whether it has a null, which immutable ones do not allow.
  @Override
  public List<ACL> getDefaultAcl() {
    return new ArrayList<>(of);
  }

  @Override
  public List<ACL> getAclForPath(String path) {
    return getDefaultAcl();
  }
}
