/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.jobs.migration.protocol.Migrator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A peer is behind, or takes over, or the run dies, while a replicated table is migrated. */
@Timeout(300)
class PeerTakeoverIT extends ReplicatedTable {
  @Tag("deep")
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7})
  void aKilledRunIsResumed(int stage) throws Exception {
    try (Load load = new Load()) {
      load.begun();
      try (Migrator migrator = begin(Stage.SWITCHED, MigrationFixture.killingAfter(stage))) {
        assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
      }
      go(source, Stage.SWITCHED);
    }
    awaitSame();
    go(source, Stage.FINISHED);
    awaitSame();
  }

  /**
   * Goes on to the switch, writes a last row before writes pause, and stops the link then.
   *
   * @param dies the stage at which the run is killed; null if it is not
   */
  private Migrator resumeAndStopLink(Stage dies) throws IOException {
    Migrator migrator =
        Migrator.resume(
            source.plain(),
            source.registry(),
            name,
            settings(),
            new MigrationListener() {
              @Override
              public void stage(Migration at) {
                if (at.stage() == Stage.FENCING) {
                  try {
                    link(false);
                    source.put(name, "last", "of the old generation");
                  } catch (IOException e) {
                    throw new UncheckedIOException(e);
                  }
                }
                if (at.stage() == dies) {
                  throw new Killed();
                }
              }
            });
    migrator.aimFor(Stage.SWITCHED);
    return migrator;
  }

  @Tag("ci")
  @Test
  void aPeerThatIsBehindSwitchesWhenAllHasArrived() throws Exception {
    try (Migrator migrator = begin(Stage.READY, MigrationListener.NONE)) {
      assertThat(migrator.run().stage()).isEqualTo(Stage.READY);
    }
    awaitSame();
    ExecutorService thread = Executors.newSingleThreadExecutor();
    try {
      Future<?> run =
          thread.submit(
              () -> {
                try (Migrator migrator = resumeAndStopLink(null)) {
                  migrator.run();
                }
                return null;
              });
      await().atMost(Duration.ofMinutes(1)).until(() -> source.stage(name) == Stage.SWITCHED);
      source.put(name, "first", "of the next one");
      // It has all that had arrived, and nothing else.
      assertThat(peer.rows(name)).hasSize(100);
      assertThat(peer.stage(name)).isEqualTo(Stage.READY);
      assertThat(run.isDone()).isFalse();
      link(true);
      run.get(2, TimeUnit.MINUTES);
    } finally {
      link(true);
      thread.shutdownNow();
    }
    assertThat(peer.stage(name)).isEqualTo(Stage.SWITCHED);
    awaitSame();
    assertThat(peer.rows(name)).hasSize(102);
  }

  @Tag("ci")
  @ParameterizedTest
  @ValueSource(strings = {"ROLLED_BACK", "SWITCHED"})
  void thePeerTakesOverWithAllThatHadArrived(Stage goal) throws Exception {
    try (Migrator migrator = begin(Stage.READY, MigrationListener.NONE)) {
      migrator.run();
    }
    awaitSame();
    try {
      try (Migrator migrator = resumeAndStopLink(Stage.SWITCHED)) {
        assertThatThrownBy(migrator::run).isInstanceOf(Killed.class);
      }
      peer.put(name, "taken", "over");
      if (goal == Stage.SWITCHED) {
        assertThatThrownBy(() -> go(peer, goal))
            .hasMessageContaining("replication has not brought all rows");
        Migrator.continueAlone(peer.plain(), peer.registry(), name);
      }
      go(peer, goal);
      assertThat(peer.rows(name)).hasSize(101).containsEntry("taken", "over");
    } finally {
      // What the source has not sent is rejected for ever.
      source.endReplication("b");
      source.replicateTo(peer, "b");
    }
  }
}
