/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.portal;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Uploaded files, kept until they are used or the portal ends. Thread-safe. */
final class Uploads implements AutoCloseable {
  /** The maximum of bytes; larger files are loaded with the command line. */
  static final long MOST_BYTES = 1L << 30;

  private final Map<String, Path> files = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /**
   * Stores a file.
   *
   * @param name the file name from the browser; only its suffix is used, for the format
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
        if (bytes > MOST_BYTES || closed) {
          throw new IllegalArgumentException(
              "file too large: bytes>" + MOST_BYTES + "; use evenkey import");
        }
        out.write(buffer, 0, read);
      }
    } catch (IOException | RuntimeException e) {
      delete(file);
      throw e;
    }
    String id = UUID.randomUUID().toString();
    files.put(id, file);
    return id;
  }

  /**
   * Removes a file from the uploads: the caller deletes it.
   *
   * @throws IllegalArgumentException if the upload does not exist
   */
  Path take(String id) {
    Path file = files.remove(id);
    if (file == null) {
      throw new IllegalArgumentException("no such upload: upload=" + id + "; send the file again");
    }
    return file;
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
  public void close() throws IOException {
    closed = true;
    for (Path file : files.values()) {
      delete(file);
    }
  }
}
