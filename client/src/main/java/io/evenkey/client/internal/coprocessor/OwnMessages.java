/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.coprocessor;

import java.util.HashMap;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;

/** Messages of HBase's own protobuf, by which endpoints are called since 3.0. Stateless. */
final class OwnMessages implements Messages {
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
