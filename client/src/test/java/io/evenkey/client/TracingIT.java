/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.ScanResultConsumer;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.NoSuchColumnFamilyException;
import org.apache.hadoop.hbase.trace.TraceUtil;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An operation on several buckets is one span, and HBase's spans are below it. */
@ExtendWith(EmbeddedHBaseExtension.class)
class TracingIT {
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final String APPLICATION = "application";
  private static final int BUCKETS = 4;
  private static final int ROWS = 40;

  @RegisterExtension static final OpenTelemetryExtension TRACING = OpenTelemetryExtension.create();

  private Connection dropIn;
  private AsyncConnection async;
  private TableName name;

  @BeforeEach
  void open(Connection shared, TestInfo info) throws IOException {
    name = TableName.valueOf("trace_" + info.getTestMethod().orElseThrow().getName());
    Configuration configuration = new Configuration(shared.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    dropIn = ConnectionFactory.createConnection(configuration);
    async = FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration));
  }

  @AfterEach
  void close() throws IOException {
    async.close();
    dropIn.close();
  }

  private Table filled(String line) throws IOException {
    Layout layout = Layout.parse(line);
    try (Admin admin = dropIn.getAdmin()) {
      admin.createTable(
          TableLayout.with(
              TableDescriptorBuilder.newBuilder(name)
                  .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                  .build(),
              layout),
          layout.splits(BUCKETS).toArray());
    }
    Table table = dropIn.getTable(name);
    for (int i = 0; i < ROWS; i++) {
      table.put(new Put(Bytes.toBytes("row" + i)).addColumn(FAMILY, FAMILY, Bytes.toBytes(i)));
    }
    return table;
  }

  private static List<SpanData> spans(String operation) {
    return TRACING.getSpans().stream()
        .filter(span -> span.getName().startsWith(operation + " "))
        .toList();
  }

  private static SpanData application() {
    return TRACING.getSpans().stream()
        .filter(span -> span.getName().equals(APPLICATION))
        .findFirst()
        .orElseThrow();
  }

  private static List<SpanData> below(SpanData parent, List<SpanData> spans) {
    return spans.stream()
        .filter(span -> span.getParentSpanId().equals(parent.getSpanId()))
        .toList();
  }

  /** The one span of an operation that the application made, when it has ended. */
  private SpanData only(String operation) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(below(application(), spans(operation))).hasSize(1));
    SpanData span = below(application(), spans(operation)).get(0);
    assertThat(span.getName()).isEqualTo(operation + " default:" + name);
    assertThat(span.getKind()).isEqualTo(SpanKind.CLIENT);
    assertThat(span.getAttributes().get(AttributeKey.stringKey("db.system"))).isEqualTo("hbase");
    assertThat(span.getAttributes().get(AttributeKey.stringKey("db.operation")))
        .isEqualTo(operation);
    assertThat(span.getAttributes().get(AttributeKey.stringKey("db.name"))).isEqualTo("default");
    assertThat(span.getAttributes().get(AttributeKey.stringKey("db.hbase.table")))
        .isEqualTo(name.getNameAsString());
    return span;
  }

  private static List<byte[]> read(Table table, Scan scan) throws IOException {
    List<byte[]> rows = new ArrayList<>();
    try (ResultScanner scanner = table.getScanner(scan)) {
      for (Result row = scanner.next(); row != null; row = scanner.next()) {
        rows.add(row.getRow());
      }
    }
    return rows;
  }

  @Test
  void aScanOfSeveralBucketsIsOneSpanWithHBasesBelowIt() throws IOException {
    try (Table table = filled("salt(4) + key:bytes")) {
      read(table, new Scan());
      TRACING.clearSpans();
      assertThat(TraceUtil.trace(() -> read(table, new Scan()), APPLICATION)).hasSize(ROWS);
    }
    SpanData scan = only("SCAN");
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() -> assertThat(below(scan, spans("SCAN"))).hasSize(BUCKETS));
    assertThat(scan.getStatus().getStatusCode()).isEqualTo(StatusCode.OK);
    assertThat(scan.getAttributes().get(AttributeKey.longKey("evenkey.ranges")))
        .isEqualTo((long) BUCKETS);
  }

  @Test
  void aScanThatFailsSaysWhy() throws IOException {
    try (Table table = filled("salt(4) + key:bytes")) {
      TRACING.clearSpans();
      Scan wrong = new Scan().addFamily(Bytes.toBytes("nofamily"));
      assertThatThrownBy(() -> TraceUtil.trace(() -> read(table, wrong), APPLICATION))
          .isInstanceOf(NoSuchColumnFamilyException.class);
    }
    SpanData scan = only("SCAN");
    assertThat(below(scan, spans("SCAN"))).isNotEmpty();
    assertThat(scan.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(scan.getEvents())
        .anyMatch(
            event ->
                NoSuchColumnFamilyException.class
                    .getName()
                    .equals(event.getAttributes().get(AttributeKey.stringKey("exception.type"))));
  }

  @Test
  void aScanByAnObserverIsInTheSpanOfItsCaller() throws Exception {
    filled("salt(4) + key:bytes").close();
    TRACING.clearSpans();
    ExecutorService pool = Executors.newSingleThreadExecutor();
    try {
      TraceUtil.trace(
          () -> async.getTable(name, pool).scan(new Scan(), new Observing()), APPLICATION);
      SpanData scan = only("SCAN");
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(below(scan, spans("SCAN"))).hasSize(BUCKETS));
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(observed()).hasSize(ROWS + 1));
      assertThat(below(scan, observed())).hasSize(ROWS + 1);
    } finally {
      pool.shutdown();
    }
  }

  private static List<SpanData> observed() {
    return TRACING.getSpans().stream()
        .filter(span -> span.getName().startsWith("observer"))
        .toList();
  }

  private static final class Observing implements ScanResultConsumer {
    @Override
    public boolean onNext(Result row) {
      TraceUtil.createSpan("observer of a row").end();
      return true;
    }

    @Override
    public void onError(Throwable error) {
      throw new AssertionError(error);
    }

    @Override
    public void onComplete() {
      TraceUtil.createSpan("observer at the end").end();
    }
  }

  @Test
  void aGetInAllBucketsIsOneSpan() throws IOException {
    try (Table table = filled("salt(4, random) + key:bytes")) {
      Get get = new Get(Bytes.toBytes("row7"));
      TRACING.clearSpans();
      assertThat(TraceUtil.trace(() -> table.get(get), APPLICATION).isEmpty()).isFalse();
      assertThat(below(only("GET"), spans("BATCH"))).hasSize(1);
      // The first asks for the layout as well, by a Get.
      FutureUtils.get(async.getTable(name).get(get));
      TRACING.clearSpans();
      assertThat(
              TraceUtil.trace(() -> FutureUtils.get(async.getTable(name).get(get)), APPLICATION)
                  .isEmpty())
          .isFalse();
      assertThat(below(only("GET"), spans("BATCH"))).hasSize(1);
    }
  }
}
