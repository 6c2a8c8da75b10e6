/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.coprocessor;

import com.google.protobuf.Message;
import java.util.HashMap;
import java.util.Map;

/** Messages of protobuf 2.5, by which endpoints are called before HBase 3.0. Stateless. */
final class OlderMessages implements Messages {
  @Override
  public String type(Object message) {
    return ((Message) message).getDescriptorForType().getFullName();
  }

  @Override
  public Map<String, Object> fields(Object message) {
    Map<String, Object> fields = new HashMap<>();
    ((Message) message)
        .getAllFields()
        .forEach((field, value) -> fields.put(field.getName(), value));
    return fields;
  }

  @Override
  public boolean isMessage(Object value) {
    return value instanceof Message;
  }
}
