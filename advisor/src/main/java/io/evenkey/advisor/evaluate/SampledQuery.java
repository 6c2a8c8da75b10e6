/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.evaluate;

import io.evenkey.advisor.query.Query;
import io.evenkey.advisor.query.QueryCondition;
import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntPredicate;

/**
 * A query and instances of it: values of the sample replace each {@code ?}. The values are those of
 * random records, so a frequent value is frequent in the instances too; a range takes a hundredth
 * of the records. Immutable.
 *
 * @param query the query
 * @param instances the query with values of the sample
 */
public record SampledQuery(Query query, List<Instance> instances) {
  private static final int INSTANCES = 40;

  /**
   * One instance.
   *
   * @param conditions the conditions by column, in the language of layouts' conditions
   * @param rows the number of records that fulfil all conditions
   */
  public record Instance(Map<String, String> conditions, int rows) {}

  /** Copies the list. */
  public SampledQuery {
    instances = List.copyOf(instances);
  }

  static SampledQuery of(Query query, Sample sample, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, RankedColumn> ranked = new HashMap<>();
    List<Instance> instances = new ArrayList<>();
    int count = query.conditions().isEmpty() ? 1 : INSTANCES;
    for (int i = 0; i < count && sample.size() > 0; i++) {
      instances.add(instance(query, sample, random, ranked));
    }
    return new SampledQuery(query, instances);
  }

  private static Instance instance(
      Query query, Sample sample, SplittableRandom random, Map<String, RankedColumn> ranked) {
    int record = random.nextInt(sample.size());
    Map<String, String> texts = new HashMap<>();
    List<IntPredicate> tests = new ArrayList<>();
    for (QueryCondition condition : query.conditions()) {
      Column column = sample.column(condition.column());
      RankedColumn ranks = ranked.computeIfAbsent(column.name(), name -> new RankedColumn(column));
      BoundCondition bound = BoundCondition.of(condition, ranks, record, random);
      tests.add(bound.records());
      texts.merge(column.name(), bound.text(), (a, b) -> a + " and " + b);
    }
    return new Instance(texts, count(sample, tests));
  }

  private static int count(Sample sample, List<IntPredicate> tests) {
    int count = 0;
    for (int record = 0; record < sample.size(); record++) {
      boolean fits = true;
      for (IntPredicate test : tests) {
        fits = fits && test.test(record);
      }
      count += fits ? 1 : 0;
    }
    return count;
  }
}
