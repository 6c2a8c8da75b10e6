/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.protocol.guard.GuardClasses;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients name the coprocessors, and do not have their classes. */
class GuardClassesTest {
  @Test
  void namesAreThoseOfTheClasses() {
    assertThat(GuardClasses.REGION).isEqualTo(LayoutGuard.class.getName());
    assertThat(GuardClasses.MASTER).isEqualTo(DescriptorGuard.class.getName());
  }

  @Test
  void serversReportSimpleNamesOrFullOnes() {
    assertThat(GuardClasses.isIn(List.of("Other", "LayoutGuard"), GuardClasses.REGION)).isTrue();
    assertThat(GuardClasses.isIn(List.of(GuardClasses.REGION), GuardClasses.REGION)).isTrue();
    assertThat(GuardClasses.isIn(List.of("OtherLayoutGuard"), GuardClasses.REGION)).isFalse();
  }
}
