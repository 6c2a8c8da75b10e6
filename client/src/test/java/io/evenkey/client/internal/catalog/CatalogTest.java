/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.layout.Layout;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.Test;

/** Layouts that change while they are read, where there is no guard. */
class CatalogTest {
  private static final TableName NAME = TableName.valueOf("readings");
  private static final Layout BEFORE = Layout.parse("salt(4) + key:bytes");
  private static final Layout AFTER = Layout.parse("salt(8) + key:bytes");

  private final AtomicReference<Layout> stored = new AtomicReference<>(BEFORE);

  /** Of region servers without the guard. */
  private final PlainRequests requests =
      new PlainRequests() {
        @Override
        public boolean answersAtOnce() {
          return true;
        }

        @Override
        public CompletableFuture<Result> get(TableName table, Get get) {
          return CompletableFuture.completedFuture(Result.EMPTY_RESULT);
        }

        @Override
        public CompletableFuture<?> put(TableName table, Put put) {
          return CompletableFuture.failedFuture(new AssertionError("a Get was not denied"));
        }

        @Override
        public CompletableFuture<TableDescriptor> descriptor(TableName table) {
          return CompletableFuture.completedFuture(
              TableLayout.with(TableDescriptorBuilder.newBuilder(NAME).build(), stored.get()));
        }
      };

  private static Configuration configuration(String check) {
    Configuration configuration = new Configuration(false);
    configuration.set(RegistryUse.SETTING, "off");
    configuration.set(CheckSettings.WHEN, check);
    return configuration;
  }

  private Catalog catalog(Configuration configuration) {
    RowProbe nothing = (table, row, most) -> List.of();
    return new Catalog(configuration, requests, nothing, Runnable::run, report -> {});
  }

  @Test
  void tableThatIsRecreatedIsNoticedAfterTheStatedTime() {
    Configuration configuration = configuration("off");
    configuration.setLong(LayoutRefreshes.SETTING, 0);
    try (Catalog catalog = catalog(configuration)) {
      assertThat(catalog.find(NAME).join().rows().layout()).isEqualTo(BEFORE);
      stored.set(AFTER);
      // This one still goes by what was known, and has the table looked up.
      catalog.find(NAME).join();
      assertThat(catalog.find(NAME).join().rows().layout()).isEqualTo(AFTER);
    }
  }

  @Test
  void tableIsNotLookedUpAgainBeforeTheStatedTime() {
    try (Catalog catalog = catalog(configuration("off"))) {
      catalog.find(NAME).join();
      stored.set(AFTER);
      for (int i = 0; i < 100; i++) {
        assertThat(catalog.find(NAME).join().rows().layout()).isEqualTo(BEFORE);
      }
    }
  }

  @Test
  void layoutThatChangesWhileItIsCheckedIsNotKept() {
    Configuration configuration = configuration("first");
    AtomicReference<Catalog> known = new AtomicReference<>();
    RowProbe changing =
        (table, row, most) -> {
          if (stored.getAndSet(AFTER).equals(BEFORE)) {
            known.get().forget();
          }
          return List.of();
        };
    try (Catalog catalog =
        new Catalog(configuration, requests, changing, Runnable::run, report -> {})) {
      known.set(catalog);
      catalog.find(NAME).join();
      assertThat(catalog.known(NAME)).isNull();
      assertThat(catalog.find(NAME).join().rows().layout()).isEqualTo(AFTER);
      assertThat(catalog.known(NAME)).isNotNull();
    }
  }
}
