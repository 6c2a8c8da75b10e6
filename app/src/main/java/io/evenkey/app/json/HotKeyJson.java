/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app.json;

import io.evenkey.client.internal.hotkeys.HotKey;
import io.evenkey.client.internal.hotkeys.ServerHotKeys;
import io.evenkey.layout.hotkeys.HotKeyKind;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The hot keys of region servers as JSON, for {@code heat} and the portal. Stateless. */
public final class HotKeyJson {
  private static final int SHOWN = 20;

  private HotKeyJson() {}

  /** The hot keys of a table. A new, mutable map. */
  public static Map<String, @Nullable Object> of(ServerHotKeys hot) {
    Map<String, @Nullable Object> document = head(state(hot), hot.problem());
    document.put("setting", hot.setting());
    document.put("one_in", hot.oneIn());
    document.put("regions_counting", hot.counting());
    document.put("regions_without_module", hot.without());
    document.put("window_ms", hot.windowMs());
    for (HotKeyKind kind : HotKeyKind.values()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("per_second", hot.total(kind));
      one.put("others_at_most", hot.others(kind));
      one.put("items", hot.top(kind, SHOWN).stream().map(HotKeyJson::item).toList());
      document.put(kind.json(), one);
    }
    return document;
  }

  /** In place of the hot keys of a table that the user may not see. A new, mutable map. */
  public static Map<String, @Nullable Object> denied(String problem) {
    return head("denied", problem);
  }

  private static Map<String, @Nullable Object> head(String state, @Nullable String problem) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("source", "servers");
    document.put("state", state);
    document.put("problem", problem);
    return document;
  }

  private static String state(ServerHotKeys hot) {
    return hot.state().name().toLowerCase(Locale.ROOT);
  }

  private static Map<String, @Nullable Object> item(HotKey key) {
    Map<String, @Nullable Object> item = new LinkedHashMap<>();
    item.put("label", key.label());
    item.put("hex", key.item().toString());
    item.put("bucket", key.bucket().isPresent() ? key.bucket().getAsInt() : null);
    item.put("per_second", key.perSecond());
    item.put("lower", key.lower());
    item.put("upper", key.upper());
    item.put("regions", key.regions());
    item.put("region", key.region());
    item.put("server", key.server());
    return item;
  }
}
