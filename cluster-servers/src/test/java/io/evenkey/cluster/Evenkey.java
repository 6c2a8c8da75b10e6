/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One run of {@code evenkey} as a process of its own, and what it left. */
record Evenkey(int exit, String out, String err) {
  static Evenkey run(String... arguments) throws IOException, InterruptedException {
    return run(List.of(), Map.of(), arguments);
  }

  /** With options of Java's, and variables of the environment. */
  static Evenkey run(List<String> options, Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    try (RunningCommand running = RunningCommand.begin(options, environment, arguments)) {
      return running.end();
    }
  }

  /** On a cluster with Kerberos, by the key of a user. */
  static Evenkey as(String user, SeparateCluster cluster, String... arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(
        List.of(
            "-D",
            "hbase.client.keytab.principal=" + Kerberos.user(user),
            "-D",
            "hbase.client.keytab.file=" + cluster.keytab()));
    return without(cluster, all.toArray(String[]::new));
  }

  /** On a cluster with Kerberos, without a key and without a ticket. */
  static Evenkey without(SeparateCluster cluster, String... arguments)
      throws IOException, InterruptedException {
    return withTickets(cluster, Path.of("none"), arguments);
  }

  /** On a cluster with Kerberos, by a ticket cache. */
  static Evenkey withTickets(SeparateCluster cluster, Path cache, String... arguments)
      throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--conf", cluster.configurationDirectory().toString()));
    return run(
        List.of("-Djava.security.krb5.conf=" + cluster.krb5()),
        Map.of("KRB5CCNAME", cache.toString()),
        all.toArray(String[]::new));
  }

  /** This, which has to have gone well. */
  Evenkey done() {
    assertThat(exit).as(err).isZero();
    return this;
  }

  JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out.getBytes(StandardCharsets.UTF_8));
  }
}
