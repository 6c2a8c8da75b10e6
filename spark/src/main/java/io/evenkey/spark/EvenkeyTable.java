/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A spread table of which Spark knows the columns. Immutable. */
record EvenkeyTable(StoredTable stored) implements SupportsRead, SupportsWrite {
  @Override
  public String name() {
    return "evenkey " + stored.name();
  }

  @Override
  @SuppressWarnings("deprecation") // Spark's interface has no other way without a default
  public StructType schema() {
    return stored.columns().schema();
  }

  @Override
  public Set<TableCapability> capabilities() {
    // Spark asks for the second before it looks for the third.
    return stored.options().bulk()
        ? Set.of(
            TableCapability.BATCH_READ, TableCapability.BATCH_WRITE, TableCapability.V1_BATCH_WRITE)
        : Set.of(TableCapability.BATCH_READ, TableCapability.BATCH_WRITE);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new EvenkeyScanBuilder(stored);
  }

  /**
   * Prepares a write.
   *
   * @throws IllegalArgumentException if the data frame lacks a field of the key, or the layout
   *     chooses the bucket of a row at random
   */
  @Override
  public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    TableColumns columns = stored.columns().withSchema(info.schema());
    RowEncoder.check(stored, columns);
    Write write =
        stored.options().bulk()
            ? new BulkWrite(stored, columns)
            : new EvenkeyWrite(stored, columns);
    return new WriteBuilder() {
      @Override
      public Write build() {
        return write;
      }
    };
  }
}
