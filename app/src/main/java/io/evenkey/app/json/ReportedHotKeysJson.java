/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import java.util.List;

/**
 * The hot keys of a table as its region servers count them and as clients report them, as JSON.
 * Immutable.
 *
 * @param clients the number of clients that reported
 * @param reports the number of reports that are added up
 * @param leftOut reports that cannot be added to these: hashes and values do not go together
 * @param from the beginning of the first report, in milliseconds since 1970
 */
@JsonNaming(SnakeCaseStrategy.class)
public record ReportedHotKeysJson(
    HotKeysJson servers,
    int clients,
    int reports,
    int leftOut,
    boolean hashed,
    long from,
    ReportedItems readKeys,
    ReportedItems readFields,
    ReportedItems writeKeys,
    ReportedItems writeFields) {
  /**
   * The most frequent keys of one kind.
   *
   * @param total all operations of that kind
   * @param error at most so many operations on a key that is not among the items
   */
  public record ReportedItems(long total, long error, List<ReportedItem> items) {
    /** Copies the list. */
    public ReportedItems {
      items = List.copyOf(items);
    }
  }

  /** One key, with the number of its operations and the bounds of that number. */
  public record ReportedItem(String label, long estimate, long lower, long upper) {}
}
