/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cli;

import io.evenkey.client.internal.hotkeys.HotKey;
import io.evenkey.client.internal.hotkeys.ServerHotKeys;
import io.evenkey.protocol.hotkeys.HotKeyKind;
import io.evenkey.report.json.HotKeysJson;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** Shows the hot keys that region servers count on a terminal. */
final class HotKeyView {
  private static final int SHOWN = 5;

  private final Console console;
  private final Connection connection;

  /** HBase's own connection. */
  HotKeyView(Console console, Connection connection) {
    this.console = console;
    this.connection = connection;
  }

  /** Shows the hot keys of a table now, or why there are none. */
  void show(TableName table) throws IOException {
    ServerHotKeys hot;
    try {
      hot = ServerHotKeys.ask(connection, table);
    } catch (AccessDeniedException e) {
      note(Failure.text(e));
      return;
    }
    String problem = hot.problem();
    if (problem != null) {
      note(problem);
    }
    if (hot.counting() > 0) {
      counts(hot);
    }
  }

  private void note(String text) {
    console.out().println();
    console.say("hot keys: " + text);
  }

  private void counts(ServerHotKeys hot) {
    console.out().println();
    console
        .out()
        .printf(
            Locale.ROOT,
            "hot keys, as the servers counted %s in the last %d s%n",
            hot.oneIn() == 1 ? "all operations" : "one of " + hot.oneIn() + " operations",
            hot.windowMs() / 1_000);
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("OPERATIONS", "KEY", "BUCKET", "/S", "AT LEAST", "REGION", "SERVER"));
    add(rows, hot, HotKeyKind.WRITE_FIELDS, "writes");
    add(rows, hot, HotKeyKind.WRITE_KEYS, "writes");
    add(rows, hot, HotKeyKind.READ_FIELDS, "reads");
    add(rows, hot, HotKeyKind.READ_KEYS, "reads");
    add(rows, hot, HotKeyKind.SCAN_STARTS, "scans from");
    if (rows.size() > 1) {
      console.table(rows);
    } else {
      console.out().println("none: no key is more frequent than the others");
    }
  }

  private static void add(
      List<List<String>> rows, ServerHotKeys hot, HotKeyKind kind, String operations) {
    for (HotKey key : hot.top(kind, SHOWN)) {
      rows.add(
          List.of(
              operations,
              key.label(),
              key.bucket().isPresent() ? String.valueOf(key.bucket().getAsInt()) : "",
              HeatView.figure(key.perSecond()),
              HeatView.figure(key.lower()),
              key.regions() > 1 ? key.regions() + " regions" : key.region(),
              key.regions() > 1 ? "" : HeatView.server(key.server())));
    }
  }

  /** The hot keys of a table as a document. */
  HotKeysJson json(TableName table) throws IOException {
    try {
      return HotKeysJson.of(ServerHotKeys.ask(connection, table));
    } catch (AccessDeniedException e) {
      return HotKeysJson.denied(Failure.text(e));
    }
  }
}
