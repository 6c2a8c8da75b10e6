/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.jobs.load.RecordRows;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowColumn;
import io.evenkey.jobs.records.CellName;
import io.evenkey.jobs.records.Dialect;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.field.Field;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tables of any names and values, written in each format and read again: the cells are equal, or
 * the file was refused with the name of a cell. {@code -Devenkey.seed=N} is the seed of the first
 * table, {@code -Devenkey.cases=N} the number of tables.
 */
class RoundTripTest {
  private static final long SEED = Long.getLong("evenkey.seed", 20261128L);
  private static final int CASES = Integer.getInteger("evenkey.cases", 150);
  private static final int LARGEST = 6;

  private static final List<String> LAYOUTS =
      List.of(
          "salt(4) + device:string + ts:timestamp desc",
          "k:bytes",
          "k:string",
          "a:decimal + b:float64 + c:string",
          "`d:x`:string + `a b`:uint64 + `é\"`:date",
          "on:bool + id:uuid + ` n `:int16 + raw:bytes desc");

  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "é",
          "温度",
          "😀",
          "a b",
          " ",
          " a ",
          "\t",
          "a\tb",
          "\n",
          "a\r\nb",
          "\r",
          "\"",
          "\"q\"",
          "'",
          ",",
          ";",
          "\\",
          "\\N",
          "\\x41",
          "a:b",
          ":",
          "d:x",
          "d:x:bytes",
          "0x41",
          "null",
          "NULL",
          "true",
          "-0.0",
          "1e9",
          "NaN",
          "{",
          "[1]",
          "#",
          "\u0001",
          "\u001b[31m",
          "\u0085",
          "\u2028",
          "\uFEFF",
          "\uFEFFa",
          "\u00a0",
          "e\u0301",
          "device",
          "ts",
          "k",
          "int64",
          "x:int64");

  /** A format, and the share of tables that it takes at least. */
  private record Way(FileFormat format, double least) {}

  private static final List<Way> WAYS =
      List.of(
          new Way(FileFormat.of(Format.CSV), 0.4),
          new Way(FileFormat.of(Format.CSV).withNull("\\N"), 0.7),
          new Way(FileFormat.of(Format.CSV).withNull(""), 0.7),
          new Way(FileFormat.of(Format.TSV), 0.3),
          new Way(FileFormat.of(Format.TSV).withNull("\\N"), 0.3),
          new Way(FileFormat.of(Format.NDJSON), 1),
          new Way(FileFormat.of(Format.PARQUET), 1),
          new Way(FileFormat.of(Format.AVRO), 1));

  @TempDir private Path directory;

  /** Cells by key and column, as hexadecimal digits. */
  private record Table(
      Layout layout, List<String> families, Map<String, Map<String, String>> rows) {
    @Override
    public String toString() {
      return layout + " " + families + " " + rows;
    }
  }

  private static <T> T any(SplittableRandom random, List<T> values) {
    return values.get(random.nextInt(values.size()));
  }

  private static byte[] bytes(SplittableRandom random, int size) {
    byte[] bytes = new byte[random.nextInt(size + 1)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static byte[] anything(SplittableRandom random, int size) {
    return switch (random.nextInt(4)) {
      case 0 -> bytes(random, 2 * size);
      case 1 -> (any(random, TEXTS) + any(random, TEXTS)).getBytes(StandardCharsets.UTF_8);
      default -> any(random, TEXTS).getBytes(StandardCharsets.UTF_8);
    };
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static String field(SplittableRandom random, String type, int size) {
    return switch (type) {
      case "string" -> {
        String text = any(random, TEXTS);
        yield text.isEmpty() && size < 3 ? "x" : text;
      }
      case "bytes" -> hex(new byte[] {1, (byte) random.nextInt(), (byte) random.nextInt()});
      case "decimal" ->
          any(random, List.of("0", "1.5", "-1E+3", "1E-30", "12345678901234567890.5"));
      case "float64" ->
          any(random, List.of("0.0", "-0.0", "1E300", "4.9E-324", "NaN", "-Infinity"));
      case "timestamp" -> Long.toString(random.nextLong(-1L << 45, 1L << 45));
      case "uint64" -> Long.toUnsignedString(random.nextLong());
      case "int16" -> Short.toString((short) random.nextInt());
      case "date" -> any(random, List.of("1969-12-31", "2026-02-28", "0001-01-01"));
      case "bool" -> Boolean.toString(random.nextBoolean());
      case "uuid" -> new java.util.UUID(random.nextLong(), random.nextLong()).toString();
      default -> throw new IllegalArgumentException(type);
    };
  }

  private static Table table(SplittableRandom random, int size) {
    Layout layout = Layout.parse(any(random, LAYOUTS));
    List<String> families =
        new ArrayList<>(List.of("d", "é", "m n").subList(0, 1 + random.nextInt(Math.min(3, size))));
    List<byte[]> qualifiers = new ArrayList<>();
    for (int i = 0; i <= random.nextInt(size); i++) {
      qualifiers.add(anything(random, size));
    }
    Map<String, Map<String, String>> rows = new TreeMap<>();
    for (int i = 0; i <= random.nextInt(size); i++) {
      Map<String, String> texts = new HashMap<>();
      for (Field field : layout.fields()) {
        texts.put(field.name(), field(random, field.type().toString(), size));
      }
      byte[] key = layout.logicalKey(layout.read(texts::get));
      if (key.length > 0) {
        Map<String, String> cells = new LinkedHashMap<>();
        for (int k = 0; k <= random.nextInt(size); k++) {
          String family = any(random, families);
          cells.put(family + ":" + hex(any(random, qualifiers)), hex(anything(random, size)));
        }
        rows.put(hex(key), cells);
      }
    }
    return new Table(layout, families, rows);
  }

  private static Row row(Table table, String key, Map<String, String> stored) {
    byte[] row = HexFormat.of().parseHex(key);
    Values values = table.layout.decodeLogical(row);
    List<Row.Entry> entries = new ArrayList<>();
    for (Field field : table.layout.fields()) {
      entries.add(Row.Entry.of(field, values.get(field.name())));
    }
    List<Cell> cells = new ArrayList<>();
    stored.forEach(
        (column, value) -> {
          int colon = column.indexOf(':');
          cells.add(
              new KeyValue(
                  row,
                  column.substring(0, colon).getBytes(StandardCharsets.UTF_8),
                  HexFormat.of().parseHex(column.substring(colon + 1)),
                  1,
                  HexFormat.of().parseHex(value)));
        });
    return new Row(entries, entries.size(), 0, cells);
  }

  private Path written(Table table, FileFormat format) throws IOException {
    Path file = directory.resolve("rows." + format.format());
    Map.Entry<String, Map<String, String>> first = table.rows.entrySet().iterator().next();
    List<RowColumn> fields =
        row(table, first.getKey(), first.getValue()).entries().stream()
            .map(entry -> new RowColumn(entry.name(), entry.type()))
            .toList();
    FileRows rows = new FileRows(format, table.families.size(), fields, List.of());
    try (OutputStream stream = Files.newOutputStream(file);
        RowOutput out = RowOutput.of(format, rows.known(), stream)) {
      for (Map.Entry<String, Map<String, String>> row : table.rows.entrySet()) {
        out.write(rows.row(row(table, row.getKey(), row.getValue())));
      }
    }
    return file;
  }

  private static Map<String, Map<String, String>> read(Table table, Path file, FileFormat format)
      throws IOException {
    Dialect usual = format.format().dialect();
    Dialect dialect =
        usual == null || format.nullText() == null
            ? usual
            : new Dialect(
                usual.separator(),
                usual.quote(),
                null,
                format.nullText(),
                List.of(),
                false,
                false,
                false);
    RecordSource source = format.format().read(Input.file(file), dialect);
    RecordRows rows =
        RecordRows.of(
            source,
            table.layout,
            List.of(),
            table.families.size() == 1 ? table.families.get(0) : "",
            table.families.stream()
                .map(family -> CellName.text(family.getBytes(StandardCharsets.UTF_8)))
                .toList(),
            null);
    Map<String, Map<String, String>> read = new TreeMap<>();
    try (RecordCursor records = rows.open()) {
      while (records.next()) {
        byte[] key = rows.logicalKey(records);
        Put put = rows.put(key, rows.values(records), 1);
        Map<String, String> cells = new LinkedHashMap<>();
        for (List<Cell> family : put.getFamilyCellMap().values()) {
          for (Cell cell : family) {
            cells.put(
                new String(CellUtil.cloneFamily(cell), StandardCharsets.UTF_8)
                    + ":"
                    + hex(CellUtil.cloneQualifier(cell)),
                hex(CellUtil.cloneValue(cell)));
          }
        }
        assertThat(read.put(hex(key), cells)).isNull();
      }
    }
    return read;
  }

  /** Whether the table was written. */
  private boolean check(Table table, Way way) throws IOException {
    Path file;
    try {
      file = written(table, way.format);
    } catch (IOException e) {
      if (way.least == 1) {
        throw e;
      }
      assertThat(e).hasMessageContaining("column=");
      return false;
    }
    assertThat(read(table, file, way.format)).isEqualTo(table.rows);
    return true;
  }

  /** The first size at which a table is not equal behind a file. */
  @SuppressWarnings("CatchingUnchecked")
  private void check(long seed, int largest, Way way, int[] counts) {
    for (int size = 1; size <= largest; size++) {
      Table table = table(new SplittableRandom(seed), size);
      try {
        if (!table.rows.isEmpty()) {
          counts[0]++;
          counts[1] += check(table, way) ? 1 : 0;
        }
      } catch (IOException | RuntimeException | AssertionError e) {
        throw new AssertionError(
            way + " size=" + size + " " + table + "; run again with -Devenkey.seed=" + seed, e);
      }
    }
  }

  @Test
  void cellsAreEqualBehindAFileOrNamedByTheRefusal() {
    for (Way way : WAYS) {
      int[] counts = new int[2];
      for (int i = 0; i < CASES; i++) {
        check(SEED + i, 1 + i % LARGEST, way, counts);
      }
      assertThat((double) counts[1] / counts[0])
          .as(way.toString())
          .isGreaterThanOrEqualTo(way.least);
    }
  }
}
