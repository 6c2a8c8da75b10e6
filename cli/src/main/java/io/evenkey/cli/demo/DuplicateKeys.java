/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli.demo;

import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Records with the same key: HBase keeps one row for them, so a layout with duplicate keys loses
 * records.
 *
 * @param records the number of records that share their key with an earlier record
 * @param examples some of these keys, as text
 * @param proposal a change that makes the key unique
 */
record DuplicateKeys(int records, List<String> examples, String proposal) {
  private static final int EXAMPLES = 3;

  /** Enough records to find a column that distinguishes them, few enough to hold in memory. */
  private static final int STUDIED = 100_000;

  static DuplicateKeys none() {
    return new DuplicateKeys(0, List.of(), "");
  }

  static DuplicateKeys of(RecordSource source, Layout layout, RecordKeys keys)
      throws InputException {
    if (keys.collisions() == 0) {
      return none();
    }
    Map<Integer, Integer> groups = collidingRecords(keys);
    List<String> columns = source.columns();
    List<Set<List<Object>>> seen = new ArrayList<>();
    columns.forEach(column -> seen.add(new HashSet<>()));
    boolean[] parts = new boolean[columns.size()];
    Arrays.fill(parts, true);
    Map<Integer, List<Long>> lines = new HashMap<>();
    Map<Integer, String> shown = new HashMap<>();
    try (RecordCursor records = source.open()) {
      for (int i = 0; records.next(); i++) {
        Integer group = groups.get(i);
        if (group == null) {
          continue;
        }
        for (int c = 0; c < parts.length; c++) {
          parts[c] = parts[c] && seen.get(c).add(List.of(group, records.value(c)));
        }
        if (group < EXAMPLES) {
          lines.computeIfAbsent(group, g -> new ArrayList<>()).add(records.line());
          shown.putIfAbsent(group, keyText(source, layout, records));
        }
      }
    }
    List<String> examples = new ArrayList<>();
    for (int group = 0; lines.containsKey(group); group++) {
      examples.add(shown.get(group) + " on lines " + shortened(lines.get(group)));
    }
    return new DuplicateKeys(keys.collisions(), examples, proposal(source, layout, parts));
  }

  private static String shortened(List<Long> lines) {
    String first = lines.stream().limit(4).map(String::valueOf).collect(Collectors.joining(", "));
    return lines.size() <= 4 ? first : first + " and " + (lines.size() - 4) + " more";
  }

  /** Maps a record's position in arrival order to the number of its group of equal keys. */
  private static Map<Integer, Integer> collidingRecords(RecordKeys keys) {
    Map<Integer, Integer> groups = new HashMap<>();
    List<RecordKeys.Entry> sorted = keys.sorted();
    int group = 0;
    for (int i = 0; i < sorted.size() && groups.size() < STUDIED; ) {
      int end = i + 1;
      while (end < sorted.size() && Arrays.equals(sorted.get(i).key(), sorted.get(end).key())) {
        end++;
      }
      if (end - i > 1) {
        for (int member = i; member < end; member++) {
          groups.put(sorted.get(member).record(), group);
        }
        group++;
      }
      i = end;
    }
    return groups;
  }

  private static String keyText(RecordSource source, Layout layout, RecordCursor record) {
    List<String> parts = new ArrayList<>();
    for (Field field : layout.fields()) {
      parts.add(field.name() + "=" + record.value(source.columns().indexOf(field.name())));
    }
    return String.join(" ", parts);
  }

  private static String proposal(RecordSource source, Layout layout, boolean[] parts)
      throws InputException {
    for (int c = 0; c < parts.length; c++) {
      if (parts[c]) {
        return "add a column that tells them apart: "
            + layout
            + " + "
            + Quoted.name(source.columns().get(c))
            + ":"
            + ColumnTypes.infer(source, new int[] {c}).get(0);
      }
    }
    return "no single column tells them apart: add a record number to the data, and"
        + " to the key: "
        + layout
        + " + seq:int64";
  }
}
