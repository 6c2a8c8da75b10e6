/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rules for the sources of all modules that no compiler checks. */
class HouseRulesTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern COMMENT = Pattern.compile("\\s*(\\*|//|/\\*).*");
  private static final Pattern KEY = Pattern.compile("[a-z][a-z_.-]*=\\S*");
  private static final Pattern WORD = Pattern.compile("[a-z]+");
  private static final Pattern PUBLIC_TYPE =
      Pattern.compile(
          "^public (?:abstract |final |sealed |non-sealed )*(?:class|interface|record|enum) (\\w+)",
          Pattern.MULTILINE);

  private static final Pattern DIALECT =
      Pattern.compile(
          "/\\*\\* (The same|As above|That of|Those of)\\b|(?i)\\b(refused by name|in place of|meanwhile|besides|as before)\\b");

  /** The end of a line within a text, and within a comment. */
  private static final Pattern TEXT_BREAK = Pattern.compile("\"\\s*\\n\\s*\\+\\s*\"");

  private static final Pattern COMMENT_BREAK = Pattern.compile("\\s*\\n\\s*(\\*(?!/)|//)?\\s*");

  /** The commands of the test cluster are in their own module. */
  private static final Pattern BELOW_THE_APPLICATION =
      Pattern.compile(
          "/(layout|protocol|client|server|advisor|jobs|spark|embedded|cluster)/src/main/(?!.*/command/)");

  private static final Pattern COMMAND =
      Pattern.compile(
          "\\bevenkey (demo|init|advise|explain|decode|ranges|splits|size|plan|create|adopt|import|export"
              + "|scan|get|put|count|portal|heat|doctor|verify|migrate|grow|regions|index|server|dev"
              + "|completion|bench|cluster)\\b");

  private static final Pattern BAR =
      Pattern.compile("console\\s*\\.(p|byteP|shareP)rogress\\(|new (Bulk|Index|Migration)Bar\\(");

  private static final Pattern ON_ONE_LINE = Pattern.compile("\"((?:[^\"\\\\\\n]++|\\\\.)*+)\"");

  private static final Pattern OPTION = Pattern.compile("(^|[\\s(;])--[a-z]");

  /** These make whole commands, Java's or Evenkey's, and the names of jobs in YARN's lists. */
  private static final List<String> JAVA_COMMANDS =
      List.of(
          "advisor/ProposedIndex.java",
          "cluster/JavaCommand.java",
          "jobs/mapreduce/BulkLoad.java",
          "jobs/index/FilesFilling.java",
          "jobs/migration/copy/Copy.java");

  /** Units of the value before the key. */
  private static final Set<String> UNITS = Set.of("ms", "s", "KB", "MB");

  /** Parts of the layout language in a message, which are not keys, and examples of arguments. */
  private static final Set<String> OTHERS =
      Set.of("expected at least over=", "expected name=value", "get readings", "put readings");

  private static List<Path> sources() throws IOException {
    try (Stream<Path> modules = Files.list(ROOT)) {
      List<Path> sources = new ArrayList<>();
      for (Path module :
          modules.filter(m -> Files.isDirectory(m.resolve("src/main/java"))).toList()) {
        try (Stream<Path> files = Files.walk(module.resolve("src/main/java"))) {
          files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
        }
      }
      assertThat(sources).as("sources below %s", ROOT.toAbsolutePath()).hasSizeGreaterThan(500);
      return sources;
    }
  }

  /** Messages are {@code rule: key=value key=value; remedy}, so that programs can parse them. */
  @Test
  void keysOfMessagesHaveNoSpaces() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      for (String line : Files.readAllLines(source)) {
        if (!COMMENT.matcher(line).matches()) {
          Matcher literal = LITERAL.matcher(line);
          while (literal.find()) {
            keysOfTwoWords(literal.group(1)).forEach(key -> found.add(source + ": " + key));
          }
        }
      }
    }
    assertThat(found).isEmpty();
  }

  private static List<String> keysOfTwoWords(String text) {
    List<String> found = new ArrayList<>();
    if (OTHERS.stream().anyMatch(text::contains)) {
      return found;
    }
    for (String part : text.split("[:;,(] ?", -1)) {
      String[] words = part.strip().split(" ", -1);
      for (int i = 1; i < words.length; i++) {
        boolean isKey = KEY.matcher(words[i]).matches();
        if (isKey && WORD.matcher(words[i - 1]).matches() && !UNITS.contains(words[i - 1])) {
          found.add(words[i - 1] + " " + words[i]);
        }
      }
    }
    return found;
  }

  @Test
  void keysOfTwoWordsAreFound() {
    assertThat(keysOfTwoWords("load was interrupted: records done="))
        .containsExactly("records done=");
    assertThat(keysOfTwoWords("load was interrupted: records=%d path=%s")).isEmpty();
    assertThat(keysOfTwoWords(" ms reason=")).isEmpty();
  }

  /** Comments say what a thing is for, and comments and messages have words that others use. */
  @Test
  void commentsAndMessagesArePlain() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      dialect(Files.readString(source)).forEach(words -> found.add(source + ": " + words));
    }
    assertThat(found).isEmpty();
  }

  private static List<String> dialect(String source) {
    String joined = TEXT_BREAK.matcher(source).replaceAll("");
    String text = COMMENT_BREAK.matcher(joined).replaceAll(" ");
    List<String> found = new ArrayList<>();
    Matcher words = DIALECT.matcher(text);
    while (words.find()) {
      found.add(words.group());
    }
    return found;
  }

  @Test
  void dialectIsFoundAcrossLines() {
    assertThat(dialect("/** The same. */")).containsExactly("/** The same");
    assertThat(dialect("/** Those of a scan. */")).containsExactly("/** Those of");
    assertThat(dialect(" * rows that are written\n   * meanwhile")).containsExactly("meanwhile");
    assertThat(dialect("\"is refused by \"\n      + \"name\"")).containsExactly("refused by name");
  }

  /**
   * Pages and programs show these messages too: the command line adds its own words, see {@code
   * CommandWords}.
   */
  @Test
  void messagesBelowTheApplicationNameNoCommandsOrTheirOptions() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      if (BELOW_THE_APPLICATION.matcher(source.toString()).find()
          && JAVA_COMMANDS.stream().noneMatch(source.toString()::endsWith)) {
        commandWords(Files.readString(source)).forEach(words -> found.add(source + ": " + words));
      }
    }
    assertThat(found).isEmpty();
  }

  private static List<String> commandWords(String source) {
    List<String> found = new ArrayList<>();
    Matcher literal = ON_ONE_LINE.matcher(TEXT_BREAK.matcher(source).replaceAll(""));
    while (literal.find()) {
      String text = literal.group(1);
      if (OPTION.matcher(text).find() || COMMAND.matcher(text).find()) {
        found.add(text);
      }
    }
    return found;
  }

  @Test
  void commandsAndTheirOptionsAreFound() {
    assertThat(commandWords("\"; --resume goes on\"")).hasSize(1);
    assertThat(commandWords("\"end it with evenkey \"\n + \"migrate t --finish\"")).hasSize(1);
    assertThat(commandWords("\"; evenkey \"\n + \"doctor names both\"")).hasSize(1);
    assertThat(commandWords("\"evenkey job split\"")).isEmpty();
    assertThat(commandWords("\"a -- b\" + x + \"no-thing\"")).isEmpty();
  }

  /** A command that shows a progress bar says after Ctrl-C what it has done. */
  @Test
  void commandsWithABarSayWhatTheyHaveDoneWhenTheyAreStopped() throws IOException {
    List<String> found = new ArrayList<>();
    for (Path source : sources()) {
      String text = Files.readString(source);
      if (source.toString().endsWith("Command.java")
          && BAR.matcher(text).find()
          && !text.contains("console.ifStopped(")) {
        found.add(source.toString());
      }
    }
    assertThat(found).isEmpty();
  }

  /** The simple names of public types are unique. */
  @Test
  void simpleNamesOfPublicTypesAreUnique() throws IOException {
    Map<String, Set<String>> files = new TreeMap<>();
    for (Path source : sources()) {
      Matcher type = PUBLIC_TYPE.matcher(Files.readString(source));
      if (type.find()) {
        files.computeIfAbsent(type.group(1), name -> new TreeSet<>()).add(source.toString());
      }
    }
    files.values().removeIf(sources -> sources.size() == 1);
    assertThat(files).isEmpty();
  }
}
