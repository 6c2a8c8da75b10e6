/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import io.evenkey.client.internal.registry.Migration;
import io.evenkey.embedded.EmbeddedHBase;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** As {@link ScheduleIT}, on region servers without the guard. */
@Tag("ci")
class NameScheduleIT {
  @TempDir private Path home;
  @TempDir private Path directory;

  @Test
  void schedulesKeepAllWrites() throws Exception {
    try (EmbeddedHBase hbase = EmbeddedHBase.in(home).servers(2).guard(false).start()) {
      new Schedules(hbase, directory, Migration.Fence.NAMES, 20_261_134, 2).run();
    }
  }
}
