/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.peers;

import java.util.EnumSet;
import java.util.Set;

/** The rules of the protocol; without any one of these, the search finds an error. */
enum Rule {
  /** What the migration at the source writes is not replicated: the peer's makes its own copy. */
  OWN_COPY,
  /** The peer's next generation, which is closed, rejects what is replicated to it. */
  CLOSED_REJECTS,
  /** The peer changes generations only when the source has recorded that it has. */
  RECORDED,
  /** The peer changes generations only if both clusters have the same rows of the one it leaves. */
  COMPARED,
  /** They are compared while the peer takes no row. */
  FROZEN,
  /** Entries of a generation that the peer has compared and left are dropped when they arrive. */
  LATE_DROPPED,
  /** So are those of before the table's first migration, which carry no turn. */
  EARLY_DROPPED,
  /**
   * So are those of an earlier table that had the name of the next generation: their turns are of
   * before the migration.
   */
  NAME_DROPPED,
  /** They are dropped only if they are of the time before the comparison. */
  BY_TURN,
  /** The source rolls a switch back only when the peer has switched. */
  PEER_BEFORE_RETURN,
  /**
   * The source finishes only when the peer has switched: its old generation may be dropped then.
   */
  PEER_BEFORE_FINISH,
  /** The source's next generation is dropped only when the peer has rolled back. */
  TARGET_KEPT,
  /** The peer's next generation stays after a rollback, so that entries of it find a table. */
  TARGET_KEPT_AT_PEER,
  /** So does the generation that the peer has left, which a renaming drops elsewhere. */
  SOURCE_KEPT_AT_PEER;

  static Set<Rule> all() {
    return EnumSet.allOf(Rule.class);
  }

  Set<Rule> others() {
    return EnumSet.complementOf(EnumSet.of(this));
  }
}
