/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.cell.CellType;
import io.evenkey.layout.Layout;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.NanoTime;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Files as others write them: by the libraries of the formats alone. */
class TypedSourceTest {
  private static final String NESTED =
      "message m { required binary device (STRING); optional int64 ts;"
          + " optional group tags (LIST) { repeated group list { optional binary element; } } }";

  @TempDir private Path directory;

  private static Schema avro(String... fields) {
    return new Schema.Parser()
        .parse(
            "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + String.join(",", fields) + "]}");
  }

  private static String field(String name, String type) {
    return "{\"name\":\"" + name + "\",\"type\":" + type + "}";
  }

  private static String logical(String type, String logical) {
    return "{\"type\":\"" + type + "\",\"logicalType\":\"" + logical + "\"}";
  }

  private Path avro(Schema schema, CodecFactory codec, Object[]... records) throws IOException {
    Path file = directory.resolve("records.avro");
    try (DataFileWriter<GenericData.Record> writer =
        new DataFileWriter<>(new GenericDatumWriter<GenericData.Record>(schema))) {
      writer.setCodec(codec).setSyncInterval(64).create(schema, file.toFile());
      for (Object[] values : records) {
        GenericData.Record record = new GenericData.Record(schema);
        for (int i = 0; i < values.length; i++) {
          record.put(i, values[i]);
        }
        writer.append(record);
      }
    }
    return file;
  }

  private Path parquet(String schema, Group... records) throws IOException {
    Path file = directory.resolve("records.parquet");
    Files.deleteIfExists(file);
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(MessageTypeParser.parseMessageType(schema))
            .withConf(new PlainParquetConfiguration())
            .build()) {
      for (Group record : records) {
        writer.write(record);
      }
    }
    return file;
  }

  private static Group group(String schema) {
    MessageType type = MessageTypeParser.parseMessageType(schema);
    return new SimpleGroup(type);
  }

  /** Each column as its type and the value of the first record; without a value, the type alone. */
  private static Map<String, String> first(Path file) throws IOException {
    RecordSource source = Format.read(file);
    Map<String, String> read = new LinkedHashMap<>();
    try (RecordCursor records = source.open()) {
      assertThat(records.next()).isTrue();
      for (int i = 0; i < source.columns().size(); i++) {
        CellType type = source.type(source.columns().get(i));
        read.put(
            source.columns().get(i),
            records.has(i) ? type + " " + records.value(i) : type.toString());
      }
      assertThat(records.next()).isFalse();
    }
    return read;
  }

  @Test
  void typesOfAvroAreThoseOfItsSchema() throws IOException {
    Schema decimal =
        new Schema.Parser()
            .parse("{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9,\"scale\":2}");
    Schema fixed =
        new Schema.Parser()
            .parse("{\"type\":\"fixed\",\"name\":\"U\",\"size\":16,\"logicalType\":\"uuid\"}");
    Schema schema =
        avro(
            field("text", "[\"null\",\"string\"]"),
            field("empty", "\"string\""),
            field("none", "[\"string\",\"null\"]"),
            field("yes", "\"boolean\""),
            field("int", "\"int\""),
            field("long", "\"long\""),
            field("float", "\"float\""),
            field("double", "\"double\""),
            field("bytes", "\"bytes\""),
            field("price", decimal.toString()),
            field("day", logical("int", "date")),
            field("clock", logical("int", "time-millis")),
            field("ms", logical("long", "timestamp-millis")),
            field("us", logical("long", "timestamp-micros")),
            field("ns", logical("long", "timestamp-nanos")),
            field("local", logical("long", "local-timestamp-micros")),
            field("uuid", logical("string", "uuid")),
            field("fixed", fixed.toString()));
    ByteBuffer uuid = ByteBuffer.allocate(16).putLong(1).putLong(2);
    Path file =
        avro(
            schema,
            CodecFactory.deflateCodec(6),
            new Object[] {
              "é",
              "",
              null,
              true,
              -1,
              Long.MIN_VALUE,
              1.1f,
              Double.NaN,
              ByteBuffer.wrap(new byte[] {0, (byte) 0xff}),
              ByteBuffer.wrap(new BigDecimal("-12.50").unscaledValue().toByteArray()),
              -1,
              1,
              -1L,
              1_700_000_000_123_456L,
              1_700_000_000_123_456_789L,
              0L,
              "00000000-0000-0001-0000-000000000002",
              new GenericData.Fixed(fixed, uuid.array())
            });

    assertThat(first(file).entrySet().stream().map(Object::toString))
        .containsExactly(
            "text=string é",
            "empty=string ",
            "none=string",
            "yes=bool true",
            "int=int32 -1",
            "long=int64 -9223372036854775808",
            "float=float32 1.1",
            "double=float64 NaN",
            "bytes=bytes 00ff",
            "price=decimal -12.50",
            "day=string 1969-12-31",
            "clock=string 00:00:00.001",
            "ms=string 1969-12-31T23:59:59.999Z",
            "us=string 2023-11-14T22:13:20.123456Z",
            "ns=string 2023-11-14T22:13:20.123456789Z",
            "local=string 1970-01-01T00:00",
            "uuid=string 00000000-0000-0001-0000-000000000002",
            "fixed=string 00000000-0000-0001-0000-000000000002");
  }

  @Test
  void typesOfParquetAreThoseOfItsSchema() throws IOException {
    String schema =
        """
        message m {
          optional binary text (STRING); required binary empty (STRING); optional binary none (STRING);
          required boolean yes; required int32 int; required int32 short (INTEGER(16,true));
          required int32 uint (INTEGER(32,false)); required int64 long;
          required int64 ulong (INTEGER(64,false)); required float float; required double double;
          required binary bytes; required int32 price (DECIMAL(9,2)); required binary wide (DECIMAL(30,3));
          required int32 day (DATE); required int64 clock (TIME(NANOS,true));
          required int64 ms (TIMESTAMP(MILLIS,true)); required int64 us (TIMESTAMP(MICROS,true));
          required int64 ns (TIMESTAMP(NANOS,true)); required int64 local (TIMESTAMP(MICROS,false));
          required int96 hive; required fixed_len_byte_array(16) uuid (UUID);
        }
        """;
    byte[] uuid = ByteBuffer.allocate(16).putLong(1).putLong(2).array();
    Group record =
        group(schema)
            .append("text", "é")
            .append("empty", "")
            .append("yes", true)
            .append("int", -1)
            .append("short", -2)
            .append("uint", -1)
            .append("long", Long.MIN_VALUE)
            .append("ulong", -1L)
            .append("float", 1.1f)
            .append("double", Double.NEGATIVE_INFINITY)
            .append("bytes", Binary.fromConstantByteArray(new byte[] {0, (byte) 0xff}))
            .append("price", -1250)
            .append(
                "wide",
                Binary.fromConstantByteArray(
                    new BigDecimal("1234567890123456789.125").unscaledValue().toByteArray()))
            .append("day", -1)
            .append("clock", 1L)
            .append("ms", -1L)
            .append("us", 1_700_000_000_123_456L)
            .append("ns", 1_700_000_000_123_456_789L)
            .append("local", 0L)
            .append("hive", new NanoTime(2_440_589, 1_000_000_001L))
            .append("uuid", Binary.fromConstantByteArray(uuid));

    assertThat(first(parquet(schema, record)).entrySet().stream().map(Object::toString))
        .containsExactly(
            "text=string é",
            "empty=string ",
            "none=string",
            "yes=bool true",
            "int=int32 -1",
            "short=int16 -2",
            "uint=int64 4294967295",
            "long=int64 -9223372036854775808",
            "ulong=decimal 18446744073709551615",
            "float=float32 1.1",
            "double=float64 -Infinity",
            "bytes=bytes 00ff",
            "price=decimal -12.50",
            "wide=decimal 1234567890123456789.125",
            "day=string 1969-12-31",
            "clock=string 00:00:00.000000001",
            "ms=string 1969-12-31T23:59:59.999Z",
            "us=string 2023-11-14T22:13:20.123456Z",
            "ns=string 2023-11-14T22:13:20.123456789Z",
            "local=string 1970-01-01T00:00",
            "hive=string 1970-01-02T00:00:01.000000001Z",
            "uuid=string 00000000-0000-0001-0000-000000000002");
  }

  @ParameterizedTest
  @CsvSource({
    "ts:timestamp, time finer than a millisecond",
    "ts:timestamp(long), time finer than a millisecond",
    "ts:int64, 8005fe514bbe5240",
    "ts:digits(16), 31363837"
  })
  void aKeyTakesTheTimeOrItsNumberAsItsFieldSays(String line, String expected) throws IOException {
    String schema = "message m { required int64 ts (TIMESTAMP(MICROS,true)); }";
    RecordSource source =
        Format.read(parquet(schema, group(schema).append("ts", 1_687_000_000_123_456L)));
    KeyColumns key = KeyColumns.of(source, Layout.parse(line));
    try (RecordCursor records = source.open()) {
      assertThat(records.next()).isTrue();
      if (expected.contains(" ")) {
        assertThatThrownBy(() -> key.logicalKey(records))
            .isInstanceOf(InputException.class)
            .hasMessageContaining(expected)
            .hasMessageContaining("line=1 column=ts");
      } else {
        assertThat(HexFormat.of().formatHex(key.logicalKey(records))).startsWith(expected);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"avro", "parquet"})
  void aFileThatWasCutIsRefused(String format) throws IOException {
    Path file;
    if (format.equals("avro")) {
      Object[][] records = new Object[100][];
      Arrays.setAll(records, i -> new Object[] {"d" + i});
      file = avro(avro(field("device", "\"string\"")), CodecFactory.nullCodec(), records);
    } else {
      String schema = "message m { required binary device (STRING); }";
      file = parquet(schema, group(schema).append("device", "d1"));
    }
    byte[] whole = Files.readAllBytes(file);
    for (int length : new int[] {0, 3, whole.length / 2, whole.length - 1}) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThatThrownBy(
              () -> {
                try (RecordCursor records = Format.read(file).open()) {
                  while (records.next()) {
                    records.value(0);
                  }
                }
              })
          .as("%s bytes of %s", length, whole.length)
          .isInstanceOf(InputException.class)
          .hasMessageContaining("file=" + file)
          .hasMessageNotContainingAny("@", "org.apache", "null")
          .matches(e -> !((InputException) e).isOfOneRecord());
    }
  }

  @Test
  void aParquetFileWithoutItsFirstBytesIsRefusedWhenItIsOpened() throws IOException {
    String schema = "message m { required binary device (STRING); }";
    Path file = parquet(schema, group(schema).append("device", "d1"));
    byte[] bytes = Files.readAllBytes(file);
    bytes[0] = 'X';
    Files.write(file, bytes);
    assertThatThrownBy(() -> Format.read(file))
        .isInstanceOf(InputException.class)
        .hasMessageContainingAll("not a Parquet file", "its first bytes are 0x58415231", "" + file);
  }

  @Test
  void whatIsNoneOfTheFormatIsRefused() throws IOException {
    for (String name : List.of("text.avro", "text.parquet")) {
      Path file = Files.writeString(directory.resolve(name), "device,ts\nd1,1\n");
      assertThatThrownBy(() -> Format.read(file))
          .isInstanceOf(InputException.class)
          .hasMessageStartingWith("not a")
          .hasMessageContaining("file=" + file);
    }
    Path numbers = avro(avro(field("n", "\"int\"")), CodecFactory.nullCodec(), new Object[] {1});
    assertThatThrownBy(
            () ->
                Format.PARQUET.read(
                    Input.stream("-", new ByteArrayInputStream(Files.readAllBytes(numbers)))))
        .hasMessageContaining("a stream, which has no end to read Parquet from: file=-");
    RecordSource stream =
        Format.AVRO.read(Input.stream("-", new ByteArrayInputStream(Files.readAllBytes(numbers))));
    assertThat(stream.columns()).containsExactly("n");
    try (RecordCursor records = stream.open()) {
      assertThat(records.next()).isTrue();
    }
  }

  @Test
  void aColumnOfNestedValuesIsRefusedWhereItWouldBeRead() throws IOException {
    Path parquet = parquet(NESTED, group(NESTED).append("device", "d1").append("ts", 1L));
    Path avro =
        avro(
            avro(
                field("device", "\"string\""),
                field("ts", "[\"int\",\"string\"]"),
                field("tags", "{\"type\":\"array\",\"items\":\"string\"}")),
            CodecFactory.nullCodec(),
            new Object[] {"d1", 1, List.of("a")});
    for (Path file : List.of(parquet, avro)) {
      RecordSource source = Format.read(file);
      assertThat(source.columns()).containsExactly("device", "ts", "tags");
      assertThat(source.type("device")).isEqualTo(CellType.STRING);
      assertThatThrownBy(() -> KeyColumns.of(source, Layout.parse("tags:string")))
          .isInstanceOf(InputException.class)
          .hasMessageContaining("nested values")
          .hasMessageContaining("file=" + file + " column=tags");
      assertThatThrownBy(() -> KeyColumns.of(source, Layout.parse("devices:string")))
          .hasMessageContaining("no such column")
          .hasMessageContaining("it has device, ts, tags");
      try (RecordCursor records = source.open()) {
        assertThat(records.next()).isTrue();
        assertThat(records.value(0)).isEqualTo("d1");
      }
    }
    assertThatThrownBy(() -> Format.read(avro).type("ts"))
        .hasMessageContaining("values of more than one type");
  }

  @Test
  void codecsThatAreNotReadAreNamed() throws IOException {
    Path file = avro(avro(field("n", "\"int\"")), CodecFactory.nullCodec(), new Object[] {1});
    String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
    Files.writeString(
        file, bytes.replace("codec\bnull", "codec\u0004xz"), StandardCharsets.ISO_8859_1);
    assertThatThrownBy(() -> Format.read(file))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("codec=xz");
  }

  @Test
  void textThatIsNotUtf8IsOneRecordsMistake() throws IOException {
    String schema = "message m { required binary device (STRING); }";
    Path file =
        parquet(
            schema,
            group(schema).append("device", Binary.fromConstantByteArray(new byte[] {(byte) 0xff})),
            group(schema).append("device", "d2"));
    List<String> read = new ArrayList<>();
    try (RecordCursor records = Format.read(file).open()) {
      assertThatThrownBy(records::next)
          .isInstanceOf(InputException.class)
          .hasMessage("not UTF-8: value=0xff: file=" + file + " line=1 column=device")
          .matches(e -> ((InputException) e).isOfOneRecord());
      while (records.next()) {
        read.add(records.value(0));
      }
    }
    assertThat(read).containsExactly("d2");
  }

  private static int indexOf(byte[] whole, String text) {
    return new String(whole, StandardCharsets.ISO_8859_1).indexOf(text);
  }

  @Test
  void aPageWhoseChecksumIsWrongIsNotRead() throws IOException {
    String schema = "message r { required binary v (STRING); required int64 n; }";
    Path file = parquet(schema, group(schema).append("v", "evenkey").append("n", 1L));
    byte[] whole = Files.readAllBytes(file);
    whole[indexOf(whole, "evenkey")] = 'E';
    Files.write(file, whole);
    RecordSource source = Format.read(file);
    assertThatThrownBy(() -> source.open().next())
        .isInstanceOf(InputException.class)
        .hasMessageContaining("CRC")
        .hasMessageContaining("file=" + file);
    // Only columns that are asked for are read.
    try (RecordCursor records = source.open(Set.of("n"))) {
      assertThat(records.next()).isTrue();
      assertThat(records.value(1)).isEqualTo("1");
      assertThat(records.has(0)).isFalse();
    }
  }

  @Test
  void aValueThatIsNoneOfItsTypeRefusesOnlyRecordsThatNeedIt() throws IOException {
    String schema =
        "message r { required int32 id; required binary d (DECIMAL(9,2)); required int32 t"
            + " (TIME(MILLIS,true)); }";
    Path file =
        parquet(
            schema,
            group(schema).append("id", 1).append("d", Binary.EMPTY).append("t", 1),
            group(schema)
                .append("id", 2)
                .append("d", Binary.fromConstantByteArray(new byte[] {100}))
                .append("t", 86_400_000));
    RecordSource source = Format.read(file);
    try (RecordCursor records = source.open(Set.of("id", "d"))) {
      assertThatThrownBy(records::next)
          .isInstanceOf(InputException.class)
          .hasMessageContainingAll("decimal without a byte", "line=1", "column=d")
          .matches(e -> ((InputException) e).isOfOneRecord());
      assertThat(records.next()).isTrue();
      assertThat(records.value(1)).isEqualTo("1.00");
      assertThat(records.next()).isFalse();
    }
    try (RecordCursor records = source.open(Set.of("id"))) {
      assertThat(records.next()).isTrue();
      assertThat(records.next()).isTrue();
      assertThat(records.value(0)).isEqualTo("2");
    }
  }

  @Test
  void ofTwoColumnsOfOneNameNeitherIsReadAndOthersAre() throws IOException {
    String schema = "message r { required int32 id; required int32 ab; required int32 ac; }";
    Path file = parquet(schema, group(schema).append("id", 7).append("ab", 1).append("ac", 2));
    byte[] whole = Files.readAllBytes(file);
    // The names are in the schema and in the columns' paths, both times as text.
    for (int at = indexOf(whole, "ac"); at >= 0; at = indexOf(whole, "ac")) {
      whole[at + 1] = 'b';
    }
    Files.write(file, whole);
    RecordSource source = Format.read(file);
    assertThatThrownBy(() -> source.type("ab"))
        .isInstanceOf(InputException.class)
        .hasMessageContaining("several columns of this name");
    try (RecordCursor records = source.open(Set.of("id"))) {
      assertThat(records.next()).isTrue();
      assertThat(records.value(source.column("id"))).isEqualTo("7");
    }
  }
}
