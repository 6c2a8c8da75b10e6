/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.bytes.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The rows of one open region of which a put changes indexed columns at the moment. HBase locks a
 * row for puts in common, so that it does not keep a put from between the check of another one and
 * its write. A claim is never waited for: two batches could wait for each other. Thread-safe.
 */
final class RowClaims {
  private final Set<ByteString> rows = ConcurrentHashMap.newKeySet();

  /** The claims of one batch. For one thread. */
  final class OfBatch {
    private final List<ByteString> held = new ArrayList<>(1);

    private OfBatch() {}

    /** Claims a row; false if another put has it, or has had it in this batch. */
    boolean take(byte[] row) {
      ByteString key = ByteString.of(row);
      if (!rows.add(key)) {
        return false;
      }
      held.add(key);
      return true;
    }

    /** Ends all claims of the batch. */
    void giveBack() {
      rows.removeAll(held);
      held.clear();
    }
  }

  OfBatch begin() {
    return new OfBatch();
  }
}
