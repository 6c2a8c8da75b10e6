/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import java.util.Arrays;
import java.util.Optional;

/**
 * What a request asks the guard of a region about HBase's replication from another cluster to its
 * table: the value of {@link GuardAttributes#ASK} is one byte.
 */
public enum ReplicationQuestion {
  /** On a Get: what is known of its writes. The answer is {@link ReplicatedWrites}. */
  WRITES(1),

  /**
   * On a Put, which only who may write can make: it has ended, so the record that it has written is
   * deleted. Answered as other questions in a Put.
   */
  ENDED(2),

  /** On a Put to each other region after {@link #ENDED}: its next write is recorded again. */
  FORGET(3),

  /**
   * On a Get: it is about to bring files of the layout {@link GuardAttributes#SOURCE_FILES} from
   * the cluster {@link GuardAttributes#SOURCE_CLUSTER}. They are refused if the table's layout is
   * another one. The answer is {@link ReplicatedWrites}.
   */
  FILES(4);

  private final byte code;

  ReplicationQuestion(int code) {
    this.code = (byte) code;
  }

  /** The value of the attribute. */
  public byte[] toBytes() {
    // Other questions have other lengths.
    return new byte[] {code};
  }

  /** The question in a value of the attribute; empty if that is another one. */
  public static Optional<ReplicationQuestion> of(byte[] ask) {
    return ask.length == 1
        ? Arrays.stream(values()).filter(each -> each.code == ask[0]).findFirst()
        : Optional.empty();
  }
}
