package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One run of {@code evenkey} as a process of its own, and what it left. */
record Evenkey(int exit, String out, String err) {
  static Evenkey run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    command.add(
        "-D" + ClusterOptions.CLASS_PATH + "=" + System.getProperty(ClusterOptions.CLASS_PATH));
    command.add("-jar");
    command.add(System.getProperty("evenkey.app.jar"));
    command.addAll(List.of(arguments));
    Path out = Files.createTempFile("evenkey-", ".out");
    Path err = Files.createTempFile("evenkey-", ".err");
    try {
      int exit =
          new ProcessBuilder(command)
              .redirectOutput(out.toFile())
              .redirectError(err.toFile())
              .start()
              .waitFor();
      return new Evenkey(exit, Files.readString(out), Files.readString(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** This, which has to have gone well. */
  Evenkey done() {
    assertThat(exit).as(err).isZero();
    return this;
  }

  JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out.getBytes(StandardCharsets.UTF_8));
  }
}
