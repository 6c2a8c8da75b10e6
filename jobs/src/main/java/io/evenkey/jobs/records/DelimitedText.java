/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.CsvRecord;
import de.siegmar.fastcsv.reader.CsvRecordHandler;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.FieldModifier;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The records of delimited text, one after another. Not thread-safe. */
interface DelimitedText extends Closeable {
  /** Stands for no value; compared by identity, since any text may be a value. */
  @SuppressWarnings("StringOperationCanBeSimplified")
  String NONE = new String("");

  /** Characters of a value at most: more than HBase takes in a cell, in hexadecimal digits too. */
  int LONGEST = 1 << 26;

  /**
   * One record.
   *
   * @param fields its values, in order; {@link #NONE} for none
   * @param line the line at which it begins
   */
  record Line(List<String> fields, long line) {}

  /**
   * The next record, or null if there are no more. Empty lines are none.
   *
   * @throws IOException if it cannot be read, or is none
   */
  @Nullable Line next() throws IOException;

  /** A first line that names the separator, as Excel reads and writes it. */
  Pattern SEPARATOR_LINE =
      Pattern.compile(
          "(\"?)sep=([^\\p{Alnum}\"\\r\\n])\\1(?:[\\r\\n].*|\\z)",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  /** Characters of the longest such line, and one behind it. */
  int SEPARATOR_LINE_LENGTH = 9;

  /**
   * The records of a text, without a first line that names the separator.
   *
   * @throws IOException if it cannot be read, or names another separator than one that was chosen
   */
  static DelimitedText of(Dialect dialect, BufferedReader text) throws IOException {
    Character named = separator(text);
    if (named == null) {
      return read(dialect, text);
    }
    if (named != dialect.separator() && dialect.chosen()) {
      throw new IOException(
          "its first line names another separator: named="
              + named
              + " chosen="
              + dialect.separator());
    }
    try {
      DelimitedText records = read(dialect.separatedBy(named), text);
      records.next();
      return records;
    } catch (IllegalArgumentException e) {
      throw new IOException("its first line names a separator that cannot be one", e);
    }
  }

  private static DelimitedText read(Dialect dialect, BufferedReader text) {
    Character quote = dialect.quote();
    return quote == null ? new Escaped(dialect, text) : new Quoted(dialect, quote, text);
  }

  private static @Nullable Character separator(BufferedReader text) throws IOException {
    text.mark(SEPARATOR_LINE_LENGTH);
    StringBuilder first = new StringBuilder();
    Matcher line = SEPARATOR_LINE.matcher(first);
    // No further than needed: a pipe may not have more yet.
    int next = text.read();
    while (next >= 0) {
      first.append((char) next);
      boolean isWhole = line.reset().matches() && (next == '\n' || next == '\r');
      if (isWhole || !line.hitEnd() || first.length() == SEPARATOR_LINE_LENGTH) {
        break;
      }
      next = text.read();
    }
    text.reset();
    return line.reset().matches() ? (Character) line.group(2).charAt(0) : null;
  }

  /** Text with quotes. */
  final class Quoted implements DelimitedText {
    private final CsvReader<CsvRecord> reader;
    private final Iterator<CsvRecord> records;

    Quoted(Dialect dialect, char quote, BufferedReader text) {
      String nothing = dialect.nullText();
      FieldModifier modifier =
          new FieldModifier() {
            @Override
            public String modify(long line, int field, boolean quoted, String value) {
              String read = dialect.trimmed() ? value.strip() : value;
              return !quoted && read.equals(nothing) ? NONE : read;
            }
          };
      // Field counts are checked by the source, where the missing column can be named.
      reader =
          CsvReader.builder()
              .fieldSeparator(dialect.separator())
              .quoteCharacter(quote)
              .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
              .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
              .trimWhitespacesAroundQuotes(dialect.trimmed())
              .allowUnclosedQuote(false)
              .maxBufferSize(LONGEST)
              .build(
                  CsvRecordHandler.of(
                      handler -> handler.maxFieldSize(LONGEST).fieldModifier(modifier)),
                  text);
      records = reader.iterator();
    }

    @Override
    public @Nullable Line next() throws IOException {
      try {
        if (!records.hasNext()) {
          return null;
        }
        CsvRecord record = records.next();
        return new Line(record.getFields(), record.getStartingLineNumber());
      } catch (UncheckedIOException e) {
        throw e.getCause();
      } catch (CsvParseException e) {
        throw e.getCause() instanceof CharacterCodingException io ? io : new IOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      reader.close();
    }
  }

  /**
   * Text without quotes, with an escape or without one, as PostgreSQL's COPY and MySQL write it.
   * Without an escape a value has no separator and no line break.
   */
  final class Escaped implements DelimitedText {
    private final Dialect dialect;
    private final BufferedReader text;
    private long lines;

    Escaped(Dialect dialect, BufferedReader text) {
      this.dialect = dialect;
      this.text = text;
    }

    @Override
    public @Nullable Line next() throws IOException {
      String line = line();
      while (line != null && line.isEmpty()) {
        line = line();
      }
      if (line == null) {
        return null;
      }
      long first = lines;
      List<String> fields = new ArrayList<>();
      StringBuilder value = new StringBuilder();
      Character escape = dialect.escape();
      String nothing = dialect.nullText();
      int start = 0;
      for (int i = 0; i <= line.length(); i++) {
        if (i == line.length() || line.charAt(i) == dialect.separator()) {
          boolean none = nothing != null && nothing.contentEquals(line.subSequence(start, i));
          fields.add(none ? NONE : value(value));
          value.setLength(0);
          start = i + 1;
        } else if (escape == null || line.charAt(i) != escape) {
          value.append(line.charAt(i));
        } else if (++i < line.length()) {
          value.append(meant(line.charAt(i)));
        } else {
          String more = line();
          if (more == null) {
            throw new IOException("escape at the end of the text");
          }
          // An escaped line break: the record goes on.
          line = line + '\n' + more;
          value.append('\n');
        }
      }
      return new Line(fields, first);
    }

    private String value(StringBuilder meant) {
      return dialect.trimmed() ? meant.toString().strip() : meant.toString();
    }

    private static char meant(char escaped) {
      return switch (escaped) {
        case 'n' -> '\n';
        case 'r' -> '\r';
        case 't' -> '\t';
        case 'b' -> '\b';
        case 'v' -> '\u000b';
        case '0' -> '\0';
        default -> escaped;
      };
    }

    private @Nullable String line() throws IOException {
      lines++;
      return text.readLine();
    }

    @Override
    public void close() throws IOException {
      text.close();
    }
  }
}
