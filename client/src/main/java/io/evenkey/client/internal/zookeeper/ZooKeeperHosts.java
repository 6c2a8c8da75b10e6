/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.zookeeper;

import io.evenkey.client.failure.RegistryException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.client.ConnectStringParser;

/** Why no server of a quorum has answered. Stateless. */
public final class ZooKeeperHosts {
  private static final String SETTINGS =
      "hbase.zookeeper.quorum (or " + RegistrySettings.QUORUM + ")";

  private ZooKeeperHosts() {}

  /**
   * The failure, which names the hosts if DNS knows none of them.
   *
   * @param quorum {@code host:port,…}
   */
  public static RegistryException silent(String quorum, String place, int waitedMs) {
    List<String> unknown = new ArrayList<>();
    List<InetSocketAddress> servers = new ConnectStringParser(quorum).getServerAddresses();
    for (InetSocketAddress server : servers) {
      try {
        InetAddress.getByName(server.getHostString());
      } catch (UnknownHostException e) {
        unknown.add(server.getHostString());
      }
    }
    if (unknown.size() == servers.size()) {
      return new RegistryException(
          "host name not found: host="
              + String.join(",", unknown)
              + "; correct it in "
              + SETTINGS
              + ", or add it to DNS");
    }
    return RegistryException.unanswered(
        "ZooKeeper does not answer: registry="
            + place
            + " waited_ms="
            + waitedMs
            + "; start it, or correct "
            + SETTINGS);
  }
}
