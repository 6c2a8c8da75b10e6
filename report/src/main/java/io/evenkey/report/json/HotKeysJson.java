/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.client.internal.hotkeys.HotKey;
import io.evenkey.client.internal.hotkeys.ServerHotKeys;
import io.evenkey.protocol.hotkeys.HotKeyKind;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The hot keys of a table as its region servers count them, as JSON. Immutable.
 *
 * @param state {@code denied} if the user may not see them
 * @param problem why not all regions count, and what to do; null if they do
 * @param counts left out if the user may not see them
 */
public record HotKeysJson(
    String source, String state, @Nullable String problem, @JsonUnwrapped @Nullable Counts counts) {
  private static final String SERVERS = "servers";
  private static final int SHOWN = 20;

  /** The hot keys of a table, with its name. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record TableHotKeys(String table, HotKeysJson hotKeys) {}

  /** The setting of the regions, and what they count by it. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record Counts(
      String setting,
      int oneIn,
      int regionsCounting,
      int regionsWithoutModule,
      long windowMs,
      HotItems readKeys,
      HotItems readFields,
      HotItems writeKeys,
      HotItems writeFields,
      HotItems scanStarts) {}

  /** The hottest keys of one kind, with the rate of all operations of that kind. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record HotItems(double perSecond, double othersAtMost, List<HotItem> items) {
    /** Copies the list. */
    public HotItems {
      items = List.copyOf(items);
    }
  }

  /** One key, with its rate a second and the bounds of that rate. */
  @JsonNaming(SnakeCaseStrategy.class)
  public record HotItem(
      String label,
      String hex,
      @Nullable Integer bucket,
      double perSecond,
      double lower,
      double upper,
      int regions,
      String region,
      String server) {}

  /** The hot keys of a table. */
  public static HotKeysJson of(ServerHotKeys hot) {
    Counts counts =
        new Counts(
            hot.setting(),
            hot.oneIn(),
            hot.counting(),
            hot.without(),
            hot.windowMs(),
            items(hot, HotKeyKind.READ_KEYS),
            items(hot, HotKeyKind.READ_FIELDS),
            items(hot, HotKeyKind.WRITE_KEYS),
            items(hot, HotKeyKind.WRITE_FIELDS),
            items(hot, HotKeyKind.SCAN_STARTS));
    return new HotKeysJson(
        SERVERS, hot.state().name().toLowerCase(Locale.ROOT), hot.problem(), counts);
  }

  /** Stands for the hot keys of a table that the user may not see. */
  public static HotKeysJson denied(String problem) {
    return new HotKeysJson(SERVERS, "denied", problem, null);
  }

  private static HotItems items(ServerHotKeys hot, HotKeyKind kind) {
    return new HotItems(
        hot.total(kind),
        hot.others(kind),
        hot.top(kind, SHOWN).stream().map(HotKeysJson::item).toList());
  }

  private static HotItem item(HotKey key) {
    return new HotItem(
        key.label(),
        key.item().toString(),
        key.bucket().isPresent() ? key.bucket().getAsInt() : null,
        key.perSecond(),
        key.lower(),
        key.upper(),
        key.regions(),
        key.region(),
        key.server());
  }
}
