package io.evenkey.app.cluster;

import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Stage;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Moves as JSON, the same on the command line and in the portal. Stateless. */
public final class MoveJson {
  private MoveJson() {}

  /** A move. */
  public static Map<String, Object> of(Move move) {
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("table", move.table().getNameAsString());
    document.put("stage", move.stage().name().toLowerCase(Locale.ROOT));
    document.put("meaning", meaning(move.stage()));
    document.put("goal", move.goal().name().toLowerCase(Locale.ROOT));
    document.put("over", move.stage().isOver());
    document.put("generation", move.generation().getNameAsString());
    document.put("source", move.source().getNameAsString());
    document.put("target", move.target().getNameAsString());
    document.put("renaming", move.isRenaming());
    document.put("fence", move.fence().name().toLowerCase(Locale.ROOT));
    document.put("turn", move.turn());
    document.put("by", move.work().by().name().toLowerCase(Locale.ROOT));
    document.put("copied", move.work().copied());
    document.put("parts", move.work().rounds().size());
    document.put("copied_rows", move.work().rows());
    document.put("compared_through", move.work().comparedThrough());
    document.put("repaired", move.work().repaired());
    document.put("rows_per_second", move.pace().rowsPerSecond());
    document.put("latency_ms", move.pace().latencyMs());
    document.put("held_to_rows_per_second", move.pace().latencyMs() > 0 ? move.pace().heldTo() : 0);
    document.put("since", move.since().toString());
    return document;
  }

  /** What keeps clients from the generation that the migration leaves, for people. */
  public static String meaning(Move.Fence fence) {
    return switch (fence) {
      case GUARD -> "the guard of the region servers refuses requests to a generation that is left";
      case NAMES -> "no guard: a generation that is left loses its name; reads and writes pause";
    };
  }

  /** What happens at a stage, for people. */
  public static String meaning(Stage stage) {
    return switch (stage) {
      case PREPARING -> "the next generation is made";
      case COPYING -> "the rows are copied; rows that are written meanwhile are marked";
      case VERIFYING -> "both generations are compared, and rows that differ repaired";
      case READY -> "both are alike but for the rows written last; the old one is in use";
      case FENCING -> "writes pause while the rows written last are compared";
      case CLOSING -> "the old generation is closed to clients";
      case SWITCHING -> "the next generation is opened to clients";
      case SWITCHED -> "the next generation is in use; there is a way back";
      case FINISHED -> "the next generation is the table";
      case RETURNING -> "going back: writes pause while the rows written last are compared";
      case ABANDONING -> "going back: the next generation is closed, and the old one opened";
      case ROLLED_BACK -> "only the old generation is used, as before";
    };
  }
}
