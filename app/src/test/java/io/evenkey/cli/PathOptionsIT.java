/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.portal.Portal;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;

/**
 * No command deletes or overwrites what it did not create: every option of every command that names
 * a path. A new one fails {@link #everyOptionThatNamesAPathIsInATable} until it is in a table here.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(180)
class PathOptionsIT {
  private static final String FOREIGN = "this is a letter, and the only copy of it\n";

  /** Options that only read, in all commands. */
  private static final Set<String> READ_BY_ALL = Set.of("--conf");

  /** Options that only read. */
  private static final Set<String> READ =
      Set.of(
          "advise --csv",
          "advise --queries",
          "demo --csv",
          "import --csv",
          "init --from",
          "install --jar",
          "plan --csv",
          "plan --import",
          "portal --token-file",
          "splits --csv");

  /**
   * A command that would write to the path of an option.
   *
   * @param option command and option
   * @param result the beginning of the file that it writes; empty if it never replaces a file
   * @param arguments the arguments; PATH stands for the path
   */
  private record Writing(String option, String result, List<String> arguments) {
    static Writing of(String option, String result, String arguments) {
      return new Writing(option, result, List.of(arguments.split(" ", -1)));
    }

    @Override
    public String toString() {
      return String.join(" ", arguments);
    }
  }

  private static final List<Writing> FILES =
      List.of(
          Writing.of(
              "import --rejects",
              "file,line,column,reason",
              "import TABLE --csv FAULTY --max-rejects 1 --checkpoint NEW --rejects PATH"),
          Writing.of(
              "import --rejects",
              "file,line,column,reason",
              "import TABLE --csv FAULTY --max-rejects 1 --bulk --rejects PATH"),
          Writing.of("import --checkpoint", "", "import TABLE --csv RECORDS --checkpoint PATH"),
          Writing.of(
              "import --checkpoint", "", "import TABLE --csv RECORDS --checkpoint PATH --restart"),
          Writing.of(
              "import --checkpoint", "", "import TABLE --csv RECORDS --checkpoint PATH --resume"),
          Writing.of("export --out", "id,", "export TABLE --out PATH --format csv"),
          Writing.of(
              "advise --report",
              "<!doctype html>",
              "advise --csv RECORDS --queries QUERIES --report PATH"),
          Writing.of("plan --export", "{", "plan --export PATH"),
          Writing.of("verify --checkpoint", "", "verify TABLE --against OTHER --checkpoint PATH"),
          Writing.of(
              "verify --checkpoint", "", "verify TABLE --against OTHER --checkpoint PATH --resume"),
          Writing.of("portal --audit-log", "", "portal --port 0 --no-history --audit-log PATH"));

  private static final List<Writing> DIRECTORIES =
      List.of(
          Writing.of("import --work", "", "import TABLE --csv RECORDS --bulk --work PATH"),
          Writing.of(
              "migrate --work",
              "",
              "migrate MIGRATED --yes --layout salt(3)+id:string --work PATH"),
          Writing.of("dev --dir", "", "dev --dir PATH --no-portal"));

  /**
   * Directories that other tests cover: {@link InitCommandTest}, and those of the files of indexes,
   * which a command makes as {@code import} does.
   */
  private static final Set<String> OF_ANOTHER_TEST = Set.of("init DIR", "add --work");

  /** Commands that have their own directory, and reject any other. */
  private static final Set<String> OWN_DIRECTORY = Set.of("dev");

  @TempDir private Path directory;
  private EmbeddedHBase hbase;

  @BeforeEach
  void create(EmbeddedHBase shared) throws IOException {
    hbase = shared;
    for (String table : List.of("paths", "paths_other")) {
      if (!Run.on(hbase, "plan", table).out().contains("salt(2)")) {
        Run.on(hbase, "plan", table, "--layout", "salt(2) + id:string", "--families", "d").done();
        Run.on(hbase, "create", table).done();
      }
    }
    Files.writeString(directory.resolve("records.csv"), "id,value\na,1\nb,2\n");
    Files.writeString(directory.resolve("faulty.csv"), "id,value\na,1\n,2\n");
    Files.writeString(directory.resolve("queries"), "id = ?\n");
    Files.createDirectory(directory.resolve("place"));
  }

  private Path place() {
    return directory.resolve("place");
  }

  private Run run(Writing writing, Path path, String... more) {
    List<String> arguments = new ArrayList<>();
    for (String argument : writing.arguments()) {
      arguments.add(
          switch (argument) {
            case "TABLE" -> "paths";
            case "OTHER" -> "paths_other";
            case "MIGRATED" -> migrated(path);
            case "RECORDS" -> directory.resolve("records.csv").toString();
            case "FAULTY" -> directory.resolve("faulty.csv").toString();
            case "QUERIES" -> directory.resolve("queries").toString();
            case "NEW" -> directory.resolve("checkpoint").toString();
            case "PATH" -> path.toString();
            default -> argument;
          });
    }
    arguments.addAll(Arrays.asList(more));
    return OWN_DIRECTORY.contains(arguments.get(0))
        ? Run.of(arguments.toArray(new String[0]))
        : Run.on(hbase, arguments.toArray(new String[0]));
  }

  private String migrated(Path path) {
    String table = "moved_" + path.getFileName();
    Run.on(hbase, "plan", table, "--layout", "salt(2) + id:string", "--families", "d").done();
    Run.on(hbase, "create", table).done();
    Run.on(hbase, "put", table, "id=a", "d:x=1").done();
    return table;
  }

  /** All files with their contents, and all directories, below a directory. */
  private static Map<String, String> tree(Path root) {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(Predicate.not(root::equals))
          .collect(
              Collectors.toMap(
                  path -> root.relativize(path).toString(),
                  PathOptionsIT::content,
                  (a, b) -> a,
                  TreeMap::new));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String content(Path path) {
    try {
      return Files.isDirectory(path) ? "" : Files.readString(path, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void isRefused(Run run, Path path) {
    assertThat(run.exit()).as(run.toString()).isNotZero();
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).doesNotContain("\tat ").endsWith("\n");
    assertThat(run.err().lines().filter(line -> line.startsWith("evenkey: ")))
        .as(run.err())
        .singleElement()
        .asString()
        .contains(path.toString())
        .contains("; ");
  }

  private static boolean namesAPath(ArgSpec option) {
    boolean typed =
        option.typeInfo().getType() == Path.class
            || option.typeInfo().getType() == File.class
            || Arrays.stream(option.typeInfo().getAuxiliaryTypes())
                .anyMatch(type -> type == Path.class || type == File.class);
    return typed || option.paramLabel().matches(".*(FILE|DIR|PATH|\\.[a-z]+)\\b.*");
  }

  private static void addPaths(CommandLine command, Set<String> found) {
    for (ArgSpec option : command.getCommandSpec().args()) {
      if (namesAPath(option)) {
        String name =
            option.isOption()
                ? ((CommandLine.Model.OptionSpec) option).names()[0]
                : option.paramLabel();
        found.add(command.getCommandName() + " " + name);
      }
    }
    command.getSubcommands().values().forEach(each -> addPaths(each, found));
  }

  @Test
  void everyOptionThatNamesAPathIsInATable() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
    Set<String> found = new TreeSet<>();
    addPaths(Evenkey.commandLine(Portal::start, nowhere, nowhere), found);
    found.removeIf(name -> READ_BY_ALL.contains(name.substring(name.indexOf(' ') + 1)));

    Set<String> known = new TreeSet<>(READ);
    known.addAll(OF_ANOTHER_TEST);
    Stream.of(FILES, DIRECTORIES).flatMap(List::stream).map(Writing::option).forEach(known::add);
    assertThat(found).isEqualTo(known);
  }

  static List<Writing> files() {
    return FILES;
  }

  static List<Writing> directories() {
    return DIRECTORIES;
  }

  static List<Writing> replacing() {
    return FILES.stream().filter(writing -> !writing.result().isEmpty()).toList();
  }

  @ParameterizedTest
  @MethodSource("files")
  void aFileOfSomebodyElseIsRefused(Writing writing) throws IOException {
    Path file = Files.writeString(place().resolve("letter"), FOREIGN);
    Run run = run(writing, file);
    assertThat(tree(place())).isEqualTo(Map.of("letter", FOREIGN));
    isRefused(run, file);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("files")
  void aDirectoryInPlaceOfAFileIsRefused(Writing writing) throws IOException {
    Path inner = Files.createDirectory(place().resolve("inner"));
    Files.writeString(inner.resolve("letter"), FOREIGN);
    Run run = run(writing, inner);
    assertThat(tree(place())).isEqualTo(Map.of("inner", "", "inner/letter", FOREIGN));
    isRefused(run, inner);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("files")
  void aDirectoryThatIsNotThereIsRefused(Writing writing) {
    Path missing = place().resolve("missing");
    if (!writing.toString().contains("--resume")) {
      isRefused(run(writing, missing.resolve("file")), missing);
    }
    assertThat(tree(place())).isEmpty();
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("replacing")
  void withForceTheFileIsReplacedAndNoOther(Writing writing) throws IOException {
    Run.on(hbase, "put", "paths", "id=a", "d:value=1").done();
    Path file = Files.writeString(place().resolve("letter"), FOREIGN);
    // Names from drafts, and other plausible names.
    Files.writeString(place().resolve("letter.part"), FOREIGN);
    Files.writeString(place().resolve("letter.tmp"), FOREIGN);
    run(writing, file, "--force").done();
    assertThat(file).content().startsWith(writing.result());
    assertThat(tree(place()))
        .containsOnlyKeys("letter", "letter.part", "letter.tmp")
        .containsEntry("letter.part", FOREIGN)
        .containsEntry("letter.tmp", FOREIGN);
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("directories")
  void foreignFilesInADirectoryStay(Writing writing) throws IOException {
    Path work = Files.createDirectory(place().resolve("work"));
    for (String file :
        List.of(
            "letter",
            "hfiles/d/letter",
            "staging/letter",
            "files/letter",
            "moved_work.g2.0-00000000-0000-0000-0000-000000000000/letter")) {
      Files.createDirectories(work.resolve(file).getParent());
      Files.writeString(work.resolve(file), FOREIGN);
    }
    Map<String, String> before = tree(place());
    Run run = run(writing, work);
    assertThat(tree(place())).isEqualTo(before);
    if (OWN_DIRECTORY.contains(writing.arguments().get(0))) {
      assertThat(run.exit()).isNotZero();
      assertThat(run.err()).contains("path=" + work);
    } else {
      run.done();
    }
  }

  @Tag("long")
  @ParameterizedTest
  @MethodSource("directories")
  void aFileInPlaceOfADirectoryIsRefused(Writing writing) throws IOException {
    Path file = Files.writeString(place().resolve("letter"), FOREIGN);
    Run run = run(writing, file);
    assertThat(tree(place())).isEqualTo(Map.of("letter", FOREIGN));
    isRefused(run, file);
  }

  @Test
  void aTokenIsReadAndNeverWritten() throws IOException {
    Path file = Files.writeString(place().resolve("token"), "too short\n");
    assertThat(Run.on(hbase, "portal", "--port", "0", "--token-file", file.toString()).exit())
        .isEqualTo(2);
    assertThat(tree(place())).isEqualTo(Map.of("token", "too short\n"));
  }
}
