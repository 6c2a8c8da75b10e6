/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.codec.AvroCodecs;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.file.DataFileConstants;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.jspecify.annotations.Nullable;

/** The records of an Avro container file, read from its beginning: from a stream too. */
final class AvroRecords implements TypedRecords<GenericRecord> {
  private final DataFileStream<GenericRecord> records;
  private final List<TypedColumn<GenericRecord>> columns;
  private @Nullable GenericRecord last;

  private AvroRecords(
      DataFileStream<GenericRecord> records, List<TypedColumn<GenericRecord>> columns) {
    this.records = records;
    this.columns = columns;
  }

  static AvroRecords open(Input input, @Nullable Set<String> wanted) throws InputException {
    DataFileStream<GenericRecord> records;
    try {
      records = new DataFileStream<>(input.open(), new GenericDatumReader<>());
    } catch (IOException | RuntimeException e) {
      throw e instanceof InputException known
          ? known
          : InputException.file(
              input.name(),
              LibraryWords.after("not an Avro file, or a damaged one", e.getMessage()),
              "give a container file, or " + Remedy.NAME_FORMAT);
    }
    String codec = records.getMetaString(DataFileConstants.CODEC);
    if (codec != null && !AvroCodecs.canRead(codec)) {
      throw InputException.file(
          input.name() + " codec=" + codec,
          "compressed in a way that is not read here",
          "write it with null, deflate, snappy, bzip2 or zstandard");
    }
    Schema schema = records.getSchema();
    if (schema.getType() != Schema.Type.RECORD) {
      throw InputException.file(
          input.name() + " type=" + schema.getType().getName(),
          "values that are not records",
          "write records, whose fields are the columns");
    }
    List<TypedColumn<GenericRecord>> columns = new ArrayList<>();
    schema.getFields().forEach(field -> columns.add(AvroTypes.column(field)));
    return new AvroRecords(records, columns);
  }

  @Override
  public List<TypedColumn<GenericRecord>> columns() {
    return columns;
  }

  @Override
  public @Nullable GenericRecord next() throws IOException {
    if (!records.hasNext()) {
      // The library takes a block that was cut for the end, and knows of it when it is asked again.
      if (records.hasNext()) {
        throw new EOFException("the last block is not complete");
      }
      return null;
    }
    last = records.next(last);
    return last;
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
