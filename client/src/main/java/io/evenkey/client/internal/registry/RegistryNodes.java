/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.internal.zookeeper.NodeRights;
import io.evenkey.client.internal.zookeeper.RegistrySettings;
import io.evenkey.layout.message.FailureMessage;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;

/**
 * The nodes of one registry: what its stores share. Thread-safe.
 *
 * @param client a session with ZooKeeper, which this does not close
 * @param rights the rights that new nodes get
 * @param place servers and root node, for messages
 * @param author the user who stores
 */
record RegistryNodes(
    CuratorFramework client,
    NodeRights rights,
    Nodes nodes,
    String place,
    String author,
    Clock clock) {
  Instant now() {
    return clock.instant();
  }

  /** Creates the parents of a node, and completes their rights. */
  void prepare(String node) throws Exception {
    if (read(nodes.root()).isEmpty()) {
      try {
        client
            .create()
            .creatingParentsIfNeeded()
            .forPath(nodes.root(), RegistryJson.bytes(RegistryJson.object()));
      } catch (KeeperException.NodeExistsException e) {
        // Another client was faster.
      }
    }
    client.createContainers(node.substring(0, node.lastIndexOf('/')));
    for (int end = nodes.root().length(); end > 0; end = node.indexOf('/', end + 1)) {
      rights.extend(client, node.substring(0, end));
    }
    rights.extend(client, node);
  }

  /** A node that was read. */
  record Stored(ObjectNode json, int version) {}

  Optional<Stored> read(String node) throws RegistryException {
    return read(node, RegistryJson.FORMAT);
  }

  /**
   * Reads a node; empty if there is none.
   *
   * @param format the newest format of the node that is understood
   */
  Optional<Stored> read(String node, int format) throws RegistryException {
    try {
      Stat stat = new Stat();
      byte[] data = client.getData().storingStatIn(stat).forPath(node);
      return Optional.of(new Stored(RegistryJson.object(data, format, node), stat.getVersion()));
    } catch (KeeperException.NoNodeException e) {
      return Optional.empty();
    } catch (Exception e) {
      throw failed("registry could not be read", node, e);
    }
  }

  List<String> children(String node) throws RegistryException {
    try {
      return client.getChildren().forPath(node);
    } catch (KeeperException.NoNodeException e) {
      return List.of();
    } catch (Exception e) {
      throw failed("registry could not be read", node, e);
    }
  }

  RegistryException failed(String what, String node, Exception e) {
    if (e instanceof RegistryException known) {
      return known;
    }
    if (e instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    String why =
        e instanceof KeeperException keeper
            ? keeper.code().name().toLowerCase(Locale.ROOT)
            : FailureMessage.reason(e);
    String remedy =
        e instanceof KeeperException.NoAuthException
            ? "user '"
                + author
                + "' may not: the node's creator, HBase's superusers and the users in "
                + RegistrySettings.WRITERS
                + " may; log in as one of them, or have a superuser add this user there"
            : "check ZooKeeper, then try again";
    return new RegistryException(
        what + ": registry=" + place + " node=" + node + " reason=" + why + "; " + remedy, e);
  }
}
