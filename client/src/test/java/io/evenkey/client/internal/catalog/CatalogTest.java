/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.route.Generation;
import io.evenkey.layout.Layout;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.KeyHistory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
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
    return new Catalog(configuration, requests, nothing);
  }

  @Test
  void tableThatIsRecreatedIsNoticedAfterTheStatedTime() {
    Configuration configuration = configuration("off");
    configuration.setLong(LayoutRefreshes.SETTING, 0);
    Catalog catalog = catalog(configuration);
    assertThat(catalog.find(NAME).join().rows().layout()).isEqualTo(BEFORE);
    stored.set(AFTER);
    // This one still goes by what was known, and has the table looked up.
    catalog.find(NAME).join();
    assertThat(catalog.find(NAME).join().rows().layout()).isEqualTo(AFTER);
  }

  @Test
  void tableIsNotLookedUpAgainBeforeTheStatedTime() {
    Catalog catalog = catalog(configuration("off"));
    catalog.find(NAME).join();
    stored.set(AFTER);
    for (int i = 0; i < 100; i++) {
      assertThat(catalog.find(NAME).join().rows().layout()).isEqualTo(BEFORE);
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
    Catalog catalog = new Catalog(configuration, requests, changing);
    known.set(catalog);
    catalog.find(NAME).join();
    assertThat(catalog.known(NAME)).isNull();
    assertThat(catalog.find(NAME).join().rows().layout()).isEqualTo(AFTER);
    assertThat(catalog.known(NAME)).isNotNull();
  }

  /** As {@link #requests}, with another answer of the guard, or of the master. */
  private PlainRequests answering(
      Supplier<CompletableFuture<Result>> guard, Supplier<TableDescriptor> master) {
    return new PlainRequests() {
      @Override
      public CompletableFuture<Result> get(TableName table, Get get) {
        return guard.get();
      }

      @Override
      public CompletableFuture<?> put(TableName table, Put put) {
        return requests.put(table, put);
      }

      @Override
      public CompletableFuture<TableDescriptor> descriptor(TableName table) {
        return CompletableFuture.completedFuture(master.get());
      }
    };
  }

  private static Throwable failure(PlainRequests requests) {
    RowProbe nothing = (table, row, most) -> List.of();
    Catalog catalog = new Catalog(configuration("off"), requests, nothing);
    CompletableFuture<Generation> found = catalog.find(NAME);
    assertThat(found).failsWithin(Duration.ofSeconds(20));
    // So that the next operation looks again.
    assertThat(catalog.known(NAME)).isNull();
    return FutureUtils.unwrapCompletionException(
        Objects.requireNonNull(found.handle((value, error) -> error).join()));
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // there is never a value
  private static <T> T raise(Error error) {
    throw error;
  }

  @Test
  void errorOfWhateverClassFailsTheLookup() {
    Error error = new NoClassDefFoundError("com/example/Missing");
    assertThat(failure(answering(() -> raise(error), () -> raise(error)))).isSameAs(error);
    CompletableFuture<Result> later = new CompletableFuture<>();
    later.completeOnTimeout(Result.EMPTY_RESULT, 10, TimeUnit.MILLISECONDS);
    assertThat(failure(answering(() -> later, () -> raise(error)))).isSameAs(error);
  }

  @Test
  void guardThatNamesNoTableFailsTheLookup() {
    GuardAnswer damaged =
        new GuardAnswer(
            BEFORE.toString(),
            new GuardState(1, GuardMode.CLOSED, 0, 1, "a:b:c"),
            "region",
            0,
            "server",
            "",
            -1,
            true,
            Optional.empty(),
            KeyHistory.SAME,
            Optional.empty(),
            Optional.empty());
    byte[] column = Bytes.toBytes(GuardAttributes.ANSWER);
    Result answer =
        Result.create(new Cell[] {new KeyValue(new byte[] {0}, column, column, damaged.toBytes())});
    CompletableFuture<Result> later = new CompletableFuture<>();
    later.completeOnTimeout(answer, 10, TimeUnit.MILLISECONDS);
    assertThat(failure(answering(() -> later, () -> raise(new AssertionError()))))
        .isInstanceOf(TableLayoutException.class)
        .hasMessageContaining("a:b:c");
  }
}
