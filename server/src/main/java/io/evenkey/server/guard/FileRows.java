/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.guard.GuardSettings;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.io.hfile.HFile;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares the rows of the files of one bulk load with the table's layout. Reads files completely
 * up to {@link GuardSettings#CHECKED_BYTES} bytes together, without compression. Of each file
 * beyond that it reads the first rows, the last one, and up to {@value #ROWS} rows at each of up to
 * {@value #PLACES} places between them: the load would otherwise take longer than its client waits.
 * For one thread.
 *
 * <p>The keys of a file's index are of no use here: HBase shortens them, so that they need not be
 * keys of rows.
 */
final class FileRows {
  static final int PLACES = 256;
  static final int ROWS = 100;

  private static final Logger LOG = LoggerFactory.getLogger(FileRows.class);

  /** Rows of very many cells are not read to their ends in a sample. */
  private static final int CELLS = 10_000;

  private final TableRules rules;
  private final Questions questions;
  private final Configuration conf;
  private final StoredRows rows;
  private long left;
  private byte[] last = {};
  private long checked;

  FileRows(TableRules rules, Questions questions, Configuration conf) {
    this.rules = rules;
    this.questions = questions;
    this.conf = conf;
    this.rows = rules.rows();
    this.left = conf.getLong(GuardSettings.CHECKED_BYTES, GuardSettings.DEFAULT_CHECKED_BYTES);
  }

  /**
   * Checks a file.
   *
   * @throws IOException if it cannot be read, or has a row that is none of the layout
   */
  void check(HFile.Reader file) throws IOException {
    last = new byte[0];
    checked = 0;
    long bytes = file.getTrailer().getTotalUncompressedBytes();
    try (HFileScanner scanner = file.getScanner(conf, false, false)) {
      if (!scanner.seekTo()) {
        return;
      }
      if (bytes <= left) {
        left -= bytes;
        checkFrom(scanner, Long.MAX_VALUE, Long.MAX_VALUE);
      } else {
        sample(file, scanner, bytes);
      }
    }
  }

  private void sample(HFile.Reader file, HFileScanner scanner, long bytes) throws IOException {
    byte[] first = file.getFirstRowKey().orElseThrow();
    byte[] end = file.getLastRowKey().orElseThrow();
    checkRow(end);
    checkFrom(scanner, ROWS, CELLS);
    for (byte[] place : places(first, end)) {
      // Places are evenly spaced by their bytes, but rows are not: some lie before the last row.
      if (Bytes.compareTo(place, last) > 0 && isAt(scanner, place)) {
        checkFrom(scanner, ROWS, CELLS);
      }
    }
    LOG.info(
        "file of a bulk load is larger than the limit, and a sample of its rows was checked: "
            + "table={} file={} bytes={} limit={} cells={} rows_checked={}; the other rows may be of"
            + " another layout: verify the table",
        rules.text().table(),
        file.getName(),
        bytes,
        GuardSettings.CHECKED_BYTES,
        file.getEntries(),
        checked);
  }

  private static byte[][] places(byte[] first, byte[] end) {
    byte[][] places =
        Bytes.compareTo(first, end) < 0 ? Bytes.split(first, end, true, PLACES) : null;
    return places == null ? new byte[0][] : places;
  }

  // At the first cell at or after the place; false if there is none.
  private static boolean isAt(HFileScanner scanner, byte[] place) throws IOException {
    int found = scanner.seekTo(PrivateCellUtil.createFirstOnRow(place));
    return found < 0 ? scanner.isSeeked() || scanner.seekTo() : found == 0 || scanner.next();
  }

  private void checkFrom(HFileScanner scanner, long mostRows, long mostCells) throws IOException {
    long rowsLeft = mostRows;
    long cellsLeft = mostCells;
    do {
      Cell cell = scanner.getCell();
      if (cell == null) {
        return;
      }
      if (!CellUtil.matchingRows(cell, last)) {
        if (rowsLeft-- == 0) {
          return;
        }
        last = CellUtil.cloneRow(cell);
        checkRow(last);
      }
    } while (--cellsLeft > 0 && scanner.next());
  }

  private void checkRow(byte[] row) throws IOException {
    String problem = rows.problem(row);
    if (problem != null) {
      throw questions.refused(Outcome.FOREIGN, rules, row, problem);
    }
    checked++;
  }
}
