package io.evenkey.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.evenkey.app.portal.Portal;
import io.evenkey.embedded.EmbeddedHBase;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** One run of the command line, and what it left. */
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

  /** On a cluster. */
  static Run on(EmbeddedHBase hbase, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--conf");
    all.add(hbase.configurationDirectory().toString());
    return of(all.toArray(new String[0]));
  }

  /** This, which has to have gone well. */
  Run done() {
    assertThat(exit).as(err).isZero();
    return this;
  }

  /** The one JSON document on the standard output. */
  JsonNode json() throws JsonProcessingException {
    return new ObjectMapper().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).readTree(out);
  }
}
