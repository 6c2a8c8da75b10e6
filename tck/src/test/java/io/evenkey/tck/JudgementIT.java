/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.tck;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Checks the results of HBase's own tests against the list of expected failures, each with the
 * reason why the test cannot pass on a spread table. An unexpected failure, or a pass of a test in
 * the list, is an error. The report is {@code target/tck-report.md}.
 */
class JudgementIT {
  private static final Path REPORTS = Path.of("target", "tck-reports");
  private static final Path LISTS = Path.of("src", "test", "tck");

  /** The results of the tests of a class. */
  private static final class Outcome {
    private int run;
    private int passed;
    private int skipped;
    private final TreeSet<String> passing = new TreeSet<>();
    private final TreeSet<String> failing = new TreeSet<>();
    private int failed;
  }

  @Test
  void allFailuresAreExcused() throws Exception {
    Map<String, Outcome> outcomes = outcomes();
    assertThat(outcomes).as("tests of HBase's that were run").isNotEmpty();
    Properties excuses = new Properties();
    load(excuses, "excuses.properties");
    if (Boolean.getBoolean("tck.index")) {
      load(excuses, "index-excuses.properties");
    }
    List<String> unexcused = new ArrayList<>();
    List<String> needless = new ArrayList<>();
    outcomes.forEach(
        (type, outcome) -> {
          outcome.failing.stream()
              .map(method -> type + "." + method)
              .filter(test -> !excuses.containsKey(test))
              .forEach(unexcused::add);
          outcome.passing.stream()
              .filter(method -> !outcome.failing.contains(method))
              .map(method -> type + "." + method)
              .filter(excuses::containsKey)
              .forEach(needless::add);
        });
    Files.writeString(Path.of("target", "tck-report.md"), report(outcomes, excuses));
    assertThat(unexcused).as("fail without a reason in the list").isEmpty();
    assertThat(needless).as("excused, and pass").isEmpty();
  }

  private static void load(Properties excuses, String list) throws IOException {
    try (var in = Files.newBufferedReader(LISTS.resolve(list))) {
      excuses.load(in);
    }
  }

  private static Map<String, Outcome> outcomes() throws IOException {
    Map<String, Outcome> outcomes = new TreeMap<>();
    try (Stream<Path> files = Files.list(REPORTS)) {
      files
          .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
          .forEach(file -> read(file, outcomes));
    }
    return outcomes;
  }

  private static void read(Path file, Map<String, Outcome> outcomes) {
    try {
      NodeList cases =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(file.toFile())
              .getElementsByTagName("testcase");
      for (int i = 0; i < cases.getLength(); i++) {
        Element test = (Element) cases.item(i);
        String name = test.getAttribute("classname");
        String type = name.substring(name.lastIndexOf('.') + 1);
        // Parameters are in brackets; a class that fails as a whole has no method.
        String method = test.getAttribute("name").replaceAll("\\[.*", "");
        Outcome outcome = outcomes.computeIfAbsent(type, t -> new Outcome());
        outcome.run++;
        if (has(test, "failure") || has(test, "error")) {
          outcome.failed++;
          outcome.failing.add(method.isEmpty() || method.contains(".") ? "all" : method);
        } else if (has(test, "skipped")) {
          outcome.skipped++;
        } else {
          outcome.passed++;
          outcome.passing.add(method);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (ParserConfigurationException | SAXException e) {
      throw new IllegalStateException("report cannot be read: " + file, e);
    }
  }

  private static boolean has(Element test, String kind) {
    return test.getElementsByTagName(kind).getLength() > 0;
  }

  private static String report(Map<String, Outcome> outcomes, Properties excuses) {
    StringBuilder text = new StringBuilder();
    int run = 0;
    int passed = 0;
    int failed = 0;
    text.append("| class | run | passed | excused |\n| --- | ---: | ---: | --- |\n");
    for (Map.Entry<String, Outcome> entry : outcomes.entrySet()) {
      Outcome outcome = entry.getValue();
      run += outcome.run - outcome.skipped;
      passed += outcome.passed;
      failed += outcome.failed;
      text.append("| `").append(entry.getKey()).append("` | ");
      text.append(outcome.run - outcome.skipped).append(" | ").append(outcome.passed);
      List<String> reasons = new ArrayList<>();
      for (String method : outcome.failing) {
        String test = entry.getKey() + "." + method;
        reasons.add("`" + method + "`: " + excuses.getProperty(test, "**not excused**"));
      }
      text.append(" | ").append(String.join(", ", reasons)).append(" |\n");
    }
    return run
        + " tests of "
        + outcomes.size()
        + " classes run, "
        + passed
        + " passed, "
        + failed
        + " did not.\n\n"
        + text;
  }
}
