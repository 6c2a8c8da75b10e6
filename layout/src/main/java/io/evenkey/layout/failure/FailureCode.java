/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.failure;

import java.util.Locale;

/**
 * The codes of all failures, with what each means. {@code docs/errors.md} is made of them: a new
 * exception begins with its code here.
 */
public enum FailureCode {
  /** An argument that the call cannot have. */
  ARGUMENT(false, "an argument is invalid; the message names it"),
  /** Two tables that cannot be compared. */
  COMPARISON(
      false, "two tables cannot be compared, or an interrupted comparison cannot be resumed"),
  /** An embedded HBase. */
  EMBEDDED(false, "an embedded HBase cannot start"),
  /** A migration, or a change of indexes, rejected the operation. */
  FENCED(
      true,
      "a migration, or a change of the table's indexes, rejected the operation for longer than"
          + " [`evenkey.migration.wait.ms`](migrations.md); it was not executed. It is the cause of"
          + " HBase's exception if the [operation's timeout](timeouts.md) ended earlier"),
  /** A file that cannot be written. */
  FILE(false, "a file cannot be written at this path; nothing was changed"),
  /** A filter that a spread table cannot have. */
  FILTER(false, "the filter would accept other rows than on a plain table"),
  /** The guard is missing or outdated. */
  GUARD(
      false,
      "a region server or the master lacks the guard, has an earlier version of it, or has not"
          + " adopted a new state"),
  /** A table's indexes. */
  INDEX(
      false,
      "the write would leave a row without its index entries; or the index cannot be read, or lacks"
          + " rows of the selection"),
  /** The life of an index. */
  INDEX_CHANGE(false, "an index cannot be added, filled, verified or dropped now; nothing is lost"),
  /** Records or rows that cannot be read. */
  INPUT(false, "input cannot be used; the message names file, line and column"),
  /** A line, row, value or condition. */
  LAYOUT(false, "a layout line has a mistake, or a layout rejects a row, value or condition"),
  /** A load that stopped. */
  LOAD(false, "an import stopped; what is written stays, and the message says how to resume it"),
  /** A migration that cannot go on. */
  MIGRATION(false, "a migration cannot begin or continue; the message says what is in its way"),
  /** Two processes at one table. */
  MIGRATION_CONFLICT(
      false,
      "another process migrates the table, or works on an index of it; the message says what it"
          + " does"),
  /** A replication peer that is behind. */
  NOT_ARRIVED(
      true,
      "replication has not brought all rows to the peer that is migrated too: wait until it has"),
  /** An increment or append that may have been made. */
  OUTCOME_UNKNOWN(false, "an increment or append may have been executed: read the row first"),
  /** Two operators at one plan. */
  PLAN_CONFLICT(false, "another operator has stored the plan since you read it: read it again"),
  /** A range of a scan. */
  RANGE_NOT_READ(
      true, "a range of a scan could not be read; the message names the range and the server"),
  /** ZooKeeper, or what is stored there. */
  REGISTRY(
      false,
      "plans and migrations cannot be read or written; retriable if ZooKeeper did not answer"),
  /** A row under another key. */
  ROW_KEY(false, "a row cannot get the new row key of a migration"),
  /** A table's layout. */
  TABLE_LAYOUT(
      false,
      "the table has no layout; or this version cannot work with it; or descriptor, registry and"
          + " rows disagree"),
  /** Rows in no order. */
  UNORDERED_SCAN(false, "the layout has no order for this range"),
  /** A call that spread tables do not have. */
  UNSUPPORTED(false, "a spread table does not support the call"),
  /** Work that failed. */
  WORK(false, "a command or job could not do its work, or reports what it found as a failure");

  private final boolean retriable;
  private final String meaning;

  FailureCode(boolean retriable, String meaning) {
    this.retriable = retriable;
    this.meaning = meaning;
  }

  /** The word that {@link EvenkeyFailure#code} returns, such as {@code table-layout}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether a failure with this code can be retried, unless the exception knows better. */
  public boolean isRetriable() {
    return retriable;
  }

  /** The failure, in Markdown. */
  public String meaning() {
    return meaning;
  }
}
