/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.tests;

import static io.evenkey.server.tests.GuardedTable.FAMILY;
import static io.evenkey.server.tests.GuardedTable.QUALIFIER;
import static io.evenkey.server.tests.GuardedTable.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.protocol.gather.GatherAttributes;
import io.evenkey.protocol.guard.DescribedIndexes;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.Stamp;
import io.evenkey.protocol.index.KeptColumns;
import io.evenkey.protocol.index.TableIndex;
import io.evenkey.protocol.index.TableIndexes;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.OperationWithAttributes;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Requests with any bytes as rows and as the attributes that servers read: each one is answered, or
 * refused with a rule of the guard's, and not because a hook failed.
 */
@ExtendWith(EmbeddedHBaseExtension.class)
class HostileRequestsIT {
  private static final String LINE = "salt(4) + no:int64";
  private static final TableIndexes INDEXES =
      TableIndexes.NONE.with(
          TableIndex.parse("by_q mutable joining as \"q:string + no:int64\" from q=f:q"));

  private final EmbeddedHBase hbase;
  private final Connection connection;
  private final SplittableRandom random =
      new SplittableRandom(Long.getLong("evenkey.seed", 20261128L));

  HostileRequestsIT(EmbeddedHBase hbase) throws IOException {
    this.hbase = hbase;
    Configuration conf = hbase.configuration();
    conf.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, 0);
    connection = ConnectionFactory.createConnection(conf);
  }

  @AfterEach
  void close() throws IOException {
    connection.close();
  }

  /** An operation on a row. */
  private interface Request {
    void make(Table table) throws IOException;
  }

  private static List<String> attributes() throws IllegalAccessException {
    List<String> names = new ArrayList<>();
    for (Class<?> type : List.of(GuardAttributes.class, GatherAttributes.class)) {
      for (Field field : type.getFields()) {
        if (field.getType() == String.class) {
          names.add((String) field.get(null));
        }
      }
    }
    return names;
  }

  private byte[] bytes(int most) {
    byte[] bytes = new byte[1 + random.nextInt(most)];
    random.nextBytes(bytes);
    // The beginning of what is understood.
    bytes[0] = random.nextBoolean() ? 1 : bytes[0];
    return bytes;
  }

  private List<byte[]> values() {
    byte[] question = bytes(6);
    return List.of(
        new byte[0],
        GuardAttributes.number(random.nextLong()),
        Arrays.copyOf(question, 6),
        bytes(40),
        bytes(100_000));
  }

  private static List<Request> requests(byte[] row, Consumer<OperationWithAttributes> with) {
    Put put = new Put(row).addColumn(FAMILY, QUALIFIER, row);
    with.accept(put);
    Get get = new Get(row);
    with.accept(get);
    Scan scan = new Scan().withStartRow(row).setLimit(3);
    with.accept(scan);
    Delete delete = new Delete(row).addColumns(FAMILY, FAMILY);
    with.accept(delete);
    Increment increment = new Increment(row).addColumn(FAMILY, FAMILY, 1);
    with.accept(increment);
    Append append = new Append(row).addColumn(FAMILY, QUALIFIER, row);
    with.accept(append);
    return List.of(
        table -> table.put(put),
        table -> table.get(get),
        table -> table.exists(get),
        table -> {
          try (ResultScanner scanner = table.getScanner(scan)) {
            scanner.next();
          }
        },
        table -> table.delete(delete),
        table -> table.increment(increment),
        table -> table.append(append),
        table ->
            table.checkAndMutate(
                CheckAndMutate.newBuilder(row).ifNotExists(FAMILY, QUALIFIER).build(put)));
  }

  private void ask(GuardedTable guarded, byte[] stamp) throws Exception {
    List<ServerName> servers = hbase.servers();
    try (Table table = guarded.open()) {
      for (String name : attributes()) {
        for (byte[] value : values()) {
          byte[] row = bytes(20);
          for (Request request :
              requests(
                  row,
                  one ->
                      one.setAttribute(GuardAttributes.LAYOUT, stamp).setAttribute(name, value))) {
            Throwable thrown = catchThrowable(() -> request.make(table));
            if (thrown != null) {
              assertThat(thrown)
                  .as("%s %s %s", guarded.name(), name, value)
                  .isInstanceOf(IOException.class);
              assertThat(thrown).message().doesNotContain("hook failed");
            }
          }
        }
      }
    }
    assertThat(hbase.servers()).containsExactlyInAnyOrderElementsOf(servers);
  }

  @Test
  void tablesWithALayout() throws Exception {
    GuardedTable table =
        GuardedTable.create(
            connection,
            Map.of("EVENKEY_LAYOUT", LINE, "EVENKEY_FORMAT", "1", "EVENKEY_HOT_KEYS", "on"));
    ask(table, Stamp.of(Layout.parse(LINE)));
  }

  @Test
  void tablesInWhichAStepIsTaken() throws Exception {
    GuardedTable table =
        GuardedTable.create(
            connection,
            Map.of(
                "EVENKEY_LAYOUT",
                LINE,
                "EVENKEY_FORMAT",
                "1",
                GuardState.STEP_KEY,
                "salt(4; 8 from no 100) + no:int64",
                GuardState.DESCRIPTOR_KEY,
                new GuardState(1, GuardMode.HELD, 1, 1, "").toString()));
    ask(table, Stamp.of(Layout.parse(LINE)));
  }

  @Test
  void tablesWithAnIndex() throws Exception {
    TableName name = TableName.valueOf("hostile");
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
              .setValue("EVENKEY_LAYOUT", LINE)
              .setValue("EVENKEY_FORMAT", DescribedIndexes.FORMAT)
              .setValue(
                  DescribedIndexes.DESCRIPTOR_KEY,
                  DescribedIndexes.valueFor(name.getNameAsString(), INDEXES))
              .build());
    }
    byte[] stamp = Stamp.of(Layout.parse(LINE), INDEXES);
    GuardedTable table = new GuardedTable(connection, name);
    ask(table, stamp);
    // As many as fill a request would take many times its bytes in memory.
    KeptColumns.Kept one =
        new KeptColumns.Kept(ByteString.of(FAMILY), ByteString.of(QUALIFIER), Optional.empty());
    Put put = put("a");
    put.setAttribute(GuardAttributes.LAYOUT, stamp)
        .setAttribute(GuardAttributes.KEPT, new KeptColumns(List.of(one, one)).toBytes());
    assertThatThrownBy(() -> table.write(put))
        .hasMessageContaining("too many kept columns: most=1");
  }
}
