package io.evenkey.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.registry.Change;
import io.evenkey.client.registry.Scope;
import io.evenkey.layout.Layout;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Layouts that change while they are read. */
class KnownLayoutsTest {
  private static final TableName NAME = TableName.valueOf("readings");
  private static final Layout BEFORE = Layout.parse("salt(4) + key:bytes");
  private static final Layout AFTER = Layout.parse("salt(8) + key:bytes");

  private final AtomicReference<Layout> stored = new AtomicReference<>(BEFORE);

  private TableDescriptor descriptor() {
    return TableLayout.with(TableDescriptorBuilder.newBuilder(NAME).build(), stored.get());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void layoutThatChangesWhileItIsCheckedIsNotKept(boolean ofTable) {
    Configuration configuration = new Configuration(false);
    configuration.set(RegistryUse.SETTING, "off");
    AtomicReference<KnownLayouts> known = new AtomicReference<>();
    RowProbe changing =
        (table, row, most) -> {
          if (stored.getAndSet(AFTER).equals(BEFORE)) {
            known
                .get()
                .changed(
                    ofTable ? new Change.OfTable(new Scope.Table(NAME)) : new Change.Unknown());
          }
          return List.of();
        };
    try (KnownLayouts layouts =
        new KnownLayouts(
            configuration,
            table -> CompletableFuture.completedFuture(descriptor()),
            changing,
            Runnable::run,
            report -> {})) {
      known.set(layouts);
      layouts.stored(NAME).join();
      assertThat(layouts.knownStored(NAME)).isNull();
      assertThat(layouts.stored(NAME).join().layout()).isEqualTo(AFTER);
      assertThat(layouts.knownStored(NAME)).isNotNull();
    }
  }
}
