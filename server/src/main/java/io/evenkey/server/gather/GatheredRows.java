/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import io.evenkey.server.hooks.Hooks;
import java.io.IOException;
import java.lang.ref.Cleaner;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.ScannerContext;
import org.jspecify.annotations.Nullable;

/**
 * Gives the rows of an answer instead of those of one region's scanner, to the user for whom they
 * were read. HBase calls one thread at a time.
 */
final class GatheredRows implements RegionScanner {
  private final RegionScanner replaced;
  private final RegionInfo region;
  private final Cleaner.Cleanable held;
  private final @Nullable String user = RpcServer.getRequestUserName().orElse(null);
  private Iterator<Result> rows;

  /**
   * An answer.
   *
   * @param bytes of the rows, which are held until they are read
   */
  GatheredRows(RegionScanner replaced, List<Result> rows, long bytes, HeldAnswers answers) {
    this.replaced = replaced;
    this.region = replaced.getRegionInfo();
    this.rows = rows.iterator();
    this.held = answers.hold(this, bytes);
  }

  @Override
  public boolean nextRaw(List<Cell> result, @Nullable ScannerContext context) throws IOException {
    return Hooks.answer("nextRaw", region, () -> addRow(result));
  }

  private boolean addRow(List<Cell> result) throws IOException {
    String caller = RpcServer.getRequestUserName().orElse(null);
    if (user != null && !user.equals(caller)) {
      // HBase's access control knows the replaced scanner only.
      throw new DoNotRetryIOException("scan of another user: user=" + caller);
    }
    if (rows.hasNext()) {
      result.addAll(Arrays.asList(rows.next().rawCells()));
    }
    boolean more = rows.hasNext();
    if (!more) {
      letGo();
    }
    return more;
  }

  @Override
  public boolean nextRaw(List<Cell> result) throws IOException {
    return Hooks.answer("nextRaw", region, () -> addRow(result));
  }

  @Override
  public boolean next(List<Cell> result, ScannerContext context) throws IOException {
    return Hooks.answer("next", region, () -> addRow(result));
  }

  @Override
  public boolean reseek(byte[] row) throws IOException {
    return Hooks.answer("reseek", region, GatheredRows::refuseToSeek);
  }

  private static boolean refuseToSeek() throws IOException {
    throw new DoNotRetryIOException("rows of a gather cannot be sought");
  }

  @Override
  public boolean isFilterDone() {
    return false;
  }

  @Override
  public RegionInfo getRegionInfo() {
    return region;
  }

  @Override
  public long getMaxResultSize() {
    return replaced.getMaxResultSize();
  }

  @Override
  public long getMvccReadPoint() {
    return replaced.getMvccReadPoint();
  }

  @Override
  public int getBatch() {
    return replaced.getBatch();
  }

  @Override
  public void close() throws IOException {
    Hooks.run(
        "close",
        region,
        () -> {
          letGo();
          replaced.close();
        });
  }

  private void letGo() {
    rows = Collections.emptyIterator();
    held.clean();
  }
}
