/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Additional configuration of a cluster with Kerberos. The data between HDFS's clients and
 * DataNodes goes over SASL; web pages are open, as without Kerberos.
 */
record SecureSettings(KerberosFiles files, Kerberos kerberos) {
  /** The group of the services. */
  static final String GROUP = "hadoop";

  Map<String, String> core() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("hadoop.security.authentication", "kerberos");
    settings.put("hadoop.security.authorization", "true");
    // The users are not the system's. The services are in one group, to read the logs of jobs.
    StringJoiner groups = new StringJoiner(";");
    for (String service : List.of(Kerberos.HDFS, Kerberos.HBASE, Kerberos.YARN, Kerberos.MAPRED)) {
      groups.add(service + "=" + GROUP);
    }
    kerberos.people().forEach(user -> groups.add(user + "=" + user));
    settings.put("hadoop.user.group.static.mapping.overrides", groups.toString());
    return settings;
  }

  Map<String, String> hdfs() {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String server : List.of("namenode", "datanode")) {
      settings.put("dfs." + server + ".kerberos.principal", Kerberos.service(Kerberos.HDFS));
      settings.put("dfs." + server + ".keytab.file", keytab());
    }
    settings.put("dfs.web.authentication.kerberos.principal", Kerberos.service(Kerberos.HTTP));
    settings.put("dfs.web.authentication.kerberos.keytab", keytab());
    settings.put("dfs.block.access.token.enable", "true");
    settings.put("dfs.data.transfer.protection", "authentication");
    // Its web server, which has no certificate, is on a port that any user can take.
    settings.put("ignore.secure.ports.for.testing", "true");
    return settings;
  }

  List<String> zooKeeper() {
    // As in HBase: its servers, on any host, are one user to ZooKeeper.
    return List.of(
        "authProvider.sasl=org.apache.zookeeper.server.auth.SASLAuthenticationProvider",
        "kerberos.removeHostFromPrincipal=true",
        "kerberos.removeRealmFromPrincipal=true");
  }

  Map<String, String> hbase() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("hbase.security.authentication", "kerberos");
    settings.put("hbase.security.authorization", "true");
    settings.put("hbase.superuser", kerberos.superuser());
    for (String server : List.of("master", "regionserver")) {
      settings.put("hbase." + server + ".kerberos.principal", Kerberos.service(Kerberos.HBASE));
      settings.put("hbase." + server + ".keytab.file", keytab());
    }
    String access = "org.apache.hadoop.hbase.security.access.AccessController";
    settings.put("hbase.coprocessor.master.classes", access);
    settings.put("hbase.coprocessor.regionserver.classes", access);
    settings.put(
        "hbase.coprocessor.region.classes",
        "org.apache.hadoop.hbase.security.token.TokenProvider," + access);
    return settings;
  }

  Map<String, String> yarn() {
    Map<String, String> settings = new LinkedHashMap<>();
    for (String server : List.of("resourcemanager", "nodemanager")) {
      settings.put("yarn." + server + ".principal", Kerberos.service(Kerberos.YARN));
      settings.put("yarn." + server + ".keytab", keytab());
    }
    settings.put("yarn.resourcemanager.webapp.delegation-token-auth-filter.enabled", "false");
    return settings;
  }

  Map<String, String> mapreduce() {
    return Map.of(
        "mapreduce.jobhistory.principal",
        Kerberos.service(Kerberos.MAPRED),
        "mapreduce.jobhistory.keytab",
        keytab());
  }

  private String keytab() {
    return files.keytab().toString();
  }
}
