/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import io.evenkey.client.SpreadTable;
import io.evenkey.jobs.compare.ComparisonCheckpoint.Pass;
import io.evenkey.jobs.trace.JobSpan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Compares two tables of the same fields in the same order, whatever their spreads, all versions of
 * all cells with their timestamps. Rows that differ are read again after a pause before they are
 * called different, so that tables can be compared while they are written to.
 *
 * <p>Where both tables have an order, they are read side by side; else each row of one is looked up
 * in the other. A comparison can be killed and resumed.
 *
 * <p>Tags of cells (time to live, visibility labels, rights) are compared and repaired where the
 * tables' connection has {@link CellTags#read the codec for them}. Not thread-safe.
 */
public final class Comparison {
  private final SpreadTable first;
  private final SpreadTable second;
  private final Lookup firsts;
  private final Lookup seconds;
  private final ComparisonOptions options;
  private final Recheck recheck;
  private final ComparisonCheckpoint from;

  private Comparison(
      SpreadTable first, SpreadTable second, ComparisonOptions options, ComparisonCheckpoint from) {
    this.first = first;
    this.second = second;
    this.firsts = new Lookup(first, options.scan());
    this.seconds = new Lookup(second, options.scan());
    this.options = options;
    this.recheck = new Recheck(firsts, seconds, first.layout(), options);
    this.from = from;
  }

  /**
   * Prepares a comparison; nothing is read yet.
   *
   * @throws ComparisonException if the tables' logical keys do not have the same fields in the same
   *     order, if rows cannot be found by their keys, or if the checkpoint is of something else
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
      if (table.layout().spread().isRandom()) {
        throw new ComparisonException(
            "rows of a random salt cannot be found by their keys: table="
                + table.name()
                + " layout="
                + table.layout());
      }
    }
    String tables =
        first.name() + " " + first.layout() + " | " + second.name() + " " + second.layout();
    Pass pass = SideBySide.isPossible(first, second) ? Pass.BOTH : Pass.FIRST;
    return new Comparison(
        first,
        second,
        options,
        ComparisonCheckpoint.of(options.checkpoint(), tables, pass, options.resume()));
  }

  /**
   * Compares.
   *
   * @param progress called with the number of rows of the first table that are compared
   */
  public ComparisonResult run(LongConsumer progress) throws IOException {
    return JobSpan.around("COMPARE", first.name(), () -> compare(progress));
  }

  private ComparisonResult compare(LongConsumer progress) throws IOException {
    long start = System.nanoTime();
    Tally tally = new Tally(options, from, progress);
    boolean sideBySide = from.pass() == Pass.BOTH;
    boolean complete = sideBySide ? allSideBySide(tally) : lookUpAll(tally);
    // What ends it was read again just now.
    List<Difference> differences = complete ? recheck.after(tally.suspects()) : tally.kept();
    return tally.finish(differences, complete, (System.nanoTime() - start) / 1e9);
  }

  private Scan versions() throws IOException {
    return new Scan(options.scan()).readAllVersions();
  }

  private boolean allSideBySide(Tally tally) throws IOException {
    return new SideBySide(first, second)
        .read(
            tally.after(),
            versions(),
            new SideBySide.Visitor() {
              @Override
              public boolean row(byte[] key, @Nullable Result a, @Nullable Result b)
                  throws IOException {
                if (a == null || b == null || !Cells.same(a, b)) {
                  tally.suspect(key);
                }
                if (a != null) {
                  tally.first(a);
                }
                if (b != null) {
                  tally.second();
                }
                return goesOn(tally);
              }

              @Override
              public boolean some(byte[] key) throws IOException {
                tally.at(Pass.BOTH, key);
                return true;
              }
            });
  }

  private boolean lookUpAll(Tally tally) throws IOException {
    byte[] after = tally.after();
    if (tally.pass() == Pass.FIRST) {
      boolean complete =
          new StoredOrder(first)
              .read(
                  after,
                  versions(),
                  rows -> {
                    Result[] others = seconds.rows(keys(rows));
                    for (int i = 0; i < others.length; i++) {
                      tally.first(rows.get(i));
                      if (!Cells.same(rows.get(i), others[i])) {
                        tally.suspect(rows.get(i).getRow());
                      }
                    }
                    return goesOn(tally, Pass.FIRST, rows);
                  });
      if (!complete) {
        return false;
      }
      tally.begin(Pass.SECOND);
      after = new byte[0];
    }
    return new StoredOrder(second)
        .read(
            after,
            versions(),
            rows -> {
              Result[] others = firsts.rows(keys(rows));
              for (int i = 0; i < others.length; i++) {
                tally.second();
                // The first pass has compared a row that both tables have.
                if (others[i].isEmpty()) {
                  tally.suspect(rows.get(i).getRow());
                }
              }
              return goesOn(tally, Pass.SECOND, rows);
            });
  }

  private boolean goesOn(Tally tally, Pass pass, List<Result> rows) throws IOException {
    tally.at(pass, rows.get(rows.size() - 1).getRow());
    return goesOn(tally);
  }

  // Of a table that is written, any number of rows differ for a moment.
  private boolean goesOn(Tally tally) throws IOException {
    if (!tally.isFull()) {
      return true;
    }
    tally.keep(recheck.after(tally.suspects()));
    return !tally.isHalfFull();
  }

  private static List<byte[]> keys(List<Result> rows) {
    List<byte[]> keys = new ArrayList<>(rows.size());
    rows.forEach(row -> keys.add(row.getRow()));
    return keys;
  }

  /** Takes the keys of some rows at a time. */
  @FunctionalInterface
  public interface Keys {
    /** The logical keys of some rows. */
    void accept(List<byte[]> keys) throws IOException;
  }

  /** Finds the rows of a table of which a scan returns a cell. */
  public static void changed(SpreadTable table, Scan changes, Keys some) throws IOException {
    new StoredOrder(table)
        .read(
            new byte[0],
            changes,
            rows -> {
              some.accept(keys(rows));
              return true;
            });
  }

  /** Compares rows by their keys: all in one request to each server, then again what differs. */
  public List<Difference> differences(List<byte[]> keys) throws IOException {
    Result[] of = firsts.rows(keys);
    Result[] others = seconds.rows(keys);
    List<byte[]> differing = new ArrayList<>();
    for (int i = 0; i < of.length; i++) {
      if (!Cells.same(of[i], others[i])) {
        differing.add(keys.get(i));
      }
    }
    return recheck.after(differing);
  }

  /**
   * Makes rows of the second table as they are in the first, with the same timestamps, types and
   * tags.
   *
   * @return those that still differ: a tombstone hides what was written, until HBase drops it in a
   *     major compaction; or a client writes
   */
  public List<Difference> repair(List<Difference> differences) throws IOException {
    List<byte[]> left = new ArrayList<>();
    for (Difference difference : differences) {
      if (!repair(difference.key())) {
        left.add(difference.key());
      }
    }
    return recheck.after(left);
  }

  /**
   * Makes one row of the second table as it is in the first, whether it differs or not. Clients
   * that write to both may go on, if they write to the first one first.
   *
   * @return whether it is alike right after that
   */
  public boolean repair(byte[] key) throws IOException {
    // The second table first: else what is written between the reads looks as if only the second
    // had
    // it, and the tombstone of that would hide it for good.
    Result stored = seconds.raw(key);
    Result has = seconds.row(key);
    Repair repair = Repair.of(firsts.raw(key), firsts.row(key), stored, has);
    repair.row(second, key);
    return recheck.isAlike(key);
  }
}
