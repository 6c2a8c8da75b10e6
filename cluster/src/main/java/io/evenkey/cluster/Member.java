/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.util.ArrayList;
import java.util.List;

/**
 * One process of a cluster.
 *
 * @param role its role
 * @param number from 1; 1 where there is only one of its role
 */
public record Member(Role role, int number) {
  /** Checks the number. */
  public Member {
    if (number < 1 || (number > 1 && !role.isNumbered())) {
      throw new EvenkeyArgumentException(
          "no such process: role=" + role.label() + " number=" + number);
    }
  }

  /** The process of this role; the first one where there are several. */
  public static Member of(Role role) {
    return new Member(role, 1);
  }

  /** A region server, from 1. */
  public static Member regionServer(int number) {
    return new Member(Role.REGION_SERVER, number);
  }

  /** All processes of a cluster, in the order in which they start. */
  static List<Member> all(ClusterOptions options) {
    List<Member> members = new ArrayList<>();
    for (Role role : startOrder()) {
      for (int number = 1; number <= options.count(role); number++) {
        members.add(new Member(role, number));
      }
    }
    return List.copyOf(members);
  }

  private static List<Role> startOrder() {
    return List.of(
        Role.KDC,
        Role.NAME_NODE,
        Role.DATA_NODE,
        Role.ZOOKEEPER,
        Role.RESOURCE_MANAGER,
        Role.NODE_MANAGER,
        Role.HISTORY_SERVER,
        Role.MASTER,
        Role.REGION_SERVER);
  }

  /** The name in lists and of its log file, such as {@code regionserver-2} or {@code master}. */
  public String name() {
    return role.isNumbered() ? role.label() + "-" + number : role.label();
  }

  @Override
  public String toString() {
    return name();
  }
}
