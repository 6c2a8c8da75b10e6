/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.message.FailureMessage;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How delimited text is written. Immutable.
 *
 * @param separator between two values
 * @param quote around values that have separators or line breaks, doubled inside; or null: then
 *     quotes are characters like others
 * @param escape before a character that is meant as it is, and in {@code \n}, {@code \r}, {@code
 *     \t}, {@code \b}, {@code \0} and {@code \v}; or null. Only without a quote
 * @param nullText what stands, without quotes, for no value; or null: then empty text does
 * @param header the names of the columns; empty if the first record has them
 * @param numbered whether the columns have no names: they are called {@code c1}, {@code c2} …
 * @param trimmed whether blanks around names and values are left out
 * @param chosen whether the separator was chosen: then a first line that names another is rejected
 */
public record Dialect(
    char separator,
    @Nullable Character quote,
    @Nullable Character escape,
    @Nullable String nullText,
    List<String> header,
    boolean numbered,
    boolean trimmed,
    boolean chosen) {
  private static final String SPLIT = "\n";

  /** RFC 4180: commas, and double quotes. */
  public static final Dialect CSV =
      new Dialect(',', '"', null, null, List.of(), false, false, false);

  /**
   * The form of {@code text/tab-separated-values} as the IANA registers it: tabs, and no quotes.
   */
  public static final Dialect TSV =
      new Dialect('\t', null, null, null, List.of(), false, false, true);

  /**
   * Copies the header and checks the characters.
   *
   * @throws IllegalArgumentException if two of them are one, or contradict each other
   */
  public Dialect {
    header = List.copyOf(header);
    if (quote != null && escape != null) {
      throw new EvenkeyArgumentException(
          FailureMessage.of("quotes and escapes")
              .with("quote", quote)
              .with("escape", escape)
              .remedy("give one of them"));
    }
    if (quote != null && quote == separator || escape != null && escape == separator) {
      throw new EvenkeyArgumentException(
          FailureMessage.of("one character for two things")
              .with("separator", separator)
              .remedy("give two"));
    }
    for (char c :
        new char[] {separator, quote == null ? '"' : quote, escape == null ? '\\' : escape}) {
      if (c == '\n' || c == '\r') {
        throw new EvenkeyArgumentException(
            "a line break, which ends a record: separator, quote or escape; give another"
                + " character");
      }
    }
    if (header.stream().anyMatch(name -> name.isBlank() || name.contains(SPLIT))
        || Set.copyOf(header).size() < header.size()) {
      throw new EvenkeyArgumentException(
          FailureMessage.of("names of columns").with("header", header).remedy("give each its own"));
    }
    if (numbered && !header.isEmpty()) {
      throw new EvenkeyArgumentException("names for columns without names; give one of them");
    }
  }

  /** This dialect with another separator, which is chosen. */
  Dialect separatedBy(char other) {
    return new Dialect(other, quote, escape, nullText, header, numbered, trimmed, true);
  }

  /** This dialect as hexadecimal digits, which any configuration keeps as they are. */
  public String encoded() {
    String text =
        String.join(
            SPLIT,
            String.valueOf(separator),
            quote == null ? "" : quote.toString(),
            escape == null ? "" : escape.toString(),
            nullText == null ? "" : "=" + nullText,
            String.valueOf(numbered),
            String.valueOf(trimmed),
            String.valueOf(chosen),
            String.join(SPLIT, header));
    return ByteText.hex(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Reads the form that {@link #encoded} returns. */
  public static Dialect decoded(String digits) {
    String text = new String(ByteText.fromHex(digits), StandardCharsets.UTF_8);
    String[] parts = text.split(SPLIT, -1);
    List<String> header = Arrays.asList(parts).subList(7, parts.length);
    return new Dialect(
        parts[0].charAt(0),
        parts[1].isEmpty() ? null : parts[1].charAt(0),
        parts[2].isEmpty() ? null : parts[2].charAt(0),
        parts[3].isEmpty() ? null : parts[3].substring(1),
        header.equals(List.of("")) ? List.of() : header,
        Boolean.parseBoolean(parts[4]),
        Boolean.parseBoolean(parts[5]),
        Boolean.parseBoolean(parts[6]));
  }
}
