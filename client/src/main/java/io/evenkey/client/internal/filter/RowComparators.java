/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.filter;

import io.evenkey.client.failure.UnsupportedFilterException;
import java.nio.charset.Charset;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.BinaryComponentComparator;
import org.apache.hadoop.hbase.filter.BinaryPrefixComparator;
import org.apache.hadoop.hbase.filter.ByteArrayComparable;
import org.apache.hadoop.hbase.filter.RegexStringComparator;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ComparatorProtos;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.jspecify.annotations.Nullable;

/** Comparators of a RowFilter, put behind a prefix. Stateless. */
final class RowComparators {
  /** Character sets in which each byte below 80 is a character by itself. */
  private static final Set<String> ASCII_BASED = Set.of("UTF-8", "ISO-8859-1", "US-ASCII");

  /** Expressions that match the begin of a row, or look behind: they would match the prefix. */
  private static final Pattern LOOKS_BACK =
      Pattern.compile("\\^|\\\\[AGbB]|\\(\\?<[=!]|\\(\\?[a-z-]*[xd]");

  private static final Pattern NEGATED_CLASS = Pattern.compile("\\[\\^");

  private RowComparators() {}

  /** Whether a row that compares as greater is followed by such rows only. */
  static boolean isOrdered(@Nullable ByteArrayComparable comparator) {
    return comparator != null
        && (comparator.getClass() == BinaryComparator.class
            || comparator.getClass() == BinaryPrefixComparator.class);
  }

  /**
   * The comparator that says of a row behind the prefix what the given one says of the logical key.
   *
   * @throws UnsupportedFilterException if there is none
   */
  static ByteArrayComparable behind(byte[] prefix, ByteArrayComparable comparator) {
    byte[] value = comparator.getValue();
    // A class that is derived from one of these may compare in any way.
    Class<?> type = comparator.getClass();
    try {
      if (type == BinaryComparator.class) {
        return new BinaryComparator(Bytes.add(prefix, value));
      } else if (type == BinaryPrefixComparator.class) {
        return new BinaryPrefixComparator(Bytes.add(prefix, value));
      } else if (type == BinaryComponentComparator.class) {
        // The offset has no getter; the serialized comparator contains it.
        int offset =
            ComparatorProtos.BinaryComponentComparator.parseFrom(comparator.toByteArray())
                .getOffset();
        return new BinaryComponentComparator(value, offset + prefix.length);
      } else if (type == RegexStringComparator.class) {
        return expression(
            prefix, ComparatorProtos.RegexStringComparator.parseFrom(comparator.toByteArray()));
      }
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a comparator that cannot be deserialized", e);
    }
    throw refused(comparator.getClass().getSimpleName(), "it would look at the prefix of the row");
  }

  // The expression skips the prefix: its number of characters of any kind, and then, since an
  // expression is looked for anywhere in the row, any number more.
  private static ByteArrayComparable expression(
      byte[] prefix, ComparatorProtos.RegexStringComparator regex) {
    String expression = regex.getPattern();
    boolean anchored = expression.startsWith("^");
    String rest = anchored ? expression.substring(1) : expression;
    String outsideClasses = NEGATED_CLASS.matcher(rest).replaceAll("[");
    if (LOOKS_BACK.matcher(outsideClasses).find()
        || anchored && rest.indexOf('|') >= 0
        || (regex.getPatternFlags() & (Pattern.LITERAL | Pattern.COMMENTS)) != 0) {
      throw refused(
          "RegexStringComparator", "its expression looks back, into the prefix of the row");
    }
    boolean ascii = ASCII_BASED.contains(regex.getCharset());
    for (byte b : prefix) {
      ascii &= b >= 0;
    }
    if (!ascii || !regex.getEngine().equals(RegexStringComparator.EngineType.JAVA.name())) {
      throw refused(
          "RegexStringComparator",
          "characters of the key could merge with the prefix of the row: use at most 128 buckets or"
              + " a salt as digits or letters, UTF-8 or Latin 1, and Java's engine");
    }
    String over = "\\A[\\s\\S]{" + prefix.length + "}" + (anchored ? "" : "[\\s\\S]*?");
    RegexStringComparator comparator =
        new RegexStringComparator(over + "(?:" + rest + ")", regex.getPatternFlags());
    comparator.setCharset(Charset.forName(regex.getCharset()));
    return comparator;
  }

  private static UnsupportedFilterException refused(String comparator, String why) {
    return new UnsupportedFilterException(
        "RowFilter(" + comparator + ")", why + "; compare with bytes, or filter what comes back");
  }
}
