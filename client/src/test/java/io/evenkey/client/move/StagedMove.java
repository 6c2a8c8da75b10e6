package io.evenkey.client.move;

import static org.awaitility.Awaitility.await;

import io.evenkey.client.EvenkeyAsyncConnection;
import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.TableLayout;
import io.evenkey.client.registry.Move;
import io.evenkey.client.registry.Registry;
import io.evenkey.client.registry.Stage;
import io.evenkey.client.registry.Versioned;
import io.evenkey.layout.Layout;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.TestInfo;

/** A table with its next generation, whose stages a test sets. No row is copied. */
public final class StagedMove implements AutoCloseable {
  private static final Layout FROM = Layout.parse("salt(4) + key:bytes");
  private static final Layout TO = Layout.parse("salt(3) + key:bytes");

  private final Connection plain;
  private final Registry registry;
  private Move move;
  private int version = Versioned.NONE;

  private StagedMove(Connection plain, Registry registry, TableName name) {
    this.plain = plain;
    this.registry = registry;
    this.move =
        new Move(
            name,
            name,
            Move.next(name, name),
            Stage.PREPARING,
            Stage.READY,
            1,
            Move.Work.of(Move.By.PUTS, List.of()),
            Move.Pace.FREE,
            Instant.EPOCH);
  }

  /**
   * Creates both generations, empty, with the family {@code d}, named as the test; the move has not
   * begun.
   */
  public static StagedMove create(Connection plain, Configuration registry, TestInfo test)
      throws IOException {
    TableName name = TableName.valueOf(test.getTestMethod().orElseThrow().getName());
    StagedMove move = new StagedMove(plain, Registry.open(registry), name);
    try (Admin admin = plain.getAdmin()) {
      admin.createTable(described(move.source(), FROM));
      admin.createTable(
          TableDescriptorBuilder.newBuilder(described(move.target(), TO))
              .setValue(TableLayout.TABLE, name.getNameAsString())
              .build());
    }
    return move;
  }

  private static TableDescriptor described(TableName name, Layout layout) {
    return TableLayout.with(
        TableDescriptorBuilder.newBuilder(name)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of("d"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(MoveColumns.FAMILY))
            .build(),
        layout);
  }

  /** A configuration whose connections are Evenkey's. */
  public Configuration dropIn() {
    Configuration configuration = new Configuration(plain.getConfiguration());
    configuration.set(EvenkeyConnection.SETTING, EvenkeyConnection.class.getName());
    configuration.set(EvenkeyAsyncConnection.SETTING, EvenkeyAsyncConnection.class.getName());
    return configuration;
  }

  public TableName source() {
    return move.source();
  }

  public TableName target() {
    return move.target();
  }

  /** The layout of a generation. */
  public Layout layout(TableName generation) {
    return generation.equals(target()) ? TO : FROM;
  }

  /** Goes to a stage, and waits until all clients act by it. */
  public void to(Stage stage) throws IOException {
    store(stage);
    await().until(() -> registry.behind(move).isEmpty());
  }

  /** Goes to a stage, and waits for nobody. */
  public void store(Stage stage) throws IOException {
    move = version == Versioned.NONE && stage == Stage.PREPARING ? move : move.at(stage);
    version = registry.store(move, version);
  }

  /** From the beginning to where both generations are written. */
  public void toDual() throws IOException {
    to(Stage.PREPARING);
    to(Stage.JOINING);
    to(Stage.COPYING);
  }

  /** From there to where only the target is used. */
  public void toTarget() throws IOException {
    to(Stage.FENCING);
    to(Stage.SWITCHING);
    to(Stage.SWITCHED);
    to(Stage.LEAVING);
    to(Stage.FINISHED);
  }

  /** The logical keys of the rows that a generation has. */
  public List<String> keys(TableName generation) throws IOException {
    TreeSet<String> keys = new TreeSet<>();
    try (Table table = plain.getTable(generation);
        ResultScanner rows = table.getScanner(new Scan().addFamily(Bytes.toBytes("d")))) {
      for (Result row : rows) {
        keys.add(Bytes.toString(layout(generation).logical(row.getRow())));
      }
    }
    return List.copyOf(keys);
  }

  @Override
  public void close() {
    registry.close();
  }
}
