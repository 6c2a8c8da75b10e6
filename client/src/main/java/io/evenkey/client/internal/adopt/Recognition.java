/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.adopt;

import io.evenkey.client.internal.verify.FittingRows;
import io.evenkey.client.internal.verify.TableCheck;
import io.evenkey.layout.Layout;
import io.evenkey.layout.text.LayoutException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The layouts that fit all of a sample, the most telling first: a hash that is right for hundreds
 * of rows is no accident, a first byte below sixteen may be. Immutable.
 *
 * @param proposals at least one of a table that has rows of which the key is not known: these are
 *     their own keys, if nothing else
 */
public record Recognition(List<Proposal> proposals) {
  /** Enough for a wrong number of buckets not to be right by chance. */
  public static final int TELLING_ROWS = 64;

  /** Of fewer rows, some number of buckets nearly always fits. */
  private static final int FEWEST_ROWS = 4;

  /** Some hundreds of hashes are tried: fewer bits are right by chance in some of them. */
  private static final int TELLING_BITS = 24;

  private static final int BITS_OF_A_DIGIT = 4;
  private static final int MOST_BUCKETS = 256;

  /** Copies the list. */
  public Recognition {
    proposals = List.copyOf(proposals);
  }

  /**
   * Looks for layouts.
   *
   * @param table the table's descriptor, which may say whose it is
   * @param rows some of its rows
   * @param key the logical key, in the layout language; {@code key:bytes} if it is not known
   */
  public static Recognition of(TableDescriptor table, List<byte[]> rows, String key) {
    Search search = new Search(rows, key);
    boolean phoenix =
        table.getCoprocessorDescriptors().stream()
            .anyMatch(coprocessor -> coprocessor.getClassName().startsWith("org.apache.phoenix."));
    if (phoenix) {
      search.buckets("phoenix_salt(%d)", "Phoenix, salted");
      search.one("phoenix_salt(0) + " + key, "Phoenix, not salted", "");
    }
    search.openTsdb();
    search.buckets(
        "hbasewd_salt(%d)", "HBaseWD, Java's hashCode of the bytes, or one of their kind");
    if (!phoenix) {
      search.buckets("phoenix_salt(%d)", "Phoenix, salted");
    }
    search.buckets("salt(%d)", "Evenkey");
    search.hashes();
    for (char separator : TableCheck.SEPARATORS.toCharArray()) {
      for (int digits = 1; digits <= 4; digits++) {
        search.buckets(
            "salt(%d; as=digits(" + digits + "), sep=\"" + separator + "\")", "Evenkey, in digits");
      }
    }
    search.unknownSalts();
    search.one(key, "rows stored under their keys, without a prefix", "");
    return new Recognition(search.found);
  }

  /**
   * The most telling one.
   *
   * @throws IndexOutOfBoundsException if there is none: the table has no rows, or they are not of
   *     the key
   */
  public Proposal best() {
    return proposals.get(0);
  }

  /** One search over one sample. Not thread-safe. */
  private static final class Search {
    private final List<byte[]> rows;
    private final String key;
    private final List<Proposal> found = new ArrayList<>();

    Search(List<byte[]> rows, String key) {
      this.rows = rows;
      this.key = key;
    }

    void one(String line, String system, String caution) {
      Layout layout;
      try {
        layout = Layout.parse(line);
      } catch (LayoutException e) {
        // This prefix cannot stand before this key.
        return;
      }
      if (rows.isEmpty() || !FittingRows.fits(layout, rows.get(0))) {
        return;
      }
      FittingRows fit = FittingRows.of(layout, rows);
      if (fit.isComplete()) {
        found.add(new Proposal(fit, system, caution));
      }
    }

    // The lowest number of buckets that fits: a wrong one fits by chance only.
    void buckets(String prefix, String system) {
      if (rows.size() < FEWEST_ROWS) {
        return;
      }
      int before = found.size();
      for (int n = 2; n <= MOST_BUCKETS && found.size() == before; n++) {
        one(
            String.format(prefix, n) + " + " + key,
            system,
            rows.size() < TELLING_ROWS
                ? "only " + rows.size() + " rows: another number of buckets may be right as well"
                : "");
      }
    }

    void openTsdb() {
      if (rows.isEmpty()) {
        return;
      }
      String fields = "metric:bytes(3) + base:uint32 + tags:bytes";
      if (rows.stream().allMatch(row -> isOpenTsdb(row, 0))) {
        one(fields, "OpenTSDB, not salted", "");
      }
      for (int width = 1; width <= 2; width++) {
        int saltWidth = width;
        if (rows.stream().allMatch(row -> isOpenTsdb(row, saltWidth))) {
          int before = found.size();
          for (int n = 2; n <= MOST_BUCKETS * 4 && found.size() == before; n++) {
            one("opentsdb_salt(" + width + ", " + n + ") + " + fields, "OpenTSDB, salted", "");
          }
        }
      }
    }

    // Metric, hour and pairs of tags, all of fixed width.
    private static boolean isOpenTsdb(byte[] row, int width) {
      int tags = row.length - width - 7;
      if (tags < 6 || tags % 6 != 0) {
        return false;
      }
      long base = 0;
      for (int i = 0; i < 4; i++) {
        base = base << 8 | row[width + 3 + i] & 0xff;
      }
      return base > 0 && base % 3600 == 0;
    }

    void hashes() {
      if (!rows.isEmpty()) {
        int before = found.size();
        HashedPrefixes.lines(rows.get(0), key)
            .forEach(line -> one(line, "a hash in front of the key", ""));
        found.subList(before, found.size()).removeIf(hashed -> !isTelling(hashed.fit().layout()));
      }
    }

    // Some hash of the rest begins with the digit that all dates begin with.
    private boolean isTelling(Layout layout) {
      Set<String> prefixes = new HashSet<>();
      long width = 0;
      for (byte[] row : rows) {
        int end = row.length - layout.logical(row).length;
        width = Math.max(width, end);
        prefixes.add(Bytes.toStringBinary(row, 0, end));
      }
      return BITS_OF_A_DIGIT * width * prefixes.size() >= TELLING_BITS;
    }

    void unknownSalts() {
      if (rows.size() < TELLING_ROWS) {
        return;
      }
      String caution =
          "the rule that chose the bucket is not known: a read of one row asks every bucket, and a"
              + " row that is written again may be stored twice";
      int highest =
          rows.stream().mapToInt(row -> row.length == 0 ? 256 : row[0] & 0xff).max().orElse(256);
      boolean haveKeys = rows.stream().allMatch(row -> row.length > 1);
      if (haveKeys && highest > 0 && highest < 128 && areAll(highest)) {
        one("salt(" + (highest + 1) + ", random) + " + key, "a salt of one byte", caution);
      }
      for (char separator : TableCheck.SEPARATORS.toCharArray()) {
        digits(separator, caution);
      }
    }

    // A salt uses its buckets: a first byte that is something else leaves some out.
    private boolean areAll(int highest) {
      return rows.stream().mapToInt(row -> row[0] & 0xff).distinct().count() == highest + 1L;
    }

    private void digits(char separator, String caution) {
      int width = -1;
      int highest = 0;
      Set<Integer> buckets = new HashSet<>();
      for (byte[] row : rows) {
        int at = 0;
        int number = 0;
        while (at < row.length && at < 5 && row[at] >= '0' && row[at] <= '9') {
          number = 10 * number + row[at++] - '0';
        }
        if (at == 0 || at == row.length || row[at] != separator || width >= 0 && at != width) {
          return;
        }
        width = at;
        highest = Math.max(highest, number);
        buckets.add(number);
      }
      // A year or the first part of an address is no salt.
      if (highest > 0 && 2 * buckets.size() > highest) {
        one(
            "salt("
                + (highest + 1)
                + ", random; as=digits("
                + width
                + "), sep=\""
                + separator
                + "\") + "
                + key,
            "a salt in digits",
            caution);
      }
    }
  }
}
