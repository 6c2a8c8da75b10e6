/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.bytes.ByteText;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.parquet.hadoop.util.HadoopStreams;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.LocalInputFile;
import org.apache.parquet.io.SeekableInputStream;

/** An input as Parquet reads it: from its end, where the schema is. */
final class ParquetInput implements InputFile {
  private static final int MAGIC_BYTES = 4;

  /** The first bytes of Parquet files; PARE if the schema is encrypted. */
  private static final Set<String> MAGIC = Set.of("PAR1", "PARE");

  private final Input input;

  ParquetInput(Input input) {
    this.input = input;
  }

  @Override
  public long getLength() {
    return input.size();
  }

  /** Opens the file, and checks its first bytes: Parquet's reader looks at the last ones only. */
  @Override
  public SeekableInputStream newStream() throws IOException {
    SeekableInputStream in = open();
    if (getLength() >= MAGIC_BYTES) {
      byte[] first = new byte[MAGIC_BYTES];
      in.readFully(first);
      in.seek(0);
      if (!MAGIC.contains(new String(first, StandardCharsets.ISO_8859_1))) {
        in.close();
        throw InputException.file(
            input.name(),
            "not a Parquet file, or a damaged one: its first bytes are 0x" + ByteText.hex(first),
            "write the file again, or " + Remedy.NAME_FORMAT);
      }
    }
    return in;
  }

  private SeekableInputStream open() throws IOException {
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
