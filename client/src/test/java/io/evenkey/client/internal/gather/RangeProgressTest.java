/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.UnknownScannerException;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.RetriesExhaustedException;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.exceptions.OutOfOrderScannerNextException;
import org.apache.hadoop.hbase.exceptions.ScannerResetException;
import org.apache.hadoop.hbase.ipc.RemoteWithExtrasException;
import org.apache.hadoop.hbase.regionserver.LeaseException;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

/** A scan that is broken off anywhere and goes on gives every cell once. */
class RangeProgressTest {
  private static final long SEED = Long.getLong("evenkey.seed", 20261121L);

  private static Cell cell(int row, int column) {
    return new KeyValue(
        Bytes.toBytes(row), Bytes.toBytes("f"), Bytes.toBytes(column), 1, Bytes.toBytes(row));
  }

  /** Rows of several cells in pieces of some, as a server sends them for a scan. */
  private static List<Result> pieces(Scan scan, SplittableRandom random) {
    int first = scan.getStartRow().length == 0 ? 0 : Bytes.toInt(scan.getStartRow());
    first += scan.includeStartRow() ? 0 : 1;
    List<Result> pieces = new ArrayList<>();
    int rows = scan.getLimit() > 0 ? scan.getLimit() : Integer.MAX_VALUE;
    for (int row = first; row < 10 && row - first < rows; row++) {
      int columns = 1 + row % 4;
      for (int column = 0; column < columns; ) {
        List<Cell> cells = new ArrayList<>();
        int size = 1 + random.nextInt(3);
        while (cells.size() < size && column < columns) {
          cells.add(cell(row, column++));
        }
        pieces.add(Result.create(cells, null, false, column < columns));
      }
    }
    return pieces;
  }

  @Test
  void everyCellComesOnceHoweverOftenTheScanBreaksOff() throws IOException {
    for (int run = 0; run < 2000; run++) {
      SplittableRandom random = new SplittableRandom(SEED + run);
      Scan scan = new Scan();
      if (random.nextBoolean()) {
        scan.setLimit(1 + random.nextInt(12));
      }
      List<String> expected = new ArrayList<>();
      for (Result piece : pieces(scan, random)) {
        piece.listCells().forEach(cell -> expected.add(cell.toString()));
      }
      RangeProgress progress = new RangeProgress(scan);
      List<String> seen = new ArrayList<>();
      Scan part = scan;
      for (boolean broken = true; broken && part != null; ) {
        broken = false;
        for (Result piece : pieces(part, random)) {
          Result fresh = progress.note(piece);
          if (fresh != null) {
            fresh.listCells().forEach(cell -> seen.add(cell.toString()));
          }
          if (random.nextInt(4) == 0) {
            broken = true;
            break;
          }
        }
        part = broken ? progress.rest(0) : part;
      }
      assertThat(seen).as("run %d, seed %d", run, SEED).isEqualTo(expected);
    }
  }

  @Test
  void failsAfterTriesWithoutARowAndAtOnceOnAFinalError() {
    RangeProgress progress = new RangeProgress(new Scan());
    assertThat(progress.survives(new DoNotRetryIOException("no such family"))).isFalse();
    assertThat(progress.survives(new IllegalArgumentException())).isFalse();
    int tries = 0;
    while (progress.survives(new IOException("connection refused"))) {
      tries++;
      assertThat(tries).isLessThan(100);
    }
    assertThat(tries).isPositive();
    progress.note(Result.create(List.of(cell(1, 1))));
    assertThat(progress.survives(new IOException("connection refused"))).isTrue();
  }

  @Test
  void failsAtOnceOnEachFinalError() {
    IOException permanent = new DoNotRetryIOException("no such family");
    for (Throwable failure :
        List.of(
            permanent,
            exhausted(permanent),
            exhausted(new IOException("as a cause", permanent)),
            new ExecutionException(permanent),
            new CompletionException(new ExecutionException(exhausted(permanent))),
            new RemoteException(DoNotRetryIOException.class.getName(), "no such family"),
            exhausted(new RemoteException(DoNotRetryIOException.class.getName(), "none")),
            new RemoteWithExtrasException("of.a.class.that.is.not.Here", "none", true))) {
      assertThat(new RangeProgress(new Scan()).survives(failure)).as("%s", failure).isFalse();
    }
  }

  @Test
  void goesOnWhenOnlyTheScannerIsGone() {
    for (IOException gone :
        List.of(
            new UnknownScannerException("gone"),
            new LeaseException("gone"),
            new OutOfOrderScannerNextException("out of order"),
            new ScannerResetException("reset"))) {
      assertThat(new RangeProgress(new Scan()).survives(gone)).as("%s", gone).isTrue();
      assertThat(new RangeProgress(new Scan()).survives(exhausted(gone))).as("%s", gone).isTrue();
    }
  }

  @Test
  void continuesAfterEachErrorThatATryMayChangeAlsoWrapped() {
    IOException lost = new IOException("connection refused");
    for (Throwable failure :
        List.of(
            lost,
            exhausted(lost),
            new ExecutionException(lost),
            new CompletionException(exhausted(lost)),
            new RemoteException(IOException.class.getName(), "connection refused"))) {
      assertThat(new RangeProgress(new Scan()).survives(failure)).as("%s", failure).isTrue();
    }
    assertThat(new RangeProgress(new Scan()).survives(new ExecutionException(new Error())))
        .isFalse();
  }

  private static RetriesExhaustedException exhausted(IOException last) {
    return new RetriesExhaustedException(
        0, List.of(new RetriesExhaustedException.ThrowableWithExtraContext(last, 0, "server")));
  }
}
