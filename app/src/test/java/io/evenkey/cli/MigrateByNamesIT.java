/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBase;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code evenkey migrate} on region servers without the guard. */
class MigrateByNamesIT {
  @Tag("long")
  @Test
  void thePauseIsPredictedAndHasToBeAccepted() throws Exception {
    try (EmbeddedHBase hbase = EmbeddedHBase.temporary().servers(1).guard(false).start()) {
      Run.on(hbase, "plan", "orders", "--layout", "salt(2) + id:string", "--families", "d").done();
      Run.on(hbase, "create", "orders").done();
      Run.on(hbase, "put", "orders", "id=a", "d:v=1").done();
      String[] migrate = {
        "migrate", "orders", "--yes", "--layout", "id:string", "--by", "puts", "--finish"
      };

      Run refused = Run.on(hbase, migrate);
      assertThat(refused.exit()).isEqualTo(1);
      assertThat(refused.err())
          .containsPattern("reads and writes then pause once for about [0-9]+ s")
          .contains("--accept-pause");
      assertThat(Run.on(hbase, "migrate", "orders", "--status").exit()).isNotZero();

      String[] accepted = Arrays.copyOf(migrate, migrate.length + 1);
      accepted[migrate.length] = "--accept-pause";
      assertThat(Run.on(hbase, accepted).done().out())
          .contains("stage       finished", "fence       no guard: ");
      assertThat(
              Run.on(hbase, "migrate", "orders", "--status", "--json").done().json().get("fence"))
          .hasToString("\"names\"");
      assertThat(Run.on(hbase, "get", "orders", "id=a").done().out()).contains("d:v");

      Run rename = Run.on(hbase, "migrate", "orders", "--rename");
      assertThat(rename.exit()).isEqualTo(1);
      assertThat(rename.err()).contains("guard");
    }
  }
}
