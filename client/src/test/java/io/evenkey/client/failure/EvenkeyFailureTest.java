/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.failure;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.failure.EvenkeyFailure;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.apache.hadoop.hbase.TableName;
import org.apache.zookeeper.KeeperException;
import org.junit.jupiter.api.Test;

class EvenkeyFailureTest {
  private static final TableName TABLE = TableName.valueOf("readings");

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
      assertThat(((EvenkeyFailure) in.readObject()).table()).isEqualTo(TABLE.getNameAsString());
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
