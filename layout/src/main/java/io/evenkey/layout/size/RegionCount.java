/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.size;

import java.util.ArrayList;
import java.util.List;

/**
 * The number of regions for a workload, and the reasons. Immutable.
 *
 * @param regions the figure of the most specific rule for the size: the lower end of its range
 *     where scans matter most, the upper where writes do, the middle otherwise; raised to what the
 *     writes and the servers need, and to a multiple of the servers, so that each carries the same
 * @param rules the rules that hold, the most specific for the size first
 * @param conflicts which of them contradict each other, in words; only the user can decide those
 */
public record RegionCount(int regions, List<SizeRule> rules, List<String> conflicts) {
  /** Copies the lists. */
  public RegionCount {
    rules = List.copyOf(rules);
    conflicts = List.copyOf(conflicts);
  }

  /** Applies the rules to a workload. */
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
