/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.records;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.ZstdOutputStream;
import io.evenkey.layout.Layout;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvSourceTest {
  private static final String TEXT = "id,name\n1,\"a, \"\"b\"\"\nc\"\n2,é\n";

  @TempDir private Path directory;

  private Path write(String name, byte[] bytes) throws IOException {
    return Files.write(directory.resolve(name), bytes);
  }

  private Path write(String text) throws IOException {
    return write("file.csv", text.getBytes(StandardCharsets.UTF_8));
  }

  private static List<String> read(Path file) throws IOException {
    CsvSource source = CsvSource.of(file);
    List<String> values = new ArrayList<>(source.columns());
    try (RecordCursor records = source.open()) {
      while (records.next()) {
        values.add(records.line() + ":" + records.value(0) + "|" + records.value(1));
      }
    }
    return values;
  }

  @Test
  void quotesCommasLineBreaksAndAccentsAreRead() throws IOException {
    assertThat(read(write(TEXT))).containsExactly("id", "name", "2:1|a, \"b\"\nc", "4:2|é");
    assertThat(read(write("\uFEFF" + TEXT))).startsWith("id");
    assertThat(read(write("\uFEFF\"id\",\"name\"\n1,a\n"))).startsWith("id", "name");
    assertThat(read(write(TEXT.replace("\n", "\r\n")))).contains("4:2|é");
  }

  @Test
  void aValueMayBeAsLongAsHBaseTakes() throws IOException {
    String value = "v".repeat(20 << 20);
    assertThat(read(write("id,name\n1," + value + "\n"))).endsWith("2:1|" + value);
  }

  @Test
  void theFirstLinesDecideTheSeparatorWhereTheHeaderHasNoComma() throws IOException {
    for (String separator : List.of(";", "\t", "|")) {
      Path file =
          write("device,time,temp\nd1,2026-01-31,\"2,5\"\n".replaceAll(",(?!5)", "\\" + separator));
      RecordSource source = Format.read(file);
      assertThat(source.columns()).as(separator).containsExactly("device", "time", "temp");
      try (RecordCursor records = source.open()) {
        assertThat(records.next()).isTrue();
        assertThat(records.value(2)).isEqualTo("2,5");
      }
    }
    assertThat(Format.read(write("a;b\nx\n")).columns()).containsExactly("a;b");
    assertThat(Format.read(write("\"a;b\"\n\"x;y\"\n")).columns()).containsExactly("a;b");
    assertThat(Format.read(write("a;b,c\nx;y,z\n")).columns()).containsExactly("a;b", "c");
    assertThat(Format.read(write("word\n")).columns()).containsExactly("word");
  }

  @Test
  void aFirstLineOfExcelsNamesTheSeparator() throws IOException {
    for (String separator : List.of(";", ",", "\t", "|")) {
      for (String first : List.of("sep=" + separator, "\"SEP=" + separator + "\"")) {
        String text = "\uFEFF%s\r\nid%2$sname\r\n1%2$sa\r\n".formatted(first, separator);
        assertThat(read(write(text))).as(first).containsExactly("id", "name", "3:1|a");
        assertThat(Format.read(write(text)).columns()).as(first).containsExactly("id", "name");
      }
    }
    assertThat(Format.read(write("sep=;\nid,name\n1,a\n")).columns()).containsExactly("id,name");
    assertThat(Format.read(write("sep=;a\nb;c\n")).columns()).containsExactly("sep=", "a");
    Dialect noHeader = new Dialect(',', '"', null, null, List.of(), true, false, false);
    assertThat(records("sep=;\n1;a\n", noHeader)).contains(List.of("1", "a")).hasSize(2);
    assertRefused(write("sep=;"), "empty file");
    assertRefused(write("sep=;\nid;name\n1;\"a\n"), "not CSV", "line 3");
    Dialect chosen = Dialect.CSV.separatedBy('|');
    assertThatThrownBy(() -> records("sep=;\na|b\n", chosen))
        .isInstanceOf(InputException.class)
        .hasMessageContainingAll("names another separator", "named=;", "chosen=|");
    Dialect commas = Dialect.CSV.separatedBy(',');
    assertThatThrownBy(() -> records("sep=;\na;b\n", commas))
        .isInstanceOf(InputException.class)
        .hasMessageContainingAll("names another separator", "named=;", "chosen=,");
    assertThat(records("sep=,\na,b\n1,2\n", commas)).contains(List.of("1", "2"));
  }

  @Test
  void theBytesDecideTheCompressionWhateverTheName() throws IOException {
    Path gzip = directory.resolve("a.csv");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(gzip))) {
      out.write(TEXT.getBytes(StandardCharsets.UTF_8));
    }
    Path zstd = directory.resolve("b.csv.zst");
    try (OutputStream out = new ZstdOutputStream(Files.newOutputStream(zstd))) {
      out.write(TEXT.getBytes(StandardCharsets.UTF_8));
    }
    assertThat(read(gzip)).isEqualTo(read(write(TEXT))).isEqualTo(read(zstd));
    byte[] whole = Files.readAllBytes(gzip);
    assertRefused(write("cut.csv.gz", Arrays.copyOf(whole, whole.length - 12)), "cut short");
  }

  private void assertRefused(Path file, String... parts) {
    assertThatThrownBy(() -> read(file))
        .isInstanceOf(InputException.class)
        .hasMessageContainingAll(parts)
        .hasMessageContaining("file=" + file);
  }

  @Test
  void invalidFilesAreRefusedWithThePlace() throws IOException {
    assertRefused(directory.resolve("none.csv"), "no such file");
    assertRefused(directory, "a directory");
    assertRefused(write(""), "empty file");
    assertRefused(write("id,id\n1,2\n"), "column 'id' stands twice", "line=1");
    assertRefused(write("id,\n1,2\n"), "column 2 has no name", "line=1");
    assertRefused(write("id,name\n1,a\n2\n"), "1 fields", "column name is missing", "line=3");
    assertRefused(write("id,name\n1,a\n2,b,c\n"), "record of 3 fields", "line=3");
    assertRefused(write("id,name\n1,\"a\n"), "not CSV", "line 2");
    // Files that were joined, compressed or not.
    assertRefused(write("id,name\n1,a\nid,name\n2,b\n"), "the header again", "line=3");
    byte[] latin = "id,name\n1,a\n2,b\u00e9c\n".getBytes(StandardCharsets.ISO_8859_1);
    assertRefused(write("latin.csv", latin), "byte 0xe9 at character 4 of the line", "line=3");
  }

  @Test
  void aMissingColumnIsNamedWithSomeOfThoseThatAreThere() throws IOException {
    String many = IntStream.range(0, 10_000).mapToObj(i -> "c" + i).collect(joining(","));
    for (String header : List.of(many, "x".repeat(100_000) + ",ts")) {
      RecordSource source = Format.read(write(header + "\n"));
      assertThatThrownBy(() -> source.column("device"))
          .hasMessageContaining("no such column: file=")
          .satisfies(e -> assertThat(e.getMessage()).hasSizeLessThan(500));
    }
  }

  @Test
  void aValueThatCannotBeInAKeyIsRefusedWithFileLineAndColumn() throws IOException {
    CsvSource source = CsvSource.of(write("id,name\n1,a\nx,b\n"));
    assertThatThrownBy(() -> KeyColumns.of(source, Layout.parse("id:int64")).quantiles())
        .isInstanceOf(InputException.class)
        .hasMessageContainingAll("not a whole number", "line=3", "column=id", "value=\"x\"");
    assertThatThrownBy(() -> KeyColumns.of(source, Layout.parse("nmae:string")))
        .isInstanceOf(InputException.class)
        .hasMessageContainingAll("did you mean 'name'?", "it has id, name");
  }

  private static List<List<String>> records(String text, Dialect dialect) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    CsvSource source = CsvSource.of(Input.stream("a", new ByteArrayInputStream(bytes)), dialect);
    List<List<String>> all = new ArrayList<>(List.of(source.columns()));
    try (RecordCursor records = source.open()) {
      while (records.next()) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i < source.columns().size(); i++) {
          values.add(records.has(i) ? records.value(i) : "(none)");
        }
        all.add(values);
      }
    }
    return all;
  }

  private static Dialect dialect(
      char separator, Character quote, Character escape, String nothing) {
    return new Dialect(separator, quote, escape, nothing, List.of(), false, false, false);
  }

  @Test
  void quotesMeanNothingInTsvUnlessAsked() throws IOException {
    String text = "id\ttitle\n1\t\"Weird Al\n2\ta \"b\"\n3\t\"c\"\n";
    assertThat(records(text, Dialect.TSV))
        .containsExactly(
            List.of("id", "title"),
            List.of("1", "\"Weird Al"),
            List.of("2", "a \"b\""),
            List.of("3", "\"c\""));
    assertThat(records("id\ttitle\n1\t\"a\tb\"\n", dialect('\t', '"', null, null)))
        .containsExactly(List.of("id", "title"), List.of("1", "a\tb"));
  }

  @Test
  void separatorsQuotesAndNullsAreWhatTheDialectSays() throws IOException {
    assertThat(records("id;v\n1;'a;''b'\n2;\\N\n3;'\\N'\n", dialect(';', '\'', null, "\\N")))
        .containsExactly(
            List.of("id", "v"), List.of("1", "a;'b"), List.of("2", "(none)"), List.of("3", "\\N"));
  }

  @Test
  void textOfPostgresAndMysqlIsReadWithItsEscapes() throws IOException {
    String text = "id\tv\n1\ta\\tb\\nc\\\\N\n2\t\\N\n3\tx\\\ty\n4\tx\\\ny\n5\t\n";
    assertThat(records(text, dialect('\t', null, '\\', "\\N")))
        .containsExactly(
            List.of("id", "v"),
            List.of("1", "a\tb\nc\\N"),
            List.of("2", "(none)"),
            List.of("3", "x\ty"),
            List.of("4", "x\ny"),
            List.of("5", ""));
  }

  @Test
  void aFileWithoutAHeaderHasNumberedOrGivenNames() throws IOException {
    Dialect numbered = new Dialect(',', '"', null, null, List.of(), true, false, false);
    assertThat(records("1,a\n2,b\n", numbered))
        .containsExactly(List.of("c1", "c2"), List.of("1", "a"), List.of("2", "b"));
    Dialect named = new Dialect(',', '"', null, null, List.of("id", "v"), false, false, false);
    assertThat(records("1,a\n2,b\n", named))
        .containsExactly(List.of("id", "v"), List.of("1", "a"), List.of("2", "b"));
    Path file = write("1,a\n2,b\n");
    CsvSource twice = CsvSource.of(Input.file(file), numbered);
    for (int i = 0; i < 2; i++) {
      try (RecordCursor records = twice.open()) {
        assertThat(records.next()).isTrue();
        assertThat(records.value(1)).isEqualTo("a");
      }
    }
  }

  @Test
  void blanksAroundNamesAreRefusedOrTrimmed() throws IOException {
    assertRefused(
        write("id, ts\n1, 2\n"), "blanks around the name", "column=' ts'", "have them left out");
    Dialect trimmed = new Dialect(',', '"', null, null, List.of(), false, true, false);
    assertThat(records("id, ts\n1,  2 \n2, \"a,b\" \n", trimmed))
        .containsExactly(List.of("id", "ts"), List.of("1", "2"), List.of("2", "a,b"));
  }

  @Test
  void aDialectIsReadBackFromAConfiguration() {
    for (Dialect dialect :
        List.of(
            Dialect.CSV,
            Dialect.TSV,
            dialect('\u0001', null, '\\', "\\N"),
            new Dialect(';', '\'', null, "", List.of("a", "b c"), false, true, false),
            new Dialect(',', '"', null, null, List.of(), true, false, false))) {
      assertThat(Dialect.decoded(dialect.encoded())).isEqualTo(dialect);
    }
    assertThatThrownBy(() -> dialect('"', '"', null, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> dialect(',', '"', '\\', null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new Dialect(',', null, null, null, List.of("a", "a"), false, false, false))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
