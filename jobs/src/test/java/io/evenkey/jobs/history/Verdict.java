/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.history;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The breaches of a history. Only what is certain counts: of two writes at one time either may be
 * the later one, and a write without an answer may be done at any time after its begin.
 *
 * @param breaches in the order of the reads
 * @param decided the number of rows in reads that had to be there: a history in which all rows
 *     change all the time proves nothing
 */
public record Verdict(List<Breach> breaches, long decided) {

  static Verdict of(Collection<Write> writes, Collection<Read> reads, Comparator<Found> order) {
    Map<String, List<Write>> rows = new HashMap<>();
    for (Write write : writes) {
      rows.computeIfAbsent(write.row(), row -> new ArrayList<>()).add(write);
    }
    List<Breach> breaches = new ArrayList<>();
    long decided = 0;
    for (Read read : reads) {
      Set<Found> returned = new HashSet<>();
      Found last = null;
      for (Found found : read.found()) {
        if (last != null && order.compare(last, found) > 0) {
          breaches.add(breach(Breach.Kind.OUT_OF_ORDER, read, found));
        }
        last = found;
        if (!returned.add(found)) {
          breaches.add(breach(Breach.Kind.DOUBLED, read, found));
        }
        if (!mayHave(rows.getOrDefault(found.row(), List.of()), found.value(), read)) {
          breaches.add(breach(Breach.Kind.PHANTOM, read, found));
        }
      }
      for (Map.Entry<String, List<Write>> row : rows.entrySet()) {
        String value = newest(row.getValue(), read);
        if (value != null && lasts(row.getValue(), value, read)) {
          decided++;
          if (!returned.contains(new Found(row.getKey(), value))) {
            breaches.add(new Breach(Breach.Kind.LOST, read, row.getKey(), value));
          }
        }
      }
    }
    return new Verdict(List.copyOf(breaches), decided);
  }

  private static Breach breach(Breach.Kind kind, Read read, Found found) {
    return new Breach(kind, read, found.row(), found.value());
  }

  /** The value that began last before the end of a read: the row can have no other throughout. */
  private static @Nullable String newest(List<Write> writes, Read read) {
    Write newest = null;
    for (Write write : writes) {
      if (write.begin() <= read.end() && (newest == null || write.begin() > newest.begin())) {
        newest = write;
      }
    }
    return newest == null ? null : newest.value();
  }

  /** Whether the row certainly has a value from the begin to the end of a read. */
  private static boolean lasts(List<Write> writes, String value, Read read) {
    return writes.stream()
        .anyMatch(write -> value.equals(write.value()) && lasts(writes, write, read));
  }

  private static boolean lasts(List<Write> writes, Write write, Read read) {
    if (write.end() >= read.begin()) {
      return false;
    }
    for (Write other : writes) {
      boolean same = Objects.equals(other.value(), write.value());
      if (!same && !other.isBefore(write) && other.begin() <= read.end()) {
        return false;
      }
    }
    return true;
  }

  /** Whether the row may have a value at some moment of a read. */
  private static boolean mayHave(List<Write> writes, String value, Read read) {
    for (Write write : writes) {
      if (value.equals(write.value())
          && write.begin() <= read.end()
          && !isReplaced(writes, write, read)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isReplaced(List<Write> writes, Write write, Read read) {
    for (Write other : writes) {
      if (write.isBefore(other) && other.end() < read.begin()) {
        return true;
      }
    }
    return false;
  }
}
