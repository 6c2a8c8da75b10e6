/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import java.util.Locale;

/** The format of the records in a file. */
public enum Format {
  /** Values between commas, with a header. */
  CSV,
  /** Values between tabs, with a header. */
  TSV,
  /** One JSON object a line. */
  NDJSON;

  /**
   * The format that a file's name tells: by {@code .tsv}, {@code .ndjson} or {@code .jsonl}, with
   * or without {@code .gz} or {@code .zst} behind; CSV otherwise.
   */
  public static Format of(String file) {
    String name = file.toLowerCase(Locale.ROOT).replaceFirst("\\.(gz|zst)$", "");
    if (name.endsWith(".tsv")) {
      return TSV;
    }
    return name.endsWith(".ndjson") || name.endsWith(".jsonl") ? NDJSON : CSV;
  }

  /**
   * The records of an input.
   *
   * @throws InputException if it does not begin as this format does
   */
  public RecordSource read(Input input) throws InputException {
    return switch (this) {
      case CSV -> CsvSource.of(input, ',');
      case TSV -> CsvSource.of(input, '\t');
      case NDJSON -> JsonLinesSource.of(input);
    };
  }

  /** As the command line spells it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
