/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.row;

import io.evenkey.layout.Layout;
import io.evenkey.layout.guard.GuardAttributes;
import io.evenkey.layout.guard.Stamp;
import io.evenkey.layout.index.TableIndexes;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of requests for the guard of region servers: the layout's stamp, none for tables
 * without a layout; and the number of a migration's run. Immutable.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record RequestStamps(byte @Nullable [] layout, byte @Nullable [] turn) {
  static RequestStamps of(Layout layout, TableIndexes indexes) {
    return new RequestStamps(layout.isPlain() ? null : Stamp.of(layout, indexes), null);
  }

  RequestStamps withTurn(long number) {
    return new RequestStamps(layout, GuardAttributes.number(number));
  }

  boolean isOfMigration() {
    return turn != null;
  }

  <T extends OperationWithAttributes> T set(T request) {
    if (layout != null) {
      request.setAttribute(GuardAttributes.LAYOUT, layout);
    }
    if (turn != null) {
      request.setAttribute(GuardAttributes.MIGRATION, turn);
    }
    return request;
  }

  <T extends OperationWithAttributes> T remove(T request) {
    request.setAttribute(GuardAttributes.LAYOUT, null);
    request.setAttribute(GuardAttributes.MIGRATION, null);
    request.setAttribute(GuardAttributes.KEPT, null);
    request.setAttribute(GuardAttributes.TIMED, null);
    return request;
  }
}
