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
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which prefixes the rows of a range of logical keys can have. Where the number of buckets changes
 * at steps, and the range fixes the fields before the step field, the range is cut at the steps;
 * else all of it may have rows of every step.
 *
 * <p>Immutable and thread-safe.
 */
final class Sections {
  private static final int[] NO_SPANS = {};

  private final Prefix prefix;
  private final byte[] separator;
  private final Key key;
  private final int[] hashedFields;
  private final Steps steps;
  private final SliceSections slices;

  Sections(Prefix prefix, byte[] separator, Key key, int[] hashedFields) {
    this.prefix = prefix;
    this.separator = separator;
    this.key = key;
    this.hashedFields = hashedFields;
    this.steps = prefix.steps();
    this.slices = new SliceSections(prefix, separator, key, hashedFields);
  }

  /** Keys that may be of some steps, and of no other. */
  @SuppressWarnings("ArrayRecordComponent") // never compared, never leaves this class
  private record StepStretch(KeyRange keys, int[] steps) {}

  /**
   * The sections of a range.
   *
   * @param inputs the possible inputs of the prefix; none if they are not known
   * @param stepValues the values that the step field may have, in ascending form; null for all
   * @return null if there are more than {@link Spread#MAX_FAN_OUT} prefixes
   */
  @Nullable List<Section> of(
      KeyRange logical, List<byte[]> inputs, @Nullable List<KeyRange> stepValues) {
    byte[] onlyKey = logical.onlyKey();
    byte[] common = onlyKey == null ? logical.commonPrefix() : onlyKey;
    List<byte[]> only = onlyInput(common, onlyKey);
    List<byte[]> known = only.isEmpty() ? inputs : only;
    if (known.isEmpty() && prefix.count() > Spread.MAX_FAN_OUT) {
      return null;
    }
    List<StepStretch> runs = runs(logical, common, stepValues);
    List<Section> sliced = only.isEmpty() ? sliced(runs) : null;
    if (sliced != null) {
      return sliced;
    }
    if (known.isEmpty()) {
      return everywhere(runs);
    }
    List<Section> sections = chosen(runs, known, onlyKey);
    // Only lines with hundreds of steps have so many: all prefixes, each once, are fewer.
    return sections.stream().mapToLong(section -> section.prefixes().size()).sum()
            > Spread.MAX_FAN_OUT
        ? chosen(List.of(new StepStretch(logical, steps.having(stepValues))), known, onlyKey)
        : sections;
  }

  /**
   * The keys of the first slice of a range, or else of its first step; of the last one if reversed.
   *
   * @return null if that is the whole range, or the range has too many prefixes to be read in order
   */
  @Nullable KeyRange firstPart(KeyRange logical, boolean reversed) {
    if (steps.isNone() && prefix.slices().isNone()) {
      return null;
    }
    byte[] common = logical.commonPrefix();
    if (logical.onlyKey() != null
        || prefix.count() > Spread.MAX_FAN_OUT
        || !onlyInput(common, null).isEmpty()) {
      return null;
    }
    List<StepStretch> runs = runs(logical, common, null);
    if (runs.isEmpty()) {
      return null;
    }
    KeyRange run = runs.get(reversed ? runs.size() - 1 : 0).keys;
    KeyRange slice = slices.firstPart(run, reversed);
    if (slice == null && runs.size() == 1) {
      return null;
    }
    KeyRange first = slice == null ? run : slice;
    return reversed
        ? KeyRange.of(first.start(), logical.stop())
        : KeyRange.of(logical.start(), first.stop());
  }

  /** The sections by slices; null where they are not known, or would be too many. */
  private @Nullable List<Section> sliced(List<StepStretch> runs) {
    List<Section> all = new ArrayList<>();
    long prefixes = 0;
    for (StepStretch run : runs) {
      List<Section> sections = slices.of(run.keys, run.steps, (int) count(run));
      if (sections == null) {
        return null;
      }
      all.addAll(sections);
      prefixes += count(run);
    }
    return prefixes > Spread.MAX_FAN_OUT ? null : all;
  }

  private List<StepStretch> runs(
      KeyRange logical, byte[] common, @Nullable List<KeyRange> stepValues) {
    int[] possible = steps.having(stepValues);
    if (steps.isNone()) {
      return List.of(new StepStretch(logical, possible));
    }
    int place = key.elementOf(steps.field());
    Key.Beginning fixed = key.beginning(common, place);
    if (fixed.elements() == place) {
      return cut(logical, Arrays.copyOf(common, fixed.bytes()), possible);
    }
    // Two beginnings with nothing between them, such as two numbers in a row: a part of each.
    byte[] start = logical.start();
    byte[] stop = logical.stop();
    Key.Beginning first = key.beginning(start, place);
    Key.Beginning last = key.beginning(stop, place);
    byte[] head = Arrays.copyOf(start, first.bytes());
    byte[] tail = Arrays.copyOf(stop, last.bytes());
    if (first.elements() == place
        && last.elements() == place
        && Arrays.equals(KeyRange.afterPrefix(head), tail)) {
      List<StepStretch> both = new ArrayList<>(cut(logical, head, possible));
      both.addAll(cut(logical, tail, possible));
      return both;
    }
    return possible.length == 0 ? List.of() : List.of(new StepStretch(logical, possible));
  }

  /** The runs of those keys of a range that begin alike up to the step field. */
  private List<StepStretch> cut(KeyRange logical, byte[] beginning, int[] possible) {
    FieldCodec codec = key.codecOf(steps.field());
    KeyRange within = logical.intersection(KeyRange.prefix(beginning));
    KeyRange[] parts = steps.cut(beginning, codec);
    // The beginning alone is no key: all have a value of the step field too.
    byte[] leastKey = Arrays.copyOf(beginning, beginning.length + codec.width());
    KeyRange whole = KeyRange.of(leastKey, new byte[0]);
    List<StepStretch> runs = new ArrayList<>();
    for (int step : possible) {
      KeyRange keys = within.intersection(parts[step]);
      if (!keys.intersection(whole).isEmpty()) {
        runs.add(new StepStretch(keys, new int[] {step}));
      }
    }
    runs.sort((a, b) -> Arrays.compareUnsigned(a.keys.start(), b.keys.start()));
    return runs;
  }

  /** The runs from the first to the last that a prefix is in. */
  private record StretchSpan(int first, int last) {}

  // The runs between the first and the last that a bucket is in have no row in it, or are of it:
  // one range has them all.
  private List<Section> everywhere(List<StepStretch> runs) {
    Map<StretchSpan, List<byte[]>> found = new LinkedHashMap<>();
    long most = runs.stream().mapToLong(this::count).max().orElse(0);
    int first = 0;
    int last = runs.size() - 1;
    List<byte[]> same = null;
    // A prefix that fewer runs have comes after those that more have.
    for (long index = 0; index < most; index++) {
      while (count(runs.get(first)) <= index) {
        first++;
        same = null;
      }
      while (count(runs.get(last)) <= index) {
        last--;
        same = null;
      }
      if (same == null) {
        same = found.computeIfAbsent(new StretchSpan(first, last), span -> new ArrayList<>());
      }
      same.add(separated(prefix.nth(index)));
    }
    if (!runs.isEmpty()) {
      List<byte[]> extraPrefixes = prefix.extraPrefixes().stream().map(this::separated).toList();
      found
          .computeIfAbsent(new StretchSpan(0, runs.size() - 1), reach -> new ArrayList<>())
          .addAll(extraPrefixes);
    }
    List<Section> sections = new ArrayList<>();
    found.forEach(
        (reach, prefixes) ->
            sections.add(
                new Section(
                    KeyRange.of(
                        runs.get(reach.first).keys.start(), runs.get(reach.last).keys.stop()),
                    prefixes,
                    stepsOf(runs.subList(reach.first, reach.last + 1)))));
    return sections;
  }

  private List<Integer> stepsOf(List<StepStretch> runs) {
    return steps.isNone()
        ? List.of()
        : runs.stream().flatMap(run -> Arrays.stream(run.steps).boxed()).distinct().toList();
  }

  private long count(StepStretch run) {
    return steps.isNone()
        ? prefix.count()
        : Arrays.stream(run.steps).map(steps::buckets).max().orElse(0);
  }

  private List<Section> chosen(
      List<StepStretch> runs, List<byte[]> inputs, byte @Nullable [] onlyKey) {
    List<Section> sections = new ArrayList<>();
    for (StepStretch run : runs) {
      Set<byte[]> found = new TreeSet<>(Arrays::compareUnsigned);
      for (int step : run.steps) {
        inputs.forEach(input -> addPrefixes(input, step, onlyKey, found));
      }
      sections.add(new Section(run.keys, List.copyOf(found), stepsOf(List.of(run))));
    }
    return sections;
  }

  private void addPrefixes(byte[] input, int step, byte @Nullable [] onlyKey, Set<byte[]> found) {
    int first = step * prefix.variants();
    int end = first + prefix.variants();
    if (onlyKey != null && !prefix.isRandom() && (steps.isNone() || key.isWhole(onlyKey))) {
      int[] spans = steps.isNone() ? NO_SPANS : key.locate(onlyKey, 0, onlyKey.length);
      first = prefix.variant(onlyKey, 0, onlyKey.length, spans);
      end = first + 1;
    }
    for (int variant = first; variant < end; variant++) {
      byte[] out = new byte[prefix.width()];
      prefix.write(input, 0, input.length, variant, out, 0);
      found.add(separated(out));
    }
  }

  /** The input of the prefix, if it is the same for all keys of a range; else empty. */
  private List<byte[]> onlyInput(byte[] common, byte @Nullable [] onlyKey) {
    if (hashedFields.length == 0) {
      return onlyKey == null ? List.of() : List.of(onlyKey);
    }
    int[] spans;
    if (onlyKey != null && key.isWhole(onlyKey)) {
      spans = key.locate(onlyKey, 0, onlyKey.length);
    } else {
      Key.Beginning fixed = key.beginning(common, key.elementCount());
      for (int field : hashedFields) {
        if (key.elementOf(field) >= fixed.elements()) {
          return List.of();
        }
      }
      spans = fixed.spans();
    }
    KeyBuffer input = new KeyBuffer(64);
    for (int field : hashedFields) {
      if (field == prefix.slices().field()) {
        prefix.slices().writeNear(common, spans[2 * field], spans[2 * field + 1], input);
      } else {
        FieldCodec codec = key.codecOf(field);
        codec.writePlain(common, spans[2 * field], spans[2 * field + 1], input);
      }
    }
    return List.of(input.toArray());
  }

  private byte[] separated(byte[] written) {
    byte[] whole = Arrays.copyOf(written, written.length + separator.length);
    System.arraycopy(separator, 0, whole, written.length, separator.length);
    return whole;
  }
}
