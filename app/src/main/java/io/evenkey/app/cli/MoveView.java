package io.evenkey.app.cli;

import io.evenkey.app.cluster.MoveJson;
import io.evenkey.client.registry.Move;
import java.util.Locale;

/** How far a move is, as people and programs read it. */
final class MoveView {
  private final Console console;
  private final boolean json;

  MoveView(Console console, boolean json) {
    this.console = console;
    this.json = json;
  }

  private static String next(Move move) {
    String command = "evenkey migrate " + move.table() + " ";
    return switch (move.stage()) {
      case READY -> command + "--switch reads the next generation; --rollback goes back";
      case SWITCHED -> command + "--finish leaves the old generation; --rollback goes back";
      case FINISHED ->
          move.isRenaming()
              ? ""
              : "the old generation is kept, closed to clients: drop "
                  + move.source()
                  + " by hand; or "
                  + command
                  + "--rename gives the next one the table's own name";
      case ROLLED_BACK -> "";
      default -> command + "--resume goes on; --rollback goes back";
    };
  }

  void end(Move move) {
    if (json) {
      console.json(MoveJson.of(move));
    } else {
      show(move);
      showNext(move);
    }
  }

  private void showNext(Move move) {
    if (!next(move).isEmpty()) {
      console.out().println(next(move));
    }
  }

  private static String held(Move.Pace pace) {
    return pace.latencyMs() == 0 || pace.heldTo() == 0
        ? ""
        : String.format(Locale.ROOT, ": %,d rows/s now", pace.allowed());
  }

  private void show(Move move) {
    console.out().println("stage       " + move.stage() + ": " + MoveJson.meaning(move.stage()));
    console.out().println("generation  " + move.generation());
    console.out().println("source      " + move.source());
    console.out().println("target      " + move.target());
    console.out().println("fence       " + MoveJson.meaning(move.fence()));
    console
        .out()
        .printf(
            Locale.ROOT,
            "copied      %d of %d parts, %,d rows, by %s%n",
            move.work().copied(),
            move.work().rounds().size(),
            move.work().rows(),
            move.work().by().name().toLowerCase(Locale.ROOT));
    if (move.work().comparedThrough() > 0) {
      console.out().println("compared    rows written up to pass " + move.work().comparedThrough());
    }
    console.out().printf(Locale.ROOT, "repaired    %,d rows%n", move.work().repaired());
    if (move.pace().rowsPerSecond() > 0 || move.pace().latencyMs() > 0) {
      console
          .out()
          .printf(
              Locale.ROOT,
              "pace        %,d rows/s, reads within %,d ms%s%n",
              move.pace().rowsPerSecond(),
              move.pace().latencyMs(),
              held(move.pace()));
    }
  }
}
