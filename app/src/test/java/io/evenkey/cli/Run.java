/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.portal.Portal;
import io.evenkey.report.json.PublishedSchema;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** One run of the command line, with its output and exit code. */
record Run(int exit, String out, String err, List<String> arguments) {
  static Run of(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        Evenkey.run(
            Portal::start,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new PrintStream(err, true, StandardCharsets.UTF_8),
            arguments);
    return new Run(
        exit,
        out.toString(StandardCharsets.UTF_8),
        err.toString(StandardCharsets.UTF_8),
        List.of(arguments));
  }

  /** Runs a command on a cluster. */
  static Run on(EmbeddedHBase hbase, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--conf");
    all.add(hbase.configurationDirectory().toString());
    return of(all.toArray(new String[0]));
  }

  /** This run; fails if the exit code is not 0. */
  Run done() {
    assertThat(exit).as(err).isZero();
    return this;
  }

  /** Asserts that the run ended with this line. */
  static Consumer<Run> failed(String line) {
    return run -> {
      assertThat(run.err().lines().reduce((first, second) -> second).orElse(""))
          .isEqualTo("evenkey: " + line);
      assertThat(run.err()).doesNotContain("org.apache", "Exception", "\tat ");
      assertThat(run.exit()).isEqualTo(1);
      assertThat(run.out()).isEmpty();
    };
  }

  /** The one JSON document on the standard output, which fulfils the published schema. */
  JsonNode json() throws JsonProcessingException {
    JsonNode document =
        new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).readTree(out);
    PublishedSchema.checkCommand(arguments, document);
    return document;
  }
}
