/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.jobs.file.FileRefusedException;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.report.json.AuditEntryJson;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A log of changes, and of attempted changes, with their users: one JSON object per line, appended
 * to a file and written to the logger {@code io.evenkey.audit}. Never contains a token or a value
 * of a table. Refuses a file with other lines. Thread-safe.
 */
final class AuditLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.evenkey.audit");

  private static final Pattern ENTRY =
      Pattern.compile("\\{\"at\":\".*\"who\":.*\"from\":.*\"what\":.*\"status\":\\d+}");

  /** Longer than any line of a log. */
  private static final int MOST_CHECKED = 1 << 16;

  private final @Nullable Path file;

  /** Whether the last line of the file is incomplete. */
  private boolean cut;

  private AuditLog(@Nullable Path file, boolean cut) {
    this.file = file;
    this.cut = cut;
  }

  /**
   * Creates a log.
   *
   * @param file the file to append to, or null for the logger only
   * @throws FileRefusedException if the file is not an audit log
   * @throws IOException if it cannot be written
   */
  static AuditLog to(@Nullable Path file) throws IOException {
    if (file == null) {
      return new AuditLog(null, false);
    }
    refuseForeign(file);
    try {
      Files.writeString(file, "", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      return new AuditLog(file, isCut(file));
    } catch (IOException e) {
      throw new EvenkeyException(
          "audit log cannot be written: file=" + file + "; name another with --audit-log", e);
    }
  }

  private static boolean isCut(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return false;
    }
    try (FileChannel in = FileChannel.open(file)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return in.size() > 0 && in.read(last, in.size() - 1) == 1 && last.get(0) != '\n';
    }
  }

  private static void refuseForeign(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw refused("audit log is a directory", file);
    }
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null || !Files.isDirectory(directory)) {
      throw refused("directory of the audit log not found", file);
    }
    // A pipe or another special file keeps no lines that could be lost.
    if (!Files.isRegularFile(file) || Files.size(file) == 0) {
      return;
    }
    String start;
    try (InputStream in = Files.newInputStream(file)) {
      start = new String(in.readNBytes(MOST_CHECKED), StandardCharsets.UTF_8);
    }
    if (!ENTRY.matcher(start.lines().findFirst().orElse("")).matches()) {
      throw refused("file is not an audit log", file);
    }
  }

  private static FileRefusedException refused(String problem, Path file) {
    return new FileRefusedException(problem, file, "name another with --audit-log");
  }

  /**
   * Checks, before a change is made, that it can be written here: nobody has made a change that is
   * not in the log.
   *
   * @throws UncheckedIOException if the last entry could not be written, and the next one cannot
   */
  synchronized void check() {
    if (file != null && cut) {
      try {
        append(file, "\n");
      } catch (IOException e) {
        throw problem("audit log cannot be written, and nothing was changed: file=" + file, e);
      }
    }
  }

  private void append(Path to, String text) throws IOException {
    try {
      Files.writeString(to, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      cut = false;
    } catch (IOException e) {
      cut = true;
      throw e;
    }
  }

  private static UncheckedIOException problem(String message, IOException cause) {
    return new UncheckedIOException(new EvenkeyException(message, cause));
  }

  /**
   * Adds an entry.
   *
   * @throws UncheckedIOException if an entry of a change cannot be written
   */
  synchronized void add(String who, String from, String what, int status) {
    AuditEntryJson entry = new AuditEntryJson(Instant.now().toString(), who, from, what, status);
    String line = new String(Json.bytes(entry), StandardCharsets.UTF_8);
    LOG.info("{}", line);
    if (file != null) {
      try {
        append(file, (cut ? "\n" : "") + line + "\n");
      } catch (IOException e) {
        if (status < 400) {
          throw problem("the change was made, but is missing from the audit log: file=" + file, e);
        }
        LOG.warn("audit log cannot be written: file={}", file, e);
      }
    }
  }
}
