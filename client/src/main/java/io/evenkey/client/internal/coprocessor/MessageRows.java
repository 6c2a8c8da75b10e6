/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.coprocessor;

import io.evenkey.client.internal.filter.FilterMapping;
import io.evenkey.client.internal.metrics.RefusalCounts;
import io.evenkey.layout.failure.EvenkeyUnsupportedException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks for rows in a message to a coprocessor. HBase's own kinds of message carry logical keys if
 * an application that knows of no layout made them, and would be taken for stored rows at the other
 * end: such a message is refused. What is in an application's own kinds of message is not known
 * here. Stateless.
 */
final class MessageRows {
  /** Messages that are about rows, all of them. */
  private static final Set<String> ABOUT_ROWS =
      Set.of("hbase.pb.Get", "hbase.pb.MutationProto", "hbase.pb.ProcessRequest");

  private static final String SCAN = "hbase.pb.Scan";
  private static final String FILTER = "hbase.pb.Filter";
  private static final Set<String> BOUNDS = Set.of("start_row", "stop_row");

  private MessageRows() {}

  /**
   * Lets a message pass.
   *
   * @throws UnsupportedOperationException if it names rows
   */
  static void check(Object message) {
    Messages own = new OwnMessages();
    check(own.isMessage(message) ? own : new OlderMessages(), message);
  }

  private static void check(Messages messages, Object message) {
    String type = messages.type(message);
    Map<String, Object> fields = messages.fields(message);
    if (ABOUT_ROWS.contains(type)
        || type.equals(FILTER) && !FilterMapping.looksAtNoRow(String.valueOf(fields.get("name")))
        || type.equals(SCAN) && isBounded(fields)) {
      RefusalCounts.count("coprocessor");
      throw new EvenkeyUnsupportedException(
          "rows in a message to a coprocessor of a spread table: message="
              + type
              + "; the coprocessor would take them for stored rows: send stored rows through"
              + " HBase's own connection, or a message without rows");
    }
    for (Object field : fields.values()) {
      List<?> values = field instanceof List<?> several ? several : List.of(field);
      values.stream().filter(messages::isMessage).forEach(each -> check(messages, each));
    }
  }

  // Both kinds of protobuf have bytes as what can be iterated.
  private static boolean isBounded(Map<String, Object> scan) {
    return BOUNDS.stream()
        .anyMatch(bound -> scan.get(bound) instanceof Iterable<?> row && row.iterator().hasNext());
  }
}
