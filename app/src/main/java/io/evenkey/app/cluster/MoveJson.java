package io.evenkey.app.cluster;

import io.evenkey.client.registry.LiveClient;
import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Stage;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
    document.put("epoch", move.epoch());
    document.put("by", move.work().by().name().toLowerCase(Locale.ROOT));
    document.put("copied", move.work().copied());
    document.put("parts", move.work().rounds().size());
    document.put("copied_rows", move.work().rows());
    document.put("alike_until", alike(move));
    document.put("repaired", move.work().repaired());
    document.put("rows_per_second", move.pace().rowsPerSecond());
    document.put("latency_ms", move.pace().latencyMs());
    document.put("held_to_rows_per_second", move.pace().latencyMs() > 0 ? move.pace().heldTo() : 0);
    document.put("since", move.since().toString());
    return document;
  }

  /** What was written before was compared, and is the same in both; null if nothing was yet. */
  private static @Nullable String alike(Move move) {
    long from = move.work().comparedFrom();
    return from == 0 ? null : Instant.ofEpochMilli(from).toString();
  }

  /** What happens at a stage, for people. */
  public static String meaning(Stage stage) {
    return switch (stage) {
      case PREPARING -> "the next generation is made";
      case JOINING -> "nobody writes until all clients know that both are to be written";
      case COPYING -> "both are written, and what was there is copied";
      case VERIFYING -> "both are written and compared";
      case READY -> "both are written and alike; the old one is read";
      case FENCING -> "nobody writes while what was written last is compared";
      case SWITCHING -> "nobody writes until all clients read the next generation";
      case SWITCHED -> "the next generation is read; both are written";
      case LEAVING -> "nobody writes until all clients have left the old generation";
      case FINISHED -> "the next generation is the table; the old one is kept, read-only";
      case RETURNING -> "going back: nobody writes while what was written last is compared";
      case ABANDONING -> "going back: nobody writes until all clients use the old one alone";
      case ROLLED_BACK -> "only the old generation is used, as before";
    };
  }

  /** A move, and who does not act by it yet. */
  public static Map<String, Object> of(Move move, List<LiveClient> behind) {
    Map<String, Object> document = of(move);
    document.put(
        "behind",
        behind.stream()
            .map(
                client ->
                    Map.of(
                        "host", client.host(),
                        "process", client.process(),
                        "user", client.user(),
                        "since", client.since().toString()))
            .toList());
    return document;
  }
}
