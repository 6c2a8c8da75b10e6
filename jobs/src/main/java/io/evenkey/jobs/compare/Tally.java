/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import io.evenkey.jobs.compare.ComparisonCheckpoint.Pass;
import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.bytes.ByteText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import org.apache.hadoop.hbase.client.Result;

/**
 * The counts of a comparison and the rows that it suspects, kept in its checkpoint. Not
 * thread-safe.
 */
final class Tally {
  private final ComparisonOptions options;
  private final LongConsumer progress;
  private final String tables;
  private final Pass pass;
  private final byte[] after;
  private final Set<ByteString> suspects = new LinkedHashSet<>();
  private long rows;
  private long otherRows;
  private long cells;
  private List<Difference> kept = List.of();
  private long alike;
  private long saved = System.nanoTime();

  Tally(ComparisonOptions options, ComparisonCheckpoint from, LongConsumer progress) {
    this.options = options;
    this.progress = progress;
    this.tables = from.tables();
    this.pass = from.pass();
    this.after = ByteText.fromHex(from.after());
    this.rows = from.rows();
    this.otherRows = from.otherRows();
    this.cells = from.cells();
    from.suspects().forEach(hex -> suspects.add(ByteString.of(ByteText.fromHex(hex))));
  }

  /** The pass that the checkpoint was written in. */
  Pass pass() {
    return pass;
  }

  /** The logical key up to which that pass is done; empty for none. */
  byte[] after() {
    return after;
  }

  /** A row of the first table is compared. */
  void first(Result row) {
    rows++;
    cells += Cells.of(row).length;
  }

  /** A row of the second table is compared. */
  void second() {
    otherRows++;
  }

  /** A row differs, as far as one look can tell. */
  void suspect(byte[] key) {
    suspects.add(ByteString.of(key));
  }

  /** Whether so many rows are suspected that they have to be read again. */
  boolean isFull() {
    return suspects.size() >= options.most();
  }

  /** Suspects only these rows any more, since all have been read again. */
  void keep(List<Difference> differing) {
    alike += suspects.size() - differing.size();
    suspects.clear();
    differing.forEach(difference -> suspect(difference.key()));
    kept = List.copyOf(differing);
  }

  /** The rows that differed when they were read again last. */
  List<Difference> kept() {
    return kept;
  }

  /** Whether so many rows differ that the comparison stops. */
  boolean isHalfFull() {
    return suspects.size() * 2L > options.most();
  }

  List<byte[]> suspects() {
    List<byte[]> keys = new ArrayList<>(suspects.size());
    suspects.forEach(key -> keys.add(key.toArray()));
    return keys;
  }

  /** Shows the progress. */
  void progress() {
    progress.accept(rows);
  }

  /** Shows the progress, and writes the checkpoint when that is due. */
  void at(Pass now, byte[] compared) throws IOException {
    progress();
    if (System.nanoTime() - saved > options.checkpointEvery().toNanos()) {
      save(now, compared);
    }
  }

  /** Begins another pass: what is done of the comparison is not to be done again. */
  void begin(Pass next) throws IOException {
    save(next, new byte[0]);
  }

  private void save(Pass now, byte[] compared) throws IOException {
    Path file = options.checkpoint();
    if (file == null) {
      return;
    }
    List<String> keys = new ArrayList<>(suspects.size());
    suspects().forEach(key -> keys.add(ByteText.hex(key)));
    new ComparisonCheckpoint(
            ComparisonCheckpoint.FORMAT,
            tables,
            now,
            ByteText.hex(compared),
            rows,
            otherRows,
            cells,
            keys)
        .write(file);
    saved = System.nanoTime();
  }

  /** All is compared: the checkpoint goes. */
  ComparisonResult finish(List<Difference> differences, boolean complete, double seconds)
      throws IOException {
    progress();
    Path file = options.checkpoint();
    if (file != null) {
      Files.deleteIfExists(file);
    }
    return new ComparisonResult(
        rows, otherRows, cells, alike + suspects.size(), differences, complete, seconds);
  }
}
