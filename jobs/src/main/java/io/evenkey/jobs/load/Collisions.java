/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.layout.Layout;
import io.evenkey.layout.message.FailureMessage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds records with the key of a record before them. Exact for as many keys as fit into a third of
 * the heap; of keys beyond, only those are found that had come before. Not thread-safe.
 */
final class Collisions {
  // While it grows; see KeyHashes.
  private static final int BYTES_A_KEY = 100;
  private static final int EXAMPLES = 3;

  private final DuplicateKeyPolicy policy;
  private final Layout layout;
  private final KeyHashes keys;
  private final List<String> examples = new ArrayList<>();
  private long count;
  private long notKept;

  Collisions(DuplicateKeyPolicy policy, Layout layout, long heapBytes) {
    this.policy = policy;
    this.layout = layout;
    this.keys = new KeyHashes(heapBytes / 3 / BYTES_A_KEY);
  }

  /**
   * Takes a record in.
   *
   * @return the number of records before it that have its key
   * @throws LoadException if there are any and there must not be, or if it is no longer known
   */
  int add(byte[] logicalKey, RecordCursor record, String input) throws IOException {
    if (keys.isFull()) {
      if (policy != DuplicateKeyPolicy.REPORT) {
        throw new LoadException(
            FailureMessage.of("more keys than fit into memory")
                .with("keys", keys.keys())
                .remedy("give more heap, or " + Remedy.LOAD_IN_BULK + ", which sorts them"));
      }
      notKept++;
    }
    int before = keys.add(logicalKey);
    if (before > 0) {
      count++;
      if (examples.size() < EXAMPLES || policy == DuplicateKeyPolicy.FAIL) {
        examples.add(layout.decodeLogical(logicalKey) + " again on line " + record.line());
      }
      if (policy == DuplicateKeyPolicy.FAIL) {
        throw new LoadException(
            FailureMessage.of("two records with one key, of which HBase keeps one")
                .with("file", input)
                .with("key", examples.get(examples.size() - 1))
                .remedy(
                    "add a field to the layout that tells them apart, or "
                        + Remedy.RESOLVE_COLLISIONS));
      }
    }
    return before;
  }

  long count() {
    return count;
  }

  List<String> examples() {
    return examples;
  }

  /** The number of records whose keys did not fit into memory; 0 means that the count is exact. */
  long uncertain() {
    return notKept;
  }
}
