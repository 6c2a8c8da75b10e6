/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.client.internal.remedy.NextStep;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.failure.FailureMessage;
import io.evenkey.protocol.guard.Refusal;
import org.apache.hadoop.hbase.TableName;

/** A table whose layout is missing, or is not one that this version can work with. */
public final class TableLayoutException extends DoNotRetryFailure {
  private static final long serialVersionUID = 1L;

  /** A rule that the table breaks, and the way out. */
  public TableLayoutException(TableName table, String rule, String remedy) {
    this(table, rule, "", remedy);
  }

  /**
   * A rule that the table breaks.
   *
   * @param values {@code name=value}, separated by blanks; may be empty
   * @param remedy the way out
   */
  public TableLayoutException(TableName table, String rule, String values, String remedy) {
    super(
        FailureCode.TABLE_LAYOUT,
        table,
        FailureMessage.of(rule).with("table", table).with(values).remedy(remedy));
  }

  /**
   * A table of which the registry has recorded something else than its descriptor says.
   *
   * @param descriptor the layout there, or none
   * @param registry the layout recorded
   */
  public static TableLayoutException disagreement(
      TableName table, String descriptor, String registry) {
    return new TableLayoutException(
        table,
        "table's descriptor and registry disagree on its layout",
        "descriptor=" + descriptor + " registry=" + registry,
        "nothing is read or written until one of them is corrected: "
            + NextStep.VERIFY_TABLE
            + " to see which of them fits the rows, and "
            + NextStep.TRUST);
  }

  /** A table that was to have a layout and has none. */
  public static TableLayoutException none(TableName table) {
    return new TableLayoutException(
        table,
        "table without a layout",
        NextStep.RECORD_LAYOUT + ", create it with one, or use HBase's own client");
  }

  /** A table for which another layout is planned than it is given. */
  public static TableLayoutException planned(TableName table, Layout given, Layout planned) {
    return new TableLayoutException(
        table,
        "another layout is planned",
        "given=" + given + " planned=" + planned,
        "create it without a layout of its own, or change the plan");
  }

  /**
   * A part of a job that reads stored ranges of a table which is another one now, or has another
   * layout. By the {@linkplain Refusal#LAYOUT mark} of region servers' refusals, clients look the
   * table up again before they give this to the application.
   *
   * @param generation the table in HBase whose ranges they were
   * @param layout the line of its layout
   * @param generationNow the one in use
   * @param layoutNow the line of the layout in use
   */
  public static TableLayoutException outOfUse(
      TableName table,
      TableName generation,
      String layout,
      TableName generationNow,
      String layoutNow) {
    return new TableLayoutException(
        table,
        "split of a job was made by a generation or a layout that is no longer in use",
        "generation="
            + generation
            + " layout="
            + layout
            + " generation_in_use="
            + generationNow
            + " layout_in_use="
            + layoutNow,
        "begin the job again " + Refusal.LAYOUT.mark());
  }
}
