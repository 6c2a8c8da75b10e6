/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.message.FailureMessage;
import io.evenkey.protocol.hotkeys.HotKeyAnswer;
import io.evenkey.protocol.hotkeys.HotKeyQuestion;
import io.evenkey.protocol.hotkeys.HotKeySetting;
import io.evenkey.server.hotkeys.RegionHotKeys;
import java.io.IOException;
import java.util.Collection;
import java.util.Map;
import java.util.NavigableSet;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/**
 * Answers questions for the hot keys of one region, to users who may read all of its table.
 * Thread-safe.
 *
 * @param region the region
 * @param descriptor of the region's table
 * @param counts what is asked for
 */
record HotKeyQuestions(RegionInfo region, DescriptorReader descriptor, RegionHotKeys counts) {
  /** Counts by a descriptor that was read. */
  void countBy(TableDescriptor table) {
    counts.set(table.getValue(HotKeySetting.KEY), TableText.of(table).layout());
  }

  /**
   * The answer.
   *
   * @param get the Get that has the question, as it is after HBase's access control
   * @param ask the bytes of the question
   * @throws DoNotRetryIOException if the question is not understood
   * @throws AccessDeniedException if the user may read parts of the table only
   */
  HotKeyAnswer answer(Get get, byte[] ask) throws IOException {
    HotKeyQuestion question;
    try {
      question = HotKeyQuestion.parse(ask);
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(e.getMessage() + "; update evenkey-server there", e);
    }
    checkReadsAll(get);
    if (question.reread()) {
      reread();
    }
    return counts.answer(question);
  }

  /** Counts by the descriptor as it is now. */
  void reread() throws IOException {
    // One at a time, so that no earlier descriptor is used after a later one.
    synchronized (counts) {
      countBy(descriptor.table());
    }
  }

  /**
   * HBase lets users pass who may read some cells only, such as those of one family, with a filter
   * for their rights or their visibility labels. A key is of all cells of its row.
   */
  private void checkReadsAll(Get get) throws AccessDeniedException {
    Map<byte[], NavigableSet<byte[]>> families = get.getFamilyMap();
    // HBase names all families where a Get names none.
    boolean all =
        get.getFilter() == null
            && families.size() == descriptor.families()
            && families.values().stream().allMatch(HotKeyQuestions::isWhole);
    if (!all) {
      throw new AccessDeniedException(
          FailureMessage.of("hot keys are shown to users who may read the whole table")
              .with("table", region.getTable())
              .remedy("grant R on the table; with visibility labels, ask as HBase's superuser"));
    }
  }

  private static boolean isWhole(Collection<byte[]> columns) {
    return columns == null || columns.isEmpty();
  }
}
