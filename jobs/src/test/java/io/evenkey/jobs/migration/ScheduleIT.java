/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Migrations that are killed, whose clients die, come, and are stopped as whole processes, whose
 * regions move, into which HBase's own client writes, and during which ZooKeeper is away, at
 * moments that a seed says: every client finds what was acknowledged. See {@link Schedules}.
 */
@Tag("ci")
@ExtendWith(EmbeddedHBaseExtension.class)
class ScheduleIT {
  @TempDir private Path directory;

  @Test
  void schedulesKeepAllWrites(EmbeddedHBase hbase) throws Exception {
    new Schedules(hbase, directory, Migration.Fence.GUARD, 20_261_146, 2).run();
  }
}
