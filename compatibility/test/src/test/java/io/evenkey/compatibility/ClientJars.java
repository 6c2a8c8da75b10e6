/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** A class path of an application: an HBase client and Evenkey's client for it. */
enum ClientJars {
  HBASE_CLIENT_2_5,
  HBASE_SHADED_CLIENT_2_5,
  HBASE_CLIENT_2_6,
  HBASE_SHADED_CLIENT_2_6,
  HBASE_CLIENT_3_0,
  /** The class path of {@code hadoop jar}: Hadoop's jars, then {@code HBASE_SHADED_CLIENT_2_6}. */
  HADOOP_3_3;

  private static final String HBASE = "org.apache.hadoop.hbase.client.";
  private static final String EVENKEY = "io.evenkey.client.";
  private static final Set<String> LINES =
      Set.of(HBASE + "Line25", HBASE + "Line26", HBASE + "Line30");
  private static final Set<String> SINCE_3_0 =
      Set.of(EVENKEY + "internal.table.BlockingMutator", EVENKEY + "internal.table.BlockingTable");
  private static final Set<String> BEFORE_3_0 =
      Set.of(
          HBASE + "ClusterLine",
          HBASE + "ForwardingAdmin",
          HBASE + "ForwardingConnection",
          HBASE + "SharedRegistry",
          HBASE + "TableThreads",
          EVENKEY + "EvenkeyConnection",
          EVENKEY + "internal.coprocessor.OlderMessages",
          EVENKEY + "internal.table.LogicalBufferedMutator",
          EVENKEY + "internal.table.LogicalTable",
          EVENKEY + "internal.table.TableTimeouts");

  /** The jars that Maven has resolved. */
  List<Path> classPath() throws IOException {
    List<Path> own = resolvedBy(toString());
    return this == HADOOP_3_3
        ? Stream.concat(own.stream(), HBASE_SHADED_CLIENT_2_6.classPath().stream()).toList()
        : own;
  }

  /** The jars that Maven has resolved for a module of this directory. */
  static List<Path> resolvedBy(String module) throws IOException {
    Path resolved = Path.of("..", module, "target", "classpath");
    assertThat(resolved).as("made by the module of that name").exists();
    return Arrays.stream(Files.readString(resolved).strip().split(File.pathSeparator))
        .map(Path::of)
        .toList();
  }

  /** The class that Evenkey loads for this line of HBase. */
  String line() {
    String version = this == HADOOP_3_3 ? HBASE_SHADED_CLIENT_2_6.name() : name();
    return HBASE + "Line" + version.replaceFirst(".*(\\d)_(\\d)$", "$1$2");
  }

  /** The classes of Evenkey's client that are for other lines of HBase, and are never loaded. */
  Set<String> unused() {
    Set<String> unused = new HashSet<>(this == HBASE_CLIENT_3_0 ? BEFORE_3_0 : SINCE_3_0);
    LINES.stream().filter(line -> !line.equals(line())).forEach(unused::add);
    return unused;
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
