/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.client.internal.admin.AdminRule;
import java.io.IOException;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every class, method and field that Evenkey's client and guard refer to is on the class path, and
 * Evenkey implements every abstract method of HBase's interfaces.
 */
class LinkageIT {
  @ParameterizedTest
  @EnumSource
  void clientJarsHaveEveryClassAndMemberThatEvenkeyUses(ClientJars jars) throws IOException {
    Linkage linkage = Linkage.of(jars.classPath(), jars.unused());
    assertThat(linkage.classes()).as("classes looked at").isGreaterThan(200);
    assertThat(linkage.missing()).isEmpty();
  }

  /** The servers of 3.0 cannot be started: some of their jars are not published. */
  @Test
  void serversOf30HaveEveryClassAndMemberThatTheGuardUses() throws IOException {
    Linkage linkage = Linkage.of(ClientJars.resolvedBy("hbase-server-3.0"), Set.of());
    assertThat(linkage.classes()).as("classes looked at").isGreaterThan(50);
    assertThat(linkage.missing()).isEmpty();
  }

  /** {@code AdminRuleTest} has the interfaces that the client is compiled against. */
  @ParameterizedTest
  @ValueSource(strings = {"Admin", "AsyncAdmin"})
  void everyCallOf30ThatNamesATableHasARule(String type) throws IOException {
    try (ClassFiles files = new ClassFiles(ClientJars.HBASE_CLIENT_3_0.classPath())) {
      Set<String> calls =
          files.find("org/apache/hadoop/hbase/client/" + type).orElseThrow().members().keySet();
      assertThat(calls)
          .filteredOn(call -> call.matches("\\w+\\(.*/(TableName|TableDescriptor);.*\\).*"))
          .isNotEmpty()
          .allSatisfy(
              call -> assertThat(AdminRule.of(call.substring(0, call.indexOf('(')))).isNotNull());
    }
  }
}
