/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.hotkeys;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.gather.GatherAttributes;
import io.evenkey.protocol.hotkeys.HotKeyAnswer;
import io.evenkey.protocol.hotkeys.HotKeyKind;
import io.evenkey.protocol.hotkeys.HotKeyQuestion;
import io.evenkey.protocol.hotkeys.HotKeySetting;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hot keys of one open region, if its table's {@link HotKeySetting} has them counted. One of N
 * operations is counted; the others cost a random number and allocate nothing. Without counting, an
 * operation costs the read of a field.
 *
 * <p>Memory: none without counting. Else, for each of five {@linkplain HotKeyKind kinds}, the
 * {@link HotKeyQuestion#MOST_ITEMS} most frequent keys of each half of the window, of at most
 * {@link HotKeyAnswer#MOST_KEY_BYTES} bytes: about 90 kB with keys of 40 bytes, at most 240 kB.
 *
 * <p>Thread-safe. Operations throw nothing: a request does not fail because it cannot be counted.
 */
public final class RegionHotKeys {
  private static final Logger LOG = LoggerFactory.getLogger(RegionHotKeys.class);

  private final String server;
  private final String region;
  private final LongSupplier nanos;
  private final Supplier<? extends RandomGenerator> random;
  private volatile Text text = new Text("", "");
  private volatile @Nullable Counting counting;

  /** The setting and the layout's line in the descriptor, empty where there is none. */
  private record Text(String setting, String layout) {}

  /** The counts under one setting and one layout. */
  private record Counting(
      @Nullable String layout,
      Sampling sampling,
      RecentCounts counts,
      @Nullable LeadingField leadingField) {}

  RegionHotKeys(
      String server,
      String region,
      LongSupplier nanos,
      Supplier<? extends RandomGenerator> random) {
    this.server = server;
    this.region = region;
    this.nanos = nanos;
    this.random = random;
  }

  /**
   * Of a region, nothing counted until {@link #set}.
   *
   * @param server the name of the region server
   * @param region the encoded name of the region
   */
  public static RegionHotKeys of(String server, String region) {
    return new RegionHotKeys(server, region, System::nanoTime, ThreadLocalRandom::current);
  }

  /**
   * Counts by the table's descriptor from now on. Counts are kept if nothing has changed.
   *
   * @param setting the text of {@link HotKeySetting}; null if there is none. One that is not
   *     understood is logged, and counts nothing
   * @param layout the line of the table's layout; null if there is none
   */
  public synchronized void set(@Nullable String setting, @Nullable String layout) {
    HotKeySetting next;
    try {
      next = HotKeySetting.parse(setting);
    } catch (RuntimeException e) {
      LOG.warn("hot keys are not counted: region={}; {}", region, e.getMessage());
      next = HotKeySetting.OFF;
    }
    text = new Text(orEmpty(setting), orEmpty(layout));
    Counting now = counting;
    if (!next.counts()) {
      counting = null;
    } else if (now == null
        || now.sampling.oneIn() != next.oneIn()
        || !Objects.equals(now.layout, layout)) {
      counting =
          new Counting(
              layout,
              new Sampling(next.oneIn(), random),
              new RecentCounts(nanos),
              LeadingField.of(layout));
    }
  }

  private static String orEmpty(@Nullable String value) {
    return value == null ? "" : value;
  }

  /** A row is read, by a Get or by the condition of a change. */
  public void read(byte[] row) {
    Counting now = counting;
    if (now != null && now.sampling.take()) {
      count(now, HotKeyKind.READ_KEYS, HotKeyKind.READ_FIELDS, row);
    }
  }

  /** A scan is opened; not counted if it carries a gather, which opens scans of its own. */
  public void scanned(Scan scan) {
    Counting now = counting;
    if (now != null
        && now.sampling.take()
        && scan.getStartRow().length > 0
        && scan.getAttribute(GatherAttributes.REQUEST) == null) {
      count(now, HotKeyKind.SCAN_STARTS, null, scan.getStartRow());
    }
  }

  /** A scan returns rows. */
  public void returned(List<Result> rows) {
    Counting now = counting;
    if (now == null) {
      return;
    }
    Sampling sampling = now.sampling;
    for (int i = sampling.skip(); i < rows.size(); i += 1 + sampling.skip()) {
      Result row = rows.get(i);
      if (!row.isEmpty()) {
        byte[] key = CellUtil.cloneRow(row.rawCells()[0]);
        count(now, HotKeyKind.READ_KEYS, HotKeyKind.READ_FIELDS, key);
      }
    }
  }

  /** The mutations of a batch are written, but for those that HBase has refused already. */
  public void written(MiniBatchOperationInProgress<Mutation> batch) {
    Counting now = counting;
    if (now == null) {
      return;
    }
    Sampling sampling = now.sampling;
    for (int i = sampling.skip(); i < batch.size(); i += 1 + sampling.skip()) {
      if (batch.getOperationStatus(i).getOperationStatusCode() == OperationStatusCode.NOT_RUN) {
        byte[] key = batch.getOperation(i).getRow();
        count(now, HotKeyKind.WRITE_KEYS, HotKeyKind.WRITE_FIELDS, key);
      }
    }
  }

  private void count(Counting now, HotKeyKind kind, @Nullable HotKeyKind ofField, byte[] row) {
    try {
      now.counts.count(kind, cut(row));
      LeadingField leading = ofField == null ? null : now.leadingField;
      byte[] field = leading == null ? null : leading.of(row);
      if (ofField != null && field != null) {
        now.counts.count(ofField, cut(field));
      }
    } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
      counting = null;
      LOG.warn("hot keys are not counted any more: region={}", region, e);
    }
  }

  private static ByteString cut(byte[] item) {
    return ByteString.of(item, 0, Math.min(item.length, HotKeyAnswer.MOST_KEY_BYTES));
  }

  /** The recent counts. */
  public HotKeyAnswer answer(HotKeyQuestion question) {
    Text of = text;
    Counting now = counting;
    if (now == null) {
      return new HotKeyAnswer(server, region, of.layout, of.setting, 0, 0, Map.of());
    }
    RecentCounts.Recent recent = now.counts.recent(question.most());
    return new HotKeyAnswer(
        server,
        region,
        of.layout,
        of.setting,
        now.sampling.oneIn(),
        recent.windowMs(),
        recent.counts());
  }
}
