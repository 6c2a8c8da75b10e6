/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The ports of a cluster's processes on 127.0.0.1, which keep them over restarts. They are chosen
 * below the range from which systems take ports for outgoing connections (32,768 on Linux, 49,152
 * elsewhere): otherwise the port of a process that was killed could be gone when it starts again.
 *
 * @param byName {@code member.port}, such as {@code regionserver-2.rpc}
 */
record Ports(Map<String, Integer> byName) {
  private static final int FIRST = 20_000;
  private static final int LAST = 32_000;

  Ports {
    byName = Collections.unmodifiableMap(new LinkedHashMap<>(byName));
  }

  /**
   * Chooses ports that are free now.
   *
   * @throws ClusterException if there are not enough
   */
  static Ports choose(List<Member> members, RandomGenerator random) throws ClusterException {
    Map<String, Integer> chosen = new LinkedHashMap<>();
    int port = FIRST + random.nextInt(LAST - FIRST);
    int tried = 0;
    for (Member member : members) {
      for (String name : member.role().ports()) {
        do {
          port = port == LAST ? FIRST : port + 1;
          if (++tried > LAST - FIRST) {
            throw new ClusterException(
                "no free ports on 127.0.0.1: from="
                    + FIRST
                    + " to="
                    + LAST
                    + "; stop what has them");
          }
        } while (!isRandom(port));
        chosen.put(member.name() + "." + name, port);
      }
    }
    return new Ports(chosen);
  }

  /** Refuses ports that another process has taken since then. */
  void checkFree() throws ClusterException {
    for (Map.Entry<String, Integer> port : byName.entrySet()) {
      if (!isRandom(port.getValue())) {
        throw new ClusterException(
            "another process has a port of the cluster: port="
                + port.getValue()
                + " of="
                + port.getKey()
                + "; stop that process, or start in a new directory");
      }
    }
  }

  private static boolean isRandom(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      // As Hadoop's servers do: connections that wait for their end do not keep a port.
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  int of(Member member, String name) {
    Integer port = byName.get(member.name() + "." + name);
    if (port == null) {
      throw new EvenkeyArgumentException("no such port: process=" + member + " port=" + name);
    }
    return port;
  }

  int of(Role role, String name) {
    return of(Member.of(role), name);
  }
}
