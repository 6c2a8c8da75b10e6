package io.evenkey.client.adopt;

import io.evenkey.client.TableGuard;
import io.evenkey.layout.guard.GuardAttributes;
import io.evenkey.layout.guard.GuardState;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;

/**
 * A descriptor with a layout that an existing table did not have before. The guards of its open
 * regions read it again when they are asked for its revision. Immutable.
 *
 * @param table the descriptor
 * @param revision the revision of the guard's state in it
 */
record RecordedLayout(TableDescriptor table, long revision) {
  private static final String RAW_WRITES = "EVENKEY_RAW_WRITES";
  private static final byte[] FIRST_ROW = {0};

  /**
   * A descriptor with the next revision, without which the master's guard refuses the layout.
   *
   * @param rawWrites whether clients without Evenkey may write, unless the table says something
   *     else
   */
  static RecordedLayout of(TableDescriptor table, boolean rawWrites) {
    GuardState next = TableGuard.state(table).next();
    TableDescriptorBuilder with = TableDescriptorBuilder.newBuilder(TableGuard.with(table, next));
    if (rawWrites && table.getValue(RAW_WRITES) == null) {
      with.setValue(RAW_WRITES, "allow");
    }
    return new RecordedLayout(with.build(), next.revision());
  }

  /** Stores it, without opening the regions again. */
  void store(Connection plain, Admin admin) throws IOException {
    admin.modifyTable(table, false);
    try (Table open = plain.getTable(table.getTableName())) {
      for (RegionInfo region : admin.getRegions(table.getTableName())) {
        byte[] start = region.getStartKey();
        Get ask = new Get(start.length == 0 ? FIRST_ROW : start);
        ask.setAttribute(GuardAttributes.ASK, GuardAttributes.number(revision));
        open.get(ask);
      }
    }
  }
}
