/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkey.cli.Evenkey;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.portal.Portal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** One run of the command line, with its output and exit code. */
record Run(int exit, String out, String err) {
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
        exit, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
  }

  /** Runs a command on a cluster. */
  static Run on(EmbeddedHBase hbase, String... arguments) {
    return of(
        Stream.concat(
                Stream.of(arguments),
                Stream.of("--conf", hbase.configurationDirectory().toString()))
            .toArray(String[]::new));
  }

  /** This run; fails if the exit code is not 0. */
  Run done() {
    assertThat(exit).as(err).isZero();
    return this;
  }

  /** The one JSON document on the standard output. */
  JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out);
  }
}
