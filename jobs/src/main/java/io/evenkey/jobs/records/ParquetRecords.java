/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.codec.ParquetCodecs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.conf.PlainParquetConfiguration;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.convert.GroupRecordConverter;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.ColumnIOFactory;
import org.apache.parquet.io.MessageColumnIO;
import org.apache.parquet.io.RecordReader;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * The records of a Parquet file, a row group at a time. Columns with nested values are left out.
 */
final class ParquetRecords implements TypedRecords<Group> {
  private final Input input;
  private final ParquetFileReader file;
  private final MessageType flat;
  private final MessageColumnIO assembly;
  private final List<TypedColumn<Group>> columns;
  private final long all;
  private @Nullable RecordReader<Group> group;
  private long inGroup;
  private long read;

  private ParquetRecords(
      Input input, ParquetFileReader file, MessageType flat, List<TypedColumn<Group>> columns) {
    this.input = input;
    this.file = file;
    this.flat = flat;
    this.columns = columns;
    this.all = file.getRecordCount();
    MessageType schema = file.getFileMetaData().getSchema();
    this.assembly = new ColumnIOFactory().getColumnIO(flat, schema);
    file.setRequestedSchema(flat);
  }

  static ParquetRecords open(Input input, @Nullable Set<String> wanted) throws InputException {
    ParquetReadOptions options =
        ParquetReadOptions.builder(new PlainParquetConfiguration())
            .withCodecFactory(new ParquetCodecs())
            .usePageChecksumVerification(true)
            .build();
    try {
      ParquetFileReader file = ParquetFileReader.open(new ParquetInput(input), options);
      try {
        return of(input, file, wanted);
      } catch (IOException | RuntimeException e) {
        file.close();
        throw e;
      }
    } catch (IOException | RuntimeException e) {
      throw e instanceof InputException known
          ? known
          : InputException.file(
              input.name(),
              LibraryWords.after("not a Parquet file, or a damaged one", e.getMessage()),
              "write the file again, or " + Remedy.NAME_FORMAT);
    }
  }

  private static ParquetRecords of(
      Input input, ParquetFileReader file, @Nullable Set<String> wanted) throws InputException {
    MessageType schema = file.getFileMetaData().getSchema();
    List<Type> flat = new ArrayList<>();
    List<TypedColumn<Group>> columns = new ArrayList<>();
    List<String> names = schema.getFields().stream().map(Type::getName).toList();
    boolean none = true;
    for (Type type : schema.getFields()) {
      if (Collections.frequency(names, type.getName()) > 1) {
        columns.add(TypedColumn.unreadable(type.getName(), "several columns of this name"));
      } else if (type.isPrimitive() && !type.isRepetition(Type.Repetition.REPEATED)) {
        none = false;
        columns.add(ParquetTypes.column(flat.size(), type.asPrimitiveType()));
        if (wanted == null || wanted.contains(type.getName())) {
          flat.add(type);
        }
      } else {
        columns.add(TypedColumn.unreadable(type.getName(), "nested values"));
      }
    }
    if (none) {
      throw InputException.file(
          input.name(), "no column of single values", "write the records as such columns");
    }
    for (BlockMetaData block : file.getRowGroups()) {
      for (ColumnChunkMetaData chunk : block.getColumns()) {
        boolean isRead = wanted == null || wanted.contains(chunk.getPath().toDotString());
        if (isRead && !ParquetCodecs.canRead(chunk.getCodec())) {
          throw InputException.file(
              input.name() + " codec=" + chunk.getCodec(),
              "compressed in a way that is not read here",
              "write it uncompressed or with snappy, gzip, zstd or lz4_raw");
        }
      }
    }
    return new ParquetRecords(input, file, new MessageType(schema.getName(), flat), columns);
  }

  @Override
  public List<TypedColumn<Group>> columns() {
    return columns;
  }

  @Override
  public @Nullable Group next() throws IOException {
    while (group == null || inGroup == 0) {
      PageReadStore pages = file.readNextRowGroup();
      if (pages == null) {
        return null;
      }
      inGroup = pages.getRowCount();
      group = assembly.getRecordReader(pages, new GroupRecordConverter(flat));
    }
    inGroup--;
    read++;
    input.progressed((double) read / all);
    return group.read();
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
