/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.starter;

import io.evenkey.client.internal.registry.RegistryFile;
import io.evenkey.client.internal.registry.Scope;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.plan.Plan;
import io.evenkey.jobs.file.FileRefusedException;
import io.evenkey.jobs.file.OutputFile;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The contents of the files, by name. Immutable. */
public final class StarterFiles {
  /** The plan, as {@code evenkey plan --import} reads it. */
  public static final String PLAN = "plan.json";

  /** The queries and the load, as {@code evenkey advise} reads them. */
  public static final String QUERIES = "queries.txt";

  private final Map<String, byte[]> contents = new LinkedHashMap<>();

  private StarterFiles() {}

  /**
   * Makes the files.
   *
   * @param plan with the layout
   * @param example the record that the Java program writes
   * @param author of the plan
   * @param at when it was made
   */
  public static StarterFiles of(
      Requirements wanted,
      Plan plan,
      Layout layout,
      ExampleRecord example,
      String author,
      Instant at) {
    StarterFiles files = new StarterFiles();
    RegistryFile registry =
        new RegistryFile(
            Map.of(new Scope.Table(wanted.table()), new Versioned<>(plan, 0, author, at)),
            List.of());
    files.contents.put(PLAN, registry.toJson());
    files.contents.put(QUERIES, queries(wanted).getBytes(StandardCharsets.UTF_8));
    JavaSample sample = JavaSample.of(wanted, layout, example);
    files.contents.put(
        sample.className() + ".java", sample.source().getBytes(StandardCharsets.UTF_8));
    return files;
  }

  private static String queries(Requirements wanted) {
    StringBuilder text = new StringBuilder();
    text.append("# Queries on ").append(wanted.table().getNameAsString());
    text.append(", one a line; ? is a value of the data.\n");
    wanted.queryLines().forEach(line -> text.append(line).append('\n'));
    text.append(
        "\n# Rows written in a second at the peak, rows in all, bytes of values in a row.\n");
    text.append("writes ").append(number(wanted.workload().writesPerSecond())).append('\n');
    text.append("rows ").append(number(wanted.workload().rows())).append('\n');
    text.append("value ").append(wanted.workload().valueBytes()).append('\n');
    text.append("servers ").append(wanted.workload().servers()).append('\n');
    return text.toString();
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : Double.toString(value);
  }

  /**
   * Checks that all files can be written to a directory, which is created if it is missing, and
   * writes them.
   *
   * @param replace whether files that exist are replaced
   * @return the paths, in the order of writing
   * @throws FileRefusedException if one of them exists and is not to be replaced, or cannot be
   *     written; none is written then
   */
  public List<Path> writeTo(Path directory, boolean replace) throws IOException {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new FileRefusedException("not a directory", directory, "name a directory");
    }
    try {
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new FileRefusedException(
          "directory cannot be created", directory, "name one in a directory that you can write");
    }
    Map<OutputFile, byte[]> checked = new LinkedHashMap<>();
    for (Map.Entry<String, byte[]> file : contents.entrySet()) {
      checked.put(OutputFile.at(directory.resolve(file.getKey()), replace), file.getValue());
    }
    List<Path> written = new ArrayList<>();
    for (Map.Entry<OutputFile, byte[]> file : checked.entrySet()) {
      file.getKey().write(file.getValue());
      written.add(directory.resolve(file.getKey().path().getFileName()));
    }
    return written;
  }
}
