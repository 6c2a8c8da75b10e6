/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.remedy;

/**
 * What a message advises an operator to do. The message contains its words. The command line adds
 * its option or command to them; pages of the portal have buttons.
 */
public enum Remedy {
  RESUME_LOAD("resume the load"),
  RESTART_LOAD("begin the load again"),
  ALLOW_REJECTS("allow more rejects"),
  NAME_REJECTS("name another file for rejects"),
  NAME_CHECKPOINT("name another checkpoint"),
  RESOLVE_COLLISIONS("say which of such records is kept"),
  LOAD_IN_BULK("load in bulk"),
  NAME_WORK("name another work directory"),
  REPLACE_FILE("have it replaced"),
  NAME_FORMAT("name the format"),
  NAME_COLUMNS("name the columns"),
  TRIM("have them left out"),
  NAME_FAMILY("name a family"),
  NAME_TIME_UNIT("name their unit"),
  NAME_CODEC("name the codec"),
  NAME_NULL("name a text for no value"),
  RESUME_COMPARISON("resume the comparison"),
  COMPARE_CLONE("compare the table with the clone"),
  ADD_INDEX("go on with adding the index"),
  DROP_INDEX("drop the index"),
  VERIFY_INDEX("verify the index"),
  REPAIR("a repair"),
  REPAIR_INDEX("verify and repair the index"),
  ADOPT_INDEX("take the index over"),
  LIST_INDEXES("look at the indexes"),
  CHECK_CLUSTER("check the cluster"),
  SHOW_SERVERS("see which servers have the guard"),
  INSTALL_GUARD("install the guard"),
  DECLARE_STOPPED("say that they have stopped"),
  DECLARE_REPLICATION_ENDED("say that the replication has ended"),
  RECORD_LAYOUT("record the layout of its rows"),
  VERIFY_TABLE("verify the table"),
  MIGRATE("migrate the table"),
  CHANGE_KEY("have the row key changed"),
  COPY_ALL("have all rows copied"),
  COPY_BY_FILES("have them copied by files"),
  REWRITE("have the rows from the step on rewritten"),
  ACCEPT_PAUSE("accept a pause"),
  SHOW_MIGRATION("look at the migration"),
  RESUME_MIGRATION("resume the migration"),
  ROLL_BACK("roll the migration back"),
  FINISH("finish the migration"),
  CONTINUE_ALONE("go on without it"),
  TRUST("have the other corrected"),
  NAME_INDEX("name an index"),
  PLAN("plan the table"),
  CREATE("create it from its plan"),
  NAME_FAMILIES("name its families"),
  COUNT_HOT_KEYS("switch the counting of hot keys on"),
  NAME_FIELDS("give the fields other names");

  private final String words;

  Remedy(String words) {
    this.words = words;
  }

  /** The step in words. */
  @Override
  public String toString() {
    return words;
  }
}
