/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.protocol.guard.GuardMode;
import io.evenkey.protocol.guard.GuardState;
import io.evenkey.protocol.guard.GuardedSince;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.wal.WALSplitUtil;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether a region was ever open without the guard, while its table is migrated, gets a step or has
 * indexes. A server without the guard takes writes that get no mark, are not held, or have no
 * entries.
 *
 * <p>Each time that a region opens, it gets a greater sequence number, which the master records in
 * hbase:meta. The guard writes the number into a file of the table's directory. So when the region
 * opens again, the number of the opening before is in the file, unless that was one without the
 * guard: then hbase:meta has a greater one. What is not known counts as such an opening: a region
 * that two were merged into has no row of these in hbase:meta. A table that is at rest and without
 * indexes has no such files. Thread-safe.
 */
final class GuardedOpens {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedOpens.class);

  /** The directory of the guards' records in a table's directory. */
  static final String DIRECTORY = ".evenkey";

  /** The sequence number in hbase:meta of a region that a split or merge made and nobody opened. */
  private static final long NEVER_OPEN = 1;

  private final HRegion region;
  private final Connection connection;
  private final Configuration conf;
  private @Nullable GuardedSince since;

  GuardedOpens(HRegion region, Connection connection, Configuration conf) {
    this.region = region;
    this.conf = conf;
    this.connection = connection;
  }

  /** The content of a file. */
  private record Opening(long number, GuardedSince since) {
    static Opening parse(String text) throws IOException {
      try {
        int blank = text.indexOf(' ');
        return new Opening(
            Long.parseLong(text.substring(0, blank)),
            GuardedSince.parse(text.substring(blank + 1)));
      } catch (RuntimeException e) {
        throw new IOException("record of an opening not understood: " + text, e);
      }
    }

    @Override
    public String toString() {
      return number + " " + since;
    }
  }

  private boolean isKept(TableRules rules) {
    boolean primary = region.getRegionInfo().getReplicaId() == RegionInfo.DEFAULT_REPLICA_ID;
    return primary && (isMigrated(rules) || isInStep(rules) || rules.indexed());
  }

  private static boolean isInStep(TableRules rules) {
    GuardState state = rules.state();
    return state != null && state.mode().isOfStep();
  }

  private static boolean isMigrated(TableRules rules) {
    GuardState state = rules.state();
    return state != null && state.mode().keepsTombstones();
  }

  private static int pass(TableRules rules) {
    GuardState state = rules.state();
    return state == null ? 0 : state.pass();
  }

  /** The region has opened. */
  synchronized void opened(TableRules rules) {
    if (!isKept(rules)) {
      return;
    }
    try {
      long number = lastNumber() + 1;
      GuardedSince before = before(number, rules);
      since = before == null ? broken(rules) : before;
      store(new Opening(number, since));
    } catch (IOException | RuntimeException e) {
      LOG.warn("openings of region {} not known", region.getRegionInfo().getEncodedName(), e);
      since = broken(rules);
    }
  }

  /** The rules of the open region change. */
  synchronized void follow(TableRules before, TableRules next) {
    if (!isKept(next)) {
      since = null;
      return;
    }
    if (isKept(before) && since != null) {
      if (since.isOfClone() && !isMigrated(next)) {
        // The next migration has marks of its own.
        begin(new GuardedSince(pass(next), since.ms()));
      }
      return;
    }
    begin(new GuardedSince(pass(next), now()));
  }

  /** Since when the region was open with the guard only; null if that is not kept. */
  synchronized @Nullable GuardedSince since(TableRules rules) {
    if (isKept(rules) && since == null) {
      // The guard was loaded into the open region.
      begin(broken(rules));
    }
    return since;
  }

  private void begin(GuardedSince start) {
    since = start;
    try {
      store(new Opening(region.getOpenSeqNum(), start));
    } catch (IOException | RuntimeException e) {
      // The next opening counts as one after another without the guard.
      LOG.warn("opening of region {} not stored", region.getRegionInfo().getEncodedName(), e);
    }
  }

  // Writes of the present pass may have no mark.
  private static GuardedSince broken(TableRules rules) {
    return new GuardedSince(pass(rules) + 1, now());
  }

  private static long now() {
    return EnvironmentEdgeManager.currentTime();
  }

  // What the region has on disk when its hooks run, as HBase reads it to compute the next one.
  private long lastNumber() throws IOException {
    Path directory = region.getWALRegionDir();
    return WALSplitUtil.getMaxRegionSequenceId(directory.getFileSystem(conf), directory);
  }

  /** The state before this opening; null if it is unknown, or an opening had no guard. */
  private @Nullable GuardedSince before(long number, TableRules rules) throws IOException {
    RegionInfo info = region.getRegionInfo();
    long last = lastOpening(info.getRegionName(), number);
    Opening recorded = read(info.getEncodedName());
    if (last > NEVER_OPEN) {
      return recorded != null && last <= recorded.number ? recorded.since : null;
    }
    Set<String> files = files();
    boolean hasParts = files.stream().anyMatch(StoreFileInfo::isReference);
    boolean hasOwnLinks = files.stream().anyMatch(this::isOwnLink);
    // A closed table with links to another one is the clone that a migration has made.
    boolean mayBeHalf =
        hasParts
            || hasOwnLinks
            || !isClosed(rules) && files.stream().anyMatch(HFileLink::isHFileLink);
    if (!mayBeHalf) {
      // A new region, without rows that clients have written.
      return recorded == null ? new GuardedSince(0, now()) : recorded.since;
    }
    Result parent = SplitParent.of(region.getRegionInfo(), connection);
    if (parent != null) {
      return ofParent(parent);
    }
    if (hasParts || hasOwnLinks && isInStep(rules)) {
      // The parts of regions that were merged, of which hbase:meta has nothing any more; or a clone
      // under the table's name, which has rows of another time.
      return null;
    }
    return hasOwnLinks && isMigrated(rules) && !isClosed(rules)
        ? GuardedSince.ofClone(now())
        : new GuardedSince(0, now());
  }

  // To the files of a table of this name: of the region that was split into this one, which HBase
  // links to where all rows of a file go to one half, or of the table that this one is a clone of.
  private boolean isOwnLink(String file) {
    return HFileLink.isHFileLink(file)
        && HFileLink.getReferencedTableName(file).equals(region.getRegionInfo().getTable());
  }

  private static boolean isClosed(TableRules rules) {
    GuardState state = rules.state();
    return state != null && state.mode() == GuardMode.CLOSED;
  }

  /** The state before a region was split; null if it is unknown. */
  private @Nullable GuardedSince ofParent(Result parent) throws IOException {
    byte[] last = parent.getValue(HConstants.CATALOG_FAMILY, HConstants.SEQNUM_QUALIFIER);
    RegionInfo info = SplitParent.region(parent, HConstants.REGIONINFO_QUALIFIER);
    Opening recorded = info == null ? null : read(info.getEncodedName());
    return last == null || recorded == null || Bytes.toLong(last) > recorded.number
        ? null
        : recorded.since;
  }

  /** The number of the opening before one of this number; that of none if there was none. */
  private long lastOpening(byte[] row, long number) throws IOException {
    long last = NEVER_OPEN;
    Get get =
        new Get(row)
            .addColumn(HConstants.CATALOG_FAMILY, HConstants.SEQNUM_QUALIFIER)
            .readAllVersions();
    try (Table meta = connection.getTable(TableName.META_TABLE_NAME)) {
      Cell[] cells = meta.get(get).rawCells();
      for (Cell cell : cells == null ? new Cell[0] : cells) {
        long opened = Bytes.toLong(CellUtil.cloneValue(cell));
        if (opened < number) {
          last = Math.max(last, opened);
        }
      }
    }
    return last;
  }

  /** The names of the region's store files. */
  private Set<String> files() throws IOException {
    Set<String> names = new HashSet<>();
    FileSystem files = region.getRegionFileSystem().getFileSystem();
    for (byte[] family : region.getTableDescriptor().getColumnFamilyNames()) {
      Path directory =
          new Path(region.getRegionFileSystem().getRegionDir(), Bytes.toString(family));
      FileStatus[] found;
      try {
        found = files.listStatus(directory);
      } catch (FileNotFoundException e) {
        continue;
      }
      for (FileStatus file : found) {
        names.add(file.getPath().getName());
      }
    }
    return names;
  }

  // ---- files

  private Path file(String encodedName) {
    return new Path(new Path(region.getRegionFileSystem().getTableDir(), DIRECTORY), encodedName);
  }

  private @Nullable Opening read(String encodedName) throws IOException {
    FileSystem files = region.getRegionFileSystem().getFileSystem();
    try (FSDataInputStream in = files.open(file(encodedName))) {
      return Opening.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  // A file that a dying server has left half-written is not understood, and counts as none.
  private void store(Opening opening) throws IOException {
    FileSystem files = region.getRegionFileSystem().getFileSystem();
    try (FSDataOutputStream out =
        files.create(file(region.getRegionInfo().getEncodedName()), true)) {
      out.write(opening.toString().getBytes(StandardCharsets.UTF_8));
    }
  }
}
