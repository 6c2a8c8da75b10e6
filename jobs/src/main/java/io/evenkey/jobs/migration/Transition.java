/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.client.internal.registry.Stage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run does at a stage, on the way to a goal: a line of {@link Transitions}. Immutable.
 *
 * @param stage the stage that the registry has
 * @param way to the target, or back to the source
 * @param taking what a run does first that takes the migration over at this stage, because the run
 *     before was killed, paused or failed
 * @param acts what a run does then; all of it can be done again
 * @param next the stage that is recorded when it is done; null if the migration is over
 * @param afterFailure the stage that is recorded if any of it fails, after what a run does first
 *     that takes over there; null if the migration stays at this stage
 * @param waits whether the migration goes on only if the stage is not its goal
 * @param meaning the stage in words
 */
public record Transition(
    Stage stage,
    Way way,
    List<Act> taking,
    List<Act> acts,
    @Nullable Stage next,
    @Nullable Stage afterFailure,
    boolean waits,
    String meaning) {
  /** The direction of a migration. */
  public enum Way {
    FORWARD,
    BACK;

    /** Returns the way to a goal. */
    public static Way to(Stage goal) {
      return goal == Stage.ROLLED_BACK ? BACK : FORWARD;
    }
  }

  /** Copies the lists. */
  public Transition {
    taking = List.copyOf(taking);
    acts = List.copyOf(acts);
  }

  /** The generation that clients write, or wrote last, at this stage. */
  public Act.Generation primary() {
    return stage.usesTarget() ? Act.Generation.TARGET : Act.Generation.SOURCE;
  }
}
