/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.hotkeys.HotKeyAnswer;
import io.evenkey.protocol.hotkeys.HotKeyKind;
import io.evenkey.protocol.hotkeys.HotKeyQuestion;
import io.evenkey.protocol.hotkeys.HotKeySetting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.apache.hadoop.hbase.security.access.AccessControlClient;
import org.apache.hadoop.hbase.security.access.Permission;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Hot keys are keys of rows: only users who may read the whole table see them. Hostile questions
 * are refused, and stop no server.
 */
class HotKeyAccessIT {
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final byte[] ANSWER = Bytes.toBytes(GuardAttributes.ANSWER);

  private static EmbeddedHBase hbase;
  private static GuardedTable table;
  private static List<ServerName> servers;

  @BeforeAll
  static void start() throws Throwable {
    hbase = EmbeddedHBase.temporary().servers(1).accessControl(true).start();
    servers = hbase.servers();
    table = GuardedTable.create(hbase.connection(), Map.of(HotKeySetting.KEY, "1/1"));
    grant("reader", null, Permission.Action.READ);
    grant("writer", null, Permission.Action.WRITE);
    AccessControlClient.grant(
        hbase.connection(),
        table.name(),
        "columnreader",
        GuardedTable.FAMILY,
        GuardedTable.QUALIFIER,
        Permission.Action.READ);
    table.write(GuardedTable.put("secret"));
  }

  private static void grant(String user, byte[] family, Permission.Action action) throws Throwable {
    AccessControlClient.grant(hbase.connection(), table.name(), user, family, null, action);
  }

  @AfterEach
  void noServerHasStopped() throws IOException {
    assertThat(hbase.servers()).isEqualTo(servers);
  }

  @AfterAll
  static void stop() throws IOException {
    hbase.close();
  }

  private static <T> T as(String name, UserRequest<T> request) throws Exception {
    return request.as(name, hbase, table.name());
  }

  private static Get question(byte[] ask) {
    Get get = new Get(ROW);
    get.setAttribute(GuardAttributes.ASK, ask);
    return get;
  }

  private static Get question() {
    return question(new HotKeyQuestion(10, false).toBytes());
  }

  private static HotKeyAnswer ask(Table open, Get question) throws IOException {
    return HotKeyAnswer.parse(open.get(question).getValue(ANSWER, ANSWER));
  }

  private static HotKeyAnswer ask(Table open) throws IOException {
    return ask(open, question());
  }

  @Test
  void aReaderOfTheTableIsAnswered() throws Exception {
    HotKeyAnswer answer = as("reader", HotKeyAccessIT::ask);
    assertThat(answer.of(HotKeyKind.WRITE_KEYS).items())
        .singleElement()
        .satisfies(item -> assertThat(item.item().toArray()).isEqualTo(Bytes.toBytes("secret")));
  }

  @Test
  void othersAreRefused() {
    for (String user : List.of("writer", "outsider", "columnreader")) {
      assertThatThrownBy(() -> as(user, HotKeyAccessIT::ask))
          .as(user)
          .isInstanceOf(AccessDeniedException.class);
    }
  }

  @Test
  void aReaderOfAColumnIsRefusedWhateverTheGetNames() {
    Get column = question().addColumn(GuardedTable.FAMILY, GuardedTable.QUALIFIER);
    Get filtered = question().setFilter(new FirstKeyOnlyFilter());
    for (Get get : List.of(column, filtered)) {
      assertThatThrownBy(() -> as("columnreader", open -> ask(open, get)))
          .isInstanceOf(AccessDeniedException.class)
          .hasMessageContaining("grant R on the table");
    }
  }

  @Test
  void hostileQuestionsAreRefused() throws Exception {
    SplittableRandom random = new SplittableRandom(23);
    List<byte[]> asks = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      byte[] ask = new byte[random.nextInt(12)];
      random.nextBytes(ask);
      asks.add(ask);
    }
    asks.add(new byte[1 << 20]);
    asks.add(Bytes.fromHex("01007fffffff"));
    asks.add(Bytes.fromHex("010080000000"));
    try (Table open = hbase.connection().getTable(table.name())) {
      for (byte[] ask : asks) {
        if (ask.length != Long.BYTES) {
          assertThatThrownBy(() -> open.get(question(ask)))
              .as(Bytes.toHex(ask))
              .isInstanceOf(DoNotRetryIOException.class);
        }
      }
    }
  }

  /** On other requests it is a malformed question to the guard, or means nothing. */
  @Test
  void onlyAGetAsks() throws Exception {
    byte[] ask = new HotKeyQuestion(10, true).toBytes();
    try (Table open = hbase.connection().getTable(table.name())) {
      Put put = GuardedTable.put("asked");
      put.setAttribute(GuardAttributes.ASK, ask);
      assertThatThrownBy(() -> open.put(put)).isInstanceOf(DoNotRetryIOException.class);
      assertThatThrownBy(() -> open.exists(question(ask)))
          .isInstanceOf(DoNotRetryIOException.class);
      Scan scan = new Scan();
      scan.setAttribute(GuardAttributes.ASK, ask);
      try (ResultScanner rows = open.getScanner(scan)) {
        assertThat(Bytes.toString(rows.next().getRow())).isEqualTo("secret");
      }
    }
  }

  @Test
  void questionsAreNotCounted() throws Exception {
    long before = as("reader", HotKeyAccessIT::ask).of(HotKeyKind.READ_KEYS).total();
    assertThat(as("reader", HotKeyAccessIT::ask).of(HotKeyKind.READ_KEYS).total())
        .isEqualTo(before);
  }
}
