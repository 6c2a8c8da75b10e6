/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A class path of an application: an HBase client and Evenkey's client for it. */
enum ClientJars {
  HBASE_CLIENT_2_5,
  HBASE_SHADED_CLIENT_2_5,
  HBASE_CLIENT_2_6,
  HBASE_SHADED_CLIENT_2_6,
  /** The class path of {@code hadoop jar}: Hadoop's jars, then {@code HBASE_SHADED_CLIENT_2_6}. */
  HADOOP_3_3;

  /** The jars that Maven has resolved. */
  List<Path> classPath() throws IOException {
    List<Path> own = resolvedBy(toString());
    return this == HADOOP_3_3
        ? Stream.concat(own.stream(), HBASE_SHADED_CLIENT_2_6.classPath().stream()).toList()
        : own;
  }

  private static List<Path> resolvedBy(String module) throws IOException {
    Path resolved = Path.of("..", module, "target", "classpath");
    assertThat(resolved).as("made by the module of that name").exists();
    return Arrays.stream(Files.readString(resolved).strip().split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  /** The class that Evenkey loads for this line of HBase. */
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
