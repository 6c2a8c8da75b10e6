/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.server.guard;

import io.evenkey.layout.bytes.ByteString;
import io.evenkey.layout.message.FailureMessage;
import io.evenkey.protocol.guard.GuardAttributes;
import io.evenkey.protocol.guard.Refusal;
import io.evenkey.protocol.index.EntryLife;
import io.evenkey.protocol.index.KeptColumns;
import io.evenkey.server.guard.MutableIndexes.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.ExtendedCell;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HConstants.OperationStatusCode;
import org.apache.hadoop.hbase.PrivateCellUtil;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.TagType;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.MiniBatchOperationInProgress;
import org.apache.hadoop.hbase.regionserver.OperationStatus;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * Puts of columns of an index of mutable rows, in one region. The client has written an entry of
 * the values that the row will have, so the put is made only if the columns that it leaves have the
 * values that the client has read; and with later timestamps than the row's indexed columns have,
 * since the row would else keep some of them when the region is on a server whose clock is behind.
 * A timestamp of the application's is left as it is, and the put refused if the row would keep some
 * columns and get others. Thread-safe.
 */
final class IndexedPuts {
  private static final String MIXED =
      "put with a timestamp earlier than some of the row's indexed columns and later than others:"
          + " the row would mix old and new values; leave the timestamp to the region server, or"
          + " set a later one";

  // The entry has the labels and rights of the put, and the values of the columns that it leaves.
  private static final String SECURED =
      "put without an indexed column whose cell has labels or rights that the put does not have:"
          + " the entry would show its value to others; put all columns of the index at once";

  // The entry has the time at which it was written.
  private static final String AHEAD =
      "put without a timestamp into a row whose indexed columns are more than "
          + EntryLife.AHEAD.toHours()
          + " hours ahead of the region server's clock: by the family's time to live, the row would"
          + " outlive its entry; set a timestamp";

  private final Region region;
  private final RowClaims claims = new RowClaims();

  IndexedPuts(Region region) {
    this.region = region;
  }

  /** A put of a batch whose row is claimed and not read yet. */
  private record Claimed(int place, Mutation put, List<KeptColumns.Kept> kept) {}

  /**
   * Checks the puts of a batch. One that cannot be made now gets a status of its own, and the
   * others are made; the client repeats it.
   *
   * @return the claims to give back when the batch is done; null if there are none
   * @throws DoNotRetryIOException if a put is one that no client makes; nothing is claimed then
   */
  RowClaims.@Nullable OfBatch check(
      MiniBatchOperationInProgress<Mutation> batch, MutableIndexes indexes) throws IOException {
    RowClaims.OfBatch held = claims.begin();
    boolean checked = false;
    try {
      List<Claimed> claimed = claim(batch, indexes, held);
      if (!claimed.isEmpty()) {
        // After all claims: the scanner sees what was written before it was opened.
        compare(batch, indexes, claimed);
      }
      checked = true;
      return claimed.isEmpty() ? null : held;
    } finally {
      if (!checked) {
        held.giveBack();
      }
    }
  }

  private static List<Claimed> claim(
      MiniBatchOperationInProgress<Mutation> batch, MutableIndexes indexes, RowClaims.OfBatch held)
      throws IOException {
    List<Claimed> claimed = new ArrayList<>();
    for (int i = 0; i < batch.size(); i++) {
      Mutation mutation = batch.getOperation(i);
      if (batch.getOperationStatus(i).getOperationStatusCode() == OperationStatusCode.NOT_RUN
          && mutation.getAttribute(GuardAttributes.MIGRATION) == null
          && indexes.isPutOf(mutation)) {
        List<KeptColumns.Kept> kept = kept(mutation, indexes);
        checkComplete(mutation, indexes, kept);
        if (held.take(mutation.getRow())) {
          claimed.add(new Claimed(i, mutation, kept));
        } else {
          refuse(batch, i, changed("another write of its indexed columns is under way"));
        }
      }
    }
    return claimed;
  }

  private static void refuse(
      MiniBatchOperationInProgress<Mutation> batch, int place, String reason) {
    batch.setOperationStatus(
        place, new OperationStatus(OperationStatusCode.SANITY_CHECK_FAILURE, reason));
  }

  private void compare(
      MiniBatchOperationInProgress<Mutation> batch, MutableIndexes indexes, List<Claimed> claimed)
      throws IOException {
    claimed.sort((a, b) -> Bytes.compareTo(a.put().getRow(), b.put().getRow()));
    byte[] first = claimed.get(0).put().getRow();
    byte[] last = claimed.get(claimed.size() - 1).put().getRow();
    Scan scan = indexes.restricted(new Scan().withStartRow(first).withStopRow(last, true));
    try (SoughtRows rows = SoughtRows.open(region, scan)) {
      for (Claimed one : claimed) {
        String refusal = compare(one, rows.read(one.put().getRow()), indexes);
        if (refusal != null) {
          refuse(batch, one.place(), refusal);
        }
      }
    }
  }

  // The reason for a refusal; null if the put can be made.
  private @Nullable String compare(Claimed claimed, List<Cell> row, MutableIndexes indexes)
      throws IOException {
    Mutation put = claimed.put();
    for (KeptColumns.Kept one : claimed.kept()) {
      Cell now = new Column(one.family().toArray(), one.qualifier().toArray()).in(row);
      // First: a client that may not see the value can only have read that there is none.
      if (now != null && !isAsSecret(put, now)) {
        return SECURED;
      }
      Optional<ByteString> value =
          Optional.ofNullable(now)
              .map(
                  cell ->
                      ByteString.of(
                          cell.getValueArray(), cell.getValueOffset(), cell.getValueLength()));
      if (!value.equals(one.value())) {
        return changed("an indexed column was changed after the client read it");
      }
    }
    if (put.getAttribute(GuardAttributes.TIMED) != null) {
      return indexes.isMixed(put, row) ? MIXED : null;
    }
    return setLater(put, row, indexes);
  }

  /** Whether those who may see the cells of a put may see one that it leaves. */
  private static boolean isAsSecret(Mutation put, Cell left) {
    Cell written = put.getFamilyCellMap().values().iterator().next().get(0);
    List<ByteString> labels = tags(left, TagType.VISIBILITY_TAG_TYPE);
    return (labels.isEmpty() || labels.equals(tags(written, TagType.VISIBILITY_TAG_TYPE)))
        && tags(left, TagType.ACL_TAG_TYPE).equals(tags(written, TagType.ACL_TAG_TYPE));
  }

  private static List<ByteString> tags(Cell cell, byte type) {
    if (!(cell instanceof ExtendedCell tagged) || tagged.getTagsLength() == 0) {
      return List.of();
    }
    return PrivateCellUtil.getTags(tagged).stream()
        .filter(tag -> tag.getType() == type)
        .map(tag -> ByteString.of(Tag.cloneValue(tag)))
        .toList();
  }

  private static String changed(String reason) {
    return "row cannot be written at the moment: "
        + reason
        + "; repeat it "
        + Refusal.CHANGED.mark();
  }

  private static List<KeptColumns.Kept> kept(Mutation put, MutableIndexes indexes)
      throws DoNotRetryIOException {
    byte[] bytes = put.getAttribute(GuardAttributes.KEPT);
    try {
      return bytes == null ? List.of() : KeptColumns.parse(bytes, indexes.mostKept()).columns();
    } catch (IllegalArgumentException e) {
      throw new DoNotRetryIOException(
          "kept columns of a put not understood: cause=" + e.getMessage(), e);
    }
  }

  private static void checkComplete(
      Mutation put, MutableIndexes indexes, List<KeptColumns.Kept> kept)
      throws DoNotRetryIOException {
    for (Column column : indexes.leftBy(put)) {
      boolean named =
          kept.stream()
              .anyMatch(
                  one ->
                      one.family().equals(column.familyName())
                          && one.qualifier().equals(column.qualifierName()));
      if (!named) {
        throw new DoNotRetryIOException(
            FailureMessage.of(
                    "put of some columns of an index that does not say what the others are")
                .with("column", column)
                .remedy("use a client of Evenkey that knows indexes of mutable rows"));
      }
    }
  }

  private boolean ends(byte[] family) {
    ColumnFamilyDescriptor of = region.getTableDescriptor().getColumnFamily(family);
    return of != null && of.getTimeToLive() != HConstants.FOREVER;
  }

  // Other columns of the put keep the timestamps that they have.
  private @Nullable String setLater(Mutation put, List<Cell> row, MutableIndexes indexes)
      throws IOException {
    long latest = Long.MIN_VALUE;
    for (Cell cell : row) {
      latest = Math.max(latest, cell.getTimestamp());
    }
    boolean ahead = latest - System.currentTimeMillis() >= EntryLife.AHEAD.toMillis();
    for (Map.Entry<byte[], List<Cell>> family : put.getFamilyCellMap().entrySet()) {
      for (Cell cell : family.getValue()) {
        if (cell.getTimestamp() <= latest
            && cell instanceof ExtendedCell own
            && indexes.has(cell)) {
          if (ahead && ends(family.getKey())) {
            return AHEAD;
          }
          own.setTimestamp(latest + 1);
        }
      }
    }
    return null;
  }
}
