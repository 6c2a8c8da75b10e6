/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The Java program that {@code evenkey init} writes, compiled with all warnings as errors. */
record CompiledSample(String className, Path classes) {
  static CompiledSample in(Path directory) throws IOException {
    Path source;
    try (Stream<Path> files = Files.list(directory)) {
      source = files.filter(file -> file.toString().endsWith(".java")).findFirst().orElseThrow();
    }
    Path classes = Files.createDirectories(directory.resolve("classes"));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter problems = new StringWriter();
    try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
      boolean done =
          compiler
              .getTask(
                  problems,
                  files,
                  null,
                  List.of(
                      "-Xlint:all,-path,-classfile,-processing",
                      "-proc:none",
                      "-d",
                      classes.toString()),
                  null,
                  files.getJavaFileObjects(source))
              .call();
      assertThat(problems.toString().lines().filter(line -> line.contains(source.toString())))
          .as(Files.readString(source))
          .isEmpty();
      assertThat(done).as(problems.toString()).isTrue();
    }
    return new CompiledSample(source.getFileName().toString().replace(".java", ""), classes);
  }

  /** Runs it in a process of its own, on the cluster whose settings a directory has. */
  String run(Path settings) throws Exception {
    Path output = classes.resolve("output");
    String path =
        String.join(
            File.pathSeparator,
            settings.toString(),
            classes.toString(),
            System.getProperty("java.class.path"));
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--add-opens=java.base/java.nio=ALL-UNNAMED",
                "-cp",
                path,
                className)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    boolean ended = process.waitFor(60, TimeUnit.SECONDS);
    process.destroyForcibly();
    assertThat(ended).as(Files.readString(output)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    return Files.readString(output);
  }
}
