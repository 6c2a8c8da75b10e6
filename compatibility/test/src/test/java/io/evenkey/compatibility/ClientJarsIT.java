/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An application works with each HBase client, with only the jars of its class path. */
@ExtendWith(EmbeddedHBaseExtension.class)
class ClientJarsIT {
  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "HBASE_CLIENT_3_0")
  @Tag("long")
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void anApplicationWorksWithItsClientJars(ClientJars jars, EmbeddedHBase hbase) throws Exception {
    run(jars, hbase);
  }

  /** In each build: all other tests have a client of 2.x. */
  @Test
  @Timeout(value = 3, unit = TimeUnit.MINUTES)
  void anApplicationWorksWithHBase30(EmbeddedHBase hbase) throws Exception {
    run(ClientJars.HBASE_CLIENT_3_0, hbase);
  }

  private void run(ClientJars jars, EmbeddedHBase hbase) throws Exception {
    new ApplicationRun(
            jars,
            hbase.configurationDirectory(),
            hbase.connection(),
            true,
            UnaryOperator.identity(),
            directory)
        .run();
  }
}
