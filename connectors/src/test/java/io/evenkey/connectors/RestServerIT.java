/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.connectors;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.rest.RESTServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** HBase's REST server with Evenkey's connections, used by HTTP. */
@ExtendWith(EmbeddedHBaseExtension.class)
class RestServerIT {
  private static final int ROWS = 40;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private String root = "";

  @Test
  void requestsSeeLogicalKeysOfASpreadTableAndTheKeysOfAPlainOne(EmbeddedHBase hbase)
      throws Exception {
    SpreadRows rows = SpreadRows.create(hbase, "rest");
    TableName plain = TableName.valueOf("rest_plain");
    createPlain(hbase, plain);
    Configuration settings = SpreadRows.settings(hbase);
    settings.set("hbase.rest.host", "127.0.0.1");
    settings.setInt("hbase.rest.port", 0);
    settings.setInt("hbase.rest.info.port", -1);
    RESTServer server = new RESTServer(settings);
    server.run();
    try {
      for (TableName table : List.of(plain, rows.name())) {
        root = "http://127.0.0.1:" + server.getPort() + "/" + table;
        assertRequests();
      }
    } finally {
      server.stop();
    }
    rows.assertStored(SpreadRows.keys(0, ROWS - 1));
  }

  private static void createPlain(EmbeddedHBase hbase, TableName table) throws Exception {
    try (Connection connection = ConnectionFactory.createConnection(hbase.configuration());
        Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(table)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
              .build());
    }
  }

  /** Puts all rows, reads them in each of the server's ways, and deletes the last one. */
  private void assertRequests() throws Exception {
    for (int i = 0; i < ROWS; i++) {
      HttpResponse<String> put = send("PUT", "/" + SpreadRows.key(i), row(i, "v" + i));
      assertThat(put.statusCode()).as("%s: %s", put.uri(), put.body()).isEqualTo(200);
    }

    assertThat(values(send("GET", "/" + SpreadRows.key(7), ""))).containsExactly("v7");
    assertThat(keys(send("GET", "/*", ""))).isEqualTo(SpreadRows.keys(0, ROWS));
    assertThat(keys(send("GET", "/*?startrow=row-10&endrow=row-20", "")))
        .isEqualTo(SpreadRows.keys(10, 20));
    assertThat(keys(send("GET", "/row-3*", ""))).isEqualTo(SpreadRows.keys(30, ROWS));
    assertThat(keys(send("GET", "/*?limit=3&reversed=true", "")))
        .isEqualTo(SpreadRows.reversed(SpreadRows.keys(ROWS - 3, ROWS)));
    String filter = URLEncoder.encode("PrefixFilter('row-1')", UTF_8);
    assertThat(keys(send("GET", "/*?filter=" + filter, ""))).isEqualTo(SpreadRows.keys(10, 20));
    assertThat(keys(send("GET", "/multiget?row=row-05&row=row-21", "")))
        .containsExactly("row-05", "row-21");
    assertThat(scanned("row-08", "row-31")).isEqualTo(SpreadRows.keys(8, 31));

    assertThat(send("DELETE", "/" + SpreadRows.key(ROWS - 1), "").statusCode()).isEqualTo(200);
    assertThat(send("GET", "/" + SpreadRows.key(ROWS - 1), "").statusCode()).isEqualTo(404);
  }

  /** By a scanner that the server keeps, in several answers. */
  private List<String> scanned(String start, String stop) throws Exception {
    HttpResponse<String> opened =
        send(
            "PUT",
            "/scanner",
            JSON.createObjectNode()
                .put("batch", 10)
                .put("startRow", base64(start))
                .put("endRow", base64(stop))
                .toString());
    assertThat(opened.statusCode()).isEqualTo(201);
    String scanner = opened.headers().firstValue("Location").orElseThrow();
    List<String> keys = new ArrayList<>();
    HttpResponse<String> answer = exchange("GET", URI.create(scanner), "");
    while (answer.statusCode() == 200) {
      keys.addAll(keys(answer));
      answer = exchange("GET", URI.create(scanner), "");
    }
    assertThat(answer.statusCode()).isEqualTo(204);
    exchange("DELETE", URI.create(scanner), "");
    return keys;
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return exchange(method, URI.create(root + path), body);
  }

  private HttpResponse<String> exchange(String method, URI uri, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri)
            .header("Accept", "application/json")
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private static String row(int i, String value) {
    return """
    {"Row": [{"key": "%s", "Cell": [{"column": "%s", "$": "%s"}]}]}
    """
        .formatted(base64(SpreadRows.key(i)), base64("d:q"), base64(value));
  }

  private static List<String> keys(HttpResponse<String> answer) throws Exception {
    return each(answer, row -> row.get("key"));
  }

  private static List<String> values(HttpResponse<String> answer) throws Exception {
    return each(answer, row -> row.get("Cell").get(0).get("$"));
  }

  private static List<String> each(
      HttpResponse<String> answer, java.util.function.Function<JsonNode, JsonNode> part)
      throws Exception {
    assertThat(answer.statusCode()).as("%s: %s", answer.uri(), answer.body()).isEqualTo(200);
    List<String> parts = new ArrayList<>();
    for (JsonNode row : JSON.readTree(answer.body()).get("Row")) {
      parts.add(new String(Base64.getDecoder().decode(part.apply(row).asText()), UTF_8));
    }
    return parts;
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }
}
