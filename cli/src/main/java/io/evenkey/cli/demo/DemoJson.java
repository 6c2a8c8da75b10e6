/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.report.json.SkewJson;
import java.util.Arrays;
import java.util.List;

/** The figures of the demonstration as JSON. Immutable. */
@JsonNaming(SnakeCaseStrategy.class)
public record DemoJson(
    String input,
    int records,
    int servers,
    int regions,
    int windows,
    DemoTable naive,
    DemoTable spread,
    boolean orderIdentical,
    int distinctKeys,
    Collisions collisions,
    double seconds) {
  /**
   * The figures of one table.
   *
   * @param regionSkew the busiest region's share of the writes over the mean share
   * @param rows that were read back
   * @param orderedBy {@code merge} or {@code sort}
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record DemoTable(
      String layout,
      SkewJson writeSkew,
      double regionSkew,
      int rows,
      String orderedBy,
      double loadSeconds,
      double scanSeconds) {
    private static DemoTable of(TableRun run) {
      double[] skews = run.trace().serverSkews();
      return new DemoTable(
          run.table().layout().toString(),
          SkewJson.of(Arrays.stream(skews).map(skew -> rounded(skew, 1000)).toArray()),
          rounded(run.regionSkew(), 1000),
          run.check().rows(),
          run.check().merged() ? "merge" : "sort",
          rounded(run.loadSeconds(), 100),
          rounded(run.check().seconds(), 100));
    }
  }

  /** Records that share their key with an earlier one, and what would tell them apart. */
  public record Collisions(int records, List<String> examples, String proposal) {
    /** Copies the list. */
    public Collisions {
      examples = List.copyOf(examples);
    }
  }

  /** The figures of a result. */
  public static DemoJson of(DemoResult result) {
    DuplicateKeys lost = result.collisions();
    return new DemoJson(
        result.input(),
        result.records(),
        result.servers(),
        result.naive().trace().regions(),
        result.naive().trace().windows().size(),
        DemoTable.of(result.naive()),
        DemoTable.of(result.spread()),
        result.orderIdentical(),
        result.records() - lost.records(),
        new Collisions(lost.records(), lost.examples(), lost.proposal()),
        rounded(result.seconds(), 10));
  }

  private static double rounded(double value, int parts) {
    return (double) Math.round(value * parts) / parts;
  }
}
