/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.portal;

import io.evenkey.app.cluster.Cluster;
import io.evenkey.app.json.HotKeysJson;
import io.evenkey.app.json.ReportedHotKeysJson;
import io.evenkey.client.SpreadTable;
import io.evenkey.client.internal.descriptor.TableLayout;
import io.evenkey.client.internal.hotkeys.HotKeyReport;
import io.evenkey.client.internal.hotkeys.HotKeyTable;
import io.evenkey.client.internal.hotkeys.ServerHotKeys;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.hotkeys.HotItems;
import io.evenkey.layout.hotkeys.HotKeySetting;
import io.javalin.http.Context;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.security.AccessDeniedException;
import org.jspecify.annotations.Nullable;

/** Routes for the hot keys that region servers count, and for those that clients report. */
final class HotKeyRoutes {
  private static final byte[] FAMILY = HotKeyTable.FAMILY.getBytes(StandardCharsets.UTF_8);
  private static final byte[] COLUMN = HotKeyTable.COLUMN.getBytes(StandardCharsets.UTF_8);
  private static final int SHOWN = 20;

  private final Cluster cluster;

  HotKeyRoutes(Cluster cluster) {
    this.cluster = cluster;
  }

  List<ApiRoute> routes() {
    return List.of(
        ApiRoute.get("/api/hotkeys/{table}", this::hot),
        ApiRoute.put("/api/hotkeys/{table}", this::set));
  }

  private void set(Context request) throws IOException {
    TableName table = TableRoutes.name(request);
    String text = Json.text(Json.object(request), "setting");
    if (text == null) {
      throw new IllegalArgumentException("missing: setting; give on, off or 1/N");
    }
    HotKeySetting setting = HotKeySetting.parse(text);
    request.attribute(Guard.CHANGE, "count hot keys of table " + table + ": " + setting);
    Json.answer(request, HotKeysJson.of(ServerHotKeys.set(cluster.connection(), table, setting)));
  }

  private void hot(Context request) throws IOException {
    TableName table = TableRoutes.name(request);
    double minutes = Parameters.number(request, "minutes", 15);
    long from = System.currentTimeMillis() - (long) (minutes * 60_000);
    List<HotKeyReport> reports = new ArrayList<>();
    Set<String> clients = new LinkedHashSet<>();
    Layout layout;
    try (Admin admin = cluster.connection().getAdmin()) {
      layout = TableLayout.of(admin.getDescriptor(table));
      if (admin.tableExists(HotKeyTable.NAME)) {
        read(table, from, reports, clients);
      }
    }
    // Hashes and values of different clients cannot be combined: the majority is shown.
    long hashing = reports.stream().filter(HotKeyReport::hashed).count();
    boolean hashed = 2 * hashing > reports.size();
    List<HotKeyReport> counted =
        reports.stream().filter(report -> report.hashed() == hashed).toList();
    Layout readable = hashed ? null : layout;
    Json.answer(
        request,
        new ReportedHotKeysJson(
            servers(table),
            clients.size(),
            counted.size(),
            reports.size() - counted.size(),
            hashed,
            counted.stream().mapToLong(HotKeyReport::from).min().orElse(from),
            json(counted, HotKeyReport::readKeys, readable),
            json(counted, HotKeyReport::readFields, readable),
            json(counted, HotKeyReport::writeKeys, readable),
            json(counted, HotKeyReport::writeFields, readable)));
  }

  private HotKeysJson servers(TableName table) throws IOException {
    try {
      return HotKeysJson.of(ServerHotKeys.ask(cluster.connection(), table));
    } catch (AccessDeniedException e) {
      return HotKeysJson.denied(Problems.text(e));
    }
  }

  private void read(TableName table, long from, List<HotKeyReport> reports, Set<String> clients)
      throws IOException {
    SpreadTable hot = cluster.tables().open(HotKeyTable.NAME);
    String name = table.getNameAsString().replace("'", "");
    try (KeyedRows rows = hot.select().where("table = '" + name + "' and at >= " + from).open()) {
      for (KeyedRow row = rows.next(); row != null; row = rows.next()) {
        byte[] report = row.value(FAMILY, COLUMN);
        if (report != null) {
          reports.add(HotKeyReport.parse(report));
          clients.add((String) Objects.requireNonNull(row.get("client")));
        }
      }
    }
  }

  private static ReportedHotKeysJson.ReportedItems json(
      List<HotKeyReport> reports, Function<HotKeyReport, HotItems> what, @Nullable Layout layout) {
    HotItems sum = HotItems.sum(reports.stream().map(what).toList(), SHOWN);
    return new ReportedHotKeysJson.ReportedItems(
        sum.total(),
        sum.error(),
        sum.items().stream()
            .map(
                item ->
                    new ReportedHotKeysJson.ReportedItem(
                        label(item.item(), layout), item.estimate(), item.lower(), item.upper()))
            .toList());
  }

  private static String label(ByteString item, @Nullable Layout layout) {
    return layout == null
        ? "#" + ByteText.hex(item.toArray())
        : layout.labelLogical(item.toArray());
  }
}
