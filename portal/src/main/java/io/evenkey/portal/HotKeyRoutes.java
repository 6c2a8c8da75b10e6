/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.portal;

import io.evenkey.client.internal.hotkeys.ServerHotKeys;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.protocol.hotkeys.HotKeySetting;
import io.evenkey.report.cluster.Cluster;
import io.evenkey.report.json.HotKeysJson;
import io.javalin.http.Context;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.security.AccessDeniedException;

/** Routes for the hot keys that region servers count. */
final class HotKeyRoutes {
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
      throw new EvenkeyArgumentException("missing: setting; give on, off or 1/N");
    }
    HotKeySetting setting = HotKeySetting.parse(text);
    request.attribute(Guard.CHANGE, "count hot keys of table " + table + ": " + setting);
    Json.answer(request, HotKeysJson.of(ServerHotKeys.set(cluster.connection(), table, setting)));
  }

  private void hot(Context request) throws IOException {
    Json.answer(request, counted(TableRoutes.name(request)));
  }

  private HotKeysJson counted(TableName table) throws IOException {
    try {
      return HotKeysJson.of(ServerHotKeys.ask(cluster.connection(), table));
    } catch (AccessDeniedException e) {
      return HotKeysJson.denied(Problems.text(e));
    }
  }
}
