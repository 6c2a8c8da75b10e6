/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.size;

import java.util.ArrayList;
import java.util.List;

/**
 * How many regions a table should have, by published rules of thumb, with the reasons.
 *
 * <pre>{@code
 * RegionCount count = RegionCount.of(new TableLoad(800, TableLoad.Weight.WRITES, 40, 12));
 * System.out.println(count.regions() + " regions, because " + count.rules());
 * }</pre>
 *
 * <p>Immutable and thread-safe.
 *
 * @param regions the figure of the rule that fits the size best: the lower end of its range if
 *     scans matter most, the upper end if writes do, otherwise the middle. It is raised to what
 *     writes and servers need, and to a multiple of the servers, so that each serves the same
 *     number
 * @param rules the rules that apply, the one that fits the size best first
 * @param conflicts which of the rules contradict each other, as sentences for people, who decide
 */
public record RegionCount(int regions, List<SizeRule> rules, List<String> conflicts) {
  /** Copies the lists. */
  public RegionCount {
    rules = List.copyOf(rules);
    conflicts = List.copyOf(conflicts);
  }

  /** Applies the rules to a table's size and load. */
  public static RegionCount of(TableLoad load) {
    List<SizeRule> rules = SizeRule.of(load);
    SizeRule first = rules.get(0);
    int regions =
        switch (load.weight()) {
          case SCANS -> first.least();
          case WRITES -> first.most();
          case EVEN -> (int) (((long) first.least() + first.most()) / 2);
        };
    for (SizeRule rule : rules) {
      if (rule.isNeed()) {
        regions = Math.max(regions, rule.least());
      }
    }
    if (load.servers() > 1) {
      regions = (regions + load.servers() - 1) / load.servers() * load.servers();
    }
    return new RegionCount(regions, rules, conflicts(rules));
  }

  private static List<String> conflicts(List<SizeRule> rules) {
    List<String> conflicts = new ArrayList<>();
    for (int i = 0; i < rules.size(); i++) {
      for (SizeRule other : rules.subList(i + 1, rules.size())) {
        SizeRule one = rules.get(i);
        if (!one.agreesWith(other)) {
          conflicts.add(
              "\""
                  + one.rule()
                  + "\" says "
                  + one.figure()
                  + ", \""
                  + other.rule()
                  + "\" says "
                  + other.figure());
        }
      }
    }
    return conflicts;
  }
}
