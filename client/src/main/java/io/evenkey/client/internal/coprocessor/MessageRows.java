/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.coprocessor;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.evenkey.client.internal.filter.FilterMapping;
import io.evenkey.client.internal.metrics.RefusalCounts;
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
  static void check(Message message) {
    String type = message.getDescriptorForType().getFullName();
    if (ABOUT_ROWS.contains(type)
        || type.equals(FILTER) && !looksAtNoRow(message)
        || type.equals(SCAN) && isBounded(message)) {
      RefusalCounts.count("coprocessor");
      throw new UnsupportedOperationException(
          "rows in a message to a coprocessor of a spread table: message="
              + type
              + "; at the other end they would be taken for stored rows: send the rows as they are"
              + " stored through a connection of HBase's own, or a message without rows");
    }
    for (Map.Entry<FieldDescriptor, Object> field : message.getAllFields().entrySet()) {
      if (field.getKey().getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
        if (field.getValue() instanceof Iterable<?> several) {
          several.forEach(each -> check((Message) each));
        } else {
          check((Message) field.getValue());
        }
      }
    }
  }

  private static boolean looksAtNoRow(Message filter) {
    Object name = filter.getField(filter.getDescriptorForType().findFieldByName("name"));
    return FilterMapping.looksAtNoRow(String.valueOf(name));
  }

  private static boolean isBounded(Message scan) {
    return scan.getAllFields().entrySet().stream()
        .anyMatch(
            field ->
                BOUNDS.contains(field.getKey().getName())
                    && field.getValue() instanceof com.google.protobuf.ByteString bound
                    && !bound.isEmpty());
  }
}
