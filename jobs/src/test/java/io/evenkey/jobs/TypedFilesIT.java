/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.SpreadTable;
import io.evenkey.client.SpreadTables;
import io.evenkey.client.cell.CellColumn;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.jobs.export.Exporter;
import io.evenkey.jobs.export.FileFormat;
import io.evenkey.jobs.file.OutputFile;
import io.evenkey.jobs.load.LoadOptions;
import io.evenkey.jobs.load.LoadResult;
import io.evenkey.jobs.load.Loader;
import io.evenkey.jobs.mapreduce.BulkLoad;
import io.evenkey.jobs.query.RowQuery;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.InputException;
import io.evenkey.layout.Values;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A table written to files that have a schema, and those read into other tables. */
@ExtendWith(EmbeddedHBaseExtension.class)
class TypedFilesIT {
  private static final String LAYOUT = "salt(4, device) + device:string + ts:timestamp desc";
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final int ROWS = 500;

  private static final List<CellColumn> COLUMNS =
      List.of(
          CellColumn.parse("d:note=note"),
          CellColumn.parse("d:n=n:int64"),
          CellColumn.parse("d:temp=temp:float64"),
          CellColumn.parse("d:raw=raw:bytes"),
          CellColumn.parse("d:price=price:decimal"));

  @TempDir private Path directory;
  private Connection connection;
  private SpreadTables tables;
  private String test;

  @BeforeEach
  void open(Connection shared, TestInfo info) {
    connection = shared;
    tables = SpreadTables.on(shared);
    test = Tables.nameOf(info).getNameAsString();
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  private SpreadTable filled() throws IOException {
    SpreadTable table = Tables.create(connection, tables, test + "_from", LAYOUT);
    for (int i = 0; i < ROWS; i++) {
      byte[] key =
          table
              .layout()
              .logicalKey(Values.of("device", "d" + i % 7).and("ts", 1_700_000_000_000L + i * 37L));
      Put put = new Put(key).addColumn(FAMILY, Bytes.toBytes("n"), Bytes.toBytes(i - 250L));
      if (i % 3 > 0) {
        // Empty text is not the same as none.
        put.addColumn(FAMILY, Bytes.toBytes("note"), Bytes.toBytes(i % 3 == 1 ? "" : "é" + i));
        put.addColumn(
            FAMILY, Bytes.toBytes("temp"), Bytes.toBytes(i % 5 == 0 ? Double.NaN : i / 7d));
      }
      put.addColumn(FAMILY, Bytes.toBytes("raw"), new byte[] {0, (byte) i});
      put.addColumn(FAMILY, Bytes.toBytes("price"), Bytes.toBytes(BigDecimal.valueOf(i, i % 4)));
      table.put(put);
    }
    return table;
  }

  /** What is stored, cell by cell without timestamps, but not where decimals are text. */
  private Map<String, String> stored(SpreadTable table, boolean decimals) throws IOException {
    Map<String, String> stored = new TreeMap<>();
    try (Table plain = connection.getTable(table.name());
        ResultScanner rows = plain.getScanner(new Scan())) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          String name = Bytes.toString(CellUtil.cloneQualifier(cell));
          if (decimals || !name.equals("price")) {
            stored.put(
                Bytes.toStringBinary(row.getRow()) + " " + name,
                Bytes.toStringBinary(CellUtil.cloneValue(cell)));
          }
        }
      }
    }
    return stored;
  }

  private LoadOptions options(List<CellColumn> columns) {
    return LoadOptions.to(directory.resolve("rejects.csv"), directory.resolve("checkpoint"))
        .columns(columns)
        .family("d")
        .replace(true)
        .build();
  }

  private LoadResult load(SpreadTable table, Path file, List<CellColumn> columns)
      throws IOException {
    Input input = Input.file(file);
    return Loader.of(
            table.name(),
            table.layout(),
            List.of(input),
            List.of(Format.of(file.toString()).read(input)),
            options(columns))
        .run(connection, (records, skew) -> {});
  }

  @ParameterizedTest
  @EnumSource(value = Format.class, names = "PARQUET")
  void aTableIsTheSameBehindAFile(Format format) throws IOException {
    SpreadTable from = filled();
    Path file = directory.resolve("rows." + format);
    RowQuery query = new RowQuery(null, 0, false, COLUMNS, false, null);
    assertThat(
            Exporter.toFile(
                from, query, FileFormat.of(format), OutputFile.at(file, false), rows -> {}))
        .isEqualTo(ROWS);

    // With the types of the schema, of which decimals are text.
    SpreadTable schema = Tables.create(connection, tables, test + "_schema", LAYOUT);
    assertThat(load(schema, file, List.of()).rows()).isEqualTo(ROWS);
    assertThat(stored(schema, false)).isEqualTo(stored(from, false));

    // With types that are named.
    SpreadTable named = Tables.create(connection, tables, test + "_named", LAYOUT);
    assertThat(load(named, file, COLUMNS).rejected()).isZero();
    assertThat(stored(named, true)).isEqualTo(stored(from, true));

    // By a job, whose tasks open the file in Hadoop's file system.
    SpreadTable bulk = Tables.create(connection, tables, test + "_bulk", LAYOUT);
    BulkLoad.of(
            bulk.name(),
            bulk.layout(),
            List.of(new org.apache.hadoop.fs.Path(file.toUri())),
            null,
            options(COLUMNS))
        .run(
            connection,
            new org.apache.hadoop.fs.Path(directory.resolve("work").toUri()),
            share -> {});
    assertThat(stored(bulk, true)).isEqualTo(stored(from, true));
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(value = Format.class, names = "AVRO")
  void aTableIsTheSameBehindAFileOfAvro(Format format) throws IOException {
    aTableIsTheSameBehindAFile(format);
  }

  @Test
  void aFileWithoutAFieldOfTheLayoutIsRefusedBeforeAnythingIsWritten() throws IOException {
    SpreadTable from = filled();
    Path file = directory.resolve("rows.parquet");
    Exporter.toFile(
        from,
        RowQuery.all(),
        FileFormat.of(Format.PARQUET),
        OutputFile.at(file, false),
        rows -> {});
    SpreadTable other =
        Tables.create(connection, tables, test + "_other", "salt(4) + device:string + at:date");
    assertThatThrownBy(() -> load(other, file, List.of()))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("no such column")
        .hasMessageContaining("column=at; it has device, ts");
    assertThat(stored(other, true)).isEmpty();
  }
}
