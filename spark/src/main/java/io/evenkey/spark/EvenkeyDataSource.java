/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.sources.DataSourceRegister;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * Spread tables as a data source of Spark SQL, by the name {@code evenkey}:
 *
 * <pre>{@code
 * spark.read().format("evenkey")
 *     .option("table", "readings")
 *     .option("columns", "d:celsius=celsius:float64")
 *     .load()
 *     .where("device = 'd1' and ts >= '2026-01-01'");
 * }</pre>
 *
 * <p>The columns of a data frame are the fields of the key, in the order of the layout, and then
 * the columns that {@code columns} names. {@code docs/spark.md} has the options, the types, and
 * which conditions HBase evaluates.
 *
 * <p>Made and used by Spark on the driver. Not thread-safe.
 */
public final class EvenkeyDataSource implements TableProvider, DataSourceRegister {
  private @Nullable StoredTable known;

  /** For Spark, which finds the class by its short name. */
  public EvenkeyDataSource() {}

  @Override
  public String shortName() {
    return "evenkey";
  }

  /** Users may name the columns that they want, and the precision of decimals. */
  @Override
  public boolean supportsExternalMetadata() {
    return true;
  }

  /**
   * The columns of the table that the options name.
   *
   * @throws IllegalArgumentException if an option is missing, unknown or wrong
   * @throws UncheckedIOException if there is no such table, it has no layout, or HBase does not
   *     answer
   */
  @Override
  public StructType inferSchema(CaseInsensitiveStringMap options) {
    return table(SourceOptions.of(options)).columns().schema();
  }

  /**
   * The table.
   *
   * @throws IllegalArgumentException as {@link #inferSchema}; or if the schema has a column that
   *     the table has not, or another type for it
   * @throws UncheckedIOException as {@link #inferSchema}
   */
  @Override
  public Table getTable(
      StructType schema, Transform[] partitioning, Map<String, String> properties) {
    SourceOptions options = SourceOptions.of(new CaseInsensitiveStringMap(properties));
    return new EvenkeyTable(table(options).withSchema(schema));
  }

  // Spark asks for the schema and then for the table: one look at HBase is enough.
  private StoredTable table(SourceOptions options) {
    StoredTable table = known;
    if (table == null || !table.options().equals(options)) {
      try {
        table = StoredTable.lookup(options);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      known = table;
    }
    return table;
  }
}
