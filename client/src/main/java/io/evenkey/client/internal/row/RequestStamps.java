/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.row;

import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.Stamp;
import io.evenkey.protocol.index.TableIndexes;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.jspecify.annotations.Nullable;

/**
 * The attributes of requests for the guard of region servers: the layout's stamp, or that the table
 * has no layout; and the number of a migration's run. Immutable.
 *
 * @param layout null for tables without a layout, and for those whose layout leaves rows as they
 *     are, unless they have indexes
 * @param namesPlain whether requests to a table without a layout say so. A guard whose table has a
 *     layout by now would take a write that says nothing if its row happens to be one of the layout
 * @param turn null if requests are not those of a migration
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, never changed
record RequestStamps(byte @Nullable [] layout, boolean namesPlain, byte @Nullable [] turn) {
  private static final byte[] PLAIN = {};

  static RequestStamps of(Layout layout, TableIndexes indexes) {
    boolean isNamed = !layout.isPlain() || !indexes.isEmpty();
    return new RequestStamps(isNamed ? Stamp.of(layout, indexes) : null, false, null);
  }

  /** Returns stamps which say, if there is no layout, that there is none. */
  RequestStamps namingPlain() {
    return new RequestStamps(layout, layout == null, turn);
  }

  RequestStamps withTurn(long number) {
    return new RequestStamps(layout, namesPlain, GuardAttributes.number(number));
  }

  /** Whether requests have no attribute. */
  boolean areNone() {
    return layout == null && !namesPlain && turn == null;
  }

  <T extends OperationWithAttributes> T set(T request) {
    if (layout != null) {
      request.setAttribute(GuardAttributes.LAYOUT, layout);
    } else if (namesPlain) {
      request.setAttribute(GuardAttributes.PLAIN, PLAIN);
    }
    if (turn != null) {
      request.setAttribute(GuardAttributes.MIGRATION, turn);
    }
    return request;
  }

  <T extends OperationWithAttributes> T remove(T request) {
    request.setAttribute(GuardAttributes.LAYOUT, null);
    request.setAttribute(GuardAttributes.PLAIN, null);
    request.setAttribute(GuardAttributes.MIGRATION, null);
    request.setAttribute(GuardAttributes.KEPT, null);
    request.setAttribute(GuardAttributes.TIMED, null);
    return request;
  }
}
