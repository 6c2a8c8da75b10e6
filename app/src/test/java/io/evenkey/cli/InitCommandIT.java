/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(EmbeddedHBaseExtension.class)
@Timeout(120)
class InitCommandIT {
  @TempDir private Path directory;

  @Test
  void thePlanMakesATableAndTheProgramUsesIt(EmbeddedHBase hbase) throws Exception {
    Path target = directory.resolve("begun");
    Run.of(
            "init",
            target.toString(),
            "--record",
            "user:string + sent:timestamp + id:int64",
            "--query",
            "user = ? newest first limit 5")
        .done();

    Run.on(hbase, "plan", "--import", target.resolve("plan.json").toString()).done();
    Run.on(hbase, "create", "begun").done();
    String printed = CompiledSample.in(target).run(hbase.configurationDirectory());

    assertThat(printed).contains("user=user1", "first");
    assertThat(Run.on(hbase, "scan", "begun").done().out())
        .contains("user1", "2026-01-31", "first");
  }
}
