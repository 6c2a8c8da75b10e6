/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.protocol.guard.GuardAttributes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tables exported by the command and imported by it again: the cells are equal. */
@ExtendWith(EmbeddedHBaseExtension.class)
class RoundTripIT {
  private static final String LAYOUT = "salt(4, device) + device:string + raw:bytes";

  @TempDir private Path directory;
  private EmbeddedHBase hbase;
  private Connection connection;
  private String table;
  private int tables;

  @BeforeEach
  void open(EmbeddedHBase shared, Connection plain, TestInfo info) {
    hbase = shared;
    connection = plain;
    table =
        info.getTestMethod().orElseThrow().getName() + info.getDisplayName().replaceAll("\\W", "");
  }

  private Run done(String... arguments) {
    return Run.on(hbase, arguments).done();
  }

  private String create(String families) {
    String name = table + "_" + tables++;
    done("plan", name, "--layout", LAYOUT, "--regions", "2", "--families", families);
    done("create", name);
    return name;
  }

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  /** Cells of every kind, which are written without the commands. */
  private void fill(String name, List<String> families) throws IOException {
    Layout layout = Layout.parse(LAYOUT);
    List<byte[]> qualifiers =
        List.of(
            Bytes.toBytes("temp"),
            Bytes.toBytes("温度"),
            Bytes.toBytes("a b"),
            Bytes.toBytes(" a"),
            Bytes.toBytes("c:d"),
            Bytes.toBytes("d:d:bytes"),
            Bytes.toBytes("e\\f"),
            Bytes.toBytes("device"),
            Bytes.toBytes("q\"r\n"),
            hex("fffe00"),
            new byte[0]);
    List<byte[]> values =
        List.of(
            Bytes.toBytes("21.5"),
            hex("fffe00"),
            new byte[0],
            Bytes.toBytes(7L),
            Bytes.toBytes("0xfffe00"),
            Bytes.toBytes("\"a\",\t\r\nb"),
            Bytes.toBytes("é😀"),
            Bytes.toBytes("\\N"));
    try (Table plain = connection.getTable(TableName.valueOf(name))) {
      for (int row = 0; row < values.size(); row++) {
        byte[] key =
            layout.logicalKey(Values.of("device", "é,\"" + row).and("raw", hex("00ff0" + row)));
        Put put = raw(new Put(layout.physical(key)));
        for (int i = row; i < qualifiers.size() + row; i++) {
          put.addColumn(
              Bytes.toBytes(families.get(i % families.size())),
              qualifiers.get(i - row),
              values.get(i % values.size()));
        }
        plain.put(put);
      }
      byte[] mark =
          layout.physical(layout.logicalKey(Values.of("device", "m").and("raw", hex("07"))));
      plain.put(
          raw(new Put(mark)).addColumn(Bytes.toBytes(families.get(0)), new byte[0], new byte[0]));
    }
  }

  private static Put raw(Put put) {
    put.setAttribute(GuardAttributes.RAW, GuardAttributes.number(1));
    return put;
  }

  private Map<String, String> cells(String name) throws IOException {
    Map<String, String> cells = new TreeMap<>();
    try (Table plain = connection.getTable(TableName.valueOf(name));
        ResultScanner rows = plain.getScanner(new Scan())) {
      for (Result row : rows) {
        for (Cell cell : row.rawCells()) {
          cells.put(
              Bytes.toStringBinary(row.getRow())
                  + " "
                  + Bytes.toStringBinary(CellUtil.cloneFamily(cell))
                  + ":"
                  + Bytes.toStringBinary(CellUtil.cloneQualifier(cell)),
              Bytes.toStringBinary(CellUtil.cloneValue(cell)));
        }
      }
    }
    return cells;
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"csv.gz", "parquet", "avro"})
  void cellsAreEqualBehindFilesOfOtherFormats(String format) throws Exception {
    cellsAreEqualBehindAFile(format);
  }

  @ParameterizedTest
  @ValueSource(strings = "ndjson")
  void cellsAreEqualBehindAFile(String format) throws Exception {
    for (String families : List.of("d", "d,é")) {
      String from = create(families);
      fill(from, List.of(families.split(",")));
      String file = directory.resolve(from + "." + format).toString();
      String again = create(families);
      if (format.startsWith("csv")) {
        Run refused = Run.on(hbase, "export", from, "--out", file);
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err())
            .contains("empty value, which csv does not tell from none: row=device=", "column=")
            .contains("--null TEXT");
        assertThat(Path.of(file)).doesNotExist();
        done("export", from, "--out", file, "--null", "\\N");
        done("import", again, "--csv", file, "--null", "\\N");
      } else {
        done("export", from, "--out", file);
        String[] bulk = format.equals("avro") ? new String[] {"--bulk"} : new String[0];
        String[] load = {"import", again, "--csv", file};
        done(Stream.concat(Stream.of(load), Stream.of(bulk)).toArray(String[]::new));
      }
      assertThat(cells(again)).isNotEmpty().isEqualTo(cells(from));
    }
  }

  @Tag("long")
  @Test
  void typesOfColumnsThatAreAskedForAreInTheFile() throws Exception {
    String from = create("d");
    done(
        "put",
        from,
        "device=a",
        "raw=00",
        "d:n:int64=7",
        "d:x:float64=-0.0",
        "d:p:decimal=1E+3",
        "d:s:int16=-1",
        "d:on:bool=true",
        "d:t=12");
    for (String format : List.of("csv", "tsv", "ndjson", "parquet", "avro")) {
      String file = directory.resolve("typed." + format).toString();
      String again = create("d");
      done(
          "export",
          from,
          "--out",
          file,
          "--column",
          "d:n:int64",
          "--column",
          "d:x:float64",
          "--column",
          "d:p:decimal",
          "--column",
          "d:s:int16",
          "--column",
          "d:on:bool",
          "--column",
          "d:t");
      done("import", again, "--csv", file);
      assertThat(cells(again)).as(format).isNotEmpty().isEqualTo(cells(from));
    }
    Run other =
        Run.on(hbase, "export", from, "--out", directory + "/o.csv", "--column", "d:t:int64");
    assertThat(other.exit()).isEqualTo(1);
    assertThat(other.err())
        .contains("value that is not of type int64: row=device=\"a\",raw=\"00\" column=")
        .contains("value=0x3132;");
  }

  @Test
  void namesOfAFileAreQualifiersUnlessTheyBeginWithAFamily() throws Exception {
    String name = table;
    done("plan", name, "--layout", "id:string", "--families", "d");
    done("create", name);
    Path file = directory.resolve("head.csv");
    Files.writeString(
        file,
        "id,温度,température,a b,c:d,e\\f,{g},d:h\n1,21.5,22.5,x,y,z,w,v\n",
        StandardCharsets.UTF_8);
    done("import", name, "--csv", file.toString());
    assertThat(cells(name).keySet().stream().map(cell -> cell.substring(4)))
        .containsExactlyInAnyOrder(
            "\\xE6\\xB8\\xA9\\xE5\\xBA\\xA6",
            "temp\\xC3\\xA9rature",
            "a b",
            "c:d",
            "e\\x5Cf",
            "{g}",
            "h");
    assertThat(done("scan", name, "--json").json().get("rows").get(0).get("温度").asText())
        .isEqualTo("21.5");
  }
}
