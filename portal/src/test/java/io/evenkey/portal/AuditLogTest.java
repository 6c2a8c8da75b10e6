/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.evenkey.jobs.file.FileRefusedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
  @TempDir private Path directory;

  @Test
  void aLogIsContinuedByTheNextPortal() throws IOException {
    Path file = directory.resolve("audit");
    AuditLog.to(file).add("ann", "127.0.0.1", "plan \"t\"\nand more", 200);
    AuditLog.to(file).add("bob", "127.0.0.1", "plan u", 403);
    assertThat(Files.readAllLines(file))
        .hasSize(2)
        .allMatch(line -> line.matches("\\{\"at\":\".*\",\"who\":.*,\"status\":\\d+}"));
    // Like a file from a log rotation tool, or from an operator who sets permissions.
    Path empty = Files.createFile(directory.resolve("empty"));
    AuditLog.to(empty).add("ann", "127.0.0.1", "plan t", 200);
    assertThat(empty).content().hasLineCount(1);
  }

  @Test
  void anEntryThatACrashCutDoesNotSpoilTheNext() throws IOException {
    Path file = directory.resolve("audit");
    AuditLog.to(file).add("ann", "127.0.0.1", "plan t", 200);
    String whole = Files.readString(file);
    Files.writeString(file, whole + whole.substring(0, 20));
    AuditLog.to(file).add("ann", "127.0.0.1", "plan t", 200);
    assertThat(Files.readAllLines(file))
        .hasSize(3)
        .last()
        .asString()
        .endsWith(whole.strip().substring(60));
  }

  @Test
  void aChangeThatCannotBeLoggedIsToldAndNoOtherFollows() throws IOException {
    Path full = Path.of("/dev/full");
    assumeThat(full).exists();
    AuditLog log = AuditLog.to(full);
    log.check();
    log.add("ann", "127.0.0.1", "plan t", 403);
    assertThatThrownBy(log::check)
        .hasMessageContaining("audit log cannot be written, and nothing was changed: file=" + full);
    assertThatThrownBy(() -> log.add("ann", "127.0.0.1", "plan t", 200))
        .hasMessageContaining("the change was made, but is missing from the audit log: file=");
    Path file = directory.resolve("audit");
    AuditLog.to(file).add("ann", "127.0.0.1", "plan t", 200);
    String whole = Files.readString(file);
    Files.writeString(file, whole + whole.substring(0, 70));
    AuditLog mended = AuditLog.to(file);
    mended.check();
    mended.add("ann", "127.0.0.1", "plan t", 200);
    assertThat(file).content().hasLineCount(3);
  }

  @Test
  void aFileThatIsNotALogIsRefusedAndKept() throws IOException {
    Path file = directory.resolve("letter");
    for (String content :
        List.of(
            "the only copy\n",
            "\n",
            "{}\n",
            "{\"at\":\"now\"}\n",
            "x".repeat(1_000_000),
            "{\"at\":\"x\",\"who\":\"x\"}\nthe only copy\n")) {
      Files.writeString(file, content);
      assertThatThrownBy(() -> AuditLog.to(file))
          .isInstanceOf(FileRefusedException.class)
          .hasMessage("file is not an audit log: path=" + file + "; name another with --audit-log");
      assertThat(Files.readString(file)).isEqualTo(content);
    }
    assertThatThrownBy(() -> AuditLog.to(directory))
        .isInstanceOf(FileRefusedException.class)
        .hasMessageStartingWith("audit log is a directory: path=" + directory);
    assertThatThrownBy(() -> AuditLog.to(directory.resolve("no/audit")))
        .isInstanceOf(FileRefusedException.class)
        .hasMessageStartingWith("directory of the audit log not found: path=" + directory);
    assertThat(directory.resolve("no")).doesNotExist();
  }
}
