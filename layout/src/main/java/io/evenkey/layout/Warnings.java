/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.FieldType;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.key.Part;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.layout.spread.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Warnings about a layout, or a key of it, that need no data. Stateless. */
final class Warnings {
  /** {@code HConstants.MAX_ROW_LENGTH}; the 64 KB that is often quoted is wrong. */
  static final int MAX_ROW_LENGTH = Short.MAX_VALUE;

  /** Every cell repeats its row, so a long key is paid for in each. */
  private static final int LONG_ROW = 100;

  /** Fewer prefixes than this leave most servers of an ordinary cluster without a region. */
  private static final int FEW_PREFIXES = 100;

  private Warnings() {}

  static List<String> of(Layout layout) {
    List<String> warnings = new ArrayList<>();
    if (layout.spread().width() == 0) {
      addGrowing(layout.key().parts().get(0), warnings);
    }
    warnings.addAll(ifMeasured(layout));
    return warnings;
  }

  static List<String> ifMeasured(Layout layout) {
    List<String> warnings = new ArrayList<>();
    Prefix prefix = layout.spread().prefix();
    if (prefix != null) {
      addPrefix(prefix, layout, warnings);
    }
    addSeparators(layout.key(), warnings);
    if (layout.key().isReversed()) {
      warnings.add(
          "a reversed part has no order: a scan returns its rows in order only if the condition"
              + " fixes each of its fields to one value");
    }
    addWidth(layout, warnings);
    return warnings;
  }

  /**
   * Warnings about a table of this number of regions on a number of servers, which have the regions
   * in turn, as HBase places those of a new table.
   */
  static List<String> of(Layout layout, int regions, int servers) {
    Prefix prefix = layout.spread().prefix();
    List<String> warnings = new ArrayList<>();
    if (prefix != null && prefix.width() > 0) {
      addIdle(prefix, regions, servers, warnings);
    }
    warnings.addAll(ofShared(layout, regions, servers));
    return warnings;
  }

  private static void addIdle(Prefix prefix, int regions, int servers, List<String> warnings) {
    if (regions >= servers) {
      return;
    }
    boolean few = prefix.count() < servers;
    warnings.add(
        "regions="
            + regions
            + " servers="
            + servers
            + ": "
            + (servers - regions)
            + " of the servers get no bucket of "
            + prefix
            + "; "
            + (few ? "take a salt of " : "ask for ")
            + servers
            + (few ? " buckets or more" : " regions or more"));
  }

  /** Warnings about the buckets that rows share. */
  private static List<String> ofShared(Layout layout, int regions, int servers) {
    Prefix prefix = layout.spread().prefix();
    if (prefix == null
        || prefix.isRandom()
        || prefix.variants() < 2
        || !prefix.steps().isNone()
        || prefix.count() % regions != 0) {
      return List.of();
    }
    int buckets = (int) prefix.count();
    int shared = prefix.variants();
    int most = Math.min(shared, servers);
    int used = serversOf(buckets, shared, regions, servers);
    if (used == most) {
      return List.of();
    }
    String warning =
        prefix
            + " gives rows with equal hashed values "
            + shared
            + " buckets, "
            + buckets / shared
            + " apart: as HBase places new regions, these are on "
            + used
            + " of "
            + servers
            + " servers";
    for (int fewer = buckets - 1; fewer >= shared; fewer--) {
      if (serversOf(fewer, shared, fewer, servers) == most) {
        return List.of(warning + "; with " + fewer + " buckets and regions, on " + most);
      }
    }
    return List.of(warning);
  }

  private static int serversOf(int buckets, int shared, int regions, int servers) {
    return (int)
        IntStream.range(0, shared)
            .map(i -> i * (buckets / shared) / (buckets / regions) % servers)
            .distinct()
            .count();
  }

  private static void addGrowing(Part first, List<String> warnings) {
    if (first instanceof Part.Value value && value.field().type().growsWithArrival()) {
      warnings.add(
          "keys begin with "
              + value.field()
              + ": if it grows as records arrive, all writes go to one region at a time; put"
              + " salt(N) in front");
    }
  }

  private static void addPrefix(Prefix prefix, Layout layout, List<String> warnings) {
    if (prefix.isRandom()) {
      warnings.add(
          prefix
              + " does not depend on the key: a Get asks all "
              + prefix.count()
              + " buckets, and a row written twice is there twice; where rows are read one by one"
              + " or written again, use a salt without "
              + (prefix.toString().contains("random") ? "random" : "rotating"));
    }
    if (!layout.slices().isNone() && prefix.fields().size() == 1 && prefix.variants() == 1) {
      warnings.add(
          prefix
              + " has one bucket per slice, which takes all writes while the slice lasts: give each"
              + " slice more buckets with the option over");
    }
    if (prefix.count() > Spread.MAX_FAN_OUT) {
      warnings.add(
          prefix
              + " has more than "
              + Spread.MAX_FAN_OUT
              + " values: rows can be read one by one or all together, but not as a range in"
              + " order");
    } else if (prefix.count() == 1 && prefix.width() > 0) {
      warnings.add(prefix + " has one bucket: it spreads nothing");
    } else if (prefix.count() < FEW_PREFIXES && layout.buckets().isPresent() && isHash(prefix)) {
      warnings.add(
          prefix
              + " has only "
              + prefix.count()
              + " values: rows fall into at most as many regions; take more digits, or say salt("
              + prefix.count()
              + ") if that is meant");
    }
  }

  // A hash prefix is no bucket's number; every salt is.
  private static boolean isHash(Prefix prefix) {
    return prefix.bucket(prefix.nth(0)).isEmpty() && prefix.width() > 0;
  }

  private static void addSeparators(Key key, List<String> warnings) {
    for (int element = 0; element + 1 < key.elementCount(); element++) {
      if (key.elementAt(element) instanceof Part.Value value
          && key.elementAt(element + 1) instanceof Part.Literal literal
          && endsAtLiteral(value.field())) {
        warnings.add(
            value.field().name()
                + " ends at "
                + literal
                + ": values that contain a character up to that one are rejected; without the"
                + " literal, a 00 byte ends the field and only NUL is rejected");
      }
    }
  }

  // Digits have none of the characters that a literal may begin with after them.
  private static boolean endsAtLiteral(Field field) {
    return field.type().width() == FieldType.VARIABLE
        && !field.descending()
        && field.type().alphabet() == FieldType.Alphabet.TEXT
        && field.type().canEndAt(new byte[] {'~'});
  }

  private static void addWidth(Layout layout, List<String> warnings) {
    int width = layout.spread().width();
    for (int element = 0; element < layout.key().elementCount(); element++) {
      Part part = layout.key().elementAt(element);
      width +=
          part instanceof Part.Literal literal
              ? literal.bytes().length
              : Math.max(0, ((Part.Value) part).field().type().width());
    }
    if (width > MAX_ROW_LENGTH) {
      warnings.add(
          "rows of at least " + width + " bytes: HBase refuses more than " + MAX_ROW_LENGTH);
    }
  }

  static List<String> of(Layout layout, int rowLength) {
    List<String> warnings = new ArrayList<>(of(layout));
    if (rowLength > MAX_ROW_LENGTH) {
      warnings.add("row of " + rowLength + " bytes: HBase refuses more than " + MAX_ROW_LENGTH);
    } else if (rowLength > LONG_ROW) {
      warnings.add(
          "row of "
              + rowLength
              + " bytes: HBase repeats it in every cell; aim for at most "
              + LONG_ROW);
    }
    return warnings;
  }

  /** The cost of a row of this length, and the common advice on row lengths. */
  static List<String> rowLengthNotes(int rowLength) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "a billion rows hold "
            + rowLength
            + " GB of keys for every column they have, before encoding and compression");
    if (rowLength % 8 != 0) {
      notes.add(
          "the length is not a multiple of 8, which some recommend for aligned memory: "
              + (8 - rowLength % 8)
              + " more bytes would make it one; HBase itself aligns nothing by it");
    }
    return notes;
  }
}
