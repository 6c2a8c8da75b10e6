/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code evenkey cluster} from up to down, as a user at a terminal has it. */
@Timeout(value = 8, unit = TimeUnit.MINUTES)
class ClusterCommandIT {
  @TempDir private Path directory;
  private Path base;

  @AfterEach
  void stop() throws Exception {
    new Processes(base).killAll();
  }

  @Tag("long")
  @Test
  void aClusterStaysUntilItIsTakenDown() throws Exception {
    base = directory.toRealPath().resolve("cluster");
    JsonNode up = up();
    List<Long> pids = new ArrayList<>();
    for (JsonNode process : up.get("processes")) {
      assertThat(process.get("state").asText()).as("%s", process).isEqualTo("running");
      pids.add(process.get("pid").asLong());
    }
    assertThat(pids).hasSize(5).doesNotHaveDuplicates();
    assertThat(Evenkey.run("server", "status", "--quorum", up.get("quorum").asText()).done().out())
        .contains("complete: tables can be migrated live");

    Evenkey second = Evenkey.run("cluster", "up", "--dir", base.toString());
    assertThat(second.exit()).isEqualTo(1);
    assertThat(second.err())
        .contains("evenkey: cluster is running: path=" + base + " processes=5; stop it first");

    ProcessHandle server = ProcessHandle.of(pids.get(4)).orElseThrow();
    server.destroyForcibly();
    server.onExit().join();
    assertThat(Evenkey.run("cluster", "status", "--dir", base.toString()).done().out())
        .containsPattern("regionserver-1 +- +ended")
        .containsPattern("master +[0-9]+ +running");

    Evenkey.run("cluster", "down", "--dir", base.toString()).done();
    assertThat(new Processes(base).running()).isEmpty();
    assertThat(base).doesNotExist();
    Evenkey none = Evenkey.run("cluster", "status", "--dir", base.toString());
    assertThat(none.exit()).isEqualTo(1);
    assertThat(none.err()).startsWith("evenkey: no cluster in this directory: path=" + base);
  }

  @Test
  @Tag("full")
  void aClusterThatKeepsItsDataHasThemAtTheNextStart() throws Exception {
    base = directory.toRealPath().resolve("cluster");
    String quorum = up().get("quorum").asText();
    Path csv = Files.writeString(directory.resolve("records.csv"), "id,v\na,1\nb,2\nc,3\n");
    Evenkey.run(
            "plan",
            "readings",
            "--layout",
            "salt(4) + id:string",
            "--families",
            "d",
            "--quorum",
            quorum)
        .done();
    Evenkey.run("create", "readings", "--quorum", quorum).done();
    Evenkey.run("import", "readings", "--csv", csv.toString(), "--quorum", quorum).done();
    Evenkey.run("cluster", "down", "--keep", "--dir", base.toString()).done();
    assertThat(new Processes(base).running()).isEmpty();

    assertThat(up().get("quorum").asText()).isEqualTo(quorum);
    assertThat(Evenkey.run("scan", "readings", "--format", "csv", "--quorum", quorum).done().out())
        .containsSubsequence("a,1", "b,2", "c,3");
    Evenkey.run("cluster", "down", "--dir", base.toString()).done();
  }

  private JsonNode up() throws Exception {
    Evenkey.run("cluster", "up", "--no-yarn", "--servers", "1", "--dir", base.toString(), "--json")
        .done();
    return Evenkey.run("cluster", "status", "--dir", base.toString(), "--json").done().json();
  }
}
