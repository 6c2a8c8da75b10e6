/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A portal as a process of its own. */
record PortalProcess(Process process, String address) implements AutoCloseable {
  private static final int TIMEOUT_MS = 60_000;
  private static final String PERSON = "X-Forwarded-User";

  /** Starts one on a cluster without Kerberos. */
  static PortalProcess start(SeparateCluster cluster) throws IOException {
    return start(List.of(), List.of("--quorum", cluster.quorum()));
  }

  /**
   * Starts one on a cluster with Kerberos, with a principal of its own.
   *
   * @param krb5 Kerberos' configuration file
   */
  static PortalProcess start(SeparateCluster cluster, Path krb5, String user) throws IOException {
    return start(
        List.of("-Djava.security.krb5.conf=" + krb5),
        List.of(
            "--identity-header",
            PERSON,
            "--trusted-proxy",
            "127.0.0.1",
            "--conf",
            cluster.configurationDirectory().toString(),
            "-D",
            "hbase.client.keytab.principal=" + Kerberos.user(user),
            "-D",
            "hbase.client.keytab.file=" + cluster.keytab(),
            "-D",
            "hadoop.kerberos.min.seconds.before.relogin=1"));
  }

  private static PortalProcess start(List<String> options, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx256m");
    command.addAll(JavaCommand.smallOptions());
    command.addAll(options);
    command.addAll(
        List.of(
            "-jar",
            System.getProperty("evenkey.app.jar"),
            "portal",
            "--port",
            "0",
            "--no-history"));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out = process.inputReader();
    String line = out.readLine();
    assertThat(line).as("the portal's first line").startsWith("portal   http://");
    return new PortalProcess(process, line.replaceFirst("portal +", "").replaceFirst("#.*", ""));
  }

  /** The answer of the portal. */
  record Answer(int status, String body) {}

  /** Asks as itself. */
  Answer get(String path) throws IOException {
    return answer(connection(path));
  }

  /** Asks as the proxy of a person. */
  Answer get(String path, String person) throws IOException {
    HttpURLConnection connection = connection(path);
    connection.setRequestProperty(PERSON, person);
    return answer(connection);
  }

  private HttpURLConnection connection(String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create(address).resolve(path).toURL().openConnection();
    connection.setReadTimeout(TIMEOUT_MS);
    return connection;
  }

  private static Answer answer(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    try (InputStream in =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return new Answer(status, new String(in.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
