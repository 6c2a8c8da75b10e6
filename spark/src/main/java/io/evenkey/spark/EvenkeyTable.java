/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import java.util.Set;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.ScanBuilder;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** A spread table of which Spark knows the columns. Immutable. */
record EvenkeyTable(StoredTable stored) implements SupportsRead {
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
    return Set.of(TableCapability.BATCH_READ);
  }

  @Override
  public ScanBuilder newScanBuilder(CaseInsensitiveStringMap options) {
    return new EvenkeyScanBuilder(stored);
  }
}
