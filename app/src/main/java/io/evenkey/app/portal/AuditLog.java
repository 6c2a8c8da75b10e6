package io.evenkey.app.portal;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who changed what, and who tried to: a JSON object a line, appended to a file, and told to the log
 * {@code io.evenkey.audit}. Never has a token or a value of a table in it. Thread-safe.
 */
final class AuditLog {
  private static final Logger LOG = LoggerFactory.getLogger("io.evenkey.audit");

  private final @Nullable Path file;

  private AuditLog(@Nullable Path file) {
    this.file = file;
  }

  /**
   * A log.
   *
   * @param file where it is appended, or null for the logging alone
   * @throws IOException if the file cannot be written
   */
  static AuditLog to(@Nullable Path file) throws IOException {
    if (file != null) {
      try {
        Files.writeString(file, "", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new IOException(
            "audit log cannot be written: file=" + file + "; name another with --audit-log", e);
      }
    }
    return new AuditLog(file);
  }

  synchronized void add(String who, String from, String what, int status) {
    Map<String, Object> entry = new LinkedHashMap<>();
    entry.put("at", Instant.now().toString());
    entry.put("who", who);
    entry.put("from", from);
    entry.put("what", what);
    entry.put("status", status);
    String line = new String(Json.bytes(entry), StandardCharsets.UTF_8);
    LOG.info("{}", line);
    if (file != null) {
      try {
        Files.writeString(file, line + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
      } catch (IOException e) {
        throw new UncheckedIOException("audit log cannot be written: file=" + file, e);
      }
    }
  }
}
