/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.file;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A file in which a job that can be interrupted keeps how far it is: one JSON object with exactly
 * the components of a record, by which it is recognised. Stateless.
 */
public final class JsonFile {
  private static final ObjectMapper MAPPER =
      new ObjectMapper()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

  private JsonFile() {}

  /**
   * Reads one.
   *
   * @return nothing if the file has other content, or is a link, which is not to be deleted
   * @throws IOException if it cannot be read
   */
  public static <T extends Record> Optional<T> read(Path file, Class<T> type) throws IOException {
    if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(MAPPER.readValue(file.toFile(), type));
    } catch (JacksonException e) {
      return Optional.empty();
    }
  }

  /**
   * Writes one, so that a crash leaves this content or the one before.
   *
   * @param replace whether the file may be there: only if it is the same job's
   */
  public static void write(Path file, Record content, boolean replace) throws IOException {
    OutputFile.at(file, replace).write(MAPPER.writeValueAsBytes(content));
  }
}
