/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.bytes.KeyBuffer;
import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.FieldCodec;
import io.evenkey.layout.key.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which prefixes the rows of a range can have if a field is hashed by {@link Slices}, and the range
 * fixes all that stands before that field, and all else that is hashed. A prefix is then in some
 * slices of the range: its rows lie between the first of these and the last. Between them, it has
 * rows of its own slices only, so that one range has them all.
 *
 * <p>Slices are looked at from either end of the range until each prefix was found. After enough
 * slices for that, the rest of the prefixes may be in all slices beyond.
 *
 * <p>{@code docs/scan-ranges.md} has a picture. Immutable and thread-safe.
 */
final class SliceSections {
  /**
   * With this many times as many prefixes looked at as there are, one in 3,000 has not been found.
   */
  private static final int ENOUGH = 8;

  /** More slices than this are not looked at: a request takes as long as some thousand hashes. */
  private static final long MOST_SLICES = 4_096;

  private final Prefix prefix;
  private final byte[] separator;
  private final Key key;
  private final int[] hashedFields;
  private final Slices slices;
  private final int place;

  SliceSections(Prefix prefix, byte[] separator, Key key, int[] hashedFields) {
    this.prefix = prefix;
    this.separator = separator;
    this.key = key;
    this.hashedFields = hashedFields;
    this.slices = prefix.slices();
    this.place = slices.isNone() ? -1 : key.elementOf(slices.field());
  }

  /**
   * The sections of a range.
   *
   * @param steps the steps of the prefix that keys of the range can be of
   * @param count the number of prefixes in these steps
   * @return null if the range does not say which slices it has
   */
  @Nullable List<Section> of(KeyRange keys, int[] steps, int count) {
    SlicedRange known = known(keys);
    return known == null ? null : new Search(keys, known, steps, count).sections();
  }

  /**
   * The keys of the first slice of a range, or of the last one.
   *
   * @return null if the range does not say which slice that is, or has no other
   */
  @Nullable KeyRange firstPart(KeyRange keys, boolean reversed) {
    SlicedRange known = known(keys);
    if (known == null || known.window.count() < 2) {
      return null;
    }
    Slices.Window window = known.window;
    if (reversed) {
      byte[] start =
          window.stopped() ? window.cutAfter(window.fromEnd(1), known.beginning) : new byte[0];
      return start.length == 0 ? null : KeyRange.of(start, keys.stop());
    }
    byte[] stop =
        window.started() ? window.cutAfter(window.fromStart(0), known.beginning) : new byte[0];
    return stop.length == 0 ? null : KeyRange.of(keys.start(), stop);
  }

  /**
   * What a range says of its slices.
   *
   * @param beginning the bytes of all its keys before the sliced field
   * @param spans where the values of the fields are in these
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never leaves this class
  private record SlicedRange(byte[] beginning, int[] spans, Slices.Window window) {}

  /** Null if a range does not fix all else that is hashed, or has no bound in the sliced field. */
  private @Nullable SlicedRange known(KeyRange keys) {
    if (slices.isNone()) {
      return null;
    }
    byte[] common = keys.commonPrefix();
    Key.Beginning fixed = key.beginning(common, place);
    if (fixed.elements() != place) {
      return null;
    }
    for (int field : hashedFields) {
      if (field != slices.field() && key.elementOf(field) >= place) {
        return null;
      }
    }
    byte[] beginning = Arrays.copyOf(common, fixed.bytes());
    Slices.Window window = slices.window(keys, beginning);
    return window.started() || window.stopped()
        ? new SlicedRange(beginning, fixed.spans(), window)
        : null;
  }

  /** The search for the prefixes of one range. */
  private final class Search {
    private final KeyRange keys;
    private final byte[] beginning;
    private final int[] spans;
    private final Slices.Window window;
    private final int[] steps;
    private final int count;
    private final long looked;
    private final KeyBuffer input = new KeyBuffer(64);
    private final byte[] written;

    Search(KeyRange keys, SlicedRange known, int[] steps, int count) {
      this.keys = keys;
      this.beginning = known.beginning;
      this.spans = known.spans;
      this.window = known.window;
      this.steps = steps;
      this.count = count;
      this.written = new byte[prefix.width()];
      long enough = (long) ENOUGH * count / prefix.variants() + 1;
      this.looked = Math.min(window.count(), Math.min(MOST_SLICES, enough));
    }

    List<Section> sections() {
      boolean all = looked == window.count();
      int[] first = new int[count];
      int[] last = new int[count];
      Arrays.fill(first, -1);
      Arrays.fill(last, -1);
      if (window.started() || all) {
        search(first, true);
      }
      if (window.stopped() || all) {
        search(last, false);
      }
      Map<Long, List<byte[]>> reaches = new LinkedHashMap<>();
      for (int index = 0; index < count; index++) {
        if (first[index] >= 0 || !all) {
          long reach = (long) first[index] << Integer.SIZE | last[index] & 0xffff_ffffL;
          reaches.computeIfAbsent(reach, none -> new ArrayList<>()).add(separated(index));
        }
      }
      List<Integer> ofSteps =
          prefix.steps().isNone() ? List.of() : IntStream.of(steps).boxed().toList();
      List<Section> sections = new ArrayList<>();
      reaches.forEach(
          (reach, prefixes) -> {
            KeyRange reached = reached((int) (reach >> Integer.SIZE), (int) (long) reach);
            if (!reached.isEmpty()) {
              sections.add(new Section(reached, prefixes, ofSteps));
            }
          });
      return sections;
    }

    /** Notes for each prefix the slice at which it is found, counted from one end. */
    private void search(int[] found, boolean forward) {
      int left = count;
      for (int i = 0; i < looked && left > 0; i++) {
        writeInput(forward ? window.fromStart(i) : window.fromEnd(i));
        for (int step : steps) {
          int end = (step + 1) * prefix.variants();
          for (int variant = step * prefix.variants(); variant < end; variant++) {
            prefix.write(input.array(), 0, input.size(), variant, written, 0);
            int bucket = prefix.bucket(written).orElseThrow();
            if (found[bucket] < 0) {
              found[bucket] = i;
              left--;
            }
          }
        }
      }
    }

    private void writeInput(long slice) {
      input.truncate(0);
      for (int field : hashedFields) {
        if (field == slices.field()) {
          Slices.put(slice, input);
        } else {
          FieldCodec codec = key.codecOf(field);
          codec.writePlain(beginning, spans[2 * field], spans[2 * field + 1], input);
        }
      }
    }

    /**
     * The keys of a prefix.
     *
     * @param first the slice that it was found in first, from the start, or -1
     * @param last the same from the end
     */
    private KeyRange reached(int first, int last) {
      KeyRange reached = keys;
      long from = !window.started() ? 0 : first >= 0 ? first : looked;
      if (from > 0 && from < window.count()) {
        byte[] start = window.cutAfter(window.fromStart(from - 1), beginning);
        reached =
            start.length == 0
                ? KeyRange.none()
                : reached.intersection(KeyRange.of(start, new byte[0]));
      }
      long fromEnd = !window.stopped() ? 0 : last >= 0 ? last : looked;
      if (fromEnd > 0 && fromEnd < window.count()) {
        byte[] stop = window.cutAfter(window.fromEnd(fromEnd), beginning);
        reached = reached.intersection(KeyRange.of(new byte[0], stop));
      }
      return reached;
    }

    private byte[] separated(int index) {
      byte[] nth = prefix.nth(index);
      byte[] whole = Arrays.copyOf(nth, nth.length + separator.length);
      System.arraycopy(separator, 0, whole, nth.length, separator.length);
      return whole;
    }
  }
}
