/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.spread;

import io.evenkey.layout.hash.Hashes;
import io.evenkey.layout.token.Cursor;
import io.evenkey.layout.token.Token;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The prefixes that a layout line can name. A new prefix is a file of its own and a line here.
 * Stateless.
 */
public final class Prefixes {
  private static final Map<String, Function<Cursor, ParsedPrefix>> READERS = new LinkedHashMap<>();

  static {
    READERS.put("salt", SaltReader::read);
    READERS.put("phoenix_salt", PhoenixSalt::read);
    READERS.put("hbasewd_salt", HBaseWdSalt::read);
    READERS.put("opentsdb_salt", OpenTsdbSalt::read);
    for (String hash : Hashes.names()) {
      READERS.put(hash, cursor -> HashPrefix.read(hash, cursor));
    }
  }

  private Prefixes() {}

  /**
   * Returns the parser of a prefix's arguments, from the opening parenthesis on; null if no prefix
   * has this name.
   */
  public static @Nullable Function<Cursor, ParsedPrefix> reader(String name) {
    return READERS.get(name);
  }

  /** The empty prefix of a Phoenix table without salt. */
  public static Prefix phoenixWithoutSalt() {
    return new PhoenixSalt(0);
  }

  /** Returns the names of all prefixes. */
  public static Collection<String> names() {
    return READERS.keySet();
  }

  /**
   * Reads one field name, then more after commas.
   *
   * @param afterEach reads what may stand after a name
   */
  static List<String> fieldNames(Cursor cursor, Consumer<Token> afterEach) {
    List<String> names = new ArrayList<>();
    do {
      Token name = cursor.expectReference("a field name");
      if (names.contains(name.text())) {
        throw cursor.error(name.span(), "field '" + name.text() + "' stands twice", null);
      }
      names.add(name.text());
      afterEach.accept(name);
    } while (cursor.skip(","));
    return names;
  }

  /** Refuses a step, such as {@code ; 48 from ts 2027-01-01}, where there cannot be one. */
  static void refuseSteps(Cursor cursor, String prefix, String reason) {
    Token semicolon = cursor.peek();
    if (!semicolon.is(";")) {
      return;
    }
    cursor.next();
    Token next = cursor.peek();
    throw next.kind() == Token.Kind.NUMBER
        ? cursor.error(next.span(), "a step in " + prefix, reason + "; only salt(N) can have steps")
        : cursor.error(semicolon.span(), "unexpected ';'", prefix + " has no options");
  }
}
