/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.protocol.guard.GuardAnswer;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.Refusal;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** HBase's access control decides first: the guard answers those who may read or write. */
class GuardAccessIT {
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] ANSWER = Bytes.toBytes(GuardAttributes.ANSWER);

  private static EmbeddedHBase hbase;
  private static GuardedTable guarded;

  @BeforeAll
  static void start() throws Throwable {
    hbase = EmbeddedHBase.temporary().servers(1).accessControl(true).start();
    guarded = GuardedTable.withLayout(hbase.connection());
    guarded.set(3, GuardMode.CLOSED);
    grant("reader", null, Permission.Action.READ);
    grant("writer", null, Permission.Action.WRITE);
    grant("familyreader", GuardedTable.FAMILY, Permission.Action.READ);
    grant("familywriter", GuardedTable.FAMILY, Permission.Action.WRITE);
  }

  private static void grant(String user, byte[] family, Permission.Action action) throws Throwable {
    AccessControlClient.grant(hbase.connection(), guarded.name(), user, family, null, action);
  }

  @AfterAll
  static void stop() throws IOException {
    hbase.close();
  }

  private static <T> T as(String name, UserRequest<T> request) throws Exception {
    return request.as(name, hbase, guarded.name());
  }

  private static GuardState askByGet(Table table) throws IOException {
    Get get = new Get(ROW);
    get.setAttribute(GuardAttributes.ASK, GuardAttributes.number(0));
    return GuardAnswer.parse(table.get(get).getValue(ANSWER, ANSWER)).state();
  }

  private static GuardState askByPut(Table table, byte[] family) throws IOException {
    Put put = new Put(ROW).addColumn(family, ANSWER, ANSWER);
    put.setAttribute(GuardAttributes.ASK, GuardAttributes.number(0));
    try {
      table.put(put);
      throw new AssertionError("written");
    } catch (IOException e) {
      return Refusal.answerIn(e.getMessage()).orElseThrow(() -> e).state();
    }
  }

  @Test
  void aReaderAsksByGetOnly() throws Exception {
    assertThat(as("reader", GuardAccessIT::askByGet).mode()).isEqualTo(GuardMode.CLOSED);
    assertThatThrownBy(() -> as("reader", table -> askByPut(table, ANSWER)))
        .isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void aWriterAsksByPutOnly() throws Exception {
    assertThat(as("writer", table -> askByPut(table, ANSWER)).mode()).isEqualTo(GuardMode.CLOSED);
    assertThatThrownBy(() -> as("writer", GuardAccessIT::askByGet))
        .isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void anOutsiderAsksNothing() {
    assertThatThrownBy(() -> as("outsider", GuardAccessIT::askByGet))
        .isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(() -> as("outsider", table -> askByPut(table, ANSWER)))
        .isInstanceOf(AccessDeniedException.class);
  }

  @Test
  void aReaderOfOneFamilyAsksByGet() throws Exception {
    assertThat(as("familyreader", GuardAccessIT::askByGet).mode()).isEqualTo(GuardMode.CLOSED);
  }

  @Test
  void aWriterOfOneFamilyHasToNameIt() throws Exception {
    assertThatThrownBy(() -> as("familywriter", table -> askByPut(table, ANSWER)))
        .isInstanceOf(AccessDeniedException.class);
    assertThat(as("familywriter", table -> askByPut(table, GuardedTable.FAMILY)).mode())
        .isEqualTo(GuardMode.CLOSED);
  }

  @Test
  void outsiderIsDeniedBeforeTheGuardAnswers() {
    assertThatThrownBy(() -> as("outsider", table -> table.get(new Get(ROW))))
        .isInstanceOf(AccessDeniedException.class);
    assertThatThrownBy(() -> as("reader", table -> table.get(new Get(ROW))))
        .hasMessageContaining(Refusal.CLOSED.mark());
  }
}
