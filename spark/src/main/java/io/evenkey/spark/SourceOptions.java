/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.client.EvenkeyConnection;
import io.evenkey.client.cell.CellColumn;
import io.evenkey.client.internal.catalog.DeclaredKeys;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.jspecify.annotations.Nullable;

/**
 * The options of the data source. Immutable.
 *
 * @param table the table
 * @param columns the columns in addition to the fields of the key
 * @param settings settings of HBase's client, by their own names
 * @param bulk whether rows are written as HFiles
 * @param work the directory in which the HFiles are made; null if none is named
 */
record SourceOptions(
    TableName table,
    List<CellColumn> columns,
    Map<String, String> settings,
    boolean bulk,
    @Nullable String work) {
  private static final String TABLE = "table";
  private static final String COLUMNS = "columns";
  private static final String BULK = "bulk";
  private static final String WORK = "work";
  private static final Set<String> NAMES = new TreeSet<>(List.of(TABLE, COLUMNS, BULK, WORK));

  SourceOptions {
    columns = List.copyOf(columns);
    settings = Map.copyOf(settings);
  }

  /**
   * Reads the options.
   *
   * @throws IllegalArgumentException if one is missing, unknown or wrong; names it
   */
  static SourceOptions of(CaseInsensitiveStringMap options) {
    Map<String, String> settings = new LinkedHashMap<>();
    for (Map.Entry<String, String> option : options.asCaseSensitiveMap().entrySet()) {
      String name = option.getKey().toLowerCase(Locale.ROOT);
      if (name.startsWith("hbase.") || name.startsWith("zookeeper.")) {
        settings.put(option.getKey(), option.getValue());
      } else if (!NAMES.contains(name)) {
        throw new EvenkeyArgumentException(
            "unknown option: option="
                + option.getKey()
                + "; expected one of "
                + String.join(", ", NAMES)
                + ", or a setting that begins with hbase. or zookeeper.");
      }
    }
    String table = options.get(TABLE);
    if (table == null || table.isBlank()) {
      throw new EvenkeyArgumentException("no table: set the option table to the table's name");
    }
    return new SourceOptions(
        TableName.valueOf(table),
        columns(options.getOrDefault(COLUMNS, "")),
        settings,
        isTrue(options.getOrDefault(BULK, "false")),
        options.get(WORK));
  }

  private static List<CellColumn> columns(String text) {
    List<CellColumn> columns = new ArrayList<>();
    if (!text.isBlank()) {
      for (String column : text.split(",", -1)) {
        columns.add(CellColumn.parse(column.strip()));
      }
    }
    return columns;
  }

  private static boolean isTrue(String bulk) {
    return switch (bulk.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default ->
          throw new EvenkeyArgumentException(
              "option is neither true nor false: option=bulk value=" + bulk);
    };
  }

  /**
   * The configuration of the driver, for HBase's own connections: Spark's, with hbase-site.xml of
   * the class path and these settings.
   */
  Configuration configuration() {
    Configuration sparks =
        HBaseConfiguration.create(SparkSession.active().sparkContext().hadoopConfiguration());
    settings.forEach(sparks::set);
    Configuration configuration = EvenkeyConnection.plain(sparks);
    configuration.setIfUnset(DeclaredKeys.OF_ALL_TABLES, DeclaredKeys.BY_FIELDS);
    return configuration;
  }
}
