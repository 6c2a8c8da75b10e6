/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.layout.bytes.ByteString;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * The physical ranges of a scan. Of a short scan of a salt with slices or steps, those that begin
 * first are known, and the others are computed only if the scan does not end in these: of 256
 * buckets, a slice has six. Not thread-safe.
 */
public final class ScanRanges {
  /** Computes the scans of all ranges. */
  @FunctionalInterface
  public interface Source {
    /**
     * One scan for each range.
     *
     * @throws IOException if the scan cannot be had on the table
     */
    List<Scan> scans() throws IOException;
  }

  private final @Nullable FirstRanges first;
  private final Source source;
  private @Nullable List<Scan> all;

  private ScanRanges(@Nullable FirstRanges first, Source source, @Nullable List<Scan> all) {
    this.first = first;
    this.source = source;
    this.all = all;
  }

  /** All ranges of a scan. */
  public static ScanRanges of(List<Scan> all) {
    return new ScanRanges(null, () -> all, all);
  }

  /**
   * The ranges that a scan reads first.
   *
   * @param first their scans, ascending
   * @param end the logical key before which they have all rows; of a reversed scan, from which on
   * @param all computes the scans of all ranges, which hold the rows of these too
   */
  public static ScanRanges beginningWith(
      List<Scan> first, byte[] end, boolean reversed, Source all) {
    return new ScanRanges(new FirstRanges(first, ByteString.of(end), reversed), all, null);
  }

  /** The scans of all ranges, which are computed now if they are not known yet. */
  public List<Scan> all() throws IOException {
    if (all == null) {
      all = source.scans();
    }
    return all;
  }

  /** The scans that are known: of all ranges, or of the first ones. */
  public List<Scan> known() {
    return first == null ? Objects.requireNonNull(all) : first.scans();
  }

  /**
   * The ranges that region servers are asked for.
   *
   * @param answers the number of answers that the scan has had
   */
  FirstRanges first(GatherOrder order, int answers) throws IOException {
    return first == null ? FirstRanges.of(all(), order, answers) : first;
  }

  /** Whether only the ranges that begin first are known. */
  boolean hasRest() {
    return first != null;
  }

  /** The ranges of the rows behind all rows of the first ones. */
  ScanRanges rest(GatherOrder order) throws IOException {
    FirstRows none = new FirstRows(List.of(), null, true);
    return first == null ? of(List.of()) : behind(first.complete(none), order);
  }

  /** The ranges of the rows behind those of an answer; none if there can be no more. */
  ScanRanges behind(FirstRows answer, GatherOrder order) throws IOException {
    return of(answer.behind(all(), order));
  }
}
