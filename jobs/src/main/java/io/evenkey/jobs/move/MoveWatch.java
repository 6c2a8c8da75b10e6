package io.evenkey.jobs.move;

import io.evenkey.client.registry.LiveClient;
import io.evenkey.client.registry.Move;
import java.util.List;

/** Who looks on while a table is moved. Called in the mover's thread. */
public interface MoveWatch {
  /** What is done before the first stage, for people. */
  String BEFORE_STAGES = "sampling";

  /** Nobody. */
  MoveWatch NOBODY =
      new MoveWatch() {
        @Override
        public void stage(Move move) {
          // Nobody looks on.
        }
      };

  /** Whom a stage waits for, for people. */
  static String waitsFor(String stage, List<LiveClient> clients) {
    String one = clients.get(0).where();
    return clients.size() == 1
        ? stage + " waits for " + one
        : stage + " waits for " + clients.size() + " clients, such as " + one;
  }

  /** A stage is begun. */
  void stage(Move move);

  /**
   * Work goes on. Before the first stage, that is the reading of a sample.
   *
   * @param share from 0 to 1, of this stage; 0 also while nobody knows
   * @param rows so far, of this stage
   */
  default void progress(double share, long rows) {}

  /** These are waited for. */
  default void waiting(List<LiveClient> clients) {}
}
