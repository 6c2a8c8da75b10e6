/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.naming;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names of the tables that Evenkey makes for a table: {@code orders.g2} is the second
 * generation of {@code orders}, {@code orders.by_customer} has the entries of an index.
 *
 * <p>HBase names a link to a store file of another table {@code orders.g2=REGION-FILE}, and what
 * the daughter of a split has of it {@code orders.g2=REGION-FILE.PARENT}. It tries to read such a
 * name as that of a file of the table's own first: hexadecimal digits, a dot, and the parent. So a
 * link to a table {@code feed.g2} is read as one to a file {@code feed}, and the daughters of a
 * region with such a link never open. Names of tables in a namespace begin with that and {@code
 * '='}, and are read rightly. The names for a table such as {@code feed} have dashes: {@code
 * feed-g2}, {@code feed-by_customer}; and those for {@code cafe.orders} another one before the
 * first dot: {@code cafe-.orders-g2}.
 *
 * <p>No suffix has a dot or a dash, so no two tables have derived ones of one name. All names are
 * as HBase prints them: with the namespace and a colon, unless that is the default. Stateless.
 */
public final class DerivedTable {
  /** The names of HBase's store files: {@code StoreFileInfo.HFILE_NAME_REGEX}. */
  private static final Pattern STORE_FILE = Pattern.compile("[0-9a-f]+(_SeqId_[0-9]+_|_del)?");

  private static final Pattern GENERATION = Pattern.compile("(.+)[.-]g([0-9]+)");

  private DerivedTable() {}

  /** The name of the table of this suffix: the name of an index, or {@code g2}. */
  public static String of(String table, String suffix) {
    return beginning(table) + suffix;
  }

  /** The name of a generation, 2 or later. */
  public static String generation(String table, int number) {
    return of(table, "g" + number);
  }

  /** The number of a generation; empty if a name is none of a generation of the table. */
  public static OptionalInt number(String table, String name) {
    String suffix = suffix(table, name);
    if (suffix == null || !suffix.matches("g[0-9]{1,9}")) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(Integer.parseInt(suffix.substring(1)));
  }

  /** Whether a table was made for another one, by its name. */
  public static boolean isOf(String table, String name) {
    return suffix(table, name) != null;
  }

  private static @Nullable String suffix(String table, String name) {
    for (String beginning : beginnings(table)) {
      if (name.startsWith(beginning) && name.length() > beginning.length()) {
        return name.substring(beginning.length());
      }
    }
    return null;
  }

  /** The tables of which one of this name may be a generation; none if it cannot be one. */
  public static List<String> tablesOf(String name) {
    Matcher generation = GENERATION.matcher(name);
    List<String> tables = new ArrayList<>();
    if (generation.matches()) {
      String table = generation.group(1);
      for (String candidate : List.of(table, table.replaceFirst("-\\.", "."))) {
        if (isOf(candidate, name) && !tables.contains(candidate)) {
          tables.add(candidate);
        }
      }
    }
    return tables;
  }

  /** A pattern of the names of a table and its generations, without non-capturing groups. */
  public static String generations(String table) {
    StringBuilder pattern = new StringBuilder("(").append(Pattern.quote(table));
    for (String beginning : beginnings(table)) {
      pattern.append('|').append(Pattern.quote(beginning)).append("g[0-9]+");
    }
    return pattern.append(')').toString();
  }

  /** Whether HBase would read a link to a table of this name as one to a store file. */
  public static boolean isMisread(String name) {
    int dot = name.indexOf('.');
    return dot > 0 && STORE_FILE.matcher(name.substring(0, dot)).matches();
  }

  private static String beginning(String table) {
    return isMisread(table + ".") ? table.replaceFirst("\\.", "-.") + "-" : table + ".";
  }

  // Tables that were made before this rule have names with a dot.
  private static List<String> beginnings(String table) {
    String now = beginning(table);
    String before = table + ".";
    return now.equals(before) ? List.of(now) : List.of(now, before);
  }
}
