package io.evenkey.jobs.move;

import io.evenkey.client.registry.LiveClient;
import io.evenkey.client.registry.Move;
import java.util.List;

/** Who looks on while a table is moved. Called in the mover's thread. */
public interface MoveWatch {
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
    return stage + " waits for " + clients.size() + " clients, such as " + clients.get(0).where();
  }

  /** A stage is begun. */
  void stage(Move move);

  /**
   * Work goes on.
   *
   * @param share from 0 to 1, of this stage
   * @param rows so far, of this stage
   */
  default void progress(double share, long rows) {}

  /** These are waited for. */
  default void waiting(List<LiveClient> clients) {}
}
