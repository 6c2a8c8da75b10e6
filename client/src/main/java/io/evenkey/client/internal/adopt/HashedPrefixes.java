/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.adopt;

import io.evenkey.client.internal.verify.TableCheck;
import io.evenkey.layout.Layout;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.hash.Hash;
import io.evenkey.layout.hash.Hashes;
import io.evenkey.layout.message.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The layouts that put a hash in front of a key, as far as one row could be of them by its looks:
 * as many hexadecimal digits, and a separator where one is. Stateless.
 */
final class HashedPrefixes {
  private static final int MOST_BYTES = 16;

  private HashedPrefixes() {}

  /** Which fields of a key are hashed. */
  private record Hashed(String fields, String key) {}

  /**
   * Layout lines to try.
   *
   * @param row a row
   * @param key the logical key in the layout language
   */
  static List<String> lines(byte[] row, String key) {
    List<Hashed> keys = new ArrayList<>();
    List<String> fields = Layout.parse(key).fields().stream().map(Field::name).toList();
    for (int hashed = 1; hashed <= fields.size(); hashed++) {
      keys.add(
          new Hashed(
              String.join(", ", fields.subList(0, hashed).stream().map(Quoted::name).toList()),
              key));
    }
    // Of a key of which nothing is known, what comes before a separator, or a number or UUID.
    if (key.equals(TableCheck.UNKNOWN_KEY)) {
      for (char separator : TableCheck.SEPARATORS.toCharArray()) {
        keys.add(new Hashed("id", "id:string + \"" + separator + "\" + rest:bytes"));
      }
      for (int width : new int[] {4, 8, 16}) {
        keys.add(new Hashed("id", "id:bytes(" + width + ") + rest:bytes"));
      }
    }
    List<String> lines = new ArrayList<>();
    for (String name : Hashes.names()) {
      Hash hash = Objects.requireNonNull(Hashes.named(name));
      for (Hashed hashed : keys) {
        String call = hash.name() + "(" + hashed.fields + ")";
        String behind = hashed.key;
        for (int width = 1; width <= Math.min(hash.width(), MOST_BYTES); width++) {
          lines.add(call + "[0.." + width + "]:bytes + " + behind);
        }
        digits(row, "0123456789abcdef", ":hex", 2 * hash.width(), call, behind, lines);
        digits(row, "0123456789ABCDEF", ":HEX", 2 * hash.width(), call, behind, lines);
      }
    }
    return lines;
  }

  private static void digits(
      byte[] row,
      String digits,
      String form,
      int most,
      String call,
      String behind,
      List<String> lines) {
    for (int width = 1; width <= Math.min(most, row.length); width++) {
      if (digits.indexOf(row[width - 1]) < 0) {
        return;
      }
      String prefix = call + "[0.." + width + "]" + form + " + ";
      lines.add(prefix + behind);
      if (width < row.length && TableCheck.SEPARATORS.indexOf(row[width]) >= 0) {
        lines.add(prefix + "\"" + (char) row[width] + "\" + " + behind);
      }
    }
  }
}
