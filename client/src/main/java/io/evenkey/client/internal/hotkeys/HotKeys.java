/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.hotkeys;

import io.evenkey.client.internal.setting.Setting;
import io.evenkey.layout.Layout;
import io.evenkey.layout.hotkeys.HotItems;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.TableNotFoundException;
import org.apache.hadoop.hbase.client.Put;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The hot keys of the tables that a connection uses, if {@code evenkey.hotkeys} asks for them; else
 * this costs nothing. Reported by a thread of its own, as often as {@link Setting#HOTKEYS_EVERY}
 * says; a report that cannot be delivered is dropped, and never in the way of an operation.
 * Thread-safe.
 */
public final class HotKeys implements AutoCloseable {
  /** Configuration key: how often is reported, in milliseconds. */
  public static final String EVERY = Setting.HOTKEYS_EVERY.key();

  /** Configuration key: what hashes are made with, so that values cannot be tried without it. */
  public static final String SECRET = Setting.HOTKEYS_SECRET.key();

  private static final Logger LOG = LoggerFactory.getLogger(HotKeys.class);

  /** Delivers a report. */
  @FunctionalInterface
  public interface Delivery {
    /** Writes to {@link HotKeyTable#NAME}, a physical row. */
    void put(Put report) throws IOException;
  }

  private final HotKeyMode mode;
  private final long everyMs;
  private final String secret;
  private final Delivery delivery;
  private final String client;
  private final Map<TableName, TableHotKeys> tables = new ConcurrentHashMap<>();
  private @Nullable ScheduledExecutorService timer;
  private @Nullable ScheduledFuture<?> reports;

  /**
   * Of one connection.
   *
   * @throws IllegalArgumentException if the setting is none that is known
   * @throws IllegalStateException if it asks for hot keys, and there is no library to count them
   */
  public HotKeys(Configuration configuration, Delivery delivery) {
    this.mode = HotKeyMode.of(configuration);
    if (mode != HotKeyMode.OFF) {
      checkLibrary();
    }
    this.everyMs = Math.max(1_000, Setting.HOTKEYS_EVERY.number(configuration));
    this.secret = Setting.HOTKEYS_SECRET.text(configuration);
    this.delivery = delivery;
    this.client =
        ManagementFactory.getRuntimeMXBean().getName()
            + "-"
            + Integer.toHexString(ThreadLocalRandom.current().nextInt());
  }

  private static void checkLibrary() {
    try {
      HotItems none = new Sketch().take(1);
      new HotKeyReport(0, 0, true, none, none, none, none).toJson();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (LinkageError e) {
      throw new IllegalStateException(
          "library missing: setting="
              + HotKeyMode.SETTING
              + " reason="
              + e.getMessage()
              + "; evenkey-client needs datasketches-java and jackson-databind on the class path to"
              + " count hot keys: add them, or leave the setting out",
          e);
    }
  }

  /** The counter of a table's keys; null if the client is not configured to count. */
  public @Nullable TableHotKeys of(TableName table, Layout layout) {
    if (mode == HotKeyMode.OFF || table.equals(HotKeyTable.NAME)) {
      return null;
    }
    start();
    return tables.computeIfAbsent(
        table, name -> new TableHotKeys(layout, mode == HotKeyMode.HASHED, secret));
  }

  private synchronized void start() {
    if (timer == null) {
      ScheduledExecutorService started =
          Executors.newSingleThreadScheduledExecutor(
              task -> {
                Thread thread = new Thread(task, "evenkey-hotkeys");
                thread.setDaemon(true);
                return thread;
              });
      timer = started;
      reports =
          started.scheduleWithFixedDelay(this::report, everyMs, everyMs, TimeUnit.MILLISECONDS);
    }
  }

  private void report() {
    tables.forEach(
        (table, keys) -> {
          // What is thrown to the timer ends all further reports.
          try {
            HotKeyReport report = keys.take();
            if (report.readKeys().total() + report.writeKeys().total() > 0) {
              delivery.put(HotKeyTable.put(table, client, report));
            }
          } catch (TableNotFoundException e) {
            LOG.debug("hot keys not reported: no table {}", HotKeyTable.NAME);
          } catch (Throwable e) {
            LOG.warn("hot keys of {} could not be reported: {}", table, e.toString());
          }
        });
  }

  @Override
  public synchronized void close() {
    if (timer != null) {
      if (reports != null) {
        reports.cancel(false);
      }
      timer.execute(this::report);
      timer.shutdown();
      try {
        timer.awaitTermination(5, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      timer = null;
    }
  }
}
