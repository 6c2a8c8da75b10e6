/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.coprocessor;

import java.util.Map;

/** How the messages of a protobuf are read. Stateless. */
interface Messages {
  /** The full name of a message's type. */
  String type(Object message);

  /** The fields that are set, by name. */
  Map<String, Object> fields(Object message);

  /** Whether a value of a field is a message. */
  boolean isMessage(Object value);
}
