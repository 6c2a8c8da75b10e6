/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every class, method and field that Evenkey's client refers to is on the class path, and Evenkey
 * implements every abstract method of HBase's interfaces.
 */
class LinkageIT {
  @ParameterizedTest
  @EnumSource
  void clientJarsHaveEveryClassAndMemberThatEvenkeyUses(ClientJars jars) throws IOException {
    Linkage linkage = Linkage.of(jars);
    assertThat(linkage.classes()).as("classes looked at").isGreaterThan(200);
    assertThat(linkage.missing()).isEmpty();
  }
}
