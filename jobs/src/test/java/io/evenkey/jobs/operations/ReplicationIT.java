/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.internal.guard.SinkQuestion;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.verify.FittingRows;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.jobs.guard.OtherClusters;
import io.evenkey.jobs.index.IndexAddition;
import io.evenkey.jobs.index.IndexListener;
import io.evenkey.jobs.index.IndexReport;
import io.evenkey.jobs.index.IndexVerification;
import io.evenkey.jobs.migration.MigrationListener;
import io.evenkey.jobs.migration.MigrationPlan;
import io.evenkey.jobs.migration.MigrationSettings;
import io.evenkey.jobs.migration.generation.MigrationChecks;
import io.evenkey.jobs.migration.protocol.Migrator;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.protocol.guard.ReplicatedWrites;
import io.evenkey.protocol.index.TableIndex;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.AttributeNotFoundException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.mapreduce.replication.VerifyReplication;
import org.apache.hadoop.hbase.mapreduce.replication.VerifyReplication.Verifier.Counters;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.replication.regionserver.ReplicationSink;
import org.apache.hadoop.hbase.replication.regionserver.SourceFSConfigurationProvider;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.mapreduce.Job;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** HBase's replication of spread tables between two clusters. */
@Tag("long")
@Timeout(300)
class ReplicationIT {
  private static final TableName NAME = TableName.valueOf("readings");
  private static final Layout LAYOUT = Layout.parse("salt(4) + id:string");
  private static final String GUARD =
      "Hadoop:service=HBase,name=RegionServer,sub=Coprocessor.Region."
          + "CP_io.evenkey.server.guard.LayoutGuard";
  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] N = Bytes.toBytes("n");

  @TempDir private Path directory;

  /** Has the sink read the source's files, which are on the machine's own file system. */
  public static final class SameFiles implements SourceFSConfigurationProvider {
    /** For HBase. */
    public SameFiles() {}

    @Override
    public Configuration getConf(Configuration sink, String source) {
      return sink;
    }
  }

  private EmbeddedHBase start(String id, boolean guard) throws IOException {
    Map<String, String> settings = new HashMap<>();
    settings.put(HConstants.REPLICATION_BULKLOAD_ENABLE_KEY, "true");
    settings.put(HConstants.REPLICATION_CLUSTER_ID, id);
    settings.put("hbase.replication.source.fs.conf.provider", SameFiles.class.getName());
    settings.put("replication.source.sleepforretries", "50");
    settings.put("replication.source.maxretriesmultiplier", "4");
    settings.put("replication.sleep.before.failover", "100");
    // The sink's client gives up soon, and the source repeats.
    settings.put("hbase.client.sync.wait.timeout.msec", "10000");
    return EmbeddedHBase.in(directory.resolve(id))
        .servers(1)
        .guard(guard)
        .settings(settings)
        .start();
  }

  /** One of two clusters, with its table. */
  private record Side(EmbeddedHBase hbase, SpreadTables tables) implements AutoCloseable {
    static Side of(EmbeddedHBase hbase) throws IOException {
      return new Side(hbase, SpreadTables.on(hbase.connection()));
    }

    Connection plain() throws IOException {
      return hbase.connection();
    }

    void createSink(Layout layout) throws IOException {
      tables.create(NAME, layout, layout.splits(2), List.of("d"));
    }

    void create(Layout layout) throws IOException {
      createSink(layout);
      try (Admin admin = plain().getAdmin()) {
        admin.modifyColumnFamily(
            NAME,
            ColumnFamilyDescriptorBuilder.newBuilder(D)
                .setScope(HConstants.REPLICATION_SCOPE_GLOBAL)
                .build());
      }
    }

    void drop() throws IOException {
      try (Admin admin = plain().getAdmin()) {
        admin.disableTable(NAME);
        admin.deleteTable(NAME);
      }
    }

    void replicateTo(Side other, String id) throws IOException {
      try (Admin admin = plain().getAdmin()) {
        admin.addReplicationPeer(id, peer(other));
      }
    }

    void follow(Side other, String id) throws IOException {
      try (Admin admin = plain().getAdmin()) {
        admin.removeReplicationPeer(id);
        admin.addReplicationPeer(id, peer(other));
      }
    }

    static ReplicationPeerConfig peer(Side other) {
      Configuration conf = other.hbase.configuration();
      return ReplicationPeerConfig.newBuilder()
          .setClusterKey("127.0.0.1:" + conf.get(HConstants.ZOOKEEPER_CLIENT_PORT) + ":/hbase")
          .setSerial(true)
          .build();
    }

    SpreadTable open() throws IOException {
      return tables.open(NAME);
    }

    void put(String... ids) throws IOException {
      SpreadTable table = open();
      for (String id : ids) {
        table.put(new Put(key(id)).addColumn(D, Q, Bytes.toBytes(id)));
      }
    }

    /** What Evenkey reads, in logical order: each key with its value. */
    Map<String, String> rows() throws IOException {
      Map<String, String> rows = new TreeMap<>();
      SpreadTable table = open();
      try (ResultScanner scanner = table.scan(KeyRange.all(), new Scan())) {
        for (Result row : scanner) {
          rows.put(Bytes.toString(row.getRow()), Bytes.toString(row.getValue(D, Q)));
        }
      }
      return rows;
    }

    List<byte[]> stored() throws IOException {
      List<byte[]> rows = new ArrayList<>();
      try (Table table = plain().getTable(NAME);
          ResultScanner scanner = table.getScanner(new Scan())) {
        for (Result row : scanner) {
          rows.add(row.getRow());
        }
      }
      return rows;
    }

    @Override
    public void close() throws IOException {
      try (hbase) {
        tables.close();
      }
    }
  }

  private static byte[] key(String id) {
    return LAYOUT.logicalKey(Values.of("id", id));
  }

  private static String[] ids(String prefix, int count) {
    String[] ids = new String[count];
    for (int i = 0; i < count; i++) {
      ids[i] = prefix + i;
    }
    return ids;
  }

  private static void awaitSame(Side one, Side other, int rows) {
    await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(
            () -> {
              assertThat(one.rows()).hasSize(rows);
              assertThat(other.rows()).isEqualTo(one.rows());
            });
  }

  private void load(Side side, String name, String id) throws IOException {
    Configuration conf = side.plain().getConfiguration();
    Path source = directory.resolve(name);
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(source.resolve("d").resolve("file").toUri());
    try (HFile.Writer writer =
        HFile.getWriterFactoryNoCache(conf)
            .withPath(FileSystem.getLocal(conf), file)
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      writer.append(new KeyValue(LAYOUT.physical(key(id)), D, Q, 1, Bytes.toBytes(id)));
    }
    BulkLoadHFiles.create(conf).bulkLoad(NAME, new org.apache.hadoop.fs.Path(source.toUri()));
  }

  @ParameterizedTest(name = "guard on both sides: {0}, {1}")
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void aTableReplicatesBothWaysUnderOneLayout(boolean guard, boolean otherGuard) throws Exception {
    try (Side a = Side.of(start("a", guard));
        Side b = Side.of(start("b", otherGuard))) {
      a.create(LAYOUT);
      b.create(LAYOUT);
      a.replicateTo(b, "b");
      b.replicateTo(a, "a");
      a.put(ids("from-a-", 100));
      awaitSame(a, b, 100);
      b.put(ids("from-b-", 100));
      awaitSame(b, a, 200);
      SpreadTable onA = a.open();
      SpreadTable onB = b.open();
      // Deletions of rows and columns, increments, and times to live.
      onA.delete(new Delete(key("from-b-7")));
      onB.delete(new Delete(key("from-a-7")));
      onA.increment(new Increment(key("from-a-8")).addColumn(D, N, 5));
      Put ending = new Put(key("from-a-9")).addColumn(D, N, Bytes.toBytes(1L));
      ending.setTTL(2_000);
      onA.put(ending);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThat(onB.get(new Get(key("from-a-8"))).getValue(D, N))
                      .isEqualTo(Bytes.toBytes(5L)));
      awaitSame(a, b, 198);
      onA.delete(new Delete(key("from-a-8")).addColumns(D, N));
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> {
                for (String id : List.of("from-a-8", "from-a-9")) {
                  assertThat(onB.get(new Get(key(id))).containsColumn(D, N)).as(id).isFalse();
                }
              });
      load(a, "load", "loaded");
      awaitSame(a, b, 199);
      assertThat(b.rows()).containsEntry("loaded", "loaded");
    }
  }

  @ParameterizedTest(name = "guard at the source: {0}")
  @ValueSource(booleans = {true, false})
  void underAnotherLayoutNoRowIsWrittenAndReplicationWaits(boolean guard) throws Exception {
    Layout other = Layout.parse("salt(3) + id:string");
    try (Side a = Side.of(start("a", guard));
        Side b = Side.of(start("b", true));
        SinkErrors errors = new SinkErrors()) {
      a.create(LAYOUT);
      b.createSink(other);
      if (guard) {
        try (Registry registry = Registry.open(a.plain().getConfiguration())) {
          addIndex(a, registry);
        }
      }
      a.replicateTo(b, "b");
      a.put(ids("id-", 100));
      String source = guard ? LAYOUT.toString() : "";
      await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(refused()).isPositive());
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> {
                ReplicatedWrites writes = SinkQuestion.ask(b.plain(), NAME);
                assertThat(writes.refusedMs()).isPositive();
                assertThat(writes.refusedLayout()).isEqualTo(source);
                assertThat(errors.texts)
                    .anyMatch(
                        text ->
                            text.contains(
                                " layout="
                                    + other
                                    + " source_layout="
                                    + (guard ? source : "unknown")
                                    + " source_cluster="));
              });
      // Without the guard at the source, what has passed is a row of both layouts.
      assertThat(b.stored()).allMatch(row -> !guard && FittingRows.fits(other, row));
      assertThat(b.stored()).hasSizeLessThan(100);
      b.drop();
      b.createSink(LAYOUT);
      awaitSame(a, b, 100);
      verify(a);
      try (Registry registry = Registry.open(b.plain().getConfiguration())) {
        MigrationChecks checks = new MigrationChecks(b.plain());
        List<ThrowingCallable> changes =
            List.of(() -> migrate(b, registry, other), () -> checks.checkNoSink(NAME));
        for (ThrowingCallable change : changes) {
          assertThatThrownBy(change)
              .hasMessageContaining("another cluster replicates to the table")
              .hasMessageContaining("say that the replication has ended");
        }
        new OtherClusters(b.plain()).end(NAME);
        a.put("one-more");
        awaitSame(a, b, 101);
        assertThatThrownBy(() -> migrate(b, registry, other))
            .as("it has not ended")
            .hasMessageContaining("another cluster replicates to the table");
        try (Admin admin = a.plain().getAdmin()) {
          admin.disableReplicationPeer("b");
        }
        new OtherClusters(b.plain()).end(NAME);
        assertThat(migrate(b, registry, other).stage()).isEqualTo(Stage.READY);
      }
    }
  }

  private Migration migrate(Side side, Registry registry, Layout layout) throws IOException {
    MigrationSettings settings =
        MigrationSettings.in(new org.apache.hadoop.fs.Path(directory.toUri()));
    try (Migrator migrator =
        Migrator.begin(
            side.plain(),
            registry,
            MigrationPlan.of(NAME, layout),
            settings,
            MigrationListener.NONE)) {
      return migrator.run();
    }
  }

  @ParameterizedTest(name = "guard at the source: {0}")
  @ValueSource(booleans = {true, false})
  void filesFromUnderAnotherLayoutAreNotLoaded(boolean guard) throws Exception {
    // The row fits both.
    Layout other = Layout.parse("salt(8) + id:string");
    try (Side a = Side.of(start("a", guard));
        Side b = Side.of(start("b", true));
        SinkErrors errors = new SinkErrors()) {
      a.create(LAYOUT);
      b.createSink(other);
      a.replicateTo(b, "b");
      String both = fitting(other, true);
      String one = fitting(other, false);
      load(a, "both", both);
      if (guard) {
        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(
                () ->
                    assertThat(errors.texts)
                        .anyMatch(
                            text ->
                                text.contains(
                                    " layout=" + other + " source_layout=" + LAYOUT + " source_")));
        assertThat(refused()).isPositive();
        assertThat(SinkQuestion.ask(b.plain(), NAME).refusedLayout()).isEqualTo(LAYOUT.toString());
        assertThat(b.stored()).isEmpty();
      } else {
        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(() -> assertThat(b.stored()).hasSize(1));
      }
      load(a, "one", one);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () -> assertThat(SinkQuestion.ask(b.plain(), NAME).refusedMs()).isPositive());
      b.drop();
      b.createSink(LAYOUT);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(() -> assertThat(b.rows()).containsKey(one));
      assertThat(b.rows().containsKey(both)).as("not sent again").isEqualTo(guard);
      assertThat(SinkQuestion.ask(b.plain(), NAME).sinceMs()).isPositive();
    }
  }

  private static String fitting(Layout other, boolean both) {
    for (String id : ids("id-", 100)) {
      if (FittingRows.fits(other, LAYOUT.physical(key(id))) == both) {
        return id;
      }
    }
    throw new AssertionError("no such row");
  }

  /** The errors in the logs of sinks and of the guard beside them. */
  private static final class SinkErrors extends AppenderBase<ILoggingEvent>
      implements AutoCloseable {
    private final List<Logger> loggers =
        List.of(
            (Logger) LoggerFactory.getLogger(ReplicationSink.class),
            (Logger) LoggerFactory.getLogger("io.evenkey.server.guard.SourceFiles"));
    private final Queue<String> texts = new ConcurrentLinkedQueue<>();

    SinkErrors() {
      start();
      loggers.forEach(logger -> logger.addAppender(this));
    }

    @Override
    protected void append(ILoggingEvent event) {
      texts.add(ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }

    @Override
    public void close() {
      loggers.forEach(logger -> logger.detachAppender(this));
    }
  }

  @Test
  void rowsOfAnIndexedTableArriveAndThePeerIsIndexedWhenItTakesOver() throws Exception {
    try (Side a = Side.of(start("a", true));
        Side b = Side.of(start("b", true))) {
      a.create(LAYOUT);
      b.createSink(LAYOUT);
      a.replicateTo(b, "b");
      a.put(ids("before-", 50));
      try (Registry registry = Registry.open(a.plain().getConfiguration())) {
        assertThat(addIndex(a, registry).isComplete()).isTrue();
        a.put(ids("after-", 50));
        a.open().delete(new Delete(key("before-7")));
        awaitSame(a, b, 99);
        assertThat(byValue(a)).isEqualTo(List.copyOf(b.rows().keySet()));
        assertThat(
                IndexVerification.run(a.plain(), registry, NAME, "by_q", false, IndexListener.NONE)
                    .isComplete())
            .isTrue();
      }
      try (Registry registry = Registry.open(b.plain().getConfiguration())) {
        assertThatThrownBy(() -> addIndex(b, registry))
            .hasMessageContaining("another cluster replicates to the table")
            .hasMessageContaining("peer is disabled there");
        try (Admin admin = a.plain().getAdmin();
            Admin there = b.plain().getAdmin()) {
          admin.disableReplicationPeer("b");
          there.disableTable(NAME);
          there.enableTable(NAME);
        }
        assertThatThrownBy(() -> addIndex(b, registry))
            .as("regions that have just opened")
            .hasMessageContaining("another cluster replicates to the table");
        new OtherClusters(b.plain()).end(NAME);
        assertThat(addIndex(b, registry).isComplete()).isTrue();
        b.put("taken-over");
        assertThat(byValue(b)).isEqualTo(List.copyOf(b.rows().keySet())).hasSize(100);
      }
    }
  }

  private static IndexReport addIndex(Side side, Registry registry) throws IOException {
    TableIndex index =
        TableIndex.parse("by_q mutable joining as \"salt(2) + q:string\" from q=d:q");
    return new IndexAddition(NAME, index, 2, 0).run(side.plain(), registry, IndexListener.NONE);
  }

  private static List<String> byValue(Side side) throws IOException {
    List<String> keys = new ArrayList<>();
    try (KeyedRows rows = side.open().select().by("by_q").open()) {
      for (KeyedRow row : rows) {
        keys.add(Bytes.toString(row.key()));
      }
    }
    return keys.stream().sorted().toList();
  }

  /** As HBase's own tool compares both tables. */
  private void verify(Side source) throws Exception {
    Configuration conf = source.hbase().configuration();
    conf.set("mapreduce.framework.name", "local");
    conf.set("hadoop.tmp.dir", directory.resolve("tmp").toString());
    Job job =
        new VerifyReplication().createSubmittableJob(conf, new String[] {"b", NAME.toString()});
    assertThat(job.waitForCompletion(false)).isTrue();
    assertThat(job.getCounters().findCounter(Counters.GOODROWS).getValue()).isEqualTo(100);
    assertThat(job.getCounters().findCounter(Counters.BADROWS).getValue()).isZero();
  }

  private static long refused() throws JMException {
    try {
      return ((Number)
              ManagementFactory.getPlatformMBeanServer()
                  .getAttribute(new ObjectName(GUARD), "RefusedForeign"))
          .longValue();
    } catch (AttributeNotFoundException | InstanceNotFoundException e) {
      // Nothing has been counted yet.
      return 0;
    }
  }

  @Test
  void thePeerTakesOverAndFillsTheSourceWhenThatIsBack() throws Exception {
    List<String> acknowledged = new ArrayList<>();
    try (Side b = Side.of(start("b", true))) {
      try (Side a = Side.of(start("a", true))) {
        a.create(LAYOUT);
        b.create(LAYOUT);
        a.replicateTo(b, "b");
        b.replicateTo(a, "a");
        killUnderLoad(a, acknowledged);
      }
      for (String id : ids("after-", 500)) {
        b.put(id);
        acknowledged.add(id);
      }
      try (Side a = Side.of(start("a", true))) {
        b.follow(a, "a");
        await()
            .atMost(Duration.ofMinutes(1))
            .untilAsserted(
                () -> {
                  assertThat(a.rows()).containsKeys(acknowledged.toArray(new String[0]));
                  assertThat(b.rows()).isEqualTo(a.rows());
                });
        // The put that was under way when the servers died may have been made.
        assertThat(a.rows()).hasSizeBetween(acknowledged.size(), acknowledged.size() + 1);
      }
    }
  }

  /** Kills the servers while an application writes, until it is told that it cannot any more. */
  private static void killUnderLoad(Side side, List<String> acknowledged) throws Exception {
    Configuration conf = side.hbase().configuration();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 1);
    AtomicInteger written = new AtomicInteger();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try (Connection impatient = ConnectionFactory.createConnection(conf);
        SpreadTables own = SpreadTables.on(impatient)) {
      SpreadTable table = own.open(NAME);
      Future<?> writer =
          thread.submit(
              () -> {
                while (true) {
                  String id = "before-" + written.get();
                  table.put(new Put(key(id)).addColumn(D, Q, Bytes.toBytes(id)));
                  acknowledged.add(id);
                  written.incrementAndGet();
                }
              });
      await().atMost(Duration.ofMinutes(1)).until(() -> written.get() >= 500);
      for (ServerName server : side.hbase().servers()) {
        side.hbase().kill(server);
      }
      assertThatThrownBy(() -> writer.get(1, TimeUnit.MINUTES))
          .hasCauseInstanceOf(IOException.class);
    } finally {
      thread.shutdownNow();
    }
  }
}
