/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UploadsTest {
  private static String add(Uploads uploads) throws IOException {
    return uploads.add("a.csv", new ByteArrayInputStream(new byte[] {1, 2, 3}));
  }

  @Test
  void aFurtherFileTakesThePlaceOfTheOldest() throws IOException {
    try (Uploads uploads = new Uploads()) {
      String oldest = add(uploads);
      List<String> others = new ArrayList<>();
      for (int i = 0; i < Uploads.MOST_FILES; i++) {
        others.add(add(uploads));
      }
      assertThatThrownBy(() -> uploads.take(oldest))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining(oldest);
      for (String other : others) {
        Path file = uploads.take(other).file();
        assertThat(file).hasBinaryContent(new byte[] {1, 2, 3});
        Uploads.delete(file);
      }
    }
  }

  @Test
  void aFileThatIsNotUsedIsDeletedInTheEnd() throws IOException {
    try (Uploads uploads = new Uploads(Duration.ofMillis(50))) {
      String id = add(uploads);
      await()
          .atMost(Duration.ofMinutes(1))
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> Uploads.delete(uploads.take(id).file()))
                      .isInstanceOf(IllegalArgumentException.class));
    }
  }

  @Test
  void theEndDeletesWhatIsKept() throws IOException {
    Uploads uploads = new Uploads();
    Path used = uploads.take(add(uploads)).file();
    add(uploads);
    Path directory = used.toAbsolutePath().getParent();
    uploads.close();
    assertThat(used).as("what was taken is the caller's").exists();
    Uploads.delete(used);
    assertThat(Files.exists(directory)).isFalse();
    assertThatThrownBy(() -> add(uploads)).hasMessageContaining("ends");
  }
}
