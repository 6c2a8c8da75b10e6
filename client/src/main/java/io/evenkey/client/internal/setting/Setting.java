/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.setting;

import io.evenkey.protocol.guard.GuardSettings;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/**
 * The settings of Evenkey. Values come from {@code hbase-site.xml}, from {@code -D} of a command,
 * or from the code of an application; a setting that is absent has its {@link #initial} value.
 * Whoever reads a setting reads it through its constant here, so that the name, the type and the
 * default are written nowhere else. Immutable.
 */
public enum Setting {
  CHECK(
      "evenkey.check",
      Group.TABLES,
      "one of `background`, `first`, `off`",
      "background",
      "When the layout of a table is compared with some of its rows. `background`: at the first use,"
          + " without delaying it. `first`: before the first operation, together with the registry."),
  CHECK_ROWS(
      "evenkey.check.rows",
      Group.TABLES,
      "number of buckets",
      "8",
      "Buckets whose first row is checked at the first use of a table; 0 for none."),
  CHECK_SAMPLE(
      "evenkey.check.sample",
      Group.TABLES,
      "number of rows",
      "128",
      "About how many rows are read from these buckets if one of the first rows is"
          + " [foreign](registry.md#foreign-rows)."),
  // A layout with twice the buckets of the right one fits every second row, so that half would be
  // too many for chance; rows that a client has put there by mistake are few.
  CHECK_REFUSE_SHARE(
      "evenkey.check.refuse.share",
      Group.TABLES,
      "share, 0 to 1",
      "0.25",
      "The client rejects the table if a larger share of the sample is foreign; with 1 it never"
          + " does."),
  FILTERS_ROW_BLIND(
      "evenkey.filters.row-blind",
      Group.TABLES,
      "class names, separated by commas",
      "",
      "Your own filters that never look at the row and keep nothing from row to row"
          + " ([filters](filters.md))."),
  KEY(
      "evenkey.key",
      Group.TABLES,
      "`by-fields`",
      "",
      "The application names the rows of all tables by fields only. Evenkey's commands and Spark set"
          + " it."),
  KEY_OF_TABLE(
      "evenkey.key.TABLE",
      Group.TABLES,
      "fields of a layout line, or `by-fields`",
      "",
      "The row key that the application uses for TABLE. Needed once a migration has given the table"
          + " [another row key](change-key.md)."),
  LAYOUT_DEFAULT(
      "evenkey.layout.default",
      Group.TABLES,
      "layout line",
      "",
      "The layout of new tables that have neither a layout nor a plan."),
  SCAN_BUDGET(
      "evenkey.scan.budget.bytes",
      Group.SCANS,
      "bytes",
      "33554432",
      "Cells that one scan may hold ahead of its reader, over all its ranges. In memory they take up"
          + " to twice as much."),
  SCAN_IDLE(
      "evenkey.scan.idle.ms",
      Group.SCANS,
      "milliseconds",
      "300000",
      "A scan that the application does not read for this long closes its scanners on the region"
          + " servers, at the latest after twice as long. 0 for never."),
  SCAN_SERVERS(
      "evenkey.scan.servers",
      Group.SCANS,
      "`true` or `false`",
      "true",
      "Whether region servers are asked to gather the first rows of a scan with a limit."),
  REGISTRY(
      "evenkey.registry",
      Group.REGISTRY,
      "one of `required`, `optional`, `off`",
      "optional",
      "`required`: each table is compared with the registry before its first operation. `optional`:"
          + " the registry is read where no guard answers; while ZooKeeper cannot be reached, the"
          + " client trusts descriptors and creates no tables. `off`: it is not read."),
  ZOOKEEPER_QUORUM(
      "evenkey.zookeeper.quorum",
      Group.REGISTRY,
      "`host:port,…`",
      "",
      "A ZooKeeper for the registry other than HBase's."),
  ZOOKEEPER_ROOT(
      "evenkey.zookeeper.root",
      Group.REGISTRY,
      "path of a node",
      "/evenkey",
      "The node that holds the registry."),
  ZOOKEEPER_TIMEOUT(
      "evenkey.zookeeper.timeout.ms",
      Group.REGISTRY,
      "milliseconds",
      "10000",
      "How long a connection to the registry may take."),
  ZOOKEEPER_ACL(
      "evenkey.zookeeper.acl",
      Group.REGISTRY,
      "one of `open`, `creator`, `world-readable`",
      "",
      "The rights on new nodes ([Kerberos](security.md#kerberos)). Unless set, `world-readable` with"
          + " Kerberos and `open` without."),
  ZOOKEEPER_WRITERS(
      "evenkey.zookeeper.writers",
      Group.REGISTRY,
      "short user names, separated by commas",
      "",
      "Users who may write all nodes, in addition to a node's creator and HBase's superusers."),
  ZOOKEEPER_SASL(
      "evenkey.zookeeper.sasl",
      Group.REGISTRY,
      "`true` or `false`",
      "true",
      "With Kerberos, whether the session logs in as the user of HBase's client."),
  ZOOKEEPER_AUTH(
      "evenkey.zookeeper.auth",
      Group.REGISTRY,
      "`scheme:identity`",
      "",
      "A further identity to present to ZooKeeper, such as `digest:user:password`."),
  MIGRATION_WAIT(
      "evenkey.migration.wait.ms",
      Group.MIGRATIONS,
      "milliseconds",
      "60000",
      "How long the client repeats an operation that region servers reject because of a migration or"
          + " a change of the table's indexes; at most the"
          + " [timeout of the operation](timeouts.md)."),
  UNGUARDED_LOOKUP(
      "evenkey.unguarded.lookup.ms",
      Group.MIGRATIONS,
      "milliseconds",
      "600000",
      "Without the [guard](guard.md): how long a client uses a layout before it reads it again in"
          + " the background."),
  IMPORT_ROWS(
      "evenkey.import.rows",
      Group.JOBS,
      "`logical`",
      "",
      "Says that the files of HBase's `Import` have logical keys. The job is rejected without it"
          + " ([HBase's operations](hbase-operations.md))."),
  GUARD_LOAD_CHECKED(
      GuardSettings.CHECKED_BYTES,
      Group.SERVERS,
      "bytes",
      String.valueOf(GuardSettings.DEFAULT_CHECKED_BYTES),
      "How much of a bulk load without a layout is [checked completely](guard-writes.md)."
          + " Counted without compression.");

  /** Where in the reference a setting stands. */
  public enum Group {
    TABLES("Tables and their layouts"),
    SCANS("Scans"),
    REGISTRY("Registry in ZooKeeper"),
    MIGRATIONS("Migrations"),
    JOBS("Jobs"),
    SERVERS("Region servers");

    private final String title;

    Group(String title) {
      this.title = title;
    }

    /** The heading of the group. */
    public String title() {
      return title;
    }
  }

  /** Stands for the name of a table in the key of a setting. */
  private static final String TABLE = "TABLE";

  private final String key;
  private final Group group;
  private final String type;
  private final String initial;
  private final String meaning;

  Setting(String key, Group group, String type, String initial, String meaning) {
    this.key = key;
    this.group = group;
    this.type = type;
    this.initial = initial;
    this.meaning = meaning;
  }

  /** The name in a configuration; of a setting for each table, it ends with {@code TABLE}. */
  public String key() {
    return key;
  }

  /** The name in a configuration without the {@code TABLE} at its end. */
  public String prefix() {
    return key.endsWith(TABLE) ? key.substring(0, key.length() - TABLE.length()) : key;
  }

  /** Where in the reference it stands. */
  public Group group() {
    return group;
  }

  /** The type and unit of a value, as Markdown. */
  public String type() {
    return type;
  }

  /** The value unless set; empty for none. */
  public String initial() {
    return initial;
  }

  /** The purpose of the setting, as Markdown, with links relative to {@code docs}. */
  public String meaning() {
    return meaning;
  }

  /** The names of all settings, but for those with a table's name in them. */
  public static Set<String> keys() {
    return Arrays.stream(values())
        .filter(setting -> setting.prefix().equals(setting.key))
        .map(Setting::key)
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Whether a setting has this name. */
  public static boolean isKnown(String name) {
    return keys().contains(name) || name.startsWith(KEY_OF_TABLE.prefix());
  }

  /** The value as text, without blanks at its ends. */
  public String text(Configuration configuration) {
    return configuration.getTrimmed(key, initial);
  }

  /** The value as a number. */
  public int integer(Configuration configuration) {
    return configuration.getInt(key, Integer.parseInt(initial));
  }

  /** The value as a number. */
  public long number(Configuration configuration) {
    return configuration.getLong(key, Long.parseLong(initial));
  }

  /** The value as a share. */
  public double share(Configuration configuration) {
    return configuration.getDouble(key, Double.parseDouble(initial));
  }

  /** The value as a set of words, between commas. */
  public Set<String> set(Configuration configuration) {
    return Set.copyOf(configuration.getTrimmedStringCollection(key));
  }

  /** The value as {@code true} or {@code false}. */
  public boolean isOn(Configuration configuration) {
    return configuration.getBoolean(key, Boolean.parseBoolean(initial));
  }
}
