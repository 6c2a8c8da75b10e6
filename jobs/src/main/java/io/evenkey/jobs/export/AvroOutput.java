/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import io.evenkey.jobs.codec.AvroCodecs;
import io.evenkey.jobs.codec.Codec;
import io.evenkey.jobs.query.Row;
import io.evenkey.jobs.query.RowColumn;
import io.evenkey.jobs.records.Format;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/**
 * An Avro container file; each column is of its type or null. A name that Avro cannot have is in a
 * property of its field.
 */
final class AvroOutput extends HeadedOutput {
  /** The characters that names cannot have in Avro. */
  private static final Pattern OTHERS = Pattern.compile("[^A-Za-z0-9_]|^(?=[0-9])");

  private final OutputStream out;
  private final Codec codec;
  private List<RowColumn> columns = List.of();
  private @Nullable DataFileWriter<GenericRecord> writer;
  private @Nullable Schema schema;

  AvroOutput(List<RowColumn> known, OutputStream out, Codec codec) {
    super(known);
    this.out = out;
    this.codec = codec;
  }

  @Override
  void writeHead(List<RowColumn> all) throws IOException {
    columns = all;
    SchemaBuilder.FieldAssembler<Schema> fields =
        SchemaBuilder.record("Row").namespace("io.evenkey").fields();
    Set<String> names = new HashSet<>();
    for (RowColumn column : all) {
      String name = unique(column.name(), names);
      SchemaBuilder.FieldBuilder<Schema> field = fields.name(name);
      if (!name.equals(column.name())) {
        field = field.prop(Format.AVRO_NAME, column.name());
      }
      field.type(Schema.createUnion(NULL, type(column))).withDefault(null);
    }
    Schema made = fields.endRecord();
    schema = made;
    writer =
        new DataFileWriter<GenericRecord>(new GenericDatumWriter<>(made))
            .setCodec(AvroCodecs.of(codec))
            .create(made, out);
  }

  /** A name by Avro's rules, which none of the others is. */
  private static String unique(String name, Set<String> names) {
    String allowed = OTHERS.matcher(name).replaceAll("_");
    String unique = allowed;
    for (int i = 2; !names.add(unique); i++) {
      unique = allowed + "_" + i;
    }
    return unique;
  }

  private static final Schema NULL = Schema.create(Schema.Type.NULL);

  private static Schema type(RowColumn column) {
    return switch (column.type()) {
      case TEXT -> Schema.create(Schema.Type.STRING);
      case BOOL -> Schema.create(Schema.Type.BOOLEAN);
      case INT16, INT32 -> Schema.create(Schema.Type.INT);
      case INT64 -> Schema.create(Schema.Type.LONG);
      case FLOAT32 -> Schema.create(Schema.Type.FLOAT);
      case FLOAT64 -> Schema.create(Schema.Type.DOUBLE);
      case BYTES -> Schema.create(Schema.Type.BYTES);
      case DATE -> logical(LogicalTypes.date(), Schema.Type.INT);
      case TIMESTAMP -> logical(LogicalTypes.timestampMillis(), Schema.Type.LONG);
      case UUID -> logical(LogicalTypes.uuid(), Schema.Type.STRING);
    };
  }

  private static Schema logical(LogicalType type, Schema.Type base) {
    return type.addToSchema(Schema.create(base));
  }

  @Override
  void writeRow(Row row, Row.@Nullable Entry[] values) throws IOException {
    if (writer == null) {
      throw new IllegalStateException("written before the head");
    }
    GenericRecord record = new GenericData.Record(schema);
    for (int i = 0; i < values.length; i++) {
      record.put(i, avro(value(row, columns.get(i), values[i])));
    }
    writer.append(record);
  }

  private static @Nullable Object avro(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return ByteBuffer.wrap(bytes);
    }
    return value instanceof java.util.UUID uuid ? uuid.toString() : value;
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
