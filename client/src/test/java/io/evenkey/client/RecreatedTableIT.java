/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;

/** A table that another client drops and recreates under another layout, while it is in use. */
@ExtendWith(EmbeddedHBaseExtension.class)
class RecreatedTableIT {
  private static final byte[] D = Bytes.toBytes("d");
  private static final Layout BEFORE = Layout.parse("salt(4) + key:bytes");
  private static final Layout AFTER = Layout.parse("md5(key)[0..1] + key:bytes");

  private Connection plain;
  private TableName name;
  private Connection dropIn;
  private AsyncConnection async;

  @BeforeEach
  void open(Connection shared, TestInfo test) throws IOException {
    plain = shared;
    name = TableName.valueOf("recreated_" + test.getTestMethod().orElseThrow().getName());
    Configuration configuration = new Configuration(shared.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    dropIn = ConnectionFactory.createConnection(configuration);
    async = FutureUtils.get(ConnectionFactory.createAsyncConnection(configuration));
    create(BEFORE);
    try (Table table = dropIn.getTable(name)) {
      table.put(put("used"));
    }
    FutureUtils.get(async.getTable(name).put(put("used")));
  }

  @AfterEach
  void close() throws IOException {
    async.close();
    dropIn.close();
  }

  private void create(Layout layout) throws IOException {
    try (SpreadTables tables = SpreadTables.on(plain)) {
      SpreadTable table = tables.create(name, layout, layout.splits(4), List.of("d"));
      if (layout.equals(AFTER)) {
        table.put(put("other"));
      }
    }
  }

  private void recreate() throws IOException {
    try (Admin admin = plain.getAdmin()) {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
    create(AFTER);
  }

  private static Put put(String key) {
    return new Put(Bytes.toBytes(key)).addColumn(D, D, D);
  }

  private static Get get(String key) {
    return new Get(Bytes.toBytes(key));
  }

  /** The rows by the new layout, whatever layout they were written by. */
  private List<String> stored() throws IOException {
    List<String> rows = new ArrayList<>();
    try (Table table = plain.getTable(name);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        AFTER.decode(row.getRow());
        rows.add(Bytes.toString(AFTER.logical(row.getRow())));
      }
    }
    return rows.stream().sorted().toList();
  }

  @Test
  void firstReadAndWriteAreRight() throws Exception {
    try (Table table = dropIn.getTable(name)) {
      recreate();
      assertThat(table.exists(get("other"))).isTrue();
      table.put(put("mine"));
      assertThat(table.exists(get("used"))).isFalse();
    }
    assertThat(stored()).containsExactly("mine", "other");
  }

  @Tag("long")
  @Test
  void firstWriteIsRight() throws Exception {
    try (Table table = dropIn.getTable(name)) {
      recreate();
      table.put(List.of(put("mine"), put("too")));
    }
    assertThat(stored()).containsExactly("mine", "other", "too");
  }

  @Tag("long")
  @Test
  void firstScanIsRight() throws Exception {
    try (Table table = dropIn.getTable(name)) {
      recreate();
      try (ResultScanner scanner = table.getScanner(new Scan())) {
        assertThat(Bytes.toString(scanner.next().getRow())).isEqualTo("other");
        assertThat(scanner.next()).isNull();
      }
    }
  }

  @Test
  void mutatorThatWasOpenWritesByTheNewLayout() throws Exception {
    try (BufferedMutator mutator = dropIn.getBufferedMutator(name)) {
      mutator.mutate(put("mine"));
      recreate();
      mutator.flush();
      mutator.mutate(put("too"));
    }
    assertThat(stored()).containsExactly("mine", "other", "too");
  }

  @Tag("long")
  @Test
  void asynchronousFirstReadAndWriteAreRight() throws Exception {
    recreate();
    assertThat(FutureUtils.get(async.getTable(name).exists(get("other")))).isTrue();
    FutureUtils.get(async.getTable(name).put(put("mine")));
    assertThat(FutureUtils.get(async.getTable(name).scanAll(new Scan()))).hasSize(2);
    assertThat(stored()).containsExactly("mine", "other");
  }
}
