/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Scope;
import io.evenkey.client.plan.Plan;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.heat.counters.TableReading.Kind;
import io.evenkey.report.heat.history.HistoryTable;
import io.evenkey.report.json.PublishedSchema;
import io.evenkey.report.launch.PortalSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.DoubleStream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The portal's routes, on a real HBase. */
@ExtendWith(EmbeddedHBaseExtension.class)
class PortalIT {
  private static final String TOKEN = "a-token-for-tests-only";
  private static final String LAYOUT = "salt(8, device) + device:string + ts:timestamp desc";
  private static final Duration SOON = Duration.ofSeconds(60);

  /** For a migration during which rows are written. */
  private static final Duration LATE = Duration.ofMinutes(3);

  private final HttpClient http = HttpClient.newHttpClient();

  @TempDir private Path directory;
  private Cluster cluster;
  private Portal portal;
  private String table;

  @BeforeEach
  void start(EmbeddedHBase hbase, TestInfo info) throws IOException {
    table = info.getTestMethod().orElseThrow().getName();
    cluster = Cluster.open(hbase.configuration());
    portal = Portal.start(settings().build(), cluster);
  }

  private PortalSettings.Builder settings() {
    return PortalSettings.local(0, TOKEN)
        .every(Duration.ofSeconds(2))
        .audit(directory.resolve("audit.jsonl"));
  }

  @AfterEach
  void stop() throws IOException {
    portal.close();
    cluster.close();
  }

  private HttpRequest.Builder to(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + portal.port() + path));
  }

  private HttpResponse<String> answer(HttpRequest.Builder request) throws Exception {
    HttpRequest asked = request.build();
    HttpResponse<String> answer = http.send(asked, BodyHandlers.ofString());
    if (answer.headers().firstValue("Content-Type").orElse("").startsWith("application/json")) {
      PublishedSchema.checkAnswer(
          asked.method(),
          asked.uri().getPath(),
          answer.statusCode(),
          new ObjectMapper().readTree(answer.body()));
    }
    return answer;
  }

  private JsonNode get(String path) throws Exception {
    HttpResponse<String> answer = answer(to(path));
    assertThat(answer.statusCode()).as(path + " " + answer.body()).isEqualTo(200);
    return new ObjectMapper().readTree(answer.body());
  }

  private HttpResponse<String> send(String method, String path, Object body) throws Exception {
    return answer(
        to(path)
            .header("Authorization", "Bearer " + TOKEN)
            .header(Guard.OWN, "1")
            .method(method, HttpRequest.BodyPublishers.ofByteArray(Json.bytes(body))));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @Test
  void everyRouteIsDocumentedAndNothingElse() throws Exception {
    JsonNode paths = get("/api/openapi.json").get("paths");
    TreeSet<String> documented = new TreeSet<>();
    paths
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        method ->
                            documented.add(method.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    TreeSet<String> served = new TreeSet<>();
    portal.routes().forEach(route -> served.add(route.method() + " " + route.path()));
    assertThat(documented).isEqualTo(served);
  }

  @Test
  void failuresOfHBaseAreWordedAsOnTheCommandLine() throws Exception {
    HttpResponse<String> missing = answer(to("/api/tables/" + table));
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.body())
        .isEqualTo("{\"error\":\"no such table: table=" + table + "; create it from its plan\"}");
    send(
        "PUT",
        "/api/plans/" + table,
        Map.of("layout", LAYOUT, "regions", 4, "families", List.of("d"), "version", -1));
    assertThat(send("POST", "/api/tables/" + table, Map.of()).statusCode()).isEqualTo(201);
    HttpResponse<String> again = send("POST", "/api/tables/" + table, Map.of());
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body())
        .isEqualTo(
            "{\"error\":\"table exists: table="
                + table
                + "; choose another name, nothing changed\"}");
  }

  @Test
  void changesRequireTokenOwnHeaderAndOwnName() throws Exception {
    HttpRequest.BodyPublisher plan =
        HttpRequest.BodyPublishers.ofString("{\"layout\":\"k:string\",\"version\":-1}");
    String path = "/api/plans/" + table;
    assertThat(answer(to(path).header(Guard.OWN, "1").PUT(plan)).statusCode()).isEqualTo(401);
    assertThat(
            answer(
                    to(path)
                        .header(Guard.OWN, "1")
                        .header("Authorization", "Bearer wrong")
                        .PUT(plan))
                .body())
        .contains("token missing or wrong");
    assertThat(answer(to(path).header("Authorization", "Bearer " + TOKEN).PUT(plan)).statusCode())
        .as("without the header that other sites cannot send")
        .isEqualTo(403);
    assertThat(
            answer(
                    to(path)
                        .header(Guard.OWN, "1")
                        .header("Authorization", "Bearer " + TOKEN)
                        .header("Origin", "https://evil.example")
                        .PUT(plan))
                .body())
        .contains("a page of another site");
    assertThat(get(path).get("version").asInt()).isEqualTo(-1);
    List<String> audit = Files.readAllLines(directory.resolve("audit.jsonl"));
    assertThat(audit).hasSize(4).allMatch(line -> line.contains("\"status\":40"));
    assertThat(String.join("", audit)).doesNotContain(TOKEN);
  }

  @Test
  void requestsToOtherHostNamesAreRefused() throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), portal.port())) {
      socket
          .getOutputStream()
          .write(
              "GET /api/tables HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(answer).startsWith("HTTP/1.1 403").contains("unknown host name of this portal");
    }
  }

  @Test
  void pagesCarryTheirPolicy() throws Exception {
    HttpResponse<String> page = answer(to("/"));
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("Content-Security-Policy").orElse(""))
        .contains("default-src 'none'", "script-src 'self'")
        .doesNotContain("unsafe");
    assertThat(page.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(page.headers().firstValue("Server")).isEmpty();
    assertThat(page.body()).doesNotContain("http://", "https://");
  }

  @Test
  void readOnlyPortalsChangeNothing() throws Exception {
    portal.close();
    portal = Portal.start(settings().readOnly(true).build(), cluster);
    HttpResponse<String> answer =
        send("PUT", "/api/plans/" + table, Map.of("layout", "k:string", "version", -1));
    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("read-only");
    assertThat(get("/api/about").get("read_only").asBoolean()).isTrue();
  }

  @Tag("long")
  @Test
  void theUserIsTheOneThatTheProxyNames() throws Exception {
    portal.close();
    portal =
        Portal.start(
            settings()
                .stored(false)
                .behind("X-User", List.of("127.0.0.1"))
                .audit(directory.resolve("audit.jsonl"))
                .build(),
            cluster);
    HttpResponse<String> answer =
        answer(
            to("/api/plans/" + table)
                .header(Guard.OWN, "1")
                .header("X-User", "operator")
                .PUT(
                    HttpRequest.BodyPublishers.ofString(
                        "{\"layout\":\"k:string\",\"families\":[\"d\"],\"version\":-1}")));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(Files.readString(directory.resolve("audit.jsonl")))
        .contains(
            "\"who\":\"operator\"",
            "plan theUserIsTheOneThatTheProxyNames version 0",
            "\"status\":200");
  }

  @Test
  void portalsForOtherMachinesRequireTheTokenForReads() throws Exception {
    portal.close();
    portal =
        Portal.start(
            PortalSettings.local(0, TOKEN)
                .host("0.0.0.0")
                .every(Duration.ofSeconds(2))
                .stored(false)
                .readOnly(true)
                .build(),
            cluster);
    for (String path : List.of("/api/tables", "/api/about/", "/metrics", "/metrics/")) {
      assertThat(answer(to(path)).statusCode()).as(path).isEqualTo(401);
      assertThat(answer(to(path).header("Authorization", "Bearer " + TOKEN)).statusCode())
          .as(path)
          .isEqualTo(200);
    }
    assertThat(answer(to("/")).statusCode()).as("nothing is in the pages").isEqualTo(200);
    assertThat(answer(to("/api/reports/0123")).statusCode()).isEqualTo(404);
  }

  @Test
  void healthAndReadinessNeedNoTokenAndShowNothing() throws Exception {
    portal.close();
    portal =
        Portal.start(PortalSettings.local(0, TOKEN).host("0.0.0.0").stored(false).build(), cluster);
    assertThat(answer(to("/health")).body()).isEqualTo("{\"status\":\"up\"}");
    await().atMost(SOON).until(() -> answer(to("/ready")).statusCode() == 200);
    assertThat(answer(to("/ready")).body()).isEqualTo("{\"status\":\"up\"}");
  }

  @Tag("long")
  @Test
  void metricsShowLayoutsThatDisagree() throws Exception {
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      Layout layout = Layout.parse(LAYOUT);
      tables.create(TableName.valueOf(table), layout, layout.splits(4), List.of("d"));
    }
    String metric = "evenkey_table_layout_disagrees{table=\"" + table + "\"} ";
    await().atMost(SOON).until(() -> answer(to("/metrics")).body().contains(metric + "0"));
    cluster.registry().layouts().record(TableName.valueOf(table), "salt(3) + key:bytes");
    await().atMost(SOON).until(() -> answer(to("/metrics")).body().contains(metric + "1"));
  }

  @Test
  void namesOfMetricsInAlertsAndDashboardAreDocumentedAndServed() throws Exception {
    Path root = Path.of("..");
    Pattern name = Pattern.compile("evenkey_[a-z_]+");
    TreeSet<String> documented = new TreeSet<>();
    for (String page : List.of("docs/metrics.md", "docs/observe.md")) {
      Matcher names =
          Pattern.compile("`(evenkey[._][a-z._]+)`").matcher(Files.readString(root.resolve(page)));
      while (names.find()) {
        documented.add(names.group(1).replace('.', '_'));
      }
    }
    for (String file : List.of("evenkey-alerts.yaml", "evenkey-dashboard.json")) {
      Matcher used =
          name.matcher(Files.readString(root.resolve("dist/src/main/monitoring").resolve(file)));
      while (used.find()) {
        assertThat(documented).as(file).contains(used.group().replaceAll("_total$", ""));
      }
    }
    await()
        .atMost(SOON)
        .until(() -> answer(to("/metrics")).body().contains("evenkey_table_regions{"));
    Matcher served = name.matcher(answer(to("/metrics")).body());
    while (served.find()) {
      if (served.group().matches("evenkey_(table|migration|heat|registry)_.*")) {
        assertThat(documented).contains(served.group());
      }
    }
  }

  @Test
  void plansAreStoredOnceAndCreated() throws Exception {
    String path = "/api/plans/" + table;
    Map<String, Object> plan =
        Map.of("layout", LAYOUT, "regions", 4, "families", List.of("d"), "version", -1);
    assertThat(send("PUT", path, plan).statusCode()).isEqualTo(200);
    HttpResponse<String> conflict = send("PUT", path, plan);
    assertThat(conflict.statusCode()).isEqualTo(409);
    assertThat(conflict.body()).contains("read=-1 stored=0");
    assertThat(send("PUT", path, Map.of("layout", LAYOUT, "regions", 9, "version", 0)).body())
        .contains("more regions than buckets");

    // Split keys of a sample are valid for one layout and number of regions only.
    Scope scope = Scope.parse(table);
    Plan stored = cluster.registry().plans().get(scope).value();
    cluster
        .registry()
        .plans()
        .store(scope, stored.withSplits(List.of(ByteString.fromHex("0161"))).withRegions(2), 0);
    JsonNode cut = get(path + "/preview?regions=2&layout=" + encoded(LAYOUT)).get("splits").get(0);
    assertThat(cut.get("label").asText()).isEqualTo("bucket 1 · device=a…");
    Map<String, Object> other =
        Map.of("layout", LAYOUT, "regions", 2, "families", List.of("d", "e"), "version", 1);
    assertThat(send("PUT", path, other).statusCode()).isEqualTo(200);
    assertThat(get(path).get("splits_hex").get(0).asText()).isEqualTo("0161");
    Map<String, Object> again = new HashMap<>(plan);
    again.put("version", 2);
    assertThat(send("PUT", path, again).statusCode()).isEqualTo(200);
    assertThat(get(path).get("splits_hex")).isEmpty();

    JsonNode preview = get(path + "/preview?regions=4&layout=" + encoded(LAYOUT));
    assertThat(preview.get("splits")).hasSize(3);
    assertThat(preview.get("splits").get(0).get("label").asText()).isEqualTo("bucket 2");
    JsonNode wrong = get(path + "/preview?layout=" + encoded("salt(8) + device:strng"));
    assertThat(wrong.get("valid").asBoolean()).isFalse();
    assertThat(wrong.get("at").asInt()).isEqualTo(17);

    assertThat(send("POST", "/api/tables/" + table, Map.of()).statusCode()).isEqualTo(201);
    try (Admin admin = cluster.connection().getAdmin()) {
      assertThat(TableLayout.of(admin.getDescriptor(TableName.valueOf(table))))
          .isEqualTo(Layout.parse(LAYOUT));
      assertThat(admin.getRegions(TableName.valueOf(table))).hasSize(4);
    }
    assertThat(send("POST", "/api/tables/" + table, Map.of()).statusCode()).isEqualTo(409);
    JsonNode one = get("/api/tables/" + table);
    assertThat(one.get("regions_now")).hasSize(4);
    assertThat(one.get("regions_now").get(1).get("start").asText()).isEqualTo("bucket 2");
    assertThat(one.get("explained").get("parts")).hasSize(3);
    assertThat(one.get("indexes")).isEmpty();
    new IndexAddition(
            TableName.valueOf(table),
            TableIndex.parse("by_ts events joining as \"salt(2) + ts:timestamp\""),
            0,
            0)
        .run(cluster.connection(), cluster.registry(), IndexListener.NONE);
    JsonNode index = get("/api/tables/" + table).get("indexes").get(0);
    assertThat(index.get("index").asText()).isEqualTo("by_ts");
    assertThat(index.get("state").asText()).isEqualTo("public");
    assertThat(index.get("entries_table").asText()).isEqualTo(table + ".by_ts");
    assertThat(index.get("filled").asBoolean()).isTrue();
    assertThat(index.has("megabytes")).isTrue();
    assertThat(answer(to("/api/tables/nothere")).statusCode()).isEqualTo(404);
    assertThat(send("DELETE", path + "?version=3", Map.of()).statusCode()).isEqualTo(204);
    assertThat(get(path + "/history").get("versions")).hasSize(5);
  }

  @Test
  void aKeyIsEncodedDecodedAndItsRangesAreShown() throws Exception {
    String line = "?line=" + encoded(LAYOUT);
    JsonNode key = get("/api/layout/encode" + line + "&field.device=d1&field.ts=2026-01-31T08:30Z");
    String row = key.get("physical_hex").asText();
    JsonNode fields = get("/api/layout/decode" + line + "&hex=" + row).get("fields");
    assertThat(fields.get("device").asText()).isEqualTo("d1");
    assertThat(fields.get("ts").asText()).isEqualTo("2026-01-31T08:30:00Z");
    JsonNode ranges = get("/api/layout/ranges" + line + "&where=" + encoded("ts >= 2026-01-01"));
    assertThat(ranges.get("fan_out").asInt()).isEqualTo(8);
    assertThat(answer(to("/api/layout/decode" + line + "&hex=00ff")).statusCode()).isEqualTo(400);
  }

  @Test
  void aLayoutWithStepsSaysThem() throws Exception {
    String line = "?line=" + encoded("salt(4; 12 from ts 2027-01-01) + ts:timestamp + id:int64");
    JsonNode layout = get("/api/layout" + line);
    assertThat(layout.get("valid").asBoolean()).isTrue();
    assertThat(layout.get("buckets").asInt()).isEqualTo(12);
    assertThat(layout.get("parts").get(0).get("meaning").asText())
        .contains("4 buckets before ts 2027-01-01; 12 buckets from ts 2027-01-01.");
    assertThat(layout.get("steps").findValuesAsText("buckets")).containsExactly("4", "12");
    JsonNode ranges = get("/api/layout/ranges" + line + "&where=" + encoded("ts < 2026-01-01"));
    assertThat(ranges.get("fan_out").asInt()).isEqualTo(4);
    JsonNode wrong = get("/api/layout?line=" + encoded("salt(4; 12 from s 5) + s:string"));
    assertThat(wrong.get("valid").asBoolean()).isFalse();
  }

  @Test
  void importsAndAdviceRunInTheBackground() throws Exception {
    send(
        "PUT",
        "/api/plans/" + table,
        Map.of("layout", LAYOUT, "regions", 4, "families", List.of("d"), "version", -1));
    send("POST", "/api/tables/" + table, Map.of());
    StringBuilder csv = new StringBuilder("device,ts,temp\n");
    for (int i = 0; i < 60_000; i++) {
      csv.append(
          String.format(Locale.ROOT, "d%03d,%d,%d%n", i % 50, 1_700_000_000_000L + i * 1_000L, i));
    }
    assertThat(csv)
        .as("more than the body of another request may have")
        .hasSizeGreaterThan(1 << 20);
    JsonNode imported =
        done(send("POST", "/api/jobs/import", Map.of("table", table, "upload", upload(csv))));
    assertThat(imported.get("state").asText()).as(imported.toString()).isEqualTo("done");
    assertThat(imported.get("result").get("rows").asInt()).isEqualTo(60_000);
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      assertThat(tables.open(TableName.valueOf(table)).select().stream().count()).isEqualTo(60_000);
    }

    String queries = "device = ? and ts between ? and ? newest first limit 100 : weight 60";
    JsonNode advised =
        done(
            send(
                "POST",
                "/api/jobs/advice?name=readings.csv",
                Map.of("queries", queries, "upload", upload(csv))));
    assertThat(advised.get("result").get("layout").asText())
        .contains("device:string + ts:timestamp desc");
    HttpResponse<String> report = answer(to("/api/reports/" + advised.get("id").asText()));
    assertThat(report.body()).contains("readings.csv", "<svg");
    assertThat(report.headers().firstValue("Content-Security-Policy").orElse(""))
        .startsWith("sandbox");
    JsonNode live =
        done(
            send(
                "POST",
                "/api/jobs/advice",
                Map.of("queries", queries, "table", table, "sample", 0.5)));
    assertThat(live.get("state").asText()).as(live.toString()).isEqualTo("done");
    Layout migration = Layout.parse(live.get("result").get("migration").asText());
    assertThat(migration.fields())
        .as("what the table can be migrated to has all of its fields")
        .isEqualTo(Layout.parse(LAYOUT).fields());
    assertThat(
            done(send(
                    "POST", "/api/jobs/advice", Map.of("queries", "nocolumn = ?", "table", table)))
                .get("text")
                .asText())
        .contains("nocolumn");
    assertThat(send("POST", "/api/jobs/import", Map.of("table", table, "upload", "x")).body())
        .contains("no such upload");
  }

  @Tag("long")
  @Test
  void settingsThatDoNotFitAChangeOfTheRowKeyAreRefused() throws Exception {
    String migration = "/api/migrations/" + table;
    for (String other : List.of("rewrite_from", "accept_pause")) {
      HttpResponse<String> refused =
          send("POST", migration, Map.of("layout", LAYOUT, "change_key", true, other, true));
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).contains("leave rewrite_from and accept_pause out");
    }
    assertThat(send("POST", migration, Map.of("layout", LAYOUT, "from", "temp=d:temp")).body())
        .contains("give change_key too");
  }

  @Test
  void rowsAreDecodedForKnownUsersOnly() throws Exception {
    imported("device,ts,temp\nd1,1700000000000,1\nd2,1700000000000,2\nd1,1700000060000,3\n");
    String rows = "/api/tables/" + table + "/rows?where=" + encoded("device = 'd1'") + "&limit=1";
    assertThat(answer(to(rows)).statusCode()).isEqualTo(401);
    JsonNode found = new ObjectMapper().readTree(answer(known(rows)).body());
    assertThat(found.get("more").asBoolean()).isTrue();
    assertThat(found.get("rows")).hasSize(1);
    assertThat(found.get("rows").get(0).toString())
        .isEqualTo(
            "{\"key\":{\"device\":\"d1\",\"ts\":\"2023-11-14T22:14:20Z\"},"
                + "\"values\":{\"temp\":\"3\"}}");
    assertThat(answer(known(rows + "0000")).statusCode()).isEqualTo(400);
    assertThat(answer(known("/api/tables/" + table + "/rows?where=temp")).statusCode())
        .isEqualTo(400);
  }

  @Test
  void aTableWithoutALayoutGetsOneAndThePreviewOfAMigration() throws Exception {
    TableName name = TableName.valueOf(table);
    byte[] family = Bytes.toBytes("d");
    try (Admin admin = cluster.connection().getAdmin();
        Table rows = cluster.connection().getTable(name)) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(family))
              .build());
      for (long i = 0; i < 300; i++) {
        rows.put(new Put(Bytes.toBytes(i)).addColumn(family, family, Bytes.toBytes(i)));
      }
    }
    String path = "/api/tables/" + table + "/rows/layout";
    assertThat(answer(to(path)).statusCode()).as("rows are not for all").isEqualTo(401);
    JsonNode seen = new ObjectMapper().readTree(answer(known(path)).body());
    assertThat(seen.path("rows").asInt()).as(seen.toString()).isEqualTo(300);
    assertThat(seen.at("/examples/0/row").asText()).startsWith("\\x00");
    assertThat(seen.at("/examples/0/read_as").asText()).contains("=0");
    assertThat(send("PUT", path, Map.of("layout", "salt(4) + n:long")).body())
        .contains("layout does not fit: layout=salt(4) + n:long");
    assertThat(send("PUT", path, Map.of("layout", "n:long")).statusCode()).isEqualTo(200);
    assertThat(get("/api/tables/" + table).path("layout").asText()).isEqualTo("n:long");
    assertThat(answer(known(path)).body()).contains("table has a layout already");

    JsonNode preview =
        done(
            send(
                "POST",
                "/api/migrations/" + table + "/preview",
                Map.of("layout", "salt(6) + n:long")));
    assertThat(preview.at("/result/begun").asBoolean(true)).as(preview.toString()).isFalse();
    assertThat(preview.at("/result/rows").asInt()).isEqualTo(300);
    assertThat(preview.at("/result/free_megabytes").asDouble()).isPositive();
    assertThat(preview.at("/result/obstacles")).isEmpty();
    assertThat(answer(to("/api/migrations/" + table)).statusCode()).isEqualTo(404);
  }

  @Test
  void aSpreadTableGetsTheRegionsThatItsBucketsNeed() throws Exception {
    Layout layout = Layout.parse("salt(8) + n:int64");
    byte[] family = Bytes.toBytes("d");
    TableName name = TableName.valueOf(table);
    try (SpreadTables tables = SpreadTables.on(cluster.connection());
        Admin admin = cluster.connection().getAdmin()) {
      SpreadTable open = tables.create(name, layout, layout.splits(2), List.of("d"));
      for (long n = 0; n < 300; n++) {
        open.put(new Put(layout.logicalKey(Values.of("n", n))).addColumn(family, family, family));
      }
      admin.flush(name);
      String path = "/api/tables/" + table + "/splits";
      JsonNode plan = get(path);
      assertThat(plan.path("regions_before").asInt()).isEqualTo(2);
      assertThat(plan.path("regions_after").asInt()).isEqualTo(8);
      assertThat(plan.at("/splits/0/label").asText()).isEqualTo("bucket 1");
      JsonNode split = done(send("POST", path, Map.of()));
      assertThat(split.at("/result/splits").asInt()).as(split.toString()).isEqualTo(6);
      assertThat(admin.getRegions(name)).hasSize(8);
      assertThat(get(path).path("splits")).isEmpty();
      assertThat(open.select().stream().count()).isEqualTo(300);
    }
    assertThat(answer(to("/api/tables/evenkey:heat/splits")).statusCode()).isNotEqualTo(500);
  }

  private HttpRequest.Builder known(String path) {
    return to(path).header("Authorization", "Bearer " + TOKEN);
  }

  @Test
  void tablesAreMigratedAndRolledBack() throws Exception {
    imported("device,ts,temp\nd1,1700000000000,1\n");
    String migration = "/api/migrations/" + table;
    assertThat(answer(to(migration)).statusCode()).isEqualTo(404);
    String fields = LAYOUT.substring(LAYOUT.indexOf('+') + 2);
    Map<String, Object> other = Map.of("layout", "salt(3) + " + fields, "rows_per_second", 5_000);
    JsonNode begun = done(send("POST", migration, other));
    assertThat(begun.get("result").path("stage").asText()).as(begun.toString()).isEqualTo("ready");
    String waiting = "evenkey_migration_unchanged_seconds{stage=\"ready\",table=\"" + table + "\"}";
    await().atMost(SOON).until(() -> answer(to("/metrics")).body().contains(waiting));
    assertThat(send("POST", migration, Map.of("layout", "salt(5) + " + fields)).statusCode())
        .as("said by the job")
        .isEqualTo(202);
    assertThat(
            send("PUT", migration + "/pace", Map.of("rows_per_second", 70, "latency_ms", 9)).body())
        .contains("\"rows_per_second\":70");
    done(send("PUT", migration + "/goal", Map.of("goal", "switched")));
    assertThat(get(migration).get("generation").asText()).isEqualTo(table + ".g2");
    JsonNode switched = get("/api/tables/" + table);
    assertThat(switched.get("generation").asText()).isEqualTo(table + ".g2");
    assertThat(switched.get("layout").asText()).isEqualTo("salt(3) + " + fields);
    assertThat(switched.get("regions_now")).hasSize(3);
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              assertThat(portal.recorder().layouts().get(table))
                  .isEqualTo(Layout.parse("salt(3) + " + fields));
              assertThat(portal.recorder().now(table)).hasSize(3);
              assertThat(portal.recorder().tables()).contains(table).doesNotContain(table + ".g2");
            });
    assertThat(get("/api/tables").get("tables"))
        .filteredOn(one -> one.get("name").asText().equals(table + ".g2"))
        .extracting(one -> one.get("kind").asText())
        .containsExactly("generation");
    assertThat(get("/api/migrations").get("migrations").findValuesAsText("table")).contains(table);
    JsonNode back = done(send("PUT", migration + "/goal", Map.of("goal", "rolled_back")));
    assertThat(back.get("result").get("stage").asText()).isEqualTo("rolled_back");
    assertThat(get(migration).get("generation").asText()).isEqualTo(table);
    assertThat(send("PUT", migration + "/goal", Map.of("goal", "nowhere")).body())
        .contains("unknown goal");
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      assertThat(tables.open(TableName.valueOf(table)).select().stream().count()).isEqualTo(1);
    }
    assertThat(done(send("POST", migration + "/name", Map.of())).path("state").asText())
        .isEqualTo("failed");
  }

  @Tag("long")
  @Test
  void aGenerationGetsTheTablesOwnName() throws Exception {
    imported("device,ts,temp\nd1,1700000000000,1\n");
    String migration = "/api/migrations/" + table;
    String layout = "salt(3) + " + LAYOUT.substring(LAYOUT.indexOf('+') + 2);
    done(send("POST", migration, Map.of("layout", layout, "goal", "finished")));
    assertThat(get(migration).get("generation").asText()).isEqualTo(table + ".g2");
    Put replicated =
        new Put(Layout.parse(layout).encode(Values.of(Map.of("device", "d2", "ts", 1L))));
    replicated.addColumn(new byte[] {'d'}, new byte[] {'q'}, new byte[] {1});
    replicated.setClusterIds(List.of(new UUID(1, 2)));
    try (Table generation = cluster.connection().getTable(TableName.valueOf(table + ".g2"))) {
      generation.put(replicated);
    }
    assertThat(done(send("POST", migration + "/name", Map.of())).get("text").asText())
        .contains("another cluster replicates to the table");
    JsonNode named = done(send("POST", migration + "/name", Map.of("replication_ended", true)));
    assertThat(named.get("result").get("renaming").asBoolean()).isTrue();
    assertThat(get(migration).get("generation").asText()).isEqualTo(table);
  }

  @Test
  void indexesAreAddedVerifiedSweptAndDropped() throws Exception {
    imported("device,ts,temp\nd1,1700000000000,7\nd2,1700000000001,8\n");
    String indexes = "/api/tables/" + table + "/indexes";
    Map<String, Object> index =
        Map.of(
            "name",
            "by_temp",
            "layout",
            "salt(4) + temp:string + ts:timestamp",
            "from",
            "temp=d:temp",
            "protocol",
            "mutable",
            "rows_per_second",
            5_000);
    JsonNode added = done(send("POST", indexes, index));
    assertThat(added.path("result").path("rows").asLong()).as(added.toString()).isEqualTo(2);
    JsonNode shown = get("/api/tables/" + table).get("indexes").get(0);
    assertThat(shown.path("state").asText()).isEqualTo("public");
    assertThat(shown.path("protocol").asText()).isEqualTo("mutable");
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      SpreadTable open = tables.open(TableName.valueOf(table));
      assertThat(open.select().where("temp = '8'").stream().count()).isEqualTo(1);
    }
    JsonNode verified = done(send("POST", indexes + "/by_temp/verification", Map.of()));
    assertThat(verified.path("result").path("complete").asBoolean()).isTrue();
    assertThat(get("/api/tables/" + table).get("indexes").get(0).path("missing").asInt(-1))
        .isZero();
    assertThat(send("PUT", "/api/hotkeys/" + table, Map.of("setting", "on")).statusCode())
        .isEqualTo(200);
    portal.close();
    portal = Portal.start(settings().build(), cluster);
    String labels = "table=\"" + table + "\"}";
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(answer(to("/metrics")).body())
                    .contains("evenkey_index_differences{index=\"by_temp\"," + labels + " 0.0")
                    .contains("evenkey_index_verified_seconds_ago{index=\"by_temp\"," + labels)
                    .contains("evenkey_table_hot_key_share{kind=\"read_keys\"," + labels)
                    .doesNotContain("evenkey_index_filling_unchanged_seconds{"));
    JsonNode swept = done(send("POST", indexes + "/by_temp/sweep", Map.of()));
    assertThat(swept.path("result").path("entries").asInt()).isEqualTo(2);
    JsonNode after = get("/api/tables/" + table).get("indexes").get(0);
    assertThat(after.path("swept_entries").asInt()).isEqualTo(2);
    assertThat(after.path("swept_since_verified").asBoolean()).isTrue();
    assertThat(after.path("swept_seconds_ago").asInt(-1)).isBetween(0, 60);
    assertThat(done(send("POST", indexes + "/by_temp/filling", Map.of())).path("text").asText())
        .contains("index exists already");
    done(send("DELETE", indexes + "/by_temp", Map.of()));
    assertThat(get("/api/tables/" + table).get("indexes")).isEmpty();
    assertThat(send("POST", indexes + "/by_temp/filling", Map.of()).statusCode()).isEqualTo(404);
  }

  @Test
  void anIndexThatLosesRowsIsRepairedAndStaleEntriesAreNoDifference() throws Exception {
    imported("device,ts,temp\nd1,1700000000000,7\nd2,1700000000001,8\nd3,1700000000002,9\n");
    String indexes = "/api/tables/" + table + "/indexes";
    done(
        send(
            "POST",
            indexes,
            Map.of(
                "name",
                "by_temp",
                "layout",
                "salt(4) + temp:string + ts:timestamp",
                "from",
                "temp=d:temp")));
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      SpreadTable rows = tables.open(TableName.valueOf(table));
      rows.delete(new Delete(only(rows, "temp = '7'")));
      SpreadTable entries = tables.open(TableName.valueOf(table + ".by_temp"));
      Delete lost = new Delete(only(entries, "temp = '8'"));
      lost.setAttribute(GuardAttributes.ENTRY, new byte[0]);
      entries.delete(lost);
    }
    done(send("POST", indexes + "/by_temp/verification", Map.of()));
    JsonNode broken = get("/api/tables/" + table).get("indexes").get(0);
    assertThat(broken.path("missing").asInt()).isEqualTo(1);
    assertThat(broken.path("stale").asInt()).isEqualTo(1);
    assertThat(broken.path("differences").asInt()).isEqualTo(1);
    measures(1, 1);
    done(send("POST", indexes + "/by_temp/verification", Map.of("repair", true)));
    JsonNode repaired = get("/api/tables/" + table).get("indexes").get(0);
    assertThat(repaired.path("added").asInt()).isEqualTo(1);
    assertThat(repaired.path("removed").asInt()).isEqualTo(1);
    assertThat(repaired.path("differences").asInt(-1)).isZero();
    measures(0, 0);
  }

  /** Waits for the metrics of a portal that is started again, which reads indexes at once. */
  private void measures(int differences, int stale) throws IOException {
    portal.close();
    portal = Portal.start(settings().build(), cluster);
    String labels = "{index=\"by_temp\",table=\"" + table + "\"} ";
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(answer(to("/metrics")).body())
                    .contains("evenkey_index_differences" + labels + differences + ".0")
                    .contains("evenkey_index_stale_entries" + labels + stale + ".0"));
  }

  /** The logical key of the only row of a condition. */
  private static byte[] only(SpreadTable open, String condition) throws IOException {
    try (KeyedRows rows = open.select().where(condition).open()) {
      return rows.iterator().next().key();
    }
  }

  @Test
  void indexesThatAreWrittenWronglyAreRefusedByName() throws Exception {
    String indexes = "/api/tables/" + table + "/indexes";
    String layout = "salt(4) + temp:string";
    assertThat(send("POST", indexes, Map.of("layout", layout)).body()).contains("name missing");
    assertThat(send("POST", indexes, Map.of("name", "a", "layout", "salt(0) + x")).statusCode())
        .isEqualTo(400);
    assertThat(
            send("POST", indexes, Map.of("name", "a", "layout", layout, "protocol", "fast")).body())
        .contains("give events, append_only or mutable");
    assertThat(
            send("POST", indexes, Map.of("name", "a", "layout", layout, "rows_per_second", -1))
                .body())
        .contains("rows_per_second=-1");
  }

  @Tag("long")
  @Test
  void anIndexWhoseFillingIsCancelledIsFilledToTheEndByAnotherJob() throws Exception {
    StringBuilder csv = new StringBuilder("device,ts,temp\n");
    for (int i = 0; i < 3_000; i++) {
      csv.append("d").append(i % 50).append(',').append(1_700_000_000_000L + i).append(",7\n");
    }
    imported(csv);
    String indexes = "/api/tables/" + table + "/indexes";
    Map<String, Object> slow =
        Map.of(
            "name",
            "by_temp",
            "layout",
            "salt(4) + temp:string + ts:timestamp",
            "from",
            "temp=d:temp",
            "rows_per_second",
            100);
    HttpResponse<String> begun = send("POST", indexes, slow);
    String id = new ObjectMapper().readTree(begun.body()).get("id").asText();
    await().atMost(SOON).until(() -> get("/api/jobs/" + id).path("text").asText().contains("fill"));
    send("DELETE", "/api/jobs/" + id, Map.of());
    JsonNode building = get("/api/tables/" + table).get("indexes").get(0);
    assertThat(building.path("state").asText()).isEqualTo("building");
    assertThat(building.path("rows_per_second").asInt()).isEqualTo(100);
    HttpResponse<String> continued = send("POST", indexes + "/by_temp/filling", Map.of());
    String second = new ObjectMapper().readTree(continued.body()).get("id").asText();
    await()
        .atMost(SOON)
        .until(() -> get("/api/jobs/" + second).path("text").asText().contains("fill"));
    send("DELETE", "/api/jobs/" + second, Map.of());
    JsonNode again = get("/api/tables/" + table).get("indexes").get(0);
    assertThat(again.path("state").asText()).as("not filled at once").isEqualTo("building");
    assertThat(again.path("rows_per_second").asInt()).isEqualTo(100);
    JsonNode filled =
        done(send("POST", indexes + "/by_temp/filling", Map.of("rows_per_second", 0)));
    assertThat(filled.path("result").path("rows").asLong()).as(filled.toString()).isEqualTo(3_000);
    assertThat(get("/api/tables/" + table).get("indexes").get(0).path("state").asText())
        .isEqualTo("public");
  }

  /** Plans and creates the table, and imports records into it. */
  private void imported(CharSequence csv) throws Exception {
    Map<String, Object> plan =
        Map.of("layout", LAYOUT, "regions", 4, "families", List.of("d"), "version", -1);
    send("PUT", "/api/plans/" + table, plan);
    send("POST", "/api/tables/" + table, Map.of());
    done(send("POST", "/api/jobs/import", Map.of("table", table, "upload", upload(csv))));
  }

  private String upload(CharSequence csv) throws Exception {
    HttpResponse<String> answer =
        answer(
            to("/api/uploads?name=readings.csv")
                .header("Authorization", "Bearer " + TOKEN)
                .header(Guard.OWN, "1")
                .POST(HttpRequest.BodyPublishers.ofString(csv.toString())));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return new ObjectMapper().readTree(answer.body()).get("upload").asText();
  }

  private JsonNode done(HttpResponse<String> begun) throws Exception {
    return done(begun, SOON);
  }

  private JsonNode done(HttpResponse<String> begun, Duration within) throws Exception {
    assertThat(begun.statusCode()).as(begun.body()).isEqualTo(202);
    String id = new ObjectMapper().readTree(begun.body()).get("id").asText();
    return await()
        .atMost(within)
        .until(
            () -> get("/api/jobs/" + id),
            job -> !List.of("waiting", "running").contains(job.get("state").asText()));
  }

  @Test
  void heatIsStoredAndReadAfterARestart() throws Exception {
    try (Admin admin = cluster.connection().getAdmin()) {
      await().atMost(SOON).until(() -> admin.tableExists(HistoryTable.NAME));
    }
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(get("/api/about").get("spans").asInt()).isGreaterThan(20));
    long oldest = get("/api/about").get("oldest").asLong();
    portal.close();
    portal = Portal.start(settings().build(), cluster);
    assertThat(get("/api/about").get("oldest").asLong()).isLessThanOrEqualTo(oldest);
    assertThat(answer(to("/metrics")).body())
        .contains("evenkey_heat_failing 0.0", "evenkey_heat_spans");
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(answer(to("/metrics")).body())
                    .contains("evenkey_table_write_skew{table=\"evenkey:heat\"}"));
  }

  /** The first reading of a table comes after most of its import. */
  @Test
  void allWritesToANewTableAreOnTheMap() throws Exception {
    portal.close();
    portal = Portal.start(settings().every(Duration.ofSeconds(20)).build(), cluster);
    await().atMost(SOON).until(() -> portal.recorder().last() != null);
    long from = requireNonNull(portal.recorder().last()).at();
    int records = 120_000;
    StringBuilder csv = new StringBuilder("device,ts,temp\n");
    for (int i = 0; i < records; i++) {
      csv.append('d').append(i % 97).append(',').append(1_700_000_000_000L + i).append(",1\n");
    }
    imported(csv);
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              portal.recorder().read();
              assertThat(written(from, requireNonNull(portal.recorder().last()).at()))
                  .isCloseTo(records, withinPercentage(1));
            });
  }

  /** The writes of a map of one column, as a page gets them. */
  private double written(long from, long to) throws Exception {
    return from == to ? 0 : map(from, to, "").writes().sum() * (to - from) / 1_000;
  }

  /** A map of one column: its head, and the writes per second of each row. */
  private record HeatMap(JsonNode head, List<Double> rows) {
    DoubleStream writes() {
      return rows.stream().mapToDouble(rate -> rate);
    }

    /** The writes per second of a block of rows; NaN if nothing of it was counted. */
    double writes(int block) {
      JsonNode one = head.get("tables").get(block);
      return writes().skip(one.get("first").asInt()).limit(one.get("rows").asInt()).sum();
    }
  }

  private HeatMap map(long from, long to, String more) throws Exception {
    String map = "/api/heat?table=" + table + "&columns=1&from=" + from + "&to=" + to + more;
    byte[] answer = http.send(to(map).build(), BodyHandlers.ofByteArray()).body();
    ByteBuffer bytes = ByteBuffer.wrap(answer).order(ByteOrder.LITTLE_ENDIAN);
    byte[] json = new byte[bytes.getInt()];
    bytes.get(json);
    JsonNode head = new ObjectMapper().readTree(json);
    List<Double> rows = new ArrayList<>();
    for (int row = head.get("labels").size(); row > 0; row--) {
      rows.add((double) bytes.getFloat());
    }
    return new HeatMap(head, rows);
  }

  /** The names and layouts of a map's blocks, and whether they are those of present rows. */
  private static List<Tuple> blocks(HeatMap map) {
    List<Tuple> blocks = new ArrayList<>();
    map.head()
        .get("tables")
        .forEach(
            one ->
                blocks.add(
                    tuple(
                        one.get("name").asText(),
                        one.get("layout").asText(),
                        one.get("until").asLong() == 0)));
    return blocks;
  }

  /** Waits until the worst finding of the table in a time is that it is hot, or is not. */
  private void awaitHot(boolean isHot, String time) {
    String path = "/api/heat/findings?table=" + table + time;
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              JsonNode worst = get(path).at("/findings/0");
              assertThat(worst.path("severity").asInt(-1))
                  .as(worst.toString())
                  .isBetween(isHot ? 2 : 0, isHot ? 2 : 1);
              assertThat(worst.path("kind").asText()).isNotEqualTo("idle");
            });
  }

  @Tag("long")
  @Test
  void theHeatFollowsATableThroughItsGenerations() throws Exception {
    portal.close();
    portal = Portal.start(settings().every(Duration.ofSeconds(1)).build(), cluster);
    Set<String> shown = ConcurrentHashMap.newKeySet();
    portal.recorder().onReading(() -> shown.addAll(portal.recorder().tables(Kind.TABLE)));
    TableName name = TableName.valueOf(table);
    Layout plain = Layout.parse("ts:timestamp + n:int64");
    Layout salted = Layout.parse("salt(4) + ts:timestamp + n:int64");
    AtomicBoolean stop = new AtomicBoolean();
    String migration = "/api/migrations/" + table;
    String indexes = "/api/tables/" + table + "/indexes";
    long begun = System.currentTimeMillis();
    CompletableFuture<Void> writing = null;
    try (SpreadTables tables = SpreadTables.on(cluster.connection());
        Admin admin = cluster.connection().getAdmin()) {
      SpreadTable open =
          tables.create(
              name, plain, new SplitPlan(SplitAlgorithm.UNIFORM, List.of()), List.of("d"));
      writing = CompletableFuture.runAsync(() -> write(open, plain, stop));
      Map<String, Object> index =
          Map.of("name", "by_q", "layout", "salt(2) + q:string + ts:timestamp", "from", "q=d:q");
      JsonNode added = done(send("POST", indexes, index));
      assertThat(added.get("state").asText()).as(added.toString()).isEqualTo("done");
      String entries = table + ".by_q";
      await().atMost(SOON).until(() -> portal.recorder().tables(Kind.INDEX).contains(entries));
      done(send("DELETE", indexes + "/by_q", Map.of()));
      await().atMost(SOON).until(() -> !portal.recorder().tables().contains(entries));
      awaitHot(true, "");

      Map<String, Object> goal = Map.of("layout", salted.toString(), "goal", "switched");
      JsonNode switched = done(send("POST", migration, goal), LATE);
      assertThat(switched.at("/result/stage").asText())
          .as(switched.toString())
          .isEqualTo("switched");
      awaitHot(false, "");
      awaitHot(false, "&from=" + begun);
      HeatMap map = map(begun, System.currentTimeMillis(), "");
      assertThat(blocks(map))
          .containsExactly(
              tuple(table, salted.toString(), true), tuple(table, plain.toString(), false));
      long until = map.head().at("/tables/1/until").asLong();
      awaitHot(true, "&from=" + begun + "&to=" + (until - 500));
      long last = requireNonNull(portal.recorder().last()).at();
      assertThat(map(last - 500, last, "").writes(0)).isPositive();
      assertThat(blocks(map(last - 500, last, ""))).hasSize(1);

      // Keys to come have no load, though a region begins with them.
      byte[] later = salted.encode(Values.of(Map.of("ts", "2100-01-01T00:00:00Z", "n", 0L)));
      admin.split(TableName.valueOf(table + ".g2"), later);
      String logical = "&order=logical";
      HeatMap folded =
          await()
              .atMost(SOON)
              .until(
                  () -> {
                    long now = requireNonNull(portal.recorder().last()).at();
                    return map(now - 500, now, logical);
                  },
                  one -> one.rows().size() == 2);
      assertThat(folded.head().at("/labels/1").asText()).startsWith("2100-01-01");
      assertThat(folded.rows().get(0)).isPositive();
      assertThat(folded.rows().get(1)).isZero();

      done(send("PUT", migration + "/goal", Map.of("goal", "finished")), LATE);
      JsonNode named = done(send("POST", migration + "/name", Map.of()), LATE);
      assertThat(named.at("/result/renaming").asBoolean()).as(named.toString()).isTrue();
      await().atMost(SOON).until(() -> !admin.tableExists(TableName.valueOf(table + ".g2")));
      long renamed = System.currentTimeMillis();
      await().atMost(SOON).until(() -> requireNonNull(portal.recorder().last()).at() > renamed);
      awaitHot(false, "");
      HeatMap all = map(begun, System.currentTimeMillis(), "");
      assertThat(blocks(all)).isEqualTo(blocks(map));
      assertThat(shown).contains(table).doesNotContain(entries, table + ".g2");
    } finally {
      stop.set(true);
      if (writing != null) {
        writing.join();
      }
    }
  }

  /** Writes some hundred rows a second, with the present time, until it is stopped. */
  private static void write(SpreadTable open, Layout layout, AtomicBoolean stop) {
    byte[] family = Bytes.toBytes("d");
    try {
      for (long n = 0; !stop.get(); ) {
        List<Put> rows = new ArrayList<>();
        for (long end = n + 20; n < end; n++) {
          byte[] key =
              layout.logicalKey(Values.of(Map.of("ts", System.currentTimeMillis(), "n", n)));
          rows.add(new Put(key).addColumn(family, Bytes.toBytes("q"), Bytes.toBytes("v" + n % 9)));
        }
        open.put(rows);
        Thread.sleep(50);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void heatIsShownThoughItsHistoryCannotBeReadOrStored() throws Exception {
    Layout layout = requireNonNull(cluster.tables().open(HistoryTable.NAME).layout());
    byte[] family = Bytes.toBytes("h");
    cluster
        .tables()
        .open(HistoryTable.NAME)
        .put(
            new Put(
                    layout.logicalKey(
                        Values.of(
                            Map.of(
                                "column_ms",
                                2_000L,
                                "at",
                                System.currentTimeMillis(),
                                "table",
                                table))))
                .addColumn(family, Bytes.toBytes("column"), Bytes.toBytes("no column")));
    portal.close();
    portal = Portal.start(settings().build(), cluster);
    assertThat(get("/api/live").get("history_problem").asText())
        .startsWith("Some of the stored heat cannot be read: rows=1 table=evenkey:heat");
    try (Admin admin = cluster.connection().getAdmin()) {
      admin.disableTable(HistoryTable.NAME);
      admin.deleteTable(HistoryTable.NAME);
    }
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(get("/api/live").get("history_problem").asText())
                    .startsWith("Heat is shown, but not stored: no such table: table=evenkey:heat")
                    .contains("start the portal again")
                    .doesNotContain("Exception"));
    long last = get("/api/live").get("at").asLong();
    await().atMost(SOON).until(() -> get("/api/live").get("at").asLong() > last);
    assertThat(get("/api/live").get("problem").asText()).isEmpty();
  }

  @Tag("ci")
  @Test
  void whatIsLiveFollowsEachReading() throws Exception {
    long first = get("/api/live").get("at").asLong();
    await()
        .atMost(SOON)
        .untilAsserted(() -> assertThat(get("/api/live").get("at").asLong()).isGreaterThan(first));
    assertThat(get("/api/live").get("problem").asText()).isEmpty();
    assertThat(get("/api/live").get("jobs").isArray()).isTrue();
  }

  @Test
  void hotKeysOfServersAreSwitchedOnAndShown() throws Exception {
    Layout layout = Layout.parse(LAYOUT);
    String path = "/api/hotkeys/" + table;
    try (SpreadTables tables = SpreadTables.on(cluster.connection())) {
      SpreadTable spread =
          tables.create(TableName.valueOf(table), layout, layout.splits(4), List.of("d"));
      assertThat(get(path).get("state").asText()).isEqualTo("off");
      assertThat(send("PUT", path, Map.of("setting", "often")).statusCode()).isEqualTo(400);
      assertThat(send("PUT", path, Map.of("setting", "1/1")).statusCode()).isEqualTo(200);
      for (int i = 0; i < 60; i++) {
        String device = i % 3 == 0 ? "d" + i : "hot";
        byte[] key = layout.logicalKey(Values.of(Map.of("device", device, "ts", 1_000L)));
        spread.put(new Put(key).addColumn(new byte[] {'d'}, new byte[] {'q'}, key));
      }
    }
    JsonNode servers = get(path);
    assertThat(servers.get("source").asText()).isEqualTo("servers");
    assertThat(servers.get("state").asText()).isEqualTo("counted");
    assertThat(servers.get("write_fields").get("items").get(0).get("label").asText())
        .isEqualTo("device=hot");
    JsonNode key = servers.get("write_keys").get("items").get(0);
    assertThat(key.get("bucket").asInt()).isBetween(0, 7);
    assertThat(key.get("server").asText()).contains(",");
    assertThat(send("PUT", path, Map.of("setting", "off")).body()).contains("\"state\":\"off\"");
    assertThat(Files.readString(directory.resolve("audit.jsonl"))).contains("count hot keys");
  }
}
