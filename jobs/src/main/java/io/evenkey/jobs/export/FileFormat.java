/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.export;

import io.evenkey.client.cell.CellType;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.codec.Codec;
import io.evenkey.jobs.file.FileRefusedException;
import io.evenkey.jobs.records.Format;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A format to write.
 *
 * @param format the format
 * @param codec how blocks are compressed, in a format that compresses them
 * @param nullText what stands for no value in delimited text, so that empty text is a value; or
 *     null
 */
public record FileFormat(Format format, Codec codec, @Nullable String nullText) {
  /** A format in which, if it is delimited text, nothing stands for no value. */
  public FileFormat(Format format, Codec codec) {
    this(format, codec, null);
  }

  /** A format as it is written usually: with the codec that all readers of the format have. */
  public static FileFormat of(Format format) {
    return new FileFormat(
        format,
        switch (format) {
          case CSV, TSV, NDJSON -> Codec.NONE;
          case PARQUET -> Codec.SNAPPY;
          case AVRO -> Codec.GZIP;
        });
  }

  /**
   * The format of a file.
   *
   * @param format the format, or null to take it from the file's name
   * @param codec the codec, or null for the usual one
   * @throws FileRefusedException if the file would be compressed twice, or not as it was asked
   */
  public static FileFormat of(Path file, @Nullable Format format, @Nullable Codec codec)
      throws FileRefusedException {
    Format written = format == null ? Format.of(file.toString()) : format;
    if (written.isText()) {
      if (codec != null) {
        throw new FileRefusedException(
            "codec of a text format: codec=" + codec + " format=" + written,
            file,
            "end the file's name in .gz or .zst");
      }
    } else if (packedByName(file)) {
      throw new FileRefusedException(
          "format that compresses its blocks itself: format=" + written,
          file,
          "leave .gz or .zst out of the name, and " + Remedy.NAME_CODEC);
    }
    return codec == null ? of(written) : new FileFormat(written, codec);
  }

  /** This format, with a text that stands for no value. */
  public FileFormat withNull(@Nullable String text) {
    return new FileFormat(format, codec, text);
  }

  boolean isDelimited() {
    return format.dialect() != null;
  }

  /** Whether an import knows cells of this type by the format's own schema. */
  boolean hasCells(CellType type) {
    return switch (format) {
      case CSV, TSV, NDJSON -> type == CellType.STRING;
      case PARQUET -> type != CellType.DECIMAL;
      case AVRO -> type != CellType.DECIMAL && type != CellType.INT16;
    };
  }

  private static boolean packedByName(Path file) {
    String name = file.toString().toLowerCase(Locale.ROOT);
    return name.endsWith(".gz") || name.endsWith(".zst");
  }
}
