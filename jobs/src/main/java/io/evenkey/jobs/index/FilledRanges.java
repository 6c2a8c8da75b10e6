/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.index;

import io.evenkey.client.internal.registry.IndexWork;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.bytes.KeyRange;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The ranges of stored rows that are filled. Ranges that touch are one, so there are few: about as
 * many as threads that fill. Thread-safe.
 */
final class FilledRanges {
  private static final Comparator<KeyRange> BY_START =
      (a, b) -> Arrays.compareUnsigned(a.start(), b.start());

  /** The ranges in order; none touches another. */
  private List<KeyRange> ranges = List.of();

  /** The ranges of a record. */
  static FilledRanges of(List<IndexWork.Range> stored) {
    FilledRanges filled = new FilledRanges();
    for (IndexWork.Range range : stored) {
      filled.add(KeyRange.of(ByteText.fromHex(range.start()), ByteText.fromHex(range.stop())));
    }
    return filled;
  }

  /** Adds a range. */
  synchronized void add(KeyRange range) {
    if (range.isEmpty()) {
      return;
    }
    List<KeyRange> next = new ArrayList<>();
    KeyRange grown = range;
    for (KeyRange other : ranges) {
      KeyRange joined = grown.joined(other);
      if (joined == null) {
        next.add(other);
      } else {
        grown = joined;
      }
    }
    next.add(grown);
    next.sort(BY_START);
    ranges = next;
  }

  /** The parts of a range that are not filled, in order. */
  synchronized List<KeyRange> missing(KeyRange all) {
    List<KeyRange> missing = new ArrayList<>();
    KeyRange rest = all;
    for (KeyRange filled : ranges) {
      KeyRange common = filled.intersection(rest);
      if (!common.isEmpty()) {
        KeyRange before = before(rest, common.start());
        if (!before.isEmpty()) {
          missing.add(before);
        }
        rest = common.isOpenEnded() ? KeyRange.none() : after(rest, common.stop());
      }
    }
    if (!rest.isEmpty()) {
      missing.add(rest);
    }
    return missing;
  }

  // An empty key is the first one as a start, but no end.
  private static KeyRange before(KeyRange range, byte[] key) {
    return key.length == 0 ? KeyRange.none() : KeyRange.of(range.start(), key);
  }

  private static KeyRange after(KeyRange range, byte[] key) {
    return KeyRange.of(key, range.stop());
  }

  /** For the record. */
  synchronized List<IndexWork.Range> stored() {
    return ranges.stream()
        .map(range -> new IndexWork.Range(ByteText.hex(range.start()), ByteText.hex(range.stop())))
        .toList();
  }

  @Override
  public String toString() {
    return stored().toString();
  }
}
