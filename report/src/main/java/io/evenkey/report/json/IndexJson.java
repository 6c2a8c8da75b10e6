/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.client.internal.registry.IndexWork;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An index of a table, and what commands have done with it, as JSON. Immutable.
 *
 * @param work left out if the registry has nothing of the index
 * @param regions of the table of its entries; left out where it is not asked
 * @param load of the table of its entries; left out where it is not asked
 */
@JsonNaming(SnakeCaseStrategy.class)
public record IndexJson(
    String table,
    String index,
    String protocol,
    String state,
    String layout,
    List<String> from,
    List<String> covering,
    String where,
    String entriesTable,
    @JsonUnwrapped @Nullable Work work,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer regions,
    @JsonUnwrapped @Nullable LoadJson load) {
  /** Copies the lists. */
  public IndexJson {
    from = List.copyOf(from);
    covering = List.copyOf(covering);
  }

  /** All indexes of some tables. */
  public record Indexes(List<IndexJson> indexes) {
    /** Copies the list. */
    public Indexes {
      indexes = List.copyOf(indexes);
    }
  }

  /**
   * What commands have done with an index.
   *
   * @param verification left out if it was never verified
   * @param sweep left out if it was never swept
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Work(
      String since,
      long filledRows,
      long rowsPerSecond,
      boolean filled,
      @JsonUnwrapped @Nullable Verification verification,
      long staleEntries,
      @JsonUnwrapped @Nullable Sweep sweep) {
    static Work of(IndexWork work) {
      IndexWork.Verification last = work.verified();
      IndexWork.Sweep swept = work.swept();
      return new Work(
          work.since().toString(),
          work.filling().rows(),
          work.filling().rowsPerSecond(),
          work.filling().finished() != null,
          last == null ? null : Verification.of(last, work.isSweptSinceVerified()),
          work.staleEntries(),
          swept == null ? null : Sweep.of(swept));
    }
  }

  /** The last verification. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Verification(
      String verifiedAt,
      @JsonUnwrapped IndexReportJson.DifferenceCounts found,
      long added,
      long removed,
      long differences,
      long toRepair,
      boolean sweptSinceVerified) {
    static Verification of(IndexWork.Verification last, boolean isSweptSince) {
      return new Verification(
          last.at().toString(),
          IndexReportJson.DifferenceCounts.of(last.found()),
          last.added(),
          last.removed(),
          last.differences(),
          last.toRepair(),
          isSweptSince);
    }
  }

  /** The last sweep. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Sweep(
      String sweptAt,
      long sweptSecondsAgo,
      long sweptEntries,
      long sweptRemoved,
      long sweptSettled) {
    static Sweep of(IndexWork.Sweep last) {
      // Clocks of two machines differ.
      long secondsAgo = Math.max(0, Duration.between(last.at(), Instant.now()).toSeconds());
      return new Sweep(
          last.at().toString(), secondsAgo, last.entries(), last.removed(), last.settled());
    }
  }

  /** An index as a descriptor and the registry have it. */
  public static IndexJson of(DescribedIndex described) {
    IndexWork work = described.work();
    return new IndexJson(
        described.table().getNameAsString(),
        described.index().name(),
        described.index().protocol().toString(),
        described.index().state().toString(),
        described.index().layout().toString(),
        described.index().columns().stream().map(Object::toString).toList(),
        described.index().covering().stream().map(Object::toString).toList(),
        described.index().where(),
        described.entries().getNameAsString(),
        work == null ? null : Work.of(work),
        null,
        null);
  }

  /** Returns this index with the number of regions and the load, where they are known. */
  public IndexJson with(@Nullable Integer entryRegions, @Nullable LoadJson entryLoad) {
    return new IndexJson(
        table,
        index,
        protocol,
        state,
        layout,
        from,
        covering,
        where,
        entriesTable,
        work,
        entryRegions,
        entryLoad);
  }
}
