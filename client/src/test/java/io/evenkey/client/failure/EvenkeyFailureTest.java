/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;

class EvenkeyFailureTest {
  private static final Path SOURCES = Path.of("src/main/java/io/evenkey/client");
  private static final Pattern CODE =
      Pattern.compile("String code\\(\\) \\{\\s+return \"([a-z-]+)\";");
  private static final TableName TABLE = TableName.valueOf("readings");

  @Test
  void eachExceptionOfTheClientHasADocumentedCodeOfItsOwn() throws IOException {
    String documented = Files.readString(Path.of("../docs/api.md"));
    List<Path> exceptions;
    try (Stream<Path> files = Files.walk(SOURCES)) {
      exceptions =
          files.filter(f -> f.getFileName().toString().endsWith("Exception.java")).toList();
    }
    assertThat(exceptions).hasSizeGreaterThanOrEqualTo(9);
    List<String> codes =
        exceptions.stream()
            .map(
                file -> {
                  var code = CODE.matcher(read(file));
                  assertThat(code.find()).as("%s has a code", file).isTrue();
                  assertThat(read(file)).contains("implements EvenkeyFailure");
                  assertThat(documented)
                      .as("docs/api.md has a row for %s", file)
                      .contains("| `" + code.group(1) + "` | `" + simpleName(file) + "`");
                  return code.group(1);
                })
            .toList();
    assertThat(codes).doesNotHaveDuplicates();
  }

  private static String simpleName(Path file) {
    return file.getFileName().toString().replace(".java", "");
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aFailureIsFoundAmongCauses() {
    TableLayoutException layout = TableLayoutException.none(TABLE);
    assertThat(EvenkeyFailure.in(new CompletionException(new IOException(layout))))
        .contains(layout);
    assertThat(EvenkeyFailure.in(new IOException("other"))).isEmpty();
    IOException first = new IOException("first");
    first.initCause(new IOException("second", first));
    assertThat(EvenkeyFailure.in(first)).isEmpty();
  }

  @Test
  void aFailureKeepsItsTableWhereItIsSerialized() throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(TableLayoutException.none(TABLE));
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(((EvenkeyFailure) in.readObject()).table()).isEqualTo(TABLE);
    }
  }

  @Test
  void aRegistryThatDoesNotAnswerCanBeAskedAgain() {
    assertThat(
            List.of(
                new RegistryException("lost", new KeeperException.ConnectionLossException()),
                RegistryException.unanswered("silent")))
        .allMatch(EvenkeyFailure::isRetriable);
    assertThat(
            List.of(
                new RegistryException("refused", new KeeperException.NoAuthException()),
                new RegistryException("of a later format"),
                RegistryException.closed()))
        .noneMatch(EvenkeyFailure::isRetriable);
  }
}
