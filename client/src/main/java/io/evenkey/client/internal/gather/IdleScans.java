/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import io.evenkey.client.internal.future.Futures;
import io.evenkey.client.internal.setting.Setting;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how long region servers hold scanners for a scan of which the application asks for
 * nothing.
 *
 * <p>HBase renews the lease of a suspended scan for as long as it stays suspended, and an open
 * scanner keeps files and old cells on its server. So when the application has asked for no row
 * during {@link Setting#SCAN_IDLE}, and after twice that at the latest, the ranges that are
 * suspended {@linkplain RangeBuffer#release release} their scanners. The rows that have come stay;
 * what is left is scanned from the last one on when the application reads on.
 *
 * <p><b>Cost.</b> An addition without a fence for each row; one timer for each scan that has ever
 * been suspended, in the thread that Java has for all timeouts of futures (HBase's own timer is not
 * public). Thread-safe.
 */
final class IdleScans {
  private static final Logger LOG = LoggerFactory.getLogger(IdleScans.class);

  private final TableName table;
  private final Configuration configuration;
  private final IntSupplier release;
  private final OpenedAt openedAt = OpenedAt.here();

  /** The number of requests of the application; written by one thread at a time. */
  private final AtomicLong asked = new AtomicLong();

  private volatile boolean awaited;
  private long askedBefore;
  private @Nullable CompletableFuture<Boolean> timer;
  private boolean logged;
  private boolean closed;

  /**
   * Of a scan that begins.
   *
   * @param release ends the scans that are suspended, and returns their number
   */
  IdleScans(TableName table, Configuration configuration, IntSupplier release) {
    this.table = table;
    this.configuration = configuration;
    this.release = release;
  }

  /** The place in the application that opened the scan. */
  OpenedAt openedAt() {
    return openedAt;
  }

  /** The application asks for something. */
  void asked() {
    asked.setRelease(asked.getPlain() + 1);
  }

  /** Whether the application waits for rows from now on: then it is not idle. */
  void awaits(boolean rows) {
    awaited = rows;
    asked();
  }

  /** A range is suspended, until rows of it are taken. */
  synchronized void suspended() {
    if (timer == null && !closed) {
      start();
    }
  }

  private synchronized void start() {
    long idleMs = Setting.SCAN_IDLE.number(configuration);
    if (idleMs > 0) {
      askedBefore = asked.getAcquire();
      CompletableFuture<Boolean> started = new CompletableFuture<>();
      Futures.after(
          started,
          idleMs,
          this::look,
          failure -> LOG.warn("idle scan not released: table={}", table, failure));
      timer = started;
    }
  }

  /** Lets go if nothing was asked for since this was last called, or the timer was started. */
  void look() {
    boolean first;
    synchronized (this) {
      timer = null;
      if (closed) {
        return;
      }
      if (awaited || asked.getAcquire() != askedBefore) {
        start();
        return;
      }
      first = !logged;
      logged = true;
    }
    int ranges = release.getAsInt();
    if (first) {
      LOG.warn(
          "idle scan holds no scanners on region servers any more: table={} ranges={} {}={} openedAt={}; close scanners that are not read to their end",
          table,
          ranges,
          Gather.IDLE,
          Setting.SCAN_IDLE.number(configuration),
          openedAt);
    }
  }

  /** The scan has ended. */
  void close() {
    CompletableFuture<Boolean> running;
    synchronized (this) {
      closed = true;
      running = timer;
      timer = null;
    }
    if (running != null) {
      running.complete(Boolean.FALSE);
    }
  }
}
