/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.guard;

import java.nio.ByteBuffer;

/** The attributes that requests to region servers carry for the guard. Stateless. */
public final class GuardAttributes {
  /** The {@link Stamp} of the layout by which the client made the request. */
  public static final String LAYOUT = "evenkey.layout";

  /**
   * On a Get or a Put: the request is a question, answered by a {@link GuardAnswer}. The value is a
   * {@linkplain #number(long) number}: the guard reads the table's descriptor again if the state
   * that it has is of an earlier revision. Or it is a {@link ReplicationQuestion}; or, on a Get, a
   * question for hot keys, {@code io.evenkey.protocol.hotkeys.HotKeyQuestion}. These have other
   * lengths.
   */
  public static final String ASK = "evenkey.ask";

  /**
   * The request is of a migration: the value is the {@linkplain #number(long) number} of the run of
   * the migration, {@link GuardState#turn()}.
   */
  public static final String MIGRATION = "evenkey.migration";

  /**
   * On a request without {@link #LAYOUT}: the client takes the table for one without a layout, so
   * that it is refused if the table has one. Requests of HBase's own client have neither. The value
   * is ignored.
   */
  public static final String PLAIN = "evenkey.plain";

  /** The client means rows as they are stored, whatever the layout is. The value is ignored. */
  public static final String RAW = "evenkey.raw";

  /** The mutation is of the entry of an index. The value is ignored. */
  public static final String ENTRY = "evenkey.entry";

  /**
   * On a Put to a table with indexes of mutable rows: the columns of indexes that it leaves as they
   * are, {@code io.evenkey.protocol.index.KeptColumns}. The region server refuses it if the row has
   * other values.
   */
  public static final String KEPT = "evenkey.kept";

  /**
   * On a Put to a table with indexes of mutable rows: its indexed columns have a timestamp of the
   * application's, one for all. Without it they get one that is later than those of the row. The
   * value is ignored.
   */
  public static final String TIMED = "evenkey.timed";

  /**
   * On an entry of the write-ahead log of a replicated table, and on the mutations that a sink of
   * the replication makes of it: the line of the source's layout.
   */
  public static final String SOURCE_LAYOUT = "evenkey.source";

  /**
   * On an entry of the write-ahead log of a replicated table that tells of bulk-loaded files, and
   * on {@link ReplicationQuestion#FILES}: the line of the source's layout.
   */
  public static final String SOURCE_FILES = "evenkey.files";

  /** On {@link ReplicationQuestion#FILES}: the source's cluster id, for messages. */
  public static final String SOURCE_CLUSTER = "evenkey.cluster";

  /**
   * Where {@link #SOURCE_LAYOUT} is, once the source's table was migrated: the {@linkplain
   * #number(long) number} of the turn of its migration then, {@link GuardState#turn()}. An entry
   * with {@link #SOURCE_LAYOUT} only is of before its first migration, and counts as of the turn 0.
   */
  public static final String SOURCE_TURN = "evenkey.source.turn";

  /**
   * The family and the qualifier of the cell that answers a Get with {@link #ASK}; and a family
   * that no table has, for a Put with it, so that a server without the guard writes nothing.
   */
  public static final String ANSWER = "evenkey";

  private GuardAttributes() {}

  /** Eight bytes, big-endian. */
  public static byte[] number(long value) {
    return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
  }

  /**
   * The number in eight bytes.
   *
   * @throws IllegalArgumentException if these are not eight
   */
  public static long number(byte[] value) {
    if (value.length != Long.BYTES) {
      throw new IllegalArgumentException("not a number of eight bytes: bytes=" + value.length);
    }
    return ByteBuffer.wrap(value).getLong();
  }
}
