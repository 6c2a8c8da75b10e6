package io.evenkey.client.move;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The locks of rows in the generation that is written second, for who moves the table: those that
 * clients have left behind have to be taken, their rows compared, and be released. As thread-safe
 * as the table.
 */
public final class Locks {
  /**
   * A lock.
   *
   * @param key the row's logical key
   * @param holder the client, as it calls itself among the live ones; empty if it has given up
   * @param value as it is stored
   */
  @SuppressWarnings("ArrayRecordComponent") // a row as HBase has it, never compared
  public record Held(byte[] key, String holder, byte[] value) {}

  private static final byte[] MOVER = Bytes.toBytes(MoveColumns.LEFT + "mover");

  private final Table secondary;

  private Locks(Table secondary) {
    this.secondary = secondary;
  }

  /**
   * The locks of a generation.
   *
   * @param secondary by logical keys
   */
  public static Locks of(Table secondary) {
    return new Locks(secondary);
  }

  /** All that are held now. */
  public List<Held> held() throws IOException {
    List<Held> held = new ArrayList<>();
    Scan locks = new Scan().addColumn(MoveColumns.FAMILY_BYTES, MoveColumns.LOCK);
    try (ResultScanner rows = secondary.getScanner(locks)) {
      for (Result row = rows.next(); row != null; row = rows.next()) {
        byte[] value = row.getValue(MoveColumns.FAMILY_BYTES, MoveColumns.LOCK);
        if (value != null && value.length > 0) {
          String text = Bytes.toString(value);
          boolean left = text.startsWith(MoveColumns.LEFT);
          String holder = left ? "" : text.substring(0, Math.max(0, text.indexOf('/')));
          held.add(new Held(row.getRow(), holder, value));
        }
      }
    }
    return held;
  }

  /**
   * Takes a lock from its holder.
   *
   * @return whether it was still that holder's
   */
  public boolean take(Held lock) throws IOException {
    return set(lock.key(), lock.value(), MOVER);
  }

  /** Releases a lock that was taken. */
  public void release(Held lock) throws IOException {
    set(lock.key(), MOVER, new byte[0]);
  }

  private boolean set(byte[] row, byte[] from, byte[] to) throws IOException {
    Put put = new Put(row).addColumn(MoveColumns.FAMILY_BYTES, MoveColumns.LOCK, to);
    return secondary
        .checkAndMutate(
            CheckAndMutate.newBuilder(row)
                .ifEquals(MoveColumns.FAMILY_BYTES, MoveColumns.LOCK, from)
                .build(put))
        .isSuccess();
  }
}
