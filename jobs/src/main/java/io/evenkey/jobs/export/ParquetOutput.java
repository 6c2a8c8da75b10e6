/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import io.evenkey.jobs.codec.Codec;
import io.evenkey.jobs.codec.ParquetCodecs;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowColumn;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Types;
import org.jspecify.annotations.Nullable;

/** A Parquet file; each column is optional. */
final class ParquetOutput extends HeadedOutput {
  /** Bytes of a row group, all of which are in memory: Parquet's usual 128 MB are a small heap. */
  private static final long ROW_GROUP = 32L << 20;

  private final OutputStream out;
  private final Codec codec;
  private List<RowColumn> columns = List.of();
  private MessageType schema = new MessageType("row");
  private @Nullable ParquetWriter<Group> writer;

  ParquetOutput(List<RowColumn> known, OutputStream out, Codec codec) {
    super(known);
    this.out = out;
    this.codec = codec;
  }

  @Override
  void writeHead(List<RowColumn> all) throws IOException {
    columns = all;
    schema = new MessageType("row", all.stream().map(ParquetOutput::type).toList());
    writer =
        ExampleParquetWriter.builder(new StreamFile(out))
            .withType(schema)
            .withConf(new PlainParquetConfiguration())
            .withCodecFactory(new ParquetCodecs())
            .withCompressionCodec(ParquetCodecs.of(codec))
            .withRowGroupSize(ROW_GROUP)
            .build();
  }

  private static Type type(RowColumn column) {
    return switch (column.type()) {
      case TEXT -> type(column, PrimitiveTypeName.BINARY, LogicalTypeAnnotation.stringType());
      case BOOL -> type(column, PrimitiveTypeName.BOOLEAN, null);
      case INT16 ->
          type(column, PrimitiveTypeName.INT32, LogicalTypeAnnotation.intType(Short.SIZE, true));
      case INT32 -> type(column, PrimitiveTypeName.INT32, null);
      case INT64 -> type(column, PrimitiveTypeName.INT64, null);
      case FLOAT32 -> type(column, PrimitiveTypeName.FLOAT, null);
      case FLOAT64 -> type(column, PrimitiveTypeName.DOUBLE, null);
      case BYTES -> type(column, PrimitiveTypeName.BINARY, null);
      case DATE -> type(column, PrimitiveTypeName.INT32, LogicalTypeAnnotation.dateType());
      case TIMESTAMP ->
          type(
              column,
              PrimitiveTypeName.INT64,
              LogicalTypeAnnotation.timestampType(true, LogicalTypeAnnotation.TimeUnit.MILLIS));
      case UUID ->
          Types.optional(PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY)
              .length(2 * Long.BYTES)
              .as(LogicalTypeAnnotation.uuidType())
              .named(column.name());
    };
  }

  private static PrimitiveType type(
      RowColumn column, PrimitiveTypeName type, @Nullable LogicalTypeAnnotation logical) {
    Types.PrimitiveBuilder<PrimitiveType> builder = Types.optional(type);
    return (logical == null ? builder : builder.as(logical)).named(column.name());
  }

  @Override
  void writeRow(Row row, Row.@Nullable Entry[] values) throws IOException {
    if (writer == null) {
      throw new IllegalStateException("written before the head");
    }
    Group group = new SimpleGroup(schema);
    for (int i = 0; i < values.length; i++) {
      Object value = value(row, columns.get(i), values[i]);
      if (value != null) {
        add(group, i, value);
      }
    }
    writer.write(group);
  }

  private static void add(Group group, int column, Object value) {
    if (value instanceof String text) {
      group.add(column, text);
    } else if (value instanceof Integer number) {
      group.add(column, number.intValue());
    } else if (value instanceof Long number) {
      group.add(column, number.longValue());
    } else if (value instanceof Float number) {
      group.add(column, number.floatValue());
    } else if (value instanceof Double number) {
      group.add(column, number.doubleValue());
    } else if (value instanceof Boolean truth) {
      group.add(column, truth.booleanValue());
    } else if (value instanceof UUID uuid) {
      ByteBuffer bytes = ByteBuffer.allocate(2 * Long.BYTES);
      bytes.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
      group.add(column, Binary.fromConstantByteArray(bytes.array()));
    } else {
      group.add(column, Binary.fromConstantByteArray((byte[]) value));
    }
  }

  @Override
  void end() throws IOException {
    if (writer == null) {
      out.close();
    } else {
      writer.close();
    }
  }
}
