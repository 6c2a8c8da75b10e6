/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The format of the records in a file. */
public enum Format {
  /** Values between commas, with a header. */
  CSV,
  /** Values between tabs, with a header, without quotes. */
  TSV,
  /** One JSON object a line. */
  NDJSON,
  /** Columns of row groups, with a schema. */
  PARQUET,
  /** Avro's container file, with a schema. */
  AVRO;

  /** A property of fields in Avro's schemas: the name of the column, where it is none of Avro's. */
  public static final String AVRO_NAME = "evenkey.name";

  /**
   * The format that a file's name tells: by {@code .tsv}, {@code .ndjson}, {@code .jsonl}, {@code
   * .json}, {@code .parquet} or {@code .avro}, with or without {@code .gz} or {@code .zst} behind;
   * CSV otherwise.
   */
  public static Format of(String file) {
    String name = file.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|zst)$", "");
    if (name.endsWith(".tsv")) {
      return TSV;
    }
    if (name.endsWith(".parquet")) {
      return PARQUET;
    }
    if (name.endsWith(".avro")) {
      return AVRO;
    }
    return Stream.of(".ndjson", ".jsonl", ".json").anyMatch(name::endsWith) ? NDJSON : CSV;
  }

  /**
   * The records of a file, in the format that its name tells.
   *
   * @throws InputException if it cannot be read, or does not begin as this format does
   */
  public static RecordSource read(Path file) throws InputException {
    return of(file.toString()).read(Input.file(file));
  }

  /** Whether it is text, which is packed as a whole; the others pack their blocks. */
  public boolean isText() {
    return this != PARQUET && this != AVRO;
  }

  /** How this format is written usually, or null if it is not delimited text. */
  public @Nullable Dialect dialect() {
    return switch (this) {
      case CSV -> Dialect.CSV;
      case TSV -> Dialect.TSV;
      default -> null;
    };
  }

  /**
   * The records of an input.
   *
   * @throws InputException if it does not begin as this format does
   */
  public RecordSource read(Input input) throws InputException {
    return read(input, dialect(input));
  }

  /**
   * How an input is written, or null if it is not delimited text: as this format usually is, but
   * CSV whose first lines have no comma between values, and another separator in the same places,
   * has that one.
   *
   * @throws InputException if it cannot be read
   */
  public @Nullable Dialect dialect(Input input) throws InputException {
    return this == CSV ? CsvSource.dialect(input) : dialect();
  }

  /**
   * The records of an input.
   *
   * @param dialect how delimited text is written; not looked at in other formats
   * @throws InputException if it does not begin as this format does
   */
  public RecordSource read(Input input, @Nullable Dialect dialect) throws InputException {
    return switch (this) {
      case CSV -> CsvSource.of(input, dialect == null ? Dialect.CSV : dialect);
      case TSV -> CsvSource.of(input, dialect == null ? Dialect.TSV : dialect);
      case NDJSON -> JsonLinesSource.of(input);
      case PARQUET -> TypedSource.of(input, ParquetRecords::open);
      case AVRO -> TypedSource.of(input, AvroRecords::open);
    };
  }

  /** The name on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
