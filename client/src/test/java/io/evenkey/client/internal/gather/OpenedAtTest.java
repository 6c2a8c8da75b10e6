/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class OpenedAtTest {
  private static OpenedAt deeper(int frames) {
    return frames == 0 ? OpenedAt.here() : deeper(frames - 1);
  }

  @Test
  void namesTheInnermostFramesOfTheApplication() {
    assertThat(deeper(10).toString())
        .startsWith(OpenedAtTest.class.getName() + ".deeper(OpenedAtTest.java:")
        .contains(" < ");
    assertThat(deeper(10).toString().split(" < ")).hasSize(4);
  }

  @Test
  void saysSoWhereTheApplicationIsNotOnTheStack() {
    assertThat(CompletableFuture.supplyAsync(OpenedAt::here).join())
        .hasToString("a thread without frames of the application");
  }
}
