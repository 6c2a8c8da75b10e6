package io.evenkey.jobs.compare;

import io.evenkey.client.SpreadTable;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.scatter.Scatter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Compares two tables of the same fields in the same order, whatever their spreads: both are read
 * in logical order, side by side, all versions of all cells with their timestamps. What differs is
 * looked at again after a pause before it is called different, so that tables can be compared while
 * they are written to. Can be killed and gone on with. Not thread-safe.
 *
 * <p>Tags of cells are not compared: servers do not send them.
 */
public final class Comparison {
  private static final int NOTED_EVERY = 1_024;

  /** So many ranges are read at once, side by side. */
  private static final int MOST_RANGES = 512;

  private final SpreadTable first;
  private final SpreadTable second;
  private final ComparisonOptions options;
  private final SecondLook looks;
  private final boolean sideBySide;
  private final List<byte[]> suspects = new ArrayList<>();
  private ComparisonCheckpoint from;
  private long rows;
  private long otherRows;
  private long cells;

  private Comparison(
      SpreadTable first, SpreadTable second, ComparisonOptions options, ComparisonCheckpoint from) {
    this.first = first;
    this.second = second;
    this.options = options;
    this.looks = new SecondLook(first, second, options);
    this.sideBySide = isReadable(first.layout()) && isReadable(second.layout());
    this.from = from;
    this.rows = from.rows();
    this.otherRows = from.otherRows();
    this.cells = from.cells();
    from.suspects().forEach(hex -> suspects.add(ByteText.fromHex(hex)));
  }

  private static boolean isReadable(Layout layout) {
    Scatter all = layout.scatter(KeyRange.all());
    return all.ordered() && all.ranges().size() <= MOST_RANGES;
  }

  /**
   * Prepares a comparison; nothing is read yet.
   *
   * @throws ComparisonException if the tables' logical keys are not made of the same fields in the
   *     same order, if rows cannot be found by their keys, or if the checkpoint is of something
   *     else
   */
  public static Comparison of(SpreadTable first, SpreadTable second, ComparisonOptions options)
      throws IOException {
    String fields = first.layout().key().unreversed().toString();
    String others = second.layout().key().unreversed().toString();
    if (!fields.equals(others)) {
      throw new ComparisonException(
          "logical keys differ: "
              + first.name()
              + " has "
              + fields
              + ", "
              + second.name()
              + " has "
              + others
              + "; only tables of the same fields in the same order can be compared");
    }
    for (SpreadTable table : List.of(first, second)) {
      if (table.layout().spread().isFree()) {
        throw new ComparisonException(
            "rows of a free salt cannot be found by their keys: table="
                + table.name()
                + " layout="
                + table.layout());
      }
    }
    String tables =
        first.name() + " " + first.layout() + " | " + second.name() + " " + second.layout();
    return new Comparison(
        first,
        second,
        options,
        ComparisonCheckpoint.of(options.checkpoint(), tables, options.resume()));
  }

  /**
   * Compares.
   *
   * @param progress told how many rows of the first table are compared
   */
  public ComparisonResult run(LongConsumer progress) throws IOException {
    long start = System.nanoTime();
    boolean complete = sideBySide ? readBoth(progress) : lookUpBoth(progress);
    List<Difference> differences = looks.after(suspects);
    if (options.checkpoint() != null) {
      Files.deleteIfExists(options.checkpoint());
    }
    return new ComparisonResult(
        rows,
        otherRows,
        cells,
        suspects.size(),
        differences,
        complete,
        (System.nanoTime() - start) / 1e9);
  }

  /** Each row of one is looked up in the other: for layouts of too many ranges to read at once. */
  private boolean lookUpBoth(LongConsumer progress) throws IOException {
    return lookUp(
            first,
            second,
            (a, b) -> {
              rows++;
              cells += Cells.of(a).length;
              return !Cells.same(a, b);
            },
            progress)
        && lookUp(
            second,
            first,
            (b, a) -> {
              otherRows++;
              // Where both have the row, it was compared the other way round.
              return a.isEmpty();
            },
            progress);
  }

  /** Says whether a row and the same one of the other table differ. */
  @FunctionalInterface
  private interface Differ {
    boolean differ(Result row, Result other);
  }

  private boolean lookUp(
      SpreadTable stored, SpreadTable other, Differ differ, LongConsumer progress)
      throws IOException {
    Set<ByteString> known = new HashSet<>();
    suspects.forEach(key -> known.add(ByteString.of(key)));
    List<Result> batch = new ArrayList<>();
    try (ResultScanner all = stored.scanStored(versions(options))) {
      for (Result row = all.next(); row != null || !batch.isEmpty(); row = all.next()) {
        if (row != null) {
          batch.add(row);
        }
        if (row == null || batch.size() == NOTED_EVERY) {
          List<Get> gets = new ArrayList<>(batch.size());
          for (Result one : batch) {
            gets.add(get(one.getRow()));
          }
          Result[] others = other.get(gets);
          for (int i = 0; i < others.length; i++) {
            byte[] key = batch.get(i).getRow();
            if (differ.differ(batch.get(i), others[i]) && known.add(ByteString.of(key))) {
              suspects.add(key);
            }
          }
          batch.clear();
          progress.accept(rows);
          if (suspects.size() >= options.most()) {
            return false;
          }
        }
        if (row == null) {
          break;
        }
      }
    }
    return true;
  }

  private Get get(byte[] key) throws IOException {
    Get get = new Get(key).readAllVersions();
    Scan scan = options.scan();
    for (Map.Entry<byte[], NavigableSet<byte[]>> family : scan.getFamilyMap().entrySet()) {
      get.addFamily(family.getKey());
    }
    return get.setTimeRange(scan.getTimeRange().getMin(), scan.getTimeRange().getMax());
  }

  private boolean readBoth(LongConsumer progress) throws IOException {
    byte[] after = ByteText.fromHex(from.after());
    KeyRange range =
        after.length == 0 ? KeyRange.all() : KeyRange.of(KeyRange.successor(after), new byte[0]);
    long saved = System.nanoTime();
    long steps = 0;
    try (ResultScanner firsts = first.scan(range, versions(options));
        ResultScanner seconds = second.scan(range, versions(options))) {
      Result a = firsts.next();
      Result b = seconds.next();
      while (a != null || b != null) {
        int order = order(a, b);
        byte[] key = (order <= 0 ? a : b).getRow();
        if (order != 0 || !Cells.same(a, b)) {
          suspects.add(key);
        }
        if (order <= 0) {
          rows++;
          cells += Cells.of(a).length;
          a = firsts.next();
        }
        if (order >= 0) {
          otherRows++;
          b = seconds.next();
        }
        if (suspects.size() >= options.most()) {
          return false;
        }
        if (++steps % NOTED_EVERY == 0) {
          progress.accept(rows);
          if (System.nanoTime() - saved > options.checkpointEvery().toNanos()) {
            save(key);
            saved = System.nanoTime();
          }
        }
      }
    }
    progress.accept(rows);
    return true;
  }

  private static Scan versions(ComparisonOptions options) throws IOException {
    return new Scan(options.scan()).readAllVersions();
  }

  private static int order(@Nullable Result a, @Nullable Result b) {
    if (a == null || b == null) {
      return a == null ? 1 : -1;
    }
    return Arrays.compareUnsigned(a.getRow(), b.getRow());
  }

  private void save(byte[] after) throws IOException {
    Path file = options.checkpoint();
    if (file == null) {
      return;
    }
    from =
        new ComparisonCheckpoint(
            ComparisonCheckpoint.FORMAT,
            from.tables(),
            ByteText.hex(after),
            rows,
            otherRows,
            cells,
            suspects.stream().map(ByteText::hex).toList());
    from.write(file);
  }

  /**
   * Makes rows of the second table as they are in the first: with the same timestamps.
   *
   * @return those that differ still: a tombstone hides what was written, until HBase drops it in a
   *     major compaction; or somebody writes
   */
  public List<Difference> repair(List<Difference> differences) throws IOException {
    List<byte[]> left = new ArrayList<>();
    for (Difference difference : differences) {
      if (!repair(difference.key())) {
        left.add(difference.key());
      }
    }
    return looks.after(left);
  }

  /**
   * Makes one row of the second table as it is in the first, whether it differs or not. Those who
   * write to both may go on, if they write to the first one first.
   *
   * @return whether it is alike right after that
   */
  public boolean repair(byte[] key) throws IOException {
    // In this order: else what is written between the two looks as if only the second had it, and
    // the tombstone of that would hide it for good.
    Result has = looks.row(second, key);
    Repair.row(second, key, looks.row(first, key), has);
    return looks.isAlike(key);
  }
}
