/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.report.json.JobJson;
import java.time.Instant;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

class MigrationProgressTest {
  private final Job job = new Job("migration", "Migration of t");
  private final MigrationProgress progress = new MigrationProgress(job);

  private double share() {
    JobJson now = job.json();
    return now.total() == 0 ? -1 : (double) now.done() / now.total();
  }

  @Test
  void theLastStageOfARunIsItsWindingUp() {
    TableName table = TableName.valueOf("t");
    Migration migration =
        Migration.begin(
                table, new Kind.AnotherSpread(), table, TableName.valueOf("t.g2"), 1, Instant.EPOCH)
            .aimFor(Stage.SWITCHED);
    progress.stage(migration.enter(Stage.READY));
    assertThat(job.json().text()).isEqualTo("ready");
    progress.stage(migration.enter(Stage.SWITCHED));
    assertThat(job.json().text()).isEqualTo("switched, winding up");
  }

  @Test
  void theBarNeverGoesBackNorStandsAtItsEnd() {
    progress.stage("copying");
    assertThat(share()).isNegative();
    progress.progress(0.25, 100);
    assertThat(share()).isEqualTo(0.25);
    // A region that was split has more to read than was known.
    progress.progress(0.2, 120);
    assertThat(share()).isEqualTo(0.25);
    progress.progress(1, 500);
    assertThat(share()).isNegative();
    // The rows that were written since.
    progress.progress(0.5, 10);
    assertThat(share()).isNegative();
    assertThat(job.json().text()).isEqualTo("rows, copying, pass 2");
    progress.progress(0.9, 5);
    assertThat(job.json().text()).isEqualTo("rows, copying, pass 3");
    progress.stage("verifying");
    progress.progress(0.5, 50);
    assertThat(share()).isEqualTo(0.5);
    assertThat(job.json().text()).isEqualTo("rows, verifying");
  }
}
