/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import io.evenkey.layout.size.RegionCount;
import io.evenkey.layout.size.SizeRule;
import java.util.List;
import java.util.stream.Stream;

/**
 * A number of regions as JSON. Immutable.
 *
 * @param why the rules and their conflicts, each as a sentence
 * @param rules the rules with their figures
 * @param conflicts pairs of rules that disagree
 */
public record RegionCountJson(
    int regions, List<String> why, List<Rule> rules, List<String> conflicts) {
  /** Copies the lists. */
  public RegionCountJson {
    why = List.copyOf(why);
    rules = List.copyOf(rules);
    conflicts = List.copyOf(conflicts);
  }

  /**
   * A rule.
   *
   * @param validity the tables that it holds for
   */
  public record Rule(String rule, String figure, String validity, String source) {}

  /** A number with the rules behind it. */
  public static RegionCountJson of(RegionCount count) {
    return new RegionCountJson(
        count.regions(),
        Stream.concat(
                count.rules().stream().map(SizeRule::toString),
                count.conflicts().stream().map(conflict -> "rules disagree: " + conflict))
            .toList(),
        count.rules().stream()
            .map(rule -> new Rule(rule.rule(), rule.figure(), rule.validity(), rule.source()))
            .toList(),
        count.conflicts());
  }
}
