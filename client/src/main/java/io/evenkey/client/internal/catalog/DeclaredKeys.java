/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.catalog;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.Layout;
import io.evenkey.layout.text.SyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;

/**
 * The row keys that an application says it uses. An application that encodes keys itself would read
 * and write other rows than it means after a migration has given the table another row key. So a
 * table whose key was changed is refused until the application names the key that it uses; and a
 * table that has another key than the one that is named is refused at any time. Thread-safe.
 */
public final class DeclaredKeys {
  /**
   * Configuration key, followed by the name of a table: the fields of the row key that the
   * application uses, as a layout line has them, such as {@code customer:string + id:long}; or
   * {@value #BY_FIELDS}.
   */
  public static final String OF_TABLE = Setting.KEY_OF_TABLE.prefix();

  /** Configuration key: {@value #BY_FIELDS} for all tables. */
  public static final String OF_ALL_TABLES = Setting.KEY.key();

  /**
   * The application names rows by fields only, so that any key will do. Rows in bytes, which
   * HBase's interfaces take, are rejected where the key was changed: they may be of the key before.
   */
  public static final String BY_FIELDS = "by-fields";

  private final Configuration configuration;

  DeclaredKeys(Configuration configuration) {
    this.configuration = configuration;
  }

  /**
   * Checks that the application uses the key that a table has.
   *
   * @param table as the application calls it
   * @param isChanged whether a migration has given the table another key than it was created with
   * @throws TableLayoutException if not
   */
  void check(TableName table, Layout layout, boolean isChanged) throws TableLayoutException {
    String setting = OF_TABLE + table.getNameAsString();
    String declared = declared(table);
    if (declared.isEmpty()) {
      if (isChanged) {
        throw new TableLayoutException(
            table,
            "row key of the table was changed by a migration, and the application does not"
                + " declare that it uses the new key",
            "key=" + keyOf(layout),
            "make sure that the application builds its keys from these fields, then set "
                + setting
                + " to this key; or to "
                + BY_FIELDS
                + " if it names rows by fields only");
      }
    } else if (!declared.equals(BY_FIELDS)
        && !keyOf(layout).equals(parsed(table, setting, declared))) {
      throw new TableLayoutException(
          table,
          "table has another row key than the application uses",
          "key=" + keyOf(layout) + " " + setting + "=" + declared,
          isChanged
              ? "the key was changed by a migration: use a version of the application that builds"
                  + " keys from these fields"
              : "the application builds other keys: use a version that builds these, or "
                  + Remedy.CHANGE_KEY);
    }
  }

  // What is said of all tables is by fields, or nothing.
  private String declared(TableName table) {
    String ofTable = configuration.getTrimmed(OF_TABLE + table.getNameAsString(), "");
    boolean isByFields =
        ofTable.isEmpty() && BY_FIELDS.equals(configuration.getTrimmed(OF_ALL_TABLES));
    return isByFields ? BY_FIELDS : ofTable;
  }

  /** Whether the application says that it names the rows of a table by fields only. */
  boolean areOfFields(TableName table) {
    return declared(table).equals(BY_FIELDS);
  }

  /** The fields of a layout's row key, without its spread. */
  public static String keyOf(Layout layout) {
    return layout.key().unreversed().toString();
  }

  private static @Nullable String parsed(TableName table, String setting, String line)
      throws TableLayoutException {
    try {
      return keyOf(Layout.parse(line));
    } catch (SyntaxException e) {
      throw new TableLayoutException(
          table,
          "setting is not a row key",
          setting + "=" + line + " problem=" + e.problem(),
          "give its fields as a layout line has them, without the spread");
    }
  }
}
