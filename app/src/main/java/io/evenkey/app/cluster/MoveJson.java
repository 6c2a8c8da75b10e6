package io.evenkey.app.cluster;

import io.evenkey.client.registry.LiveClient;
import io.evenkey.client.registry.Move;
import java.util.LinkedHashMap;
import java.util.List;
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
    document.put("goal", move.goal().name().toLowerCase(Locale.ROOT));
    document.put("over", move.stage().isOver());
    document.put("generation", move.generation().getNameAsString());
    document.put("source", move.source().getNameAsString());
    document.put("target", move.target().getNameAsString());
    document.put("epoch", move.epoch());
    document.put("by", move.work().by().name().toLowerCase(Locale.ROOT));
    document.put("copied", move.work().copied());
    document.put("parts", move.work().rounds().size());
    document.put("repaired", move.work().repaired());
    document.put("rows_per_second", move.pace().rowsPerSecond());
    document.put("latency_ms", move.pace().latencyMs());
    document.put("since", move.since().toString());
    return document;
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
