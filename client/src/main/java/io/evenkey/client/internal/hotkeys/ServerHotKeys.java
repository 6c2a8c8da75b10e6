/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.hotkeys;

import io.evenkey.client.internal.guard.TableGuard;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.layout.Layout;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.failure.EvenkeyException;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.layout.spread.Prefix;
import io.evenkey.protocol.hotkeys.HotItem;
import io.evenkey.protocol.hotkeys.HotItems;
import io.evenkey.protocol.hotkeys.HotKeyAnswer;
import io.evenkey.protocol.hotkeys.HotKeyKind;
import io.evenkey.protocol.hotkeys.HotKeyQuestion;
import io.evenkey.protocol.hotkeys.HotKeySetting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.jspecify.annotations.Nullable;

/**
 * The hot keys of a table as its region servers counted them in the last minute: reads, scans and
 * writes of all clients. Immutable.
 *
 * <p>Servers count where the table's descriptor has a {@link HotKeySetting}, and only those with
 * Evenkey's server module.
 */
public final class ServerHotKeys {
  // Rates are summed as whole numbers: operations in so many seconds.
  private static final int PERIOD_SECONDS = 1_000;
  private static final long LEAST_WINDOW_MS = 1_000;

  private final TableName table;
  private final RegionQuestions asked;
  private final @Nullable Layout layout;

  private ServerHotKeys(TableName table, RegionQuestions asked) {
    this.table = table;
    this.asked = asked;
    this.layout = layout(asked.answers());
  }

  /** Whether the servers count the keys of a table. */
  public enum State {
    /** All its regions do. */
    COUNTED,
    /** Some do: others are on servers without the module, or have not read the setting yet. */
    COUNTED_PARTLY,
    /** None does: the table is not set to have them counted. */
    OFF,
    /** None does: the table's setting is not understood, or counting has failed. */
    NOT_COUNTED,
    /** None does: no region has Evenkey's server module. */
    NO_MODULE,
    /** None does: the server module is of an earlier version, or the regions failed. */
    FAILED
  }

  /**
   * Asks each region once.
   *
   * @param plain HBase's own connection
   * @throws org.apache.hadoop.hbase.security.AccessDeniedException if the user may not read the
   *     whole table
   */
  public static ServerHotKeys ask(Connection plain, TableName table) throws IOException {
    return ask(plain, table, false);
  }

  private static ServerHotKeys ask(Connection plain, TableName table, boolean reread)
      throws IOException {
    HotKeyQuestion question = new HotKeyQuestion(HotKeyQuestion.MOST_ITEMS, reread);
    return new ServerHotKeys(table, RegionQuestions.ask(plain, table, question));
  }

  /**
   * Sets whether the servers count, for all regions at once, without closing them where HBase can.
   *
   * @param plain HBase's own connection
   * @return the answers of the regions after that
   * @throws IOException if a region cannot count, in which case nothing is changed, or the user may
   *     not change the table or may not read it
   */
  public static ServerHotKeys set(Connection plain, TableName table, HotKeySetting setting)
      throws IOException {
    ServerHotKeys before = ask(plain, table);
    if (setting.counts()) {
      before.checkModule();
    }
    try (Admin admin = plain.getAdmin()) {
      TableDescriptor now = admin.getDescriptor(table);
      TableDescriptor next =
          TableDescriptorBuilder.newBuilder(now)
              .setValue(HotKeySetting.KEY, setting.toString())
              .build();
      if (!next.equals(now)) {
        TableGuard.store(admin, next);
      }
    }
    return ask(plain, table, true);
  }

  private void checkModule() throws IOException {
    if (asked.without() > 0) {
      throw new EvenkeyException(
          "region servers do not have Evenkey's module, which counts hot keys: table="
              + table
              + " regions="
              + asked.without()
              + "; "
              + Remedy.INSTALL_GUARD);
    }
    IOException failure = asked.failure();
    if (failure != null) {
      throw new EvenkeyException(
          "regions did not answer for hot keys: table="
              + table
              + "; update evenkey-server there, or try again; cause: "
              + cause(),
          failure);
    }
  }

  private static @Nullable Layout layout(List<HotKeyAnswer> answers) {
    String line = answers.isEmpty() ? "" : answers.get(0).layout();
    try {
      return line.isEmpty() ? null : Layout.parse(line);
    } catch (RuntimeException e) {
      // Written by a later version.
      return null;
    }
  }

  /** Whether the servers count. */
  public State state() {
    int counting = counting();
    if (counting > 0) {
      boolean all = counting == asked.answers().size() && asked.without() == 0;
      return all && asked.failure() == null ? State.COUNTED : State.COUNTED_PARTLY;
    }
    if (asked.answers().isEmpty()) {
      return asked.failure() == null ? State.NO_MODULE : State.FAILED;
    }
    return asked.answers().stream().allMatch(ServerHotKeys::isOff) ? State.OFF : State.NOT_COUNTED;
  }

  /** Why not all regions count, and what to do; null if all do. */
  public @Nullable String problem() {
    return switch (state()) {
      case COUNTED -> null;
      case COUNTED_PARTLY ->
          "not all regions count: counting="
              + counting()
              + " without="
              + asked.without()
              + "; "
              + Remedy.SHOW_SERVERS;
      case OFF ->
          "not counted; to have them counted on the servers, "
              + Remedy.COUNT_HOT_KEYS
              + ": table="
              + table;
      case NOT_COUNTED ->
          "not counted: "
              + HotKeySetting.KEY
              + "="
              + setting()
              + " table="
              + table
              + "; the region servers' logs say why; "
              + Remedy.COUNT_HOT_KEYS
              + " again";
      case NO_MODULE ->
          "not counted: the region servers do not have Evenkey's module; " + Remedy.INSTALL_GUARD;
      case FAILED ->
          "no region answered; update evenkey-server there if it is earlier; cause: " + cause();
    };
  }

  private String cause() {
    IOException failure = asked.failure();
    return failure == null ? "" : FailureMessage.reason(failure);
  }

  private static boolean isOff(HotKeyAnswer answer) {
    try {
      String setting = answer.setting();
      return !HotKeySetting.parse(setting.isEmpty() ? null : setting).counts();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The number of regions that count. */
  public int counting() {
    return (int) asked.answers().stream().filter(answer -> answer.oneIn() > 0).count();
  }

  /** The number of regions on servers without the module. */
  public int without() {
    return asked.without();
  }

  /** One of how many operations is counted; 0 if none is. */
  public int oneIn() {
    return asked.answers().stream().mapToInt(HotKeyAnswer::oneIn).max().orElse(0);
  }

  /** The setting by which the regions act, as in the descriptor; empty if there is none. */
  public String setting() {
    return asked.answers().isEmpty() ? "" : asked.answers().get(0).setting();
  }

  /** The longest window of a region, in milliseconds. */
  public long windowMs() {
    return asked.answers().stream().mapToLong(HotKeyAnswer::windowMs).max().orElse(0);
  }

  /** The rate of all operations of a kind that were counted, a second, about. */
  public double total(HotKeyKind kind) {
    return perSecond(sum(kind).total());
  }

  /** At most so many operations a second on a key that is not among the {@link #top} ones. */
  public double others(HotKeyKind kind) {
    return perSecond(sum(kind).error());
  }

  /**
   * The hottest keys, the hottest first: only those that are certainly more frequent than any key
   * that the servers have not remembered, and than none at all.
   */
  public List<HotKey> top(HotKeyKind kind, int most) {
    HotItems sum = sum(kind);
    List<HotKey> top = new ArrayList<>();
    for (HotItem item : sum.items()) {
      if (top.size() == most) {
        break;
      }
      if (item.lower() > sum.error()) {
        HotKey key = key(kind, item);
        if (key.lower() > 0) {
          top.add(key);
        }
      }
    }
    return top;
  }

  private HotItems sum(HotKeyKind kind) {
    List<HotItems> regions = new ArrayList<>();
    for (HotKeyAnswer answer : asked.answers()) {
      if (answer.oneIn() > 0) {
        regions.add(rates(answer, kind));
      }
    }
    return HotItems.sum(regions, Integer.MAX_VALUE);
  }

  /** Counts of a sample as operations in {@link #PERIOD_SECONDS}. */
  private static HotItems rates(HotKeyAnswer answer, HotKeyKind kind) {
    double times = times(answer);
    HotItems of = answer.of(kind);
    List<HotItem> items = new ArrayList<>();
    for (HotItem item : of.items()) {
      items.add(
          new HotItem(
              item.item(),
              Math.round(item.estimate() * times),
              Math.round(item.lower() * times),
              Math.round(item.upper() * times)));
    }
    return new HotItems(Math.round(of.total() * times), Math.round(of.error() * times), items);
  }

  private static double times(HotKeyAnswer answer) {
    long windowMs = Math.max(LEAST_WINDOW_MS, answer.windowMs());
    return answer.oneIn() * (PERIOD_SECONDS * 1_000.0 / windowMs);
  }

  /** Two standard deviations of a count that was made by a sample: twice the root of the sample. */
  private long deviation(long count) {
    double most = 0;
    for (HotKeyAnswer answer : asked.answers()) {
      most = answer.oneIn() > 1 ? Math.max(most, times(answer)) : most;
    }
    return Math.round(2 * Math.sqrt(count * most));
  }

  private static double perSecond(long count) {
    return (double) count / PERIOD_SECONDS;
  }

  private HotKey key(HotKeyKind kind, HotItem item) {
    int regions = 0;
    long most = -1;
    String region = "";
    String server = "";
    for (HotKeyAnswer answer : asked.answers()) {
      for (HotItem of : answer.of(kind).items()) {
        if (of.item().equals(item.item())) {
          regions++;
          if (of.estimate() > most) {
            most = of.estimate();
            region = answer.region();
            server = answer.server();
          }
        }
      }
    }
    byte[] bytes = item.item().toArray();
    return new HotKey(
        item.item(),
        label(kind, bytes),
        kind.isOfFields() ? OptionalInt.empty() : bucket(bytes),
        perSecond(item.estimate()),
        perSecond(Math.max(0, item.lower() - deviation(item.lower()))),
        perSecond(item.upper() + deviation(item.upper())),
        regions,
        region,
        server);
  }

  private OptionalInt bucket(byte[] row) {
    Prefix prefix = layout == null ? null : layout.spread().prefix();
    return prefix == null ? OptionalInt.empty() : prefix.bucket(row);
  }

  private String label(HotKeyKind kind, byte[] bytes) {
    Layout of = layout;
    if (of == null) {
      return ByteText.printable(bytes);
    }
    try {
      return of.labelLogical(kind.isOfFields() ? bytes : of.logical(bytes));
    } catch (RuntimeException e) {
      // A row of another layout, or the beginning of one, as a scan has.
      return of.label(bytes);
    }
  }
}
