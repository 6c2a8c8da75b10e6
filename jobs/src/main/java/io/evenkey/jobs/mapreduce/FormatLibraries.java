/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.mapreduce;

import io.airlift.compress.snappy.SnappyDecompressor;
import io.evenkey.jobs.records.Format;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.apache.avro.generic.GenericRecord;
import org.apache.parquet.ParquetReadOptions;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.bitpacking.BytePacker;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.locationtech.jts.io.ParseException;

/** The libraries of formats with a schema, which only jobs with such files ship. Stateless. */
final class FormatLibraries {
  private FormatLibraries() {}

  /** A class of each jar. Avro's is on Hadoop's own class path too, and found there first. */
  static Class<?>[] of(Collection<Format> formats) {
    List<Class<?>> classes = new ArrayList<>();
    if (formats.contains(Format.PARQUET)) {
      classes.add(ParquetFileReader.class);
      classes.add(Encoding.class);
      classes.add(BytePacker.class);
      classes.add(BytesInput.class);
      classes.add(ParquetReadOptions.class);
      classes.add(FileMetaData.class);
      classes.add(ParseException.class);
      classes.add(SnappyDecompressor.class);
    }
    if (formats.contains(Format.AVRO)) {
      classes.add(GenericRecord.class);
    }
    return classes.toArray(Class<?>[]::new);
  }
}
