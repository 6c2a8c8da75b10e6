package io.evenkey.client.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RowMutations;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.CacheConfig;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileContextBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a move relies on HBase's servers for. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ServerFactsIT {
  private static final byte[] F = Bytes.toBytes("d");
  private static final byte[] Q = Bytes.toBytes("q");
  private static final byte[] CLOCK = Bytes.toBytes("clock");
  private static final byte[] ROW = Bytes.toBytes("row");

  private Connection connection;
  private TableName name;
  private Table table;

  @BeforeEach
  void create(Connection shared, TestInfo info) throws Exception {
    connection = shared;
    name = TableName.valueOf("facts_" + info.getTestMethod().orElseThrow().getName());
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(F)
                      .setMaxVersions(3)
                      .setConfiguration(
                          "hbase.hstore.time.to.purge.deletes",
                          String.valueOf(TimeUnit.DAYS.toMillis(365_000)))
                      .build())
              .build());
    }
    table = connection.getTable(name);
  }

  @AfterEach
  void close() throws Exception {
    table.close();
  }

  private static RowMutations clock() throws Exception {
    return new RowMutations(ROW)
        .add(
            List.of(
                new Increment(ROW).addColumn(F, CLOCK, 0), new Delete(ROW).addColumns(F, CLOCK)));
  }

  @Test
  void anIncrementThatIsDeletedInTheSameChangeReturnsItsTimeAndIsNeverRead() throws Exception {
    long before = System.currentTimeMillis();
    Result told = table.mutateRow(clock());
    assertThat(told.getColumnLatestCell(F, CLOCK).getTimestamp())
        .isBetween(before - 1, System.currentTimeMillis() + 1);
    assertThat(table.get(new Get(ROW)).isEmpty()).isTrue();
  }

  @Test
  void aCheckedChangeReturnsTheTimeOfAnIncrementInIt() throws Exception {
    long before = System.currentTimeMillis();
    RowMutations change = clock().add(List.of(new Put(ROW).addColumn(F, Q, 5, Q)));
    CheckAndMutateResult told =
        table.checkAndMutate(CheckAndMutate.newBuilder(ROW).ifNotExists(F, Q).build(change));
    assertThat(told.isSuccess()).isTrue();
    assertThat(told.getResult().getColumnLatestCell(F, CLOCK).getTimestamp())
        .isBetween(before - 1, System.currentTimeMillis() + 1);
    assertThat(table.get(new Get(ROW)).listCells())
        .singleElement()
        .matches(cell -> cell.getTimestamp() == 5);
  }

  @Test
  void whatIsInFilesThatKeepTheirNumbersLosesTies(@TempDir Path work) throws Exception {
    table.put(new Put(ROW).addColumn(F, Q, 5, Bytes.toBytes("written")));
    load(work, new KeyValue(ROW, F, Q, 5, Bytes.toBytes("copied")));
    assertThat(table.get(new Get(ROW)).value()).isEqualTo(Bytes.toBytes("written"));
    compact();
    assertThat(table.get(new Get(ROW)).value()).isEqualTo(Bytes.toBytes("written"));
    load(work, new KeyValue(ROW, F, Q, 5, Bytes.toBytes("copied again")));
    assertThat(table.get(new Get(ROW)).value()).isEqualTo(Bytes.toBytes("written"));
    compact();
    assertThat(table.get(new Get(ROW)).value()).isEqualTo(Bytes.toBytes("written"));
  }

  @Test
  void tombstonesHideWhatIsLoadedLaterEvenAfterCompactions(@TempDir Path work) throws Exception {
    table.put(new Put(ROW).addColumn(F, Q, 9, Bytes.toBytes("nine")));
    table.delete(new Delete(ROW).addColumns(F, Q, 7));
    compact();
    load(work, new KeyValue(ROW, F, Q, 5, Bytes.toBytes("copied")));
    Result row = table.get(new Get(ROW).readAllVersions());
    assertThat(row.listCells()).singleElement().matches(cell -> cell.getTimestamp() == 9);
    compact();
    assertThat(CellUtil.cloneValue(table.get(new Get(ROW)).rawCells()[0]))
        .isEqualTo(Bytes.toBytes("nine"));
  }

  private void load(Path work, KeyValue cell) throws Exception {
    Configuration configuration = new Configuration(connection.getConfiguration());
    org.apache.hadoop.fs.Path directory = new org.apache.hadoop.fs.Path(work.toUri());
    FileSystem files = directory.getFileSystem(configuration);
    try (HFile.Writer writer =
        HFile.getWriterFactory(configuration, new CacheConfig(configuration))
            .withPath(files, new org.apache.hadoop.fs.Path(directory, "d/file"))
            .withFileContext(new HFileContextBuilder().build())
            .create()) {
      writer.append(cell);
      writer.appendFileInfo(
          HStoreFile.BULKLOAD_TIME_KEY, Bytes.toBytes(System.currentTimeMillis()));
      // Else all cells get the number that the file is given when it is loaded: the newest.
      writer.appendFileInfo(HStoreFile.SKIP_RESET_SEQ_ID, Bytes.toBytes(true));
    }
    BulkLoadHFiles.create(configuration).bulkLoad(name, directory);
  }

  private void compact() throws Exception {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(name);
      admin.majorCompact(name);
      org.awaitility.Awaitility.await()
          .untilAsserted(
              () ->
                  assertThat(
                          admin.getRegionMetrics(admin.getRegionServers().iterator().next(), name))
                      .allMatch(region -> region.getStoreFileCount() <= 1));
    }
  }
}
