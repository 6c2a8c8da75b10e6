/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.launch.PortalSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Many connections that send or read slowly, and other users of the portal beside them. */
@ExtendWith(EmbeddedHBaseExtension.class)
class SlowClientsIT {
  private static final String TOKEN = "a-token-for-tests-only";

  // Well below the half minute after which Jetty gives up an idle connection.
  private static final Duration ANSWERED = Duration.ofSeconds(10);

  private final List<Socket> slow = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private Cluster cluster;
  private Portal portal;

  @BeforeEach
  void start(EmbeddedHBase hbase) throws IOException {
    cluster = Cluster.open(hbase.configuration());
    portal = Portal.start(PortalSettings.local(0, TOKEN).build(), cluster);
  }

  @AfterEach
  void stop() throws IOException {
    for (Socket one : slow) {
      one.close();
    }
    portal.close();
    cluster.close();
  }

  private void begin(int connections, String... request) throws IOException {
    byte[] bytes = String.join("\r\n", request).getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < connections; i++) {
      Socket socket = new Socket(InetAddress.getLoopbackAddress(), portal.port());
      slow.add(socket);
      socket.getOutputStream().write(bytes);
    }
  }

  private int status(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + portal.port() + path);
    return http.send(
            HttpRequest.newBuilder(uri).timeout(ANSWERED).build(), BodyHandlers.discarding())
        .statusCode();
  }

  @Test
  void connectionsWithoutATokenDelayNoOther() throws Exception {
    begin(150, "GET / HTTP/1.1", "Host: localhost", "X-Slow: ");
    begin(
        150,
        "POST /api/uploads?name=a.csv HTTP/1.1",
        "Host: localhost",
        "Content-Length: 1000000",
        "",
        "device,ts");
    begin(150, "GET /api/live HTTP/1.1", "Host: localhost", "", "");
    begin(150, "");
    assertThat(status("/health")).isEqualTo(200);
    assertThat(status("/api/jobs")).isEqualTo(200);
  }

  @Test
  void bodiesThatDoNotArriveDelayNoOther() throws Exception {
    begin(
        300,
        "POST /api/uploads?name=a.csv HTTP/1.1",
        "Host: localhost",
        "Authorization: Bearer " + TOKEN,
        Guard.OWN + ": 1",
        "Content-Length: 1000000",
        "",
        "device,ts");
    assertThat(status("/health")).isEqualTo(200);
    assertThat(status("/api/jobs")).isEqualTo(200);
  }

  @Tag("ci")
  @Test
  void documentsThatDoNotArriveDelayNoHealth() throws Exception {
    begin(
        300,
        "PUT /api/plans/t HTTP/1.1",
        "Host: localhost",
        "Authorization: Bearer " + TOKEN,
        Guard.OWN + ": 1",
        "Content-Length: 1000000",
        "",
        "{");
    assertThat(status("/health")).isEqualTo(200);
  }
}
