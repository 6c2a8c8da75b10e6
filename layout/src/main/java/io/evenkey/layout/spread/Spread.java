package io.evenkey.layout.spread;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.key.Key;
import io.evenkey.layout.key.RowException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The one-to-one map between logical keys and physical rows:
 *
 * <pre>  row = prefix ‖ separator ‖ logical key with its reversed parts turned round</pre>
 *
 * <p>The prefix and the separator have the same width in every row, so the logical key of a row
 * without reversed parts is the row from {@link #width} on: a view, not a copy. Immutable and
 * thread-safe.
 */
public final class Spread {
  /**
   * The most ranges that a scan is split into. A prefix with more values than two salt bytes have
   * (a long hash) gives nearly every row a prefix of its own: there is nothing left to merge.
   */
  public static final int MAX_FAN_OUT = 65_536;

  private final @Nullable Prefix prefix;
  private final byte[] separator;
  private final Key key;
  private final int[] hashedFields;

  private Spread(@Nullable Prefix prefix, byte[] separator, Key key) {
    this.prefix = prefix;
    this.separator = separator;
    this.key = key;
    this.hashedFields =
        prefix == null ? new int[0] : prefix.fields().stream().mapToInt(key::indexOf).toArray();
  }

  /**
   * A spread of {@code key}'s keys.
   *
   * @param prefix what is put in front, or null for nothing
   * @param separator bytes between the prefix and the key; empty without a prefix
   */
  public static Spread of(@Nullable Prefix prefix, byte[] separator, Key key) {
    return new Spread(prefix, separator.clone(), key);
  }

  /** The keys that are spread. */
  public Key key() {
    return key;
  }

  /** What is put in front of the logical key, or null for nothing. */
  public @Nullable Prefix prefix() {
    return prefix;
  }

  /** Bytes in front of the logical key: the prefix and its separator. */
  public int width() {
    return (prefix == null ? 0 : prefix.width()) + separator.length;
  }

  /** Whether the logical key stands in the row as it is, from {@link #width} on. */
  public boolean isPrefixOnly() {
    return !key.isReversed();
  }

  /**
   * Puts the prefix into {@code row}, which has room for it in front of a logical key, and turns
   * the reversed parts.
   *
   * @throws RowException if a field that the prefix depends on cannot be found
   */
  public void spreadInPlace(KeyBuffer row) {
    int width = width();
    byte[] bytes = row.array();
    int length = row.size() - width;
    if (prefix != null) {
      writePrefix(bytes, width, length, bytes);
      System.arraycopy(separator, 0, bytes, prefix.width(), separator.length);
    }
    key.reverse(bytes, width, length);
  }

  /**
   * The physical row of a logical key.
   *
   * @throws RowException if the key has not the form that the spread depends on
   */
  public byte[] physical(byte[] logical) {
    KeyBuffer row = new KeyBuffer(width() + logical.length);
    row.fill(0, width()).put(logical);
    spreadInPlace(row);
    return row.toArray();
  }

  /**
   * The logical key of a physical row.
   *
   * @throws RowException if the row does not begin with the prefix that this spread gives its key:
   *     it was not written under this layout
   */
  public byte[] logical(byte[] row) {
    int width = width();
    if (row.length < width) {
      throw new RowException("too short for " + prefix, row, row.length);
    }
    byte[] logical = Arrays.copyOfRange(row, width, row.length);
    key.reverse(logical, 0, logical.length);
    if (prefix != null) {
      byte[] expected = new byte[width];
      writePrefix(logical, 0, logical.length, expected);
      System.arraycopy(separator, 0, expected, prefix.width(), separator.length);
      int wrong = Arrays.mismatch(expected, 0, width, row, 0, width);
      if (wrong >= 0) {
        throw new RowException(prefix + " gives this key another prefix", row, wrong);
      }
    }
    return logical;
  }

  private void writePrefix(byte[] key, int offset, int length, byte[] out) {
    Prefix writer = Objects.requireNonNull(prefix);
    if (hashedFields.length == 0) {
      writer.write(key, offset, length, out, 0);
      return;
    }
    int[] spans = this.key.locate(key, offset, length);
    writePrefixOf(writer, key, spans, out);
  }

  private void writePrefixOf(Prefix writer, byte[] key, int[] spans, byte[] out) {
    List<Field> fields = this.key.fields();
    int only = hashedFields[0];
    if (hashedFields.length == 1 && !fields.get(only).descending()) {
      int from = spans[2 * only];
      writer.write(key, from, spans[2 * only + 1] - from, out, 0);
      return;
    }
    // Hashed in ascending form, so that a field keeps its prefix when its direction changes.
    KeyBuffer input = new KeyBuffer(64);
    for (int field : hashedFields) {
      int at = input.size();
      input.put(key, spans[2 * field], spans[2 * field + 1] - spans[2 * field]);
      if (fields.get(field).descending()) {
        input.invert(at);
      }
    }
    writer.write(input.array(), 0, input.size(), out, 0);
  }

  /**
   * The prefixes, separator included, that rows of these logical keys can have: one when the range
   * fixes all that the prefix depends on, else all there are; null when there are more than {@link
   * #MAX_FAN_OUT}.
   */
  public @Nullable List<byte[]> prefixes(KeyRange logical) {
    if (prefix == null) {
      return List.of(new byte[0]);
    }
    byte[] only = onlyPrefix(prefix, logical);
    if (only != null) {
      return List.of(only);
    }
    if (prefix.count() > MAX_FAN_OUT) {
      return null;
    }
    List<byte[]> all = new ArrayList<>();
    for (long i = 0; i < prefix.count(); i++) {
      all.add(separated(prefix.nth(i)));
    }
    return all;
  }

  private byte @Nullable [] onlyPrefix(Prefix writer, KeyRange logical) {
    byte[] out = new byte[writer.width()];
    byte[] onlyKey = logical.onlyKey();
    if (hashedFields.length == 0) {
      if (onlyKey == null) {
        return null;
      }
      writer.write(onlyKey, 0, onlyKey.length, out, 0);
      return separated(out);
    }
    byte[] common = onlyKey == null ? logical.commonPrefix() : onlyKey;
    Key.Beginning fixed = key.beginning(common, key.stepCount());
    for (int field : hashedFields) {
      int step = key.stepOf(field);
      if (onlyKey != null && step == fixed.steps() && key.endsWithKey(step)) {
        fixed.spans()[2 * field] = fixed.bytes();
        fixed.spans()[2 * field + 1] = common.length;
      } else if (step >= fixed.steps()) {
        return null;
      }
    }
    writePrefixOf(writer, common, fixed.spans(), out);
    return separated(out);
  }

  private byte[] separated(byte[] written) {
    byte[] whole = Arrays.copyOf(written, written.length + separator.length);
    System.arraycopy(separator, 0, whole, written.length, separator.length);
    return whole;
  }
}
