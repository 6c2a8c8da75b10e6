package io.evenkey.jobs.move;

import io.evenkey.client.TableLayout;
import io.evenkey.client.move.MoveColumns;
import io.evenkey.client.registry.Move;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.split.SplitPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.security.AccessControlException;

/**
 * The tables that generations are: made, marked and tidied up. All of it can be done again. As
 * thread-safe as the connection.
 */
final class Generations {
  /** So that what was deleted stays deleted when the copy brings it. */
  static final String KEEP_TOMBSTONES = "hbase.hstore.time.to.purge.deletes";

  /** So that it can be told whether the copy or a client was first, however old that is. */
  static final String KEEP_NUMBERS = "hbase.hstore.compaction.keep.seqId.period";

  /** Before the name of a setting that a migration replaces: what the table's owner had set. */
  private static final String OWN = "evenkey.before.";

  private static final String FOR_EVER = String.valueOf(Long.MAX_VALUE / 4);
  private static final String FOR_YEARS = "36500";
  private static final int ROUND_MEGABYTES = 50 * 1_024;

  private final Connection plain;

  Generations(Connection plain) {
    this.plain = plain;
  }

  TableDescriptor descriptor(TableName table) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      return admin.getDescriptor(table);
    }
  }

  /**
   * The layout of a generation; of one that has none, that of plain keys with the fields of
   * another.
   */
  Layout layout(TableName generation, Layout other) throws IOException {
    Layout own = TableLayout.of(descriptor(generation));
    return own != null ? own : Layout.parse(other.key().unreversed().toString());
  }

  /**
   * Refuses what would lose something.
   *
   * @throws MoveException if the table cannot be moved to this layout live
   */
  void check(TableName source, Layout from, Layout to) throws IOException {
    TableDescriptor table = descriptor(source);
    if (!table.getCoprocessorDescriptors().isEmpty()) {
      throw refused(
          source,
          "table has coprocessors: "
              + table.getCoprocessorDescriptors().iterator().next().getClassName()
              + "; what they write would stay in one generation",
          "take them off, move, and put them on the next generation");
    }
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (family.getScope() != HConstants.REPLICATION_SCOPE_LOCAL) {
        throw refused(
            source,
            "table is replicated: family=" + family.getNameAsString(),
            "stop replication of it, move, and replicate the next generation");
      }
      if (family.isNewVersionBehavior()) {
        throw refused(
            source,
            "what a deletion hides depends on the order of the writes, which a copy does not have:"
                + " family="
                + family.getNameAsString()
                + " NEW_VERSION_BEHAVIOR=true",
            "export and import the table, or set it to false");
      }
    }
    if (from.spread().isFree() || to.spread().isFree()) {
      throw refused(
          source,
          "rows of a free salt cannot be found by their keys: from=" + from + " to=" + to,
          "export and import them");
    }
    String keys = from.key().unreversed().toString();
    String others = to.key().unreversed().toString();
    if (!keys.equals(others)) {
      throw refused(
          source,
          "logical keys would change, which applications use: from=" + keys + " to=" + others,
          "keep the fields and their order, or export and import");
    }
    if (from.equals(to)) {
      throw refused(source, "table has this layout already: " + to, "name another one");
    }
    CellSecurity.check(plain, source);
  }

  /**
   * Refuses a copy by files that cannot be read.
   *
   * @throws MoveException if the table's own are not found where HBase is configured to have them
   */
  void checkFiles(TableName source) throws IOException {
    Configuration configuration = plain.getConfiguration();
    Path files = CommonFSUtils.getTableDir(CommonFSUtils.getRootDir(configuration), source);
    if (!isReadable(files, configuration)) {
      throw new MoveException(
          "files of the table cannot be read: table="
              + source
              + " path="
              + files
              + "; set "
              + HConstants.HBASE_DIR
              + " as the servers have it, and have the rights to read it; or copy --by files");
    }
  }

  private static boolean isReadable(Path directory, Configuration configuration)
      throws IOException {
    try {
      return directory.getFileSystem(configuration).listStatus(directory).length > 0;
    } catch (FileNotFoundException | AccessControlException e) {
      return false;
    }
  }

  private static MoveException refused(TableName table, String why, String remedy) {
    return new MoveException(
        "table cannot be moved live: table=" + table + " reason=" + why + "; " + remedy);
  }

  /** Makes the next generation, empty, in place of what an earlier attempt has left. */
  void create(Move move, Layout layout, SplitPlan splits) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      if (admin.tableExists(move.target())) {
        drop(admin, move);
      }
      TableDescriptorBuilder table =
          TableDescriptorBuilder.newBuilder(
                  TableDescriptorBuilder.copy(move.target(), admin.getDescriptor(move.source())))
              .removeValue(TableLayout.MOVE)
              .setValue(TableLayout.TABLE, move.table().getNameAsString())
              .setReadOnly(false);
      for (ColumnFamilyDescriptor family : table.build().getColumnFamilies()) {
        table.modifyColumnFamily(
            with(with(family, KEEP_TOMBSTONES, FOR_EVER), KEEP_NUMBERS, FOR_YEARS));
      }
      withFamily(table);
      byte[][] keys = splits.keys().isEmpty() ? null : splits.toArray();
      admin.createTable(TableLayout.with(table.build(), layout), keys);
    }
  }

  private static void drop(Admin admin, Move move) throws IOException {
    TableDescriptor there = admin.getDescriptor(move.target());
    if (!move.table().getNameAsString().equals(there.getValue(TableLayout.TABLE))) {
      throw new MoveException(
          "table is in the way of the next generation: table="
              + move.target()
              + "; rename or drop it");
    }
    if (admin.isTableEnabled(move.target())) {
      admin.disableTable(move.target());
    }
    admin.deleteTable(move.target());
    admin.deleteSnapshots(Pattern.compile(Pattern.quote(snapshots(move.target())) + "[0-9]+"));
  }

  /** What the names of snapshots begin with that a copy is made from. */
  static String snapshots(TableName target) {
    return "evenkey-" + target.getNameAsString().replace(':', '-') + "-";
  }

  private static void withFamily(TableDescriptorBuilder table) {
    if (!table.build().hasColumnFamily(Bytes.toBytes(MoveColumns.FAMILY))) {
      // What is deleted there at once tells later when rows were written.
      table.setColumnFamily(
          ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes(MoveColumns.FAMILY))
              .setConfiguration(KEEP_TOMBSTONES, FOR_EVER)
              .build());
    }
  }

  /**
   * A family with a setting for the time of the migration; what the table's owner had set is kept
   * beside it.
   */
  private static ColumnFamilyDescriptor with(
      ColumnFamilyDescriptor family, String setting, String value) {
    ColumnFamilyDescriptorBuilder with = ColumnFamilyDescriptorBuilder.newBuilder(family);
    String own = family.getConfigurationValue(setting);
    if (own != null && !own.equals(value)) {
      with.setConfiguration(OWN + setting, own);
    }
    return with.setConfiguration(setting, value).build();
  }

  private static ColumnFamilyDescriptor without(ColumnFamilyDescriptor family, String setting) {
    ColumnFamilyDescriptorBuilder without = ColumnFamilyDescriptorBuilder.newBuilder(family);
    String own = family.getConfigurationValue(OWN + setting);
    if (own == null) {
      return without.removeConfiguration(setting).build();
    }
    return without.removeConfiguration(OWN + setting).setConfiguration(setting, own).build();
  }

  /**
   * Marks the source, so that clients without a registry refuse it; and keeps its deletions, so
   * that comparisons find them after a compaction, too.
   */
  void mark(Move move, Layout from) throws IOException {
    TableDescriptor now = descriptor(move.source());
    TableDescriptorBuilder table =
        TableDescriptorBuilder.newBuilder(
                now.getValue(TableLayout.LAYOUT) == null ? TableLayout.with(now, from) : now)
            .setValue(TableLayout.MOVE, move.target().getNameAsString());
    for (ColumnFamilyDescriptor family : now.getColumnFamilies()) {
      table.modifyColumnFamily(with(family, KEEP_TOMBSTONES, FOR_EVER));
    }
    withFamily(table);
    modify(now, table.build());
  }

  /** Makes the source read-only. */
  void close(Move move) throws IOException {
    modifyIfThere(
        move.source(), table -> TableDescriptorBuilder.newBuilder(table).setReadOnly(true).build());
  }

  /** The target is the table: without what it had only for the migration. */
  void finish(Move move) throws IOException {
    modifyIfThere(move.target(), Generations::tidied);
  }

  /** Whether one of the generations has nothing left of the migration, or is gone. */
  boolean isTidy(Move move) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      for (TableName generation : List.of(move.source(), move.target())) {
        if (!admin.tableExists(generation)
            || !descriptor(generation).hasColumnFamily(Bytes.toBytes(MoveColumns.FAMILY))) {
          return true;
        }
      }
      return false;
    }
  }

  /** Only the source is used, as if nothing had been. */
  void rollBack(Move move) throws IOException {
    modifyIfThere(
        move.source(),
        table ->
            tidied(TableDescriptorBuilder.newBuilder(table).removeValue(TableLayout.MOVE).build()));
    try (Admin admin = plain.getAdmin()) {
      if (admin.tableExists(move.target())) {
        drop(admin, move);
      }
    }
  }

  private static TableDescriptor tidied(TableDescriptor table) {
    TableDescriptorBuilder tidy = TableDescriptorBuilder.newBuilder(table);
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      if (family.getNameAsString().equals(MoveColumns.FAMILY)) {
        tidy.removeColumnFamily(family.getName());
      } else {
        tidy.modifyColumnFamily(without(without(family, KEEP_TOMBSTONES), KEEP_NUMBERS));
      }
    }
    return tidy.build();
  }

  private interface Change {
    TableDescriptor of(TableDescriptor table);
  }

  private void modifyIfThere(TableName table, Change change) throws IOException {
    try (Admin admin = plain.getAdmin()) {
      if (admin.tableExists(table)) {
        TableDescriptor now = admin.getDescriptor(table);
        modify(now, change.of(now));
      }
    }
  }

  private void modify(TableDescriptor now, TableDescriptor wanted) throws IOException {
    if (TableDescriptor.COMPARATOR.compare(now, wanted) != 0) {
      try (Admin admin = plain.getAdmin()) {
        admin.modifyTable(wanted);
      }
    }
  }

  /** The families that applications know of. */
  Set<byte[]> families(TableName generation) throws IOException {
    return MoveColumns.otherFamilies(descriptor(generation));
  }

  /**
   * The rows, in hex, at which the rounds of a copy begin: each of some fifty gigabytes, so that
   * not much is done again after a kill, and yet few files are made.
   */
  List<String> rounds(TableName source) throws IOException {
    List<String> rounds = new ArrayList<>();
    try (Admin admin = plain.getAdmin()) {
      List<RegionInfo> regions = admin.getRegions(source);
      long full = (long) (StoredSize.megabytes(admin, source) / ROUND_MEGABYTES);
      int count = (int) Math.min(full + 1, regions.size());
      for (int i = 0; i < count; i++) {
        rounds.add(ByteText.hex(regions.get(regions.size() * i / count).getStartKey()));
      }
    }
    return rounds;
  }
}
