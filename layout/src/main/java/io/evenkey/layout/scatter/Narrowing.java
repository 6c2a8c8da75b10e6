/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far a condition narrows a read. Limits of the leading fields make the ranges that are read;
 * limits of the other fields only drop keys after they were read. Immutable.
 *
 * @param leading the limits of the leading fields, in key order; all except the last are single
 *     values
 * @param rest the limits of the fields behind them, in key order
 */
public record Narrowing(List<FieldLimit> leading, List<FieldLimit> rest) {
  /** A read of all keys. */
  public static final Narrowing NONE = new Narrowing(List.of(), List.of());

  /** Copies the lists. */
  public Narrowing {
    leading = List.copyOf(leading);
    rest = List.copyOf(rest);
  }

  /** The names of the fields for which the condition allows a single value. */
  public Set<String> constants() {
    return Stream.concat(leading.stream(), rest.stream())
        .filter(FieldLimit::isConstant)
        .map(FieldLimit::field)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Returns this narrowing for a key whose leading fields make no ranges, so that every limit only
   * drops keys.
   */
  public Narrowing withoutRanges() {
    List<FieldLimit> all = new ArrayList<>(leading);
    all.addAll(rest);
    return new Narrowing(List.of(), all);
  }
}
