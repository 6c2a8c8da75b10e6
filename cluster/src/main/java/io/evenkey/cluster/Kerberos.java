/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * Kerberos of a cluster: who has a key. Each user is the principal {@code NAME@}{@value #REALM},
 * each service {@code NAME/localhost@}{@value #REALM}. The services are named after the system
 * users that commonly run them; {@code hdfs} is HDFS's superuser, {@code hbase} is one of HBase's.
 *
 * @param superuser a user who is a superuser of HBase
 * @param users all others
 */
public record Kerberos(String superuser, List<String> users) {
  /** The realm of all principals. */
  public static final String REALM = "EVENKEY.TEST";

  static final String HDFS = "hdfs";
  static final String HBASE = "hbase";
  static final String ZOOKEEPER = "zookeeper";
  static final String YARN = "yarn";
  static final String MAPRED = "mapred";
  static final String HTTP = "HTTP";

  private static final List<String> SERVICES = List.of(HDFS, HBASE, ZOOKEEPER, YARN, MAPRED, HTTP);

  /** Copies the list. */
  public Kerberos {
    users = List.copyOf(users);
  }

  /** Starts it with this superuser of HBase, and these users. */
  public static Kerberos of(String superuser, String... users) {
    return new Kerberos(superuser, List.of(users));
  }

  /** The principal of a user. */
  public static String user(String name) {
    return name + "@" + REALM;
  }

  /** The principal of a service. */
  static String service(String name) {
    return name + "/localhost@" + REALM;
  }

  List<String> people() {
    List<String> all = new ArrayList<>(users);
    all.add(superuser);
    return all;
  }

  /** All principals without their realm; that of the superuser is the last one. */
  List<String> names() {
    List<String> all = new ArrayList<>();
    SERVICES.forEach(service -> all.add(service + "/localhost"));
    all.addAll(people());
    return all;
  }
}
