/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.report.json.DescribedIndex;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.TableDescriptor;

/**
 * Metrics of the indexes of all tables: fillings that stand still, what the last verification found
 * and left, and when they were verified and swept. Not thread-safe.
 */
final class IndexMeters {
  private final Registry stored;
  private final MultiGauge unchanged;
  private final MultiGauge differences;
  private final MultiGauge stale;
  private final MultiGauge age;
  private final MultiGauge sweepAge;

  private final Unchanged<Tags, IndexWork.Filling> standing = new Unchanged<>();

  IndexMeters(Registry stored, MeterRegistry meters) {
    this.stored = stored;
    this.unchanged =
        MultiGauge.builder("evenkey.index.filling.unchanged.seconds")
            .description("Seconds since the filling of an index that is not in use last progressed")
            .register(meters);
    this.differences =
        MultiGauge.builder("evenkey.index.differences")
            .description(
                "Differences that readers of an index see, by its last verification: rows that it"
                    + " lacks, and phantoms, less the repaired ones")
            .register(meters);
    this.stale =
        MultiGauge.builder("evenkey.index.stale.entries")
            .description(
                "Entries without their row that the last verification or sweep left: readers skip"
                    + " them")
            .register(meters);
    this.sweepAge =
        MultiGauge.builder("evenkey.index.swept.seconds.ago")
            .description("Seconds since the last sweep of an index, or since it was added")
            .register(meters);
    this.age =
        MultiGauge.builder("evenkey.index.verified.seconds.ago")
            .description("Seconds since the last verification of an index, or since it was added")
            .register(meters);
  }

  /** Reads the registry for the tables that have indexes. */
  void update(List<TableDescriptor> tables, long nowNanos) throws IOException {
    List<MultiGauge.Row<?>> still = new ArrayList<>();
    List<MultiGauge.Row<?>> found = new ArrayList<>();
    List<MultiGauge.Row<?>> passed = new ArrayList<>();
    List<MultiGauge.Row<?>> ages = new ArrayList<>();
    List<MultiGauge.Row<?>> sweepAges = new ArrayList<>();
    Set<Tags> unfilled = new HashSet<>();
    for (TableDescriptor table : tables) {
      for (DescribedIndex index : DescribedIndex.of(table, stored)) {
        IndexWork work = index.work();
        if (work == null) {
          continue;
        }
        Tags tags =
            Tags.of("table", index.table().getNameAsString(), "index", index.index().name());
        if (work.filling().finished() == null) {
          unfilled.add(tags);
          still.add(MultiGauge.Row.of(tags, standing.seconds(tags, work.filling(), nowNanos)));
        }
        IndexWork.Verification last = work.verified();
        if (last != null) {
          found.add(MultiGauge.Row.of(tags, last.differences()));
        }
        IndexWork.Sweep swept = work.swept();
        if (last != null || swept != null) {
          passed.add(MultiGauge.Row.of(tags, work.staleEntries()));
        }
        ages.add(MultiGauge.Row.of(tags, ago(last == null ? work.since() : last.at())));
        sweepAges.add(MultiGauge.Row.of(tags, ago(swept == null ? work.since() : swept.at())));
      }
    }
    standing.retain(unfilled);
    unchanged.register(still, true);
    differences.register(found, true);
    stale.register(passed, true);
    age.register(ages, true);
    sweepAge.register(sweepAges, true);
  }

  private static long ago(Instant then) {
    return Instant.now().getEpochSecond() - then.getEpochSecond();
  }
}
