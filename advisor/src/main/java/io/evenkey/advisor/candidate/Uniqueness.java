/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.candidate;

import io.evenkey.advisor.sample.Column;
import io.evenkey.advisor.sample.Sample;
import io.evenkey.layout.hash.Xxh3;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The number of records of a sample that share their key with one before them. Not thread-safe. */
final class Uniqueness {
  private final Sample sample;
  private final Map<Set<String>, Integer> known = new HashMap<>();

  Uniqueness(Sample sample) {
    this.sample = sample;
  }

  /** Returns the uniqueness of a key of these columns in any order. */
  int collisions(List<Column> columns) {
    Set<String> names = new TreeSet<>();
    columns.forEach(column -> names.add(column.name()));
    return known.computeIfAbsent(names, n -> count(columns));
  }

  private int count(List<Column> columns) {
    long[] hashes = new long[sample.size()];
    ByteBuffer codes = ByteBuffer.allocate(Integer.BYTES * columns.size());
    for (int i = 0; i < hashes.length; i++) {
      codes.clear();
      for (Column column : columns) {
        codes.putInt(column.codes()[i]);
      }
      hashes[i] = Xxh3.hash(codes.array(), 0, codes.capacity());
    }
    Arrays.sort(hashes);
    int same = 0;
    for (int i = 1; i < hashes.length; i++) {
      same += hashes[i] == hashes[i - 1] ? 1 : 0;
    }
    return same;
  }
}
