/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.heat.history;

import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.field.Field;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Text for a physical key, or for the beginning of one. Stateless. */
public final class KeyLabel {
  private KeyLabel() {}

  private static final String BETWEEN = " · ";

  /** The names of the parts of {@link #values}, such as {@code bucket · device · ts}. */
  public static String fields(@Nullable Layout layout, boolean logical) {
    if (layout == null) {
      return "row key";
    }
    List<String> names = new ArrayList<>();
    if (!logical && layout.spread().prefix() != null) {
      names.add(layout.buckets().isPresent() ? "bucket" : "prefix");
    }
    layout.fields().forEach(field -> names.add(field.name()));
    return String.join(BETWEEN, names);
  }

  /** The values of the key's fields, without their names; its bytes if the table has no layout. */
  public static String values(@Nullable Layout layout, byte[] key, boolean logical) {
    if (layout == null) {
      return ByteText.printable(key);
    }
    String label = logical ? layout.labelLogical(key) : layout.label(key);
    for (String prefix : List.of("bucket ", "prefix ")) {
      if (!logical && label.startsWith(prefix)) {
        label = label.substring(prefix.length());
      }
    }
    int from = 0;
    for (Field field : layout.fields()) {
      String named = field.name() + "=";
      int at = label.startsWith(named, from) ? from : label.indexOf(BETWEEN + named, from);
      if (at < 0) {
        break;
      }
      int value = at == from && label.startsWith(named, from) ? at : at + BETWEEN.length();
      label = label.substring(0, value) + label.substring(value + named.length());
      from = value;
    }
    return label;
  }

  /** The key's fields by the table's layout; its bytes if the table has no layout. */
  public static String of(@Nullable Layout layout, byte[] key) {
    return layout == null ? ByteText.printable(key) : layout.label(key);
  }
}
