/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The queries that a table and its indexes do not serve: those that read {@value #ROWS} rows or
 * more for each that they return, and those that open {@value #RANGES} ranges or more, and {@value
 * #RANGES_OF_ROW} or more for each row that they return. {@value #RANGES} ranges are 70 ms of
 * requests by the usual costs, beside half a millisecond for the query. Stateless.
 */
final class Unserved {
  static final int ROWS = 20;
  static final int RANGES = 1_000;
  static final int RANGES_OF_ROW = 20;

  private Unserved() {}

  /** A sentence for each query that is not served. */
  static List<String> of(List<QueryAccess> queries) {
    List<String> unserved = new ArrayList<>();
    for (QueryAccess access : queries) {
      String text = "\"" + access.table().query().text() + "\"";
      QueryAccess.Declined declined = access.declined();
      if (access.readAmplification() >= ROWS) {
        String reads =
            text + format(" reads %,.0f rows for each it returns", access.readAmplification());
        unserved.add(
            declined == null
                ? reads + ", and no index makes it much cheaper"
                : reads + other(declined, format("make that %.1f", declined.readAmplification())));
      } else if (opensMany(access)) {
        double returned = access.table().rowsReturned();
        String opens = text + format(" opens %,.0f ranges", access.ranges());
        opens += format(" for %,.1f rows that it returns", returned);
        unserved.add(
            declined == null || declined.ranges() >= access.ranges()
                ? opens + ", and no index opens fewer"
                : opens + other(declined, format("open %,.0f", declined.ranges())));
      }
    }
    return unserved;
  }

  private static boolean opensMany(QueryAccess access) {
    return access.ranges() >= RANGES
        && access.ranges() >= RANGES_OF_ROW * access.table().rowsReturned();
  }

  private static String other(QueryAccess.Declined declined, String effect) {
    return "; an index by '"
        + declined.index().index().layout()
        + "' would "
        + effect
        + format(", but raises the score by %.1f points only", Math.max(0, declined.gain()))
        + format(", and %.1f are needed", declined.needed());
  }

  private static String format(String text, double figure) {
    return String.format(Locale.ROOT, text, figure);
  }
}
