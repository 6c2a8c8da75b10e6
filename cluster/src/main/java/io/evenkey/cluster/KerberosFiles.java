/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The files of Kerberos in a cluster's directory, in {@value ClusterDirectory#KERBEROS}: what the
 * KDC is started with, {@code krb5.conf} for all that ask it, the {@code keytab} with the keys of
 * all principals, and the logins of ZooKeeper and of its clients in HBase's servers.
 */
record KerberosFiles(ClusterDirectory directory) {
  private Path file(String name) {
    return directory.resolve(ClusterDirectory.KERBEROS).resolve(name);
  }

  Path krb5() {
    return file("krb5.conf");
  }

  Path keytab() {
    return file("keytab");
  }

  private Path logins() {
    return file("jaas.conf");
  }

  void write(Ports ports) throws IOException {
    Files.createDirectories(file("kdc"));
    // The KDC makes new keys at each start.
    Files.deleteIfExists(keytab());
    int port = ports.of(Role.KDC, "tcp");
    Files.write(
        file("kdc.properties"),
        List.of(
            "org.name=" + Kerberos.REALM.substring(0, Kerberos.REALM.indexOf('.')),
            "org.domain=" + Kerberos.REALM.substring(Kerberos.REALM.indexOf('.') + 1),
            "kdc.bind.address=127.0.0.1",
            "kdc.port=" + port));
    Files.writeString(krb5(), KRB5.formatted(Kerberos.REALM, Kerberos.REALM, port, Kerberos.REALM));
    Files.writeString(
        logins(), login("Server", Kerberos.ZOOKEEPER) + login("Client", Kerberos.HBASE));
  }

  // Of ZooKeeper's server, and of the clients of it in HBase's servers.
  private String login(String section, String service) {
    return LOGIN.formatted(section, keytab(), Kerberos.service(service));
  }

  /** The arguments of the KDC's main class: it makes the keytab. */
  List<String> arguments(Kerberos kerberos) {
    List<String> arguments = new ArrayList<>();
    arguments.add(file("kdc").toString());
    arguments.add(file("kdc.properties").toString());
    arguments.add(keytab().toString());
    arguments.addAll(kerberos.names());
    return arguments;
  }

  /** The options of the JVM of a member, or of a container of YARN. */
  List<String> javaOptions() {
    // Tickets for other realms are not asked for.
    return List.of(
        "-Djava.security.krb5.conf=" + krb5(), "-Dsun.security.krb5.disableReferrals=true");
  }

  /** Additional options of the JVM of this member. */
  List<String> javaOptions(Role role) {
    List<String> options = new ArrayList<>(javaOptions());
    if (role == Role.ZOOKEEPER || role == Role.MASTER || role == Role.REGION_SERVER) {
      options.add("-Djava.security.auth.login.config=" + logins());
    }
    return options;
  }

  private static final String KRB5 =
      """
      [libdefaults]
        default_realm = %s
        dns_lookup_kdc = false
        dns_lookup_realm = false
        udp_preference_limit = 1
      [realms]
        %s = {
          kdc = 127.0.0.1:%d
        }
      [domain_realm]
        localhost = %s
      """;

  private static final String LOGIN =
      """
      %s {
        com.sun.security.auth.module.Krb5LoginModule required
        useKeyTab=true
        storeKey=true
        useTicketCache=false
        keyTab="%s"
        principal="%s";
      };
      """;
}
