/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.admin.AdminRule;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.registry.Kind;
import io.evenkey.client.internal.registry.Migration;
import io.evenkey.client.internal.registry.Registry;
import io.evenkey.client.internal.registry.Stage;
import io.evenkey.client.internal.registry.Versioned;
import io.evenkey.client.internal.route.GuardSwitch;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** The operations that an Admin refuses on a table that is migrated. */
@ExtendWith(EmbeddedHBaseExtension.class)
class MigratedTableAdminIT {
  private Connection plain;
  private Connection dropIn;
  private Configuration configuration;
  private TableName name;
  private GuardSwitch migration;

  @BeforeEach
  void open(Connection shared, TestInfo info) throws IOException {
    plain = shared;
    migration =
        GuardSwitch.create(plain, TableName.valueOf(info.getTestMethod().orElseThrow().getName()));
    name = migration.source();
    configuration = migration.dropIn();
    dropIn = ConnectionFactory.createConnection(configuration);
    try (Admin admin = plain.getAdmin()) {
      admin.snapshot("of_" + name, name);
    }
  }

  @AfterEach
  void close() throws IOException {
    dropIn.close();
  }

  private void begin() throws IOException {
    try (Registry registry = Registry.open(configuration)) {
      registry
          .migrations()
          .store(
              Migration.begin(
                      name,
                      new Kind.AnotherSpread(),
                      migration.source(),
                      migration.target(),
                      1,
                      Instant.EPOCH)
                  .enter(Stage.COPYING),
              Versioned.NONE);
    }
  }

  private Object argument(Class<?> type, TableName table, byte[] region) {
    if (type == TableName.class) {
      return table;
    } else if (type == TableDescriptor.class) {
      return TableDescriptorBuilder.newBuilder(table)
          .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
          .build();
    } else if (type == ColumnFamilyDescriptor.class) {
      return ColumnFamilyDescriptorBuilder.of("e");
    } else if (type == byte[].class) {
      return region;
    } else if (type == byte[][].class) {
      return new byte[][] {{1}};
    } else if (type == boolean.class) {
      return false;
    } else if (type == int.class) {
      return 3;
    } else if (type == Pattern.class) {
      return Pattern.compile(Pattern.quote(table.getNameAsString()));
    } else if (type == Map.class) {
      return Map.of(table, List.of("d"));
    }
    return type == String.class ? "of_" + name : null;
  }

  private Object[] arguments(Method method, TableName table) throws IOException {
    byte[] region;
    try (Admin admin = plain.getAdmin()) {
      region =
          method.getName().startsWith("truncateRegion")
              ? admin.getRegions(table).get(0).getRegionName()
              : Bytes.toBytes("of_" + name);
    }
    Object[] arguments =
        Arrays.stream(method.getParameterTypes())
            .map(type -> argument(type, table, region))
            .toArray();
    if (method.getName().endsWith("Tables") && arguments[0] instanceof String) {
      arguments[0] = Pattern.quote(table.getNameAsString());
    }
    return arguments;
  }

  private static List<Method> refused(Class<?> type) {
    return Stream.of(type.getMethods())
        .filter(
            method -> {
              AdminRule rule = AdminRule.of(method.getName());
              return rule != null && rule.isRefusedWhileMigrated();
            })
        .toList();
  }

  private static void call(Object admin, Method method, Object[] arguments) throws Throwable {
    try {
      if (method.invoke(admin, arguments) instanceof Future<?> later) {
        FutureUtils.get(later);
      }
    } catch (InvocationTargetException e) {
      throw e.getTargetException();
    }
  }

  private List<TableDescriptor> descriptors() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      assertThat(admin.isTableEnabled(migration.source())).isTrue();
      assertThat(admin.isTableEnabled(migration.target())).isTrue();
      return List.of(
          admin.getDescriptor(migration.source()), admin.getDescriptor(migration.target()));
    }
  }

  private List<String> passed(Object admin, Class<?> type, TableName table) throws IOException {
    List<String> passed = new ArrayList<>();
    for (Method method : refused(type)) {
      if (table.equals(name) || !method.getName().startsWith("restoreSnapshot")) {
        try {
          call(admin, method, arguments(method, table));
          passed.add(method.toString());
        } catch (TableLayoutException e) {
          assertThat(e).hasMessageContaining("migrated");
        } catch (Throwable e) {
          passed.add(method + " " + e);
        }
      }
    }
    return passed;
  }

  @Tag("long")
  @Test
  void everyChangeOfATableThatIsMigratedIsRefused() throws Exception {
    begin();
    List<TableDescriptor> before = descriptors();
    try (Admin admin = dropIn.getAdmin();
        AsyncConnection async =
            FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration))) {
      assertThat(passed(admin, Admin.class, name)).isEmpty();
      assertThat(passed(async.getAdmin(), AsyncAdmin.class, name)).isEmpty();
      assertThat(passed(admin, Admin.class, migration.target())).isEmpty();
    }
    assertThat(descriptors()).isEqualTo(before);
  }

  @Test
  void tableThatIsNotMigratedGetsItsFamily() throws Exception {
    try (Admin admin = dropIn.getAdmin()) {
      admin.addColumnFamily(name, ColumnFamilyDescriptorBuilder.of("e"));
      assertThat(admin.getDescriptor(name).hasColumnFamily(Bytes.toBytes("e"))).isTrue();
    }
  }

  @Test
  @SuppressWarnings("deprecation") // still in HBase's interface
  void tableKeepsItsLayoutWhicheverWayItIsModified() throws Exception {
    TableDescriptor withoutLayout =
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
            .build();
    try (Admin admin = dropIn.getAdmin()) {
      admin.modifyTable(name, withoutLayout);
      assertThat(admin.getDescriptor(name).getValue(TableLayout.LAYOUT))
          .isEqualTo("salt(4) + key:bytes");
      assertThat(admin.getDescriptor(name).hasColumnFamily(Bytes.toBytes("f"))).isTrue();
    }
  }

  @Test
  void asynchronousRefusalIsAFailedFuture() throws Exception {
    begin();
    try (AsyncConnection async =
        FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration))) {
      Future<Void> refused =
          async.getAdmin().addColumnFamily(name, ColumnFamilyDescriptorBuilder.of("e"));
      assertThatThrownBy(() -> FutureUtils.get(refused)).isInstanceOf(TableLayoutException.class);
    }
  }
}
