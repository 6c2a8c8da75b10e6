/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.AdvancedScanResultConsumer;
import org.apache.hadoop.hbase.client.AsyncTable;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.apache.hadoop.hbase.client.Cursor;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.metrics.ScanMetrics;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * A table in memory, of which the test says what its servers send and when: a real HBase sends what
 * it likes. Scans have HBase's contract: one answer at a time, none while suspended, {@code
 * onComplete} after {@code terminate}. The consumers are called in the thread that says so. Not
 * thread-safe, except that scans may be opened and resumed while another thread calls {@link
 * #step}.
 */
final class TableByHand {
  static final TableName NAME = TableName.valueOf("by_hand");
  private static final byte[] FAMILY = {'f'};

  private final TreeMap<byte[], List<Cell>> rows = new TreeMap<>(Arrays::compareUnsigned);
  private final List<Opened> open = new ArrayList<>();
  private final Configuration configuration = new Configuration(false);
  private final int servers;
  private long scanTimeoutMs;
  private int mostAtOnce;
  private long sent;

  /** A table whose rows lie on servers by their first byte. */
  TableByHand(int servers) {
    this.servers = servers;
    // Scans that are not read are let go by the test, not by a clock.
    configuration.setLong(Gather.IDLE, 0);
  }

  Configuration configuration() {
    return configuration;
  }

  /** The table has a scan timeout of its own. */
  void scanTimeout(long ms) {
    scanTimeoutMs = ms;
  }

  void put(byte[] row, int columns, int valueBytes) {
    List<Cell> cells = new ArrayList<>();
    for (int column = 0; column < columns; column++) {
      cells.add(new KeyValue(row, FAMILY, Bytes.toBytes(column), 1, new byte[valueBytes]));
    }
    rows.put(row, cells);
  }

  /** The scans that servers work on, that is, those that are neither over nor suspended. */
  List<Opened> atWork() {
    return open.stream().filter(scan -> !scan.suspended).toList();
  }

  /** Scans that are not over. */
  List<Opened> opened() {
    return List.copyOf(open);
  }

  /** The most scans that one server ever worked on at once. */
  int mostAtOnce() {
    return mostAtOnce;
  }

  /** Rows, or pieces of rows, that were sent. */
  long sent() {
    return sent;
  }

  /** Lets a server answer one of its scans; false if there is none. */
  synchronized boolean step(SplittableRandom random) {
    List<Opened> working = atWork();
    if (working.isEmpty()) {
      return false;
    }
    working.get(random.nextInt(working.size())).step(random);
    return true;
  }

  @SuppressWarnings("unchecked")
  AsyncTable<AdvancedScanResultConsumer> table() {
    return (AsyncTable<AdvancedScanResultConsumer>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {AsyncTable.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "getName" -> NAME;
                  case "getConfiguration" -> configuration;
                  case "getScanTimeout" -> scanTimeoutMs;
                  case "getRegionLocator" -> locator();
                  case "scan" -> {
                    scan((Scan) arguments[0], (AdvancedScanResultConsumer) arguments[1]);
                    yield null;
                  }
                  default -> throw new UnsupportedOperationException(method.getName());
                });
  }

  private AsyncTableRegionLocator locator() {
    return (AsyncTableRegionLocator)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {AsyncTableRegionLocator.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("getRegionLocation")) {
                throw new UnsupportedOperationException(method.getName());
              }
              return CompletableFuture.completedFuture(
                  new HRegionLocation(
                      RegionInfoBuilder.newBuilder(NAME).build(),
                      ServerName.valueOf("server" + serverOf((byte[]) arguments[0]), 1, 1)));
            });
  }

  private int serverOf(byte[] row) {
    return row.length == 0 ? 0 : (row[0] & 0xff) % servers;
  }

  private synchronized void scan(Scan scan, AdvancedScanResultConsumer consumer) {
    Opened opened = new Opened(scan, consumer);
    open.add(opened);
    for (int server = 0; server < servers; server++) {
      int own = server;
      mostAtOnce =
          Math.max(
              mostAtOnce,
              (int) atWork().stream().filter(o -> o.server() == own && !o.hasSentAll()).count());
    }
    if (scan.isScanMetricsEnabled()) {
      ScanMetrics metrics = new ScanMetrics();
      metrics.countOfRowsScanned.incrementAndGet();
      consumer.onScanMetricsCreated(metrics);
    }
  }

  /** One scan that a client has opened. */
  final class Opened implements AdvancedScanResultConsumer.ScanController {
    private final Scan scan;
    private final AdvancedScanResultConsumer consumer;
    private final List<Result> rest = new ArrayList<>();
    private byte[] passed;
    private boolean suspended;
    private boolean terminated;
    private boolean heartbeat;

    Opened(Scan scan, AdvancedScanResultConsumer consumer) {
      this.scan = scan;
      this.consumer = consumer;
      this.passed = scan.getStartRow();
      int limit = scan.getLimit() > 0 ? scan.getLimit() : Integer.MAX_VALUE;
      for (byte[] row : scan.isReversed() ? rows.descendingKeySet() : rows.keySet()) {
        if (limit > 0 && isInside(row)) {
          rest.add(Result.create(rows.get(row)));
          limit--;
        }
      }
    }

    private boolean isInside(byte[] row) {
      int direction = scan.isReversed() ? -1 : 1;
      int fromStart = direction * Arrays.compareUnsigned(row, scan.getStartRow());
      int fromStop = direction * Arrays.compareUnsigned(row, scan.getStopRow());
      boolean afterStart =
          scan.getStartRow().length == 0
              || (scan.includeStartRow() ? fromStart >= 0 : fromStart > 0);
      return afterStart
          && (scan.getStopRow().length == 0
              || (scan.includeStopRow() ? fromStop <= 0 : fromStop < 0));
    }

    Scan scan() {
      return scan;
    }

    /** Whether the last answer said that there are no more rows. */
    private boolean hasSentAll() {
      return rest.isEmpty() && !Arrays.equals(passed, scan.getStartRow());
    }

    int server() {
      return serverOf(scan.getStartRow());
    }

    private void step(SplittableRandom random) {
      if (rest.isEmpty() || terminated) {
        complete();
      } else if (random.nextInt(5) == 0) {
        heartbeat();
      } else {
        send(1 + random.nextInt(Math.min(rest.size(), scan.getCaching())));
      }
    }

    /** Sends whole rows. */
    void send(int count) {
      Result[] next = rest.subList(0, count).toArray(Result[]::new);
      rest.subList(0, count).clear();
      send(next);
    }

    /** Sends the first cells of the next row, of which more are to come. */
    void sendPiece(int cells) {
      Cell[] all = rest.get(0).rawCells();
      rest.set(0, Result.create(Arrays.copyOfRange(all, cells, all.length)));
      send(new Result[] {Result.create(Arrays.copyOf(all, cells), null, false, true)});
    }

    private void send(Result[] results) {
      sent += results.length;
      passed = results[results.length - 1].getRow();
      consumer.onNext(results, this);
    }

    void heartbeat() {
      heartbeat = true;
      consumer.onHeartbeat(this);
      heartbeat = false;
    }

    void complete() {
      open.remove(this);
      consumer.onComplete();
    }

    void fail(Throwable failure) {
      open.remove(this);
      consumer.onError(failure);
    }

    @Override
    public AdvancedScanResultConsumer.ScanResumer suspend() {
      suspended = true;
      return this::resume;
    }

    private void resume() {
      synchronized (TableByHand.this) {
        suspended = false;
      }
    }

    @Override
    public void terminate() {
      terminated = true;
    }

    @Override
    public Optional<Cursor> cursor() {
      return heartbeat && scan.isNeedCursorResult()
          ? Optional.of(GatherOrder.cursor(passed))
          : Optional.empty();
    }
  }

  static IOException connectionLost() {
    return new IOException("connection lost");
  }
}
