/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.hotkeys;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.guard.GuardAttributes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;

/**
 * The table that clients report to: a row a report, which goes away by itself. The portal makes it;
 * until then no client reports. Stateless.
 */
public final class HotKeyTable {
  /** Its name. */
  public static final TableName NAME = TableName.valueOf("evenkey", "hotkeys");

  /** The layout of its rows. */
  public static final Layout LAYOUT =
      Layout.parse("salt(4, table) + table:string + at:timestamp desc + client:string");

  /** Its only family. */
  public static final String FAMILY = "r";

  /** Its only column. */
  public static final String COLUMN = "report";

  private static final Duration KEPT = Duration.ofDays(2);

  private HotKeyTable() {}

  static Put put(TableName table, String client, HotKeyReport report) throws IOException {
    Values key =
        Values.of(Map.of("table", table.getNameAsString(), "at", report.to(), "client", client));
    Put put = new Put(LAYOUT.encode(key));
    // The key is as it is stored, and the connection knows no layouts.
    put.setAttribute(GuardAttributes.RAW, GuardAttributes.number(1));
    put.addColumn(
        FAMILY.getBytes(StandardCharsets.UTF_8),
        COLUMN.getBytes(StandardCharsets.UTF_8),
        report.toJson());
    put.setTTL(KEPT.toMillis());
    return put;
  }
}
