package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A class path as an application has it: a client of HBase's and the one of Evenkey's for it. */
enum ClientJars {
  HBASE_CLIENT_2_5,
  HBASE_SHADED_CLIENT_2_5,
  HBASE_CLIENT_2_6,
  HBASE_SHADED_CLIENT_2_6;

  /** The jars, as Maven has resolved them. */
  List<Path> classPath() throws IOException {
    Path resolved = Path.of("..", toString(), "target", "classpath");
    assertThat(resolved).as("made by the module of that name").exists();
    return Arrays.stream(Files.readString(resolved).strip().split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  /** The class that is loaded for this line of HBase. */
  String line() {
    return "org.apache.hadoop.hbase.client.Line" + (name().endsWith("2_5") ? "25" : "26");
  }

  /** The name of the module. */
  @Override
  public String toString() {
    return name()
        .toLowerCase(Locale.ROOT)
        .replace('_', '-')
        .replaceFirst("-(\\d)-(\\d)$", "-$1.$2");
  }
}
