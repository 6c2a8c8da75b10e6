/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.jobs.codec.Codec;
import io.evenkey.jobs.file.FileRefusedException;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowColumn;
import io.evenkey.jobs.query.ValueType;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows written and read again, by each codec. */
class TypedOutputTest {
  private static final List<RowColumn> KNOWN =
      List.of(
          new RowColumn("device", ValueType.TEXT),
          new RowColumn("ts", ValueType.TIMESTAMP),
          new RowColumn("day", ValueType.DATE),
          new RowColumn("id", ValueType.UUID),
          new RowColumn("on", ValueType.BOOL),
          new RowColumn("n", ValueType.INT64),
          new RowColumn("temp", ValueType.FLOAT64),
          new RowColumn("raw", ValueType.BYTES),
          new RowColumn("never", ValueType.INT16));

  private static final List<String> VALUES =
      List.of(
          "d1",
          "1700000000123",
          "2026-11-25",
          "00000000-0000-0001-0000-000000000002",
          "true",
          "-9223372036854775808",
          "NaN",
          "00ff");

  @TempDir private Path directory;

  private static Row row(String device, String extra) {
    List<Row.Entry> entries = new ArrayList<>();
    for (int i = 0; i < VALUES.size(); i++) {
      String text = i == 0 ? device : VALUES.get(i);
      entries.add(new Row.Entry(KNOWN.get(i).name(), text, text, text));
    }
    entries.add(new Row.Entry("extra", extra, extra, extra));
    return new Row(entries, 0);
  }

  private Path written(FileFormat format, Row... rows) throws IOException {
    Path file = directory.resolve("rows." + format.format());
    try (OutputStream stream = Files.newOutputStream(file);
        RowOutput out = RowOutput.of(format, KNOWN, stream)) {
      for (Row row : rows) {
        out.write(row);
      }
    }
    return file;
  }

  private static void check(Path file, int rows) throws IOException {
    RecordSource source = Format.read(file);
    List<String> names = new ArrayList<>(KNOWN.stream().map(RowColumn::name).toList());
    names.add("extra");
    assertThat(source.columns()).isEqualTo(names);
    try (RecordCursor records = source.open()) {
      for (int row = 0; row < rows; row++) {
        assertThat(records.next()).isTrue();
        List<String> values = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
          values.add(records.has(i) ? records.value(i) : "null");
        }
        List<String> expected = new ArrayList<>(VALUES);
        expected.set(0, "d" + row);
        expected.set(1, "2023-11-14T22:13:20.123Z");
        expected.addAll(List.of("null", "x".repeat(row % 50)));
        assertThat(values).isEqualTo(expected);
        assertThat(records.number(1)).isEqualTo("1700000000123");
      }
      assertThat(records.next()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Codec.class)
  void rowsAreReadBackAsTheyWereWritten(Codec codec) throws IOException {
    Row[] rows = new Row[20_000];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = row("d" + i, "x".repeat(i % 50));
    }
    for (Format format : List.of(Format.PARQUET, Format.AVRO)) {
      check(written(new FileFormat(format, codec), rows), rows.length);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Format.class,
      names = {"PARQUET", "AVRO"})
  void aFileWithoutARowHasItsSchema(Format format) throws IOException {
    RecordSource source = Format.read(written(FileFormat.of(format)));
    assertThat(source.columns()).isEqualTo(KNOWN.stream().map(RowColumn::name).toList());
    try (RecordCursor records = source.open()) {
      assertThat(records.next()).isFalse();
    }
  }

  @Test
  void whatHasNoPlaceInTheFileIsRefused() throws IOException {
    Row wrong = new Row(List.of(new Row.Entry("n", "0x00", "0x00", "0x00")), 0);
    Row dashed = new Row(List.of(new Row.Entry("d:temp", "1", "1", "1")), 0);
    for (Format format : List.of(Format.PARQUET, Format.AVRO)) {
      assertThatThrownBy(() -> written(FileFormat.of(format), wrong))
          .hasMessageStartingWith("value that is not of type INT64: row=")
          .hasMessageContaining("column=n value=0x00");
    }
    for (Format format : List.of(Format.PARQUET, Format.AVRO)) {
      assertThat(Format.read(written(FileFormat.of(format), dashed)).columns()).contains("d:temp");
    }
  }

  @Test
  void nothingIsCompressedTwice() throws IOException {
    assertThat(FileFormat.of(Path.of("a.parquet"), null, null))
        .isEqualTo(new FileFormat(Format.PARQUET, Codec.SNAPPY));
    assertThat(FileFormat.of(Path.of("a"), Format.AVRO, Codec.ZSTD).codec()).isEqualTo(Codec.ZSTD);
    assertThatThrownBy(() -> FileFormat.of(Path.of("a.avro.gz"), null, null))
        .isInstanceOf(FileRefusedException.class)
        .hasMessageContaining("compresses its blocks itself: format=avro");
    assertThatThrownBy(() -> FileFormat.of(Path.of("a.csv"), null, Codec.GZIP))
        .isInstanceOf(FileRefusedException.class)
        .hasMessageContaining("codec of a text format: codec=gzip format=csv");
  }
}
