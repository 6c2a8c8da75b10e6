/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.migration;

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.client.Append;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Increment;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * Every kind of change that a client can make of a row that has two versions of {@code d:v}, at the
 * times {@link #OLD} and {@link #NEWER}, and one of {@code d:w} at {@link #OLD}.
 */
enum RowChange {
  DELETE_ROW {
    @Override
    Mutation of(byte[] row) {
      return new Delete(row);
    }
  },
  DELETE_FAMILY_UP_TO_OLD_TIME {
    @Override
    Mutation of(byte[] row) {
      return new Delete(row).addFamily(D, OLD);
    }
  },
  DELETE_FAMILY_VERSION {
    @Override
    Mutation of(byte[] row) {
      return new Delete(row).addFamilyVersion(D, OLD);
    }
  },
  DELETE_COLUMN {
    @Override
    Mutation of(byte[] row) {
      return new Delete(row).addColumns(D, V);
    }
  },
  DELETE_COLUMN_UP_TO_OLD_TIME {
    @Override
    Mutation of(byte[] row) {
      return new Delete(row).addColumns(D, V, OLD);
    }
  },
  DELETE_LATEST_VERSION {
    @Override
    Mutation of(byte[] row) {
      return new Delete(row).addColumn(D, V);
    }
  },
  DELETE_ONE_VERSION {
    @Override
    Mutation of(byte[] row) {
      return new Delete(row).addColumn(D, V, OLD);
    }
  },
  PUT {
    @Override
    Mutation of(byte[] row) {
      return new Put(row).addColumn(D, V, Bytes.toBytes("now"));
    }
  },
  PUT_AT_OLD_TIME {
    @Override
    Mutation of(byte[] row) {
      return new Put(row).addColumn(D, NEW, OLD - 1, Bytes.toBytes("old"));
    }
  },
  PUT_OVER_OLD_VERSION {
    @Override
    Mutation of(byte[] row) {
      return new Put(row).addColumn(D, V, OLD, Bytes.toBytes("replaced"));
    }
  },
  PUT_AT_FUTURE_TIME {
    @Override
    Mutation of(byte[] row) {
      return new Put(row)
          .addColumn(D, V, System.currentTimeMillis() + 3_600_000, Bytes.toBytes("future"));
    }
  },
  PUT_THAT_EXPIRES {
    @Override
    Mutation of(byte[] row) {
      return new Put(row).addColumn(D, NEW, Bytes.toBytes("expires")).setTTL(3_600_000);
    }
  },
  PUT_OF_SEVERAL_VERSIONS {
    @Override
    Mutation of(byte[] row) {
      return new Put(row)
          .addColumn(D, NEW, OLD, Bytes.toBytes("first"))
          .addColumn(D, NEW, NEWER, Bytes.toBytes("second"));
    }
  },
  INCREMENT {
    @Override
    Mutation of(byte[] row) {
      return new Increment(row).addColumn(D, NEW, 7);
    }
  },
  APPEND {
    @Override
    Mutation of(byte[] row) {
      return new Append(row).addColumn(D, V, Bytes.toBytes("+"));
    }
  };

  static final long OLD = 1_000;
  static final long NEWER = 2_000;

  private static final byte[] D = Bytes.toBytes("d");
  private static final byte[] V = Bytes.toBytes("v");
  private static final byte[] W = Bytes.toBytes("w");
  private static final byte[] NEW = Bytes.toBytes("new");

  /** The change, of a row by its logical or physical key. */
  abstract Mutation of(byte[] row);

  /** The row as it is before. */
  static List<Put> before(byte[] row) {
    return List.of(
        new Put(row)
            .addColumn(D, V, OLD, Bytes.toBytes("v1"))
            .addColumn(D, W, OLD, Bytes.toBytes("w1")),
        new Put(row).addColumn(D, V, NEWER, Bytes.toBytes("v2")));
  }

  /** Makes the change in a table. */
  void make(Table table, byte[] row) throws IOException {
    Mutation change = of(row);
    if (change instanceof Put put) {
      table.put(put);
    } else if (change instanceof Delete delete) {
      table.delete(delete);
    } else if (change instanceof Increment increment) {
      table.increment(increment);
    } else {
      table.append((Append) change);
    }
  }
}
