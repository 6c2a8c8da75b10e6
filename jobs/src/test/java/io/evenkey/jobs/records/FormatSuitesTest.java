/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.jobs.load.RecordRows;
import io.evenkey.layout.Layout;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.ParquetProperties.WriterVersion;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.NanoTime;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The kinds of files of which the formats' own suites consist (parquet-testing, arrow-testing,
 * csv-spectrum, Avro's interoperability files), made here by the formats' libraries. The expected
 * values are written down, or computed without what reads them.
 */
class FormatSuitesTest {
  private static final int ROWS = 2_000;

  /** Of each physical type, and of each logical one. */
  private static final String ALL =
      "message m { required int32 id; optional boolean yes; optional int32 i8 (INTEGER(8,true));"
          + " optional int32 i16 (INTEGER(16,true)); optional int64 i64 (INTEGER(64,true));"
          + " optional int32 u8 (INTEGER(8,false)); optional int32 u32 (INTEGER(32,false));"
          + " optional int64 u64 (INTEGER(64,false)); optional float f; optional double d;"
          + " optional binary text (STRING); optional binary kind (ENUM); optional binary raw;"
          + " optional fixed_len_byte_array(3) three; optional fixed_len_byte_array(16) id16 (UUID);"
          + " optional int32 d32 (DECIMAL(9,2)); optional int64 d64 (DECIMAL(18,3));"
          + " optional fixed_len_byte_array(5) d5 (DECIMAL(10,1)); optional binary dn (DECIMAL(30,4));"
          + " optional int32 day (DATE); optional int32 tms (TIME(MILLIS,true));"
          + " optional int64 tus (TIME(MICROS,false)); optional int64 tns (TIME(NANOS,true));"
          + " optional int64 ms (TIMESTAMP(MILLIS,true)); optional int64 us (TIMESTAMP(MICROS,true));"
          + " optional int64 ns (TIMESTAMP(NANOS,true)); optional int64 local (TIMESTAMP(MICROS,false));"
          + " optional int96 old; optional binary none (STRING); optional binary json (JSON); }";

  @TempDir private Path directory;

  /** Bytes of a number in two's complement, as many as asked for. */
  private static Binary unscaled(long value, int width) {
    byte[] bytes = BigInteger.valueOf(value).toByteArray();
    byte[] whole = new byte[Math.max(width, bytes.length)];
    Arrays.fill(whole, (byte) (value < 0 ? -1 : 0));
    System.arraycopy(bytes, 0, whole, whole.length - bytes.length, bytes.length);
    return Binary.fromConstantByteArray(whole);
  }

  private static Group all(MessageType type, int i) {
    Group group = new SimpleGroup(type).append("id", i);
    if (i % 3 == 2) {
      return group;
    }
    long v = i * (i % 2 == 0 ? 1L : -1L);
    group.append("yes", i % 2 == 0).append("i8", (int) (v % 128)).append("i16", (int) v);
    group.append("i64", v << 40).append("u8", i % 256).append("u32", -1 - i).append("u64", -1L - i);
    group.append("f", i / 8f).append("d", v / 16d).append("text", "é" + i % 7);
    group.append("kind", "K" + i % 2).append("raw", Binary.fromConstantByteArray(new byte[i % 3]));
    group.append("three", Binary.fromConstantByteArray(new byte[] {1, 2, (byte) i}));
    group.append("id16", unscaled(i, 16)).append("d32", (int) v).append("d64", v);
    group.append("d5", unscaled(v, 5)).append("dn", unscaled(v, 1));
    group.append("day", i).append("tms", i).append("tus", (long) i).append("tns", (long) i);
    group
        .append("ms", (long) i)
        .append("us", (long) i)
        .append("ns", (long) i)
        .append("local", (long) i);
    group.append("old", new NanoTime(2_440_588, i * 1_000_000L).toBinary());
    return group.append("json", "{\"a\":" + i + "}");
  }

  private static String digits(int value, int width) {
    String text = Integer.toString(value);
    return "0".repeat(width - text.length()) + text;
  }

  /** Seconds of a day and less than {@link #ROWS} parts of one, as ISO 8601 has them at least. */
  private static String fraction(int parts, int digits, boolean whole) {
    int aSecond = (int) Math.pow(10, digits);
    String text = digits(parts % aSecond, digits);
    // A group of three zeros is left out.
    while (text.endsWith("000")) {
      text = text.substring(0, text.length() - 3);
    }
    String seconds = digits(parts / aSecond, 2);
    boolean isShort = text.isEmpty() && seconds.equals("00") && !whole;
    return isShort ? "" : ":" + seconds + (text.isEmpty() ? "" : "." + text);
  }

  private static String plain(long unscaled, int scale) {
    String sign = unscaled < 0 ? "-" : "";
    String text =
        digits((int) Math.abs(unscaled), scale + 1 + Long.toString(Math.abs(unscaled)).length());
    String whole = text.substring(0, text.length() - scale).replaceFirst("^0+(?=.)", "");
    return sign + whole + "." + text.substring(text.length() - scale);
  }

  private static Map<String, String> expected(int i) {
    if (i % 3 == 2) {
      return Map.of("id", "" + i);
    }
    long v = i * (i % 2 == 0 ? 1L : -1L);
    return Map.ofEntries(
        Map.entry("id", "" + i),
        Map.entry("yes", i % 2 == 0 ? "true" : "false"),
        Map.entry("i8", "" + v % 128),
        Map.entry("i16", "" + v),
        Map.entry(
            "i64", new BigInteger("1099511627776").multiply(BigInteger.valueOf(v)).toString()),
        Map.entry("u8", "" + i % 256),
        Map.entry("u32", "" + (4_294_967_295L - i)),
        Map.entry(
            "u64",
            new BigInteger("18446744073709551615").subtract(BigInteger.valueOf(i)).toString()),
        Map.entry("f", "" + i * 0.125f),
        Map.entry("d", "" + v * 0.0625),
        Map.entry("text", "é" + i % 7),
        Map.entry("kind", i % 2 == 0 ? "K0" : "K1"),
        Map.entry("raw", "00".repeat(i % 3)),
        Map.entry("three", "0102" + String.format("%02x", i % 256)),
        Map.entry("id16", "00000000-0000-0000-0000-" + String.format("%012x", i)),
        Map.entry("d32", plain(v, 2)),
        Map.entry("d64", plain(v, 3)),
        Map.entry("d5", plain(v, 1)),
        Map.entry("dn", plain(v, 4)),
        Map.entry("day", "" + java.time.LocalDate.of(1970, 1, 1).plusDays(i)),
        Map.entry("tms", "00:00" + fraction(i, 3, false)),
        Map.entry("tus", "00:00" + fraction(i, 6, false)),
        Map.entry("tns", "00:00" + fraction(i, 9, false)),
        Map.entry("ms", "1970-01-01T00:00" + fraction(i, 3, true) + "Z"),
        Map.entry("us", "1970-01-01T00:00" + fraction(i, 6, true) + "Z"),
        Map.entry("ns", "1970-01-01T00:00" + fraction(i, 9, true) + "Z"),
        Map.entry("local", "1970-01-01T00:00" + fraction(i, 6, false)),
        Map.entry("old", "1970-01-01T00:00" + fraction(i, 3, true) + "Z"),
        Map.entry("json", "{\"a\":" + i + "}"));
  }

  static Stream<Arguments> waysOfParquet() {
    List<Arguments> ways = new ArrayList<>();
    for (CompressionCodecName codec :
        List.of(
            CompressionCodecName.UNCOMPRESSED,
            CompressionCodecName.SNAPPY,
            CompressionCodecName.GZIP,
            CompressionCodecName.ZSTD,
            CompressionCodecName.LZ4_RAW)) {
      for (WriterVersion version : WriterVersion.values()) {
        ways.add(Arguments.of(codec, version, true));
      }
    }
    for (WriterVersion version : WriterVersion.values()) {
      ways.add(Arguments.of(CompressionCodecName.UNCOMPRESSED, version, false));
    }
    return ways.stream();
  }

  /** Small pages and row groups; dictionaries that become too large, so that pages fall back. */
  @ParameterizedTest
  @MethodSource("waysOfParquet")
  void everyTypeEncodingAndCodecOfParquetIsRead(
      CompressionCodecName codec, WriterVersion version, boolean dictionary) throws IOException {
    MessageType type = MessageTypeParser.parseMessageType(ALL);
    Path file = directory.resolve("all.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(type)
            .withConf(new PlainParquetConfiguration())
            .withCompressionCodec(codec)
            .withWriterVersion(version)
            .withDictionaryEncoding(dictionary)
            .withByteStreamSplitEncoding(!dictionary)
            .withDictionaryPageSize(512)
            .withPageSize(1_024)
            .withPageRowCountLimit(100)
            .withRowGroupSize(32_768L)
            .build()) {
      for (int i = 0; i < ROWS; i++) {
        writer.write(all(type, i));
      }
    }
    RecordSource source = Format.read(file);
    try (RecordCursor records = source.open()) {
      for (int i = 0; i < ROWS; i++) {
        assertThat(records.next()).isTrue();
        Map<String, String> read = new java.util.HashMap<>();
        for (int column = 0; column < source.columns().size(); column++) {
          if (records.has(column)) {
            read.put(source.columns().get(column), records.value(column));
          }
        }
        assertThat(read).as("record %d", i).isEqualTo(expected(i));
      }
      assertThat(records.next()).isFalse();
    }
  }

  /** Packs nothing as nothing, as some writers do; the libraries pack it as a byte or more. */
  private record EmptyStaysEmpty(CompressionCodecFactory codecs)
      implements CompressionCodecFactory {
    @Override
    public BytesInputCompressor getCompressor(CompressionCodecName codec) {
      BytesInputCompressor packing = codecs.getCompressor(codec);
      return new BytesInputCompressor() {
        @Override
        public BytesInput compress(BytesInput bytes) throws IOException {
          return bytes.size() == 0 ? BytesInput.empty() : packing.compress(bytes);
        }

        @Override
        public CompressionCodecName getCodecName() {
          return codec;
        }

        @Override
        public void release() {
          packing.release();
        }
      };
    }

    @Override
    public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
      return codecs.getDecompressor(codec);
    }

    @Override
    public void release() {
      codecs.release();
    }
  }

  @ParameterizedTest
  @CsvSource({"SNAPPY,PARQUET_2_0", "GZIP,PARQUET_2_0", "ZSTD,PARQUET_2_0", "SNAPPY,PARQUET_1_0"})
  void aPageWithoutAValueIsNoDamage(CompressionCodecName codec, WriterVersion version)
      throws IOException {
    MessageType type =
        MessageTypeParser.parseMessageType(
            "message m { required int32 id; optional binary v (STRING); optional int64 n; }");
    Path file = directory.resolve("nulls.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(type)
            .withConf(new PlainParquetConfiguration())
            .withCodecFactory(new EmptyStaysEmpty(new io.evenkey.jobs.codec.ParquetCodecs()))
            .withCompressionCodec(codec)
            .withWriterVersion(version)
            .build()) {
      for (int i = 0; i < 10; i++) {
        writer.write(new SimpleGroup(type).append("id", i));
      }
    }
    try (RecordCursor records = Format.read(file).open()) {
      for (int i = 0; i < 10; i++) {
        assertThat(records.next()).isTrue();
        assertThat(records.value(0)).isEqualTo("" + i);
        assertThat(records.has(1) || records.has(2)).isFalse();
      }
      assertThat(records.next()).isFalse();
    }
  }

  private static List<List<String>> table(String text) throws IOException {
    RecordSource source =
        io.evenkey.jobs.records.CsvSource.of(
            Input.stream(
                "spectrum.csv", new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8))),
            Dialect.CSV);
    List<List<String>> table = new ArrayList<>(List.of(source.columns()));
    try (RecordCursor records = source.open()) {
      while (records.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < source.columns().size(); i++) {
          values.add(records.value(i));
        }
        table.add(values);
      }
    }
    return table;
  }

  @Test
  void theKindsOfCsvSpectrumAreRead() throws IOException {
    List<String> head = List.of("a", "b");
    assertThat(table("a,b\n1,\"x, y\"\n"))
        .as("comma in quotes")
        .containsExactly(head, List.of("1", "x, y"));
    assertThat(table("a,b\n1,\"\"\n2,3\n"))
        .as("empty")
        .containsExactly(head, List.of("1", ""), List.of("2", "3"));
    assertThat(table("a,b\r\n1,\"\"\r\n2,3\r\n"))
        .as("empty, CRLF")
        .containsExactly(head, List.of("1", ""), List.of("2", "3"));
    assertThat(table("a,b\n1,\"say \"\"hi\"\" now\"\n"))
        .as("escaped quotes")
        .containsExactly(head, List.of("1", "say \"hi\" now"));
    assertThat(table("a,b\n1,\"{\"\"type\"\": \"\"Point\"\", \"\"at\"\": [1, 2]}\"\n"))
        .as("JSON")
        .containsExactly(head, List.of("1", "{\"type\": \"Point\", \"at\": [1, 2]}"));
    assertThat(table("a,b\n\"48.85° N\",\"2.35, East\""))
        .as("coordinates, no last line break")
        .containsExactly(head, List.of("48.85° N", "2.35, East"));
    assertThat(table("a,b\n1,\"one\ntwo\"\n"))
        .as("line breaks")
        .containsExactly(head, List.of("1", "one\ntwo"));
    assertThat(table("a,b\r\n1,\"one\r\ntwo\"\r\n"))
        .as("line breaks, CRLF")
        .containsExactly(head, List.of("1", "one\r\ntwo"));
    assertThat(table("a,b\n1,\"one \n\"\"two\"\"\nthree\"\n"))
        .as("quotes and line breaks")
        .containsExactly(head, List.of("1", "one \n\"two\"\nthree"));
    assertThat(table("a,b\n1,2\n")).as("simple").containsExactly(head, List.of("1", "2"));
    assertThat(table("a,b\r\n1,2\r\n")).as("simple, CRLF").containsExactly(head, List.of("1", "2"));
    assertThat(table("a,b\n1,ʤ\n2,温度\n"))
        .as("UTF-8")
        .containsExactly(head, List.of("1", "ʤ"), List.of("2", "温度"));
  }

  /** As Avro's own suite writes it, in a namespace, with all types. */
  private static final String INTEROP =
      """
      {"type": "record", "name": "Interop", "namespace": "org.example.some", "fields": [
       {"name": "intField", "type": "int"}, {"name": "longField", "type": "long"},
       {"name": "stringField", "type": "string"}, {"name": "boolField", "type": "boolean"},
       {"name": "floatField", "type": "float"}, {"name": "doubleField", "type": "double"},
       {"name": "bytesField", "type": "bytes"}, {"name": "nullField", "type": "null"},
       {"name": "enumField", "type": {"type": "enum", "name": "Kind", "symbols": ["A", "B", "C"]}},
       {"name": "fixedField", "type": {"type": "fixed", "name": "MD5", "size": 4}},
       {"name": "optional", "type": ["null", {"type": "long", "logicalType": "timestamp-micros"}]},
       {"name": "price", "type": {"type": "fixed", "name": "P", "size": 3,
          "logicalType": "decimal", "precision": 6, "scale": 2}},
       {"name": "arrayField", "type": {"type": "array", "items": "double"}},
       {"name": "mapField", "type": {"type": "map", "values": "long"}},
       {"name": "unionField", "type": ["boolean", "double", "string"]},
       {"name": "recordField", "type": {"type": "record", "name": "Node", "fields": [
          {"name": "label", "type": "string"},
          {"name": "children", "type": {"type": "array", "items": "Node"}}]}}]}
      """;

  private static GenericData.Record interop(Schema schema, int i) {
    GenericData.Record record = new GenericData.Record(schema);
    record.put("intField", i);
    record.put("longField", -1L << i % 60);
    record.put("stringField", i % 2 == 0 ? "" : "é" + i);
    record.put("boolField", i % 2 == 0);
    record.put("floatField", i * 0.5f);
    record.put("doubleField", -i * 0.25);
    record.put("bytesField", ByteBuffer.wrap(new byte[] {(byte) 0xff, (byte) i}));
    Schema kind = schema.getField("enumField").schema();
    record.put("enumField", new GenericData.EnumSymbol(kind, List.of("A", "B", "C").get(i % 3)));
    Schema md5 = schema.getField("fixedField").schema();
    record.put("fixedField", new GenericData.Fixed(md5, new byte[] {0, 1, 2, (byte) i}));
    record.put("optional", i % 2 == 0 ? null : i * 1_000_000L + 5);
    Schema price = schema.getField("price").schema();
    record.put("price", new GenericData.Fixed(price, unscaled(-i, 3).getBytes()));
    record.put("arrayField", List.of(1.0, 2.0));
    record.put("mapField", Map.of("a", 1L));
    record.put("unionField", i % 2 == 0 ? (Object) true : "text");
    GenericData.Record node = new GenericData.Record(schema.getField("recordField").schema());
    node.put("label", "l");
    node.put("children", List.of());
    record.put("recordField", node);
    return record;
  }

  @ParameterizedTest
  @ValueSource(strings = {"null", "deflate", "snappy", "bzip2", "zstandard"})
  void everyTypeAndCodecOfAvroIsRead(String codec) throws IOException {
    Schema schema = new Schema.Parser().parse(INTEROP);
    Path file = directory.resolve("interop.avro");
    try (DataFileWriter<GenericData.Record> writer =
        new DataFileWriter<>(new GenericDatumWriter<GenericData.Record>(schema))) {
      writer
          .setCodec(CodecFactory.fromString(codec))
          .setSyncInterval(512)
          .create(schema, file.toFile());
      for (int i = 0; i < 50; i++) {
        writer.append(interop(schema, i));
      }
    }
    RecordSource source = Format.read(file);
    List<String> single =
        List.of(
            "intField",
            "longField",
            "stringField",
            "boolField",
            "floatField",
            "doubleField",
            "bytesField",
            "nullField",
            "enumField",
            "fixedField",
            "optional",
            "price");
    assertThat(source.columns().subList(0, single.size())).isEqualTo(single);
    try (RecordCursor records = source.open()) {
      for (int i = 0; i < 50; i++) {
        assertThat(records.next()).isTrue();
        List<String> values = new ArrayList<>();
        for (int column = 0; column < single.size(); column++) {
          values.add(records.has(column) ? records.value(column) : "-");
        }
        String cents = digits(i, 3);
        assertThat(values)
            .containsExactly(
                "" + i,
                BigInteger.TWO.pow(i % 60).negate().toString(),
                i % 2 == 0 ? "" : "é" + i,
                i % 2 == 0 ? "true" : "false",
                new BigDecimal(i).multiply(new BigDecimal("0.5")).setScale(1).toString(),
                "" + -i * 0.25,
                "ff" + String.format("%02x", i),
                "-",
                "" + "ABC".charAt(i % 3),
                "000102" + String.format("%02x", i),
                i % 2 == 0 ? "-" : "1970-01-01T00:00:" + digits(i, 2) + ".000005Z",
                (i == 0 ? "" : "-") + cents.charAt(0) + "." + cents.substring(1));
      }
      assertThat(records.next()).isFalse();
    }
    // Those of several or of nested values are refused by their names, if they are loaded.
    Layout layout = Layout.parse("intField:int32");
    for (String nested : List.of("arrayField", "mapField", "unionField", "recordField")) {
      assertThatThrownBy(() -> source.type(nested))
          .isInstanceOf(InputException.class)
          .hasMessageContaining("file=" + file + " column=" + nested);
    }
    RecordRows named =
        RecordRows.of(
            source,
            layout,
            List.of(io.evenkey.client.cell.CellColumn.parse("d:s=stringField")),
            "d",
            List.of(),
            null);
    try (RecordCursor records = named.open()) {
      assertThat(records.next()).isTrue();
      assertThat(named.values(records)).hasSize(1);
    }
  }

  @Test
  void aFailureNamesFileRecordColumnAndValue() throws IOException {
    String schema =
        "message m { required int32 id; optional binary text (STRING);"
            + " optional binary price (DECIMAL(9,2)); optional int64 t (TIME(MICROS,true)); }";
    MessageType type = MessageTypeParser.parseMessageType(schema);
    Path file = directory.resolve("wrong.parquet");
    List<Group> groups =
        List.of(
            new SimpleGroup(type).append("id", 1),
            new SimpleGroup(type)
                .append("id", 2)
                .append("text", Binary.fromConstantByteArray(new byte[] {'a', (byte) 0xff})),
            new SimpleGroup(type).append("id", 3).append("price", Binary.EMPTY),
            new SimpleGroup(type).append("id", 4).append("t", 86_400_000_000L),
            new SimpleGroup(type).append("id", 5).append("t", Long.MAX_VALUE));
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(file))
            .withType(type)
            .withConf(new PlainParquetConfiguration())
            .build()) {
      for (Group group : groups) {
        writer.write(group);
      }
    }
    List<List<String>> parts =
        List.of(
            List.of("line=2", "column=text", "value=0x61ff"),
            List.of("line=3", "column=price", "value=0x"),
            List.of("line=4", "column=t", "86400000000"),
            List.of("line=5", "column=t", "9223372036854775807"));
    try (RecordCursor records = Format.read(file).open()) {
      assertThat(records.next()).isTrue();
      for (List<String> expected : parts) {
        assertThatThrownBy(records::next)
            .isInstanceOf(InputException.class)
            .hasMessageContaining("file=" + file)
            .hasMessageContainingAll(expected.toArray(new String[0]));
      }
      assertThat(records.next()).isFalse();
    }
    assertThat(Files.size(file)).isPositive();
  }
}
