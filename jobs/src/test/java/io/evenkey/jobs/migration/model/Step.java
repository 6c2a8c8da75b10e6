/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration.model;

/** A possible next step. The text names the actor as #, the generation as @, the region as %. */
enum Step {
  START("the table is as it was"),
  TAKE_OVER("run # of the migrator takes over"),
  BEGIN_AGAIN("the operator drops T; run # of the migrator begins another migration"),
  CREATE("run # creates T"),
  TAKE_TURN("run # takes the next turn"),
  CLOCKS_ALIKE("run # has waited for the clocks"),
  READ_DESCRIPTOR("run # reads the descriptor of @, to change it"),
  STOP("run # is not the last one any more, and stops"),
  WRITE_DESCRIPTOR("run # changes the descriptor of @"),
  DESCRIPTOR_REFUSED("run # has an earlier turn than the descriptor of @, and stops"),
  ASK_REGION("region % of @ answers run #"),
  REGIONS_ARE_OTHERS("regions of @ were split or merged since run # listed them: once more"),
  ANSWER_IS_ANOTHER("region % of @ has another state than run # has set: once more"),
  GHOST_ANSWERS("a server that has lost region % of @ and does not know it answers run #"),
  READ_FIRST("run # finds row % changed, and reads it in the generation to repair, @"),
  READ("run # reads row % in @"),
  CHECK_REPAIR("run #'s write of row % passes the check of @"),
  CHECK_REPAIR_TWICE("run #'s write of row % passes the check of @; a second copy is on its way"),
  REPAIR_REFUSED("run #'s write of row % is refused by @: run # stops"),
  REPAIR("run #'s write of row % is done in @"),
  STORE("run # records how far it is"),
  STORE_PASS("run # records the pass as done"),
  CHECK_LATE("the second copy of a migrator's write of row % passes the check of @"),
  LATE("the second copy of a migrator's write of row % is done in @"),
  REOPEN("region % of @ opens on another server"),
  SPLIT("the region of @ is split into two"),
  MERGE("the two regions of @ are merged"),
  LOSE_GUARD("region % of @ opens on a server without the guard"),
  REGAIN_GUARD("region % of @ opens on a server with the guard again"),
  UNFENCE("the fence of region % of @ ends by itself"),
  RETREAT("run # fails, and has clients go on in the generation that they use"),
  COMPACT("region % of @ is compacted"),
  CLOCK("the clocks of T's servers pass those of S's"),
  BEGIN_READ("client # begins to read row %"),
  CHECK_READ("client #'s read of row % passes the check of @"),
  ANSWER_READ("client # gets row % from @"),
  CHECK_WRITE("client #'s write of row % passes the check of @"),
  WRITE("client #'s write of row % is done in @, and acknowledged"),
  FAIL("client # knows nothing of Evenkey, and gets an error"),
  TIME_OUT("client # waits no longer for its write of row %, which may still be done"),
  CHECK_ABANDONED("the write of row % that client # gave up waiting for passes the check of @"),
  ABANDONED("the write of row % that client # gave up waiting for is done in @");

  private final String text;

  Step(String text) {
    this.text = text;
  }

  String text(int actor, int generation, int region) {
    return text.replace("#", Integer.toString(actor + 1))
        .replace("@", generation == State.S ? "S" : "T")
        .replace("%", region == 0 ? "a" : "b");
  }
}
