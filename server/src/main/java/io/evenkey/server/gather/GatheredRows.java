/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.gather;

import java.io.IOException;
import java.util.Arrays;
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
 * Gives the rows of an answer in place of those of one region's scanner, to the user for whom they
 * were read. HBase calls one thread at a time.
 */
final class GatheredRows implements RegionScanner {
  private final RegionScanner replaced;
  private final Iterator<Result> rows;
  private final @Nullable String user = RpcServer.getRequestUserName().orElse(null);

  GatheredRows(RegionScanner replaced, List<Result> rows) {
    this.replaced = replaced;
    this.rows = rows.iterator();
  }

  @Override
  public boolean nextRaw(List<Cell> result, @Nullable ScannerContext context) throws IOException {
    String caller = RpcServer.getRequestUserName().orElse(null);
    if (user != null && !user.equals(caller)) {
      // HBase's access control knows the replaced scanner only.
      throw new DoNotRetryIOException("scan of another user: user=" + caller);
    }
    if (rows.hasNext()) {
      result.addAll(Arrays.asList(rows.next().rawCells()));
    }
    return rows.hasNext();
  }

  @Override
  public boolean nextRaw(List<Cell> result) throws IOException {
    return nextRaw(result, null);
  }

  @Override
  public boolean next(List<Cell> result, ScannerContext context) throws IOException {
    return nextRaw(result, context);
  }

  @Override
  public boolean reseek(byte[] row) throws IOException {
    throw new DoNotRetryIOException("rows of a gather cannot be sought");
  }

  @Override
  public boolean isFilterDone() {
    return false;
  }

  @Override
  public RegionInfo getRegionInfo() {
    return replaced.getRegionInfo();
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
    replaced.close();
  }
}
