/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.PlanConflictException;
import io.evenkey.client.failure.RegistryException;
import io.evenkey.client.internal.zookeeper.NodeRights;
import io.evenkey.client.internal.zookeeper.RegistrySettings;
import io.evenkey.client.plan.OptimizationGoal;
import io.evenkey.client.plan.Plan;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.split.SplitAlgorithm;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.curator.framework.CuratorFramework;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.zookeeper.MiniZooKeeperCluster;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(EmbeddedHBaseExtension.class)
class RegistryIT {
  private static final Plan PLAN =
      Plan.EMPTY
          .withLayout(Layout.parse("salt(16, device) + device:string + ts:timestamp desc"))
          .withRegions(8)
          .withAlgorithm(SplitAlgorithm.BUCKET)
          .withSplits(List.of(ByteString.of((byte) 4), ByteString.of((byte) 8)))
          .withFamilies(List.of("d", "e"))
          .withCompression("ZSTD")
          .withWholeBuckets(true)
          .withOptimizeFor(OptimizationGoal.STORAGE);
  private static final Scope EVENTS = Scope.parse("shop:events");

  private Configuration configuration;
  private Registry registry;

  @BeforeEach
  void open(Connection shared, TestInfo test) throws RegistryException {
    configuration = new Configuration(shared.getConfiguration());
    configuration.set(
        RegistrySettings.ROOT, "/tests/" + test.getTestMethod().orElseThrow().getName());
    registry = Registry.open(configuration);
  }

  @AfterEach
  void close() {
    registry.close();
  }

  @Test
  void storedValuesAreReadBack() throws RegistryException {
    assertThat(registry.plans().get(EVENTS).exists()).isFalse();

    registry.plans().store(EVENTS, PLAN, Versioned.NONE);

    Versioned<Plan> stored = registry.plans().get(EVENTS);
    assertThat(stored.value()).isEqualTo(PLAN);
    assertThat(stored.version()).isZero();
    assertThat(stored.author()).isEqualTo(System.getProperty("user.name"));
    assertThat(registry.plans().all()).containsOnlyKeys(EVENTS);
  }

  @Test
  void tableSaysMoreThanItsNamespace() throws RegistryException {
    Scope shop = Scope.parse("shop:*");
    registry.plans().store(shop, PLAN, Versioned.NONE);
    registry.plans().store(EVENTS, Plan.EMPTY.withRegions(4), Versioned.NONE);

    Plan events = registry.plans().effective(TableName.valueOf("shop:events"));
    assertThat(events.layout()).isEqualTo(PLAN.layout());
    assertThat(events.regions()).isEqualTo(4);
    assertThat(events.splits()).as("those of another number of regions").isEmpty();
    assertThat(registry.plans().effective(TableName.valueOf("shop:others"))).isEqualTo(PLAN);
    assertThat(registry.plans().effective(TableName.valueOf("events"))).isEqualTo(Plan.EMPTY);
    assertThat(registry.plans().all().keySet()).containsExactly(shop, EVENTS);
  }

  @Test
  void aStaleVersionIsRejected() throws RegistryException {
    registry.plans().store(EVENTS, PLAN, Versioned.NONE);
    registry.plans().store(EVENTS, PLAN.withRegions(16), 0);

    assertThatThrownBy(() -> registry.plans().store(EVENTS, PLAN.withRegions(2), 0))
        .isInstanceOf(PlanConflictException.class)
        .hasMessageStartingWith(
            "plan changed in the meantime: plan=shop:events read=0 stored=1 author=");
    assertThatThrownBy(() -> registry.plans().store(EVENTS, PLAN, Versioned.NONE))
        .isInstanceOf(PlanConflictException.class);
    assertThatThrownBy(() -> registry.plans().store(Scope.parse("others"), PLAN, 3))
        .isInstanceOf(PlanConflictException.class);
    assertThat(registry.plans().get(EVENTS).value().regions()).isEqualTo(16);
  }

  @Test
  void versionsAreNeverGivenTwice() throws RegistryException {
    registry.plans().store(EVENTS, PLAN, Versioned.NONE);
    registry.plans().remove(EVENTS, 0);
    assertThat(registry.plans().all()).isEmpty();

    Versioned<Plan> again =
        registry.plans().store(EVENTS, PLAN, registry.plans().get(EVENTS).version());
    assertThat(again.version()).isEqualTo(2);
    assertThat(registry.plans().get(EVENTS)).isEqualTo(again);
  }

  @Test
  void editorsWhoRaceLoseNoUpdate() throws Exception {
    registry.plans().store(EVENTS, PLAN.withRegions(1), Versioned.NONE);
    int editors = 3;
    int edits = 40;
    ExecutorService threads = Executors.newFixedThreadPool(editors);
    List<Future<Integer>> conflicts = new ArrayList<>();
    for (int i = 0; i < editors; i++) {
      conflicts.add(threads.submit(addingRegions(edits)));
    }
    int lost = 0;
    for (Future<Integer> of : conflicts) {
      lost += of.get();
    }
    threads.shutdown();

    assertThat(registry.plans().get(EVENTS).value().regions()).isEqualTo(1 + editors * edits);
    assertThat(registry.plans().get(EVENTS).version()).isEqualTo(editors * edits);
    assertThat(lost).as("conflicts, each tried again").isPositive();
  }

  private Callable<Integer> addingRegions(int edits) {
    return () -> {
      int conflicts = 0;
      try (Registry own = Registry.open(configuration)) {
        for (int done = 0; done < edits; ) {
          Versioned<Plan> read = own.plans().get(EVENTS);
          Integer regions = read.value().regions();
          try {
            own.plans().store(EVENTS, read.value().withRegions(regions + 1), read.version());
            done++;
          } catch (PlanConflictException e) {
            conflicts++;
          }
        }
      }
      return conflicts;
    };
  }

  @Test
  void keepsTheLastVersions() throws RegistryException {
    int version = Versioned.NONE;
    for (int i = 1; i <= PlanStore.HISTORY + 5; i++) {
      version = registry.plans().store(EVENTS, PLAN.withRegions(i), version).version();
    }

    List<Versioned<Plan>> history = registry.plans().history(EVENTS);
    assertThat(history).hasSize(PlanStore.HISTORY);
    assertThat(history.get(0)).isEqualTo(registry.plans().get(EVENTS));
    assertThat(history)
        .extracting(Versioned::version)
        .startsWith(PlanStore.HISTORY + 4, PlanStore.HISTORY + 3)
        .endsWith(5);
    assertThat(history).last().satisfies(v -> assertThat(v.value().regions()).isEqualTo(6));
  }

  @Test
  void carriesEverythingInOneFile() throws RegistryException {
    registry.plans().store(Scope.parse("shop:*"), PLAN, Versioned.NONE);
    registry.plans().store(EVENTS, Plan.EMPTY.withRegions(3), Versioned.NONE);
    registry.layouts().record(TableName.valueOf("orders"), "salt(4) + key:bytes");
    byte[] file = RegistryFile.of(registry).toJson();

    configuration.set(RegistrySettings.ROOT, "/tests/elsewhere");
    try (Registry other = Registry.open(configuration)) {
      RegistryFile read = RegistryFile.parse(file, "plans.json");
      assertThat(read.storeIn(other, false)).isEqualTo(new RegistryFile.Outcome(2, 0, 1));
      assertThat(read.storeIn(other, false)).isEqualTo(new RegistryFile.Outcome(0, 2, 0));
      assertThat(other.plans().get(EVENTS).value()).isEqualTo(Plan.EMPTY.withRegions(3));
      assertThat(other.layouts().get(TableName.valueOf("orders")))
          .hasValueSatisfying(t -> assertThat(t.layout()).isEqualTo("salt(4) + key:bytes"));

      other.plans().store(EVENTS, PLAN, 0);
      assertThatThrownBy(() -> read.storeIn(other, false))
          .isInstanceOf(RegistryException.class)
          .hasMessageStartingWith("another plan is stored: plan=shop:events");
      assertThat(read.storeIn(other, true)).isEqualTo(new RegistryFile.Outcome(1, 1, 0));
    }
  }

  @Test
  void refusesWhatALaterVersionHasWritten() throws Exception {
    registry.plans().store(EVENTS, PLAN, Versioned.NONE);
    String node = Nodes.of(configuration).plan(EVENTS);
    try (CuratorFramework client =
        RegistrySettings.client(configuration, NodeRights.of(configuration), null)) {
      client.start();
      client.setData().forPath(node, "{\"format\":2}".getBytes(StandardCharsets.UTF_8));
      assertThatThrownBy(() -> registry.plans().effective(TableName.valueOf("shop:events")))
          .isInstanceOf(RegistryException.class)
          .hasMessage(
              "written by another version of Evenkey: place="
                  + node
                  + " format=2 understood=1; use that version or a later one");
      client
          .setData()
          .forPath(node, "{\"format\":1,\"bucket\":3}".getBytes(StandardCharsets.UTF_8));
      assertThatThrownBy(() -> registry.plans().get(EVENTS))
          .hasMessageContaining("unknown entry 'bucket'");
    }
  }

  @Test
  void othersCannotChangeWhatIsTheirCreatorsOnly() throws RegistryException {
    Configuration mine = new Configuration(configuration);
    mine.set(RegistrySettings.ACL, "world-readable");
    mine.set(RegistrySettings.AUTH, "digest:operator:secret");
    try (Registry own = Registry.open(mine)) {
      own.plans().store(EVENTS, PLAN, Versioned.NONE);
      assertThat(registry.plans().get(EVENTS).value()).isEqualTo(PLAN);
      assertThatThrownBy(() -> registry.plans().store(EVENTS, Plan.EMPTY, 0))
          .isInstanceOf(RegistryException.class)
          .hasMessageContaining(
              "reason=noauth; user '" + System.getProperty("user.name") + "' may not");
      assertThat(own.plans().store(EVENTS, PLAN.withRegions(3), 0).version()).isEqualTo(1);
    }
  }

  @Test
  void mayHaveAZooKeeperOfItsOwn(@TempDir Path directory) throws Exception {
    MiniZooKeeperCluster own = new MiniZooKeeperCluster(new Configuration(configuration));
    try {
      configuration.set(RegistrySettings.QUORUM, "127.0.0.1:" + own.startup(directory.toFile()));
      try (Registry elsewhere = Registry.open(configuration)) {
        elsewhere.plans().store(EVENTS, PLAN, Versioned.NONE);
        assertThat(elsewhere.plans().get(EVENTS).value()).isEqualTo(PLAN);
        assertThat(registry.plans().get(EVENTS).exists()).isFalse();
      }
    } finally {
      own.shutdown();
    }
  }

  @Test
  void saysWhereItDoesNotAnswer() {
    configuration.set(RegistrySettings.QUORUM, "127.0.0.1:1");
    configuration.setInt(RegistrySettings.TIMEOUT, 200);
    assertThatThrownBy(() -> Registry.open(configuration))
        .isInstanceOf(RegistryException.class)
        .hasMessageStartingWith(
            "ZooKeeper does not answer: registry=127.0.0.1:1/tests/saysWhereItDoesNotAnswer");
  }
}
