/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.parquet.hadoop.util.HadoopStreams;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.SeekableInputStream;

/** An input as Parquet reads it: from its end, where the schema is. */
final class ParquetInput implements InputFile {
  private final Input input;

  ParquetInput(Input input) {
    this.input = input;
  }

  @Override
  public long getLength() {
    return input.size();
  }

  @Override
  public SeekableInputStream newStream() throws IOException {
    Path file = input.path();
    if (file != null) {
      return new LocalInputFile(file).newStream();
    }
    InputStream stream = input.openPacked();
    if (stream instanceof FSDataInputStream seekable) {
      return HadoopStreams.wrap(seekable);
    }
    throw InputException.file(
        input.name(), "a stream, which has no end to read Parquet from", "give a file");
  }
}
