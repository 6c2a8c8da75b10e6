/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.FailureCode;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.protocol.guard.Refusal;
import org.apache.hadoop.hbase.TableName;

/**
 * A table whose layout the client cannot work with: it has none, it has one that this version
 * cannot read, or descriptor, registry and rows disagree about it. The client rejects every
 * operation on such a table, because rows written under a wrong layout are not found again.
 *
 * <p>Not retriable, code {@code table-layout}. {@code evenkey verify} shows which layout fits the
 * rows.
 */
public final class TableLayoutException extends DoNotRetryFailure {
  private static final long serialVersionUID = 1L;

  /**
   * A table whose layout breaks a rule.
   *
   * @param rule what is wrong
   * @param remedy what to do
   */
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
   * The registry has recorded another layout than the table's descriptor.
   *
   * @param descriptor the layout in the descriptor, or that it has none
   * @param registry the layout in the registry
   */
  public static TableLayoutException disagreement(
      TableName table, String descriptor, String registry) {
    return new TableLayoutException(
        table,
        "table's descriptor and registry disagree on its layout",
        "descriptor=" + descriptor + " registry=" + registry,
        "nothing is read or written until one of them is corrected: "
            + Remedy.VERIFY_TABLE
            + " to see which of them fits the rows, and "
            + Remedy.TRUST);
  }

  /** A table without a layout, where one is needed. */
  public static TableLayoutException none(TableName table) {
    return new TableLayoutException(
        table,
        "table without a layout",
        Remedy.RECORD_LAYOUT + ", create it with one, or use HBase's own client");
  }

  /** A table that is to be created with another layout than the registry plans. */
  public static TableLayoutException planned(TableName table, Layout given, Layout planned) {
    return new TableLayoutException(
        table,
        "another layout is planned",
        "given=" + given + " planned=" + planned,
        "create it without a layout of its own, or change the plan");
  }

  /**
   * A part of a job that was planned for a table or layout that is no longer in use. It carries the
   * {@linkplain Refusal#LAYOUT mark} of a region server's rejection, so the client looks the table
   * up again before it gives this to the application.
   *
   * @param generation HBase's name of the table that the part was planned for
   * @param layout the layout line that it was planned by
   * @param generationNow HBase's name of the table in use
   * @param layoutNow the layout line in use
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
