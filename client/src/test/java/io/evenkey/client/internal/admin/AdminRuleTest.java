/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncAdmin;
import org.apache.hadoop.hbase.client.ForwardingAdmin;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every call that names a table has a rule. */
class AdminRuleTest {
  static Stream<Method> callsThatNameTables() {
    return Stream.of(Admin.class, AsyncAdmin.class)
        .flatMap(type -> Arrays.stream(type.getMethods()))
        .filter(
            method ->
                Arrays.stream(method.getGenericParameterTypes()).anyMatch(AdminRuleTest::isTable));
  }

  private static boolean isTable(Type type) {
    String name = type.getTypeName();
    return name.contains("TableName") || name.contains("TableDescriptor");
  }

  @ParameterizedTest
  @MethodSource("callsThatNameTables")
  void everyCallThatNamesATableHasARule(Method method) {
    assertThat(AdminRule.of(method.getName())).as(method.toString()).isNotNull();
  }

  static Stream<Method> callsThatMayChangeTables() {
    return Arrays.stream(Admin.class.getMethods()).filter(AdminCalls::mayChangeTables);
  }

  @ParameterizedTest
  @MethodSource("callsThatMayChangeTables")
  void everyCallThatMayChangeATableIsForwarded(Method method) {
    assertThat(ForwardingAdmin.forwards(method)).as(method.toString()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "addColumnFamily",
        "addColumnFamilyAsync",
        "addColumn",
        "enableTableReplication",
        "modifyTableStoreFileTrackerAsync",
        "restoreSnapshot",
        "truncateRegion",
        "deleteTables",
        "cloneTableSchema"
      })
  void changeOfOneGenerationIsRefusedDuringAMigration(String method) {
    assertThat(AdminRule.of(method)).isEqualTo(AdminRule.CHANGES);
  }

  @Test
  void everyRuleIsOfAnExistingMethod() {
    for (AdminRule rule : AdminRule.values()) {
      assertThat(
              Stream.of(Admin.class, AsyncAdmin.class)
                  .flatMap(type -> Arrays.stream(type.getMethods()))
                  .anyMatch(method -> AdminRule.of(method.getName()) == rule))
          .as(rule.name())
          .isTrue();
    }
  }
}
