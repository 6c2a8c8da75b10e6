/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.scatter;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * How far a condition narrows a read of keys: the limits of the leading fields make the ranges that
 * are read, and those of the other fields only drop keys that were read. Immutable.
 *
 * @param leading the limits of the leading fields, in their order: single values, of all but the
 *     last
 * @param rest the limits of the fields after them, in their order
 */
public record Narrowing(List<FieldLimit> leading, List<FieldLimit> rest) {
  /** A read of all keys. */
  public static final Narrowing NONE = new Narrowing(List.of(), List.of());

  /** Copies the lists. */
  public Narrowing {
    leading = List.copyOf(leading);
    rest = List.copyOf(rest);
  }

  /** The fields that have the same value in all keys that fulfil the condition. */
  public Set<String> constants() {
    return Stream.concat(leading.stream(), rest.stream())
        .filter(FieldLimit::isConstant)
        .map(FieldLimit::field)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns this narrowing for a key whose leading fields make no ranges. */
  public Narrowing withoutRanges() {
    List<FieldLimit> all = new ArrayList<>(leading);
    all.addAll(rest);
    return new Narrowing(List.of(), all);
  }
}
