/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.jobs.records.Dialect;
import io.evenkey.jobs.records.Format;
import io.evenkey.jobs.records.Input;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.message.Suggestion;
import io.evenkey.report.terminal.Controls;
import io.evenkey.report.terminal.Shell;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options that say how delimited text is written. */
final class DialectOptions {
  private static final String NONE = "none";

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command = CommandSpec.create();

  @Option(
      names = "--delimiter",
      paramLabel = "C",
      description = "Character between values of CSV or TSV; tab is a tab.")
  private @Nullable String delimiter;

  @Option(
      names = "--quote",
      paramLabel = "C",
      description =
          "Character around values; none: quotes mean nothing. Default: \" in CSV, none in TSV.")
  private @Nullable String quote;

  @Option(
      names = "--escape",
      paramLabel = "C",
      description = "Escape character, as in \\t and \\n; implies --quote none.")
  private @Nullable String escape;

  @Option(
      names = "--null",
      paramLabel = "TEXT",
      description = "Text that means no value, such as \\N. Default: empty text.")
  private @Nullable String nullText;

  @Option(
      names = "--header",
      split = ",",
      paramLabel = "NAMES",
      description = "Names of the columns, separated by commas, of a file without a header.")
  private List<String> header = List.of();

  @Option(
      names = "--no-header",
      description = "The file has no header: its columns are called c1, c2 and so on.")
  private boolean noHeader;

  @Option(names = "--trim", description = "Leave out blanks around names and values.")
  private boolean trim;

  /**
   * The dialect that the options give, or null if there are none.
   *
   * @param format of the file
   */
  @Nullable Dialect of(Format format) {
    if (delimiter == null
        && quote == null
        && escape == null
        && nullText == null
        && header.isEmpty()
        && !noHeader
        && !trim) {
      return null;
    }
    Dialect usual = format.dialect();
    if (usual == null) {
      throw new ParameterException(
          command.commandLine(),
          "options of delimited text for another format: format=" + format + "; leave them out");
    }
    try {
      return new Dialect(
          delimiter == null ? usual.separator() : character("--delimiter", delimiter),
          quote == null
              ? escape == null ? usual.quote() : null
              : quote.equals(NONE) ? null : (Character) character("--quote", quote),
          escape == null ? null : (Character) character("--escape", escape),
          nullText,
          header,
          noHeader,
          trim,
          delimiter != null || usual.chosen());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /**
   * The dialect that the options give, or else the first lines of the input; null if it is the
   * format's usual one.
   *
   * @throws InputException if it cannot be read
   */
  @Nullable Dialect of(Input input, Format format) throws InputException {
    Dialect given = of(format);
    if (given != null) {
      return given;
    }
    Dialect seen = format.dialect(input);
    return Objects.equals(seen, format.dialect()) ? null : seen;
  }

  /** How files of a format are read when no option says it; empty if that is no guess. */
  String guess(Format format) {
    if (of(format) != null) {
      return "";
    }
    String others = "; --delimiter, --quote, --escape, --null and --header say otherwise";
    return switch (format) {
      case CSV -> "read as csv: commas between values, double quotes around them" + others;
      case TSV -> "read as tsv: tabs between values, and a quote is a character" + others;
      default -> "";
    };
  }

  /** The options that were given, as they follow the words of a command. */
  String arguments() {
    StringBuilder given = new StringBuilder();
    add(given, "--delimiter", delimiter);
    add(given, "--quote", quote);
    add(given, "--escape", escape);
    add(given, "--null", nullText);
    add(given, "--header", header.isEmpty() ? null : String.join(",", header));
    given.append(noHeader ? " --no-header" : "").append(trim ? " --trim" : "");
    return given.toString();
  }

  private static void add(StringBuilder given, String option, @Nullable String value) {
    if (value != null) {
      given.append(' ').append(option).append(' ').append(Shell.quoted(value));
    }
  }

  private char character(String option, String text) {
    if (text.equals("tab") || text.equals("\\t")) {
      return '\t';
    }
    if (text.length() != 1) {
      throw new ParameterException(
          command.commandLine(), "not one character: " + option + "=" + text + "; give one");
    }
    return text.charAt(0);
  }

  /** The records of an input, in the format that its name tells. */
  RecordSource read(Input input) throws InputException {
    return read(input, Format.of(input.name()));
  }

  /** The records of an input. */
  RecordSource read(Input input, Format format) throws InputException {
    Dialect other = of(input, format);
    RecordSource source = format.read(input, other == null ? format.dialect() : other);
    if (source.hasDoubtfulHeader()) {
      // Without its header, a file lacks its first record, which nothing else would tell.
      command
          .commandLine()
          .getErr()
          .println(
              Controls.escaped(
                  "warning: first line is read as the header, and looks like a record: file="
                      + source.name()
                      + " columns="
                      + Suggestion.listed(source.columns())
                      + "; if it is a record, name the columns (--header) or number them"
                      + " (--no-header)"));
    }
    return source;
  }
}
