/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.failure.EvenkeyException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Uploaded files, kept until they are used, or for an hour. At most {@value #MOST_FILES} are kept:
 * a further one takes the place of the oldest. Thread-safe.
 */
final class Uploads implements AutoCloseable {
  /** The maximum of bytes; larger files are loaded with the command line. */
  static final long MOST_BYTES = 1L << 30;

  static final int MOST_FILES = 8;

  private static final Logger LOG = LoggerFactory.getLogger(Uploads.class);
  private static final String ENDED = "upload not kept: the portal ends";
  private static final Duration KEPT = Duration.ofHours(1);

  /**
   * An uploaded file.
   *
   * @param name as messages call it
   */
  record Upload(Path file, String name) {}

  private record Kept(Upload upload, Future<?> end) {}

  private final Duration kept;
  private final Map<String, Kept> files = new LinkedHashMap<>();
  private final ScheduledExecutorService expiry =
      Executors.newSingleThreadScheduledExecutor(PortalThreads.named("evenkey-uploads"));
  private volatile boolean closed;

  Uploads() {
    this(KEPT);
  }

  Uploads(Duration kept) {
    this.kept = kept;
  }

  /**
   * Stores a file.
   *
   * @param name the file name from the browser; its suffix tells the format
   * @return the upload's ID
   */
  String add(String name, InputStream content) throws IOException {
    String end = name.toLowerCase(Locale.ROOT).replaceFirst("^.*?((\\.[a-z0-9]{1,8}){0,2})$", "$1");
    Path directory = Files.createTempDirectory("evenkey-upload-");
    Path file = directory.resolve("upload" + end);
    try (OutputStream out = Files.newOutputStream(file)) {
      byte[] buffer = new byte[1 << 16];
      long bytes = 0;
      for (int read = content.read(buffer); read >= 0; read = content.read(buffer)) {
        bytes += read;
        if (closed) {
          throw new EvenkeyException(ENDED);
        }
        if (bytes > MOST_BYTES) {
          throw new EvenkeyArgumentException(
              "file too large: bytes>" + MOST_BYTES + "; import it on the command line");
        }
        write(out, buffer, read, file);
      }
    } catch (IOException | RuntimeException e) {
      delete(file);
      throw e;
    }
    return keep(new Upload(file, name));
  }

  private static void write(OutputStream out, byte[] bytes, int count, Path file)
      throws IOException {
    try {
      out.write(bytes, 0, count);
    } catch (IOException e) {
      // Unlike other failures of a file, a full disk is told without its path.
      throw new FileSystemException(file.toString(), null, e.getMessage());
    }
  }

  private synchronized String keep(Upload upload) throws IOException {
    if (closed) {
      delete(upload.file());
      throw new EvenkeyException(ENDED);
    }
    if (files.size() == MOST_FILES) {
      remove(files.keySet().iterator().next());
    }
    String id = UUID.randomUUID().toString();
    Future<?> end = expiry.schedule(() -> remove(id), kept.toMillis(), TimeUnit.MILLISECONDS);
    files.put(id, new Kept(upload, end));
    return id;
  }

  private synchronized void remove(String id) {
    Kept kept = files.remove(id);
    if (kept != null) {
      kept.end().cancel(false);
      Path file = kept.upload().file();
      try {
        delete(file);
      } catch (IOException e) {
        LOG.warn("upload not deleted: file={}", file, e);
      }
    }
  }

  /**
   * Removes a file from the uploads: the caller deletes it.
   *
   * @throws IllegalArgumentException if the upload does not exist
   */
  synchronized Upload take(String id) {
    Kept kept = files.remove(id);
    if (kept == null) {
      throw new EvenkeyArgumentException(
          "no such upload: upload="
              + id
              + "; send the file again, uploads are kept for an hour, and the last "
              + MOST_FILES
              + " of them");
    }
    kept.end().cancel(false);
    return kept.upload();
  }

  /** Deletes a removed file, and the files that were written next to it. */
  static void delete(Path file) throws IOException {
    Path directory = file.toAbsolutePath().getParent();
    if (directory == null) {
      return;
    }
    try (Stream<Path> all = Files.list(directory)) {
      for (Path one : all.toList()) {
        Files.deleteIfExists(one);
      }
    }
    Files.deleteIfExists(directory);
  }

  @Override
  public synchronized void close() {
    closed = true;
    expiry.shutdownNow();
    List.copyOf(files.keySet()).forEach(this::remove);
  }
}
