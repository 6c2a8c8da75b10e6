/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.load;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.client.cell.CellType;
import io.evenkey.client.internal.remedy.Remedy;
import io.evenkey.jobs.records.CellName;
import io.evenkey.jobs.records.InputException;
import io.evenkey.jobs.records.KeyColumns;
import io.evenkey.jobs.records.OddTimes;
import io.evenkey.jobs.records.RecordCursor;
import io.evenkey.jobs.records.RecordSource;
import io.evenkey.jobs.records.WrittenTimes;
import io.evenkey.layout.Layout;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.spread.Prefix;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The conversion of a source's records to rows: the fields of the layout the key, other columns the
 * cells. A record without a value in a column has no cell there; nor has one with empty text,
 * unless the source tells these apart. Not thread-safe.
 */
public final class RecordRows {
  /** HBase's setting of the largest cell that its client writes. */
  static final String LARGEST = "hbase.client.keyvalue.maxsize";

  /** Stands in a row that would have no cell: HBase has no empty rows. */
  private static final byte[] EMPTY = {};

  private final RecordSource source;
  private final Layout layout;
  private final KeyColumns key;
  private final Map<String, CellColumn> named;
  private final String family;
  private final List<String> families;
  private final boolean everyColumn;
  private final int longestKey;
  private final Set<String> filled = new HashSet<>();
  private boolean mayMeet;
  private final List<@Nullable Target> targets = new ArrayList<>();

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Target(String name, CellType type, byte[] family, byte[] qualifier) {
    String cell() {
      return new CellName(family, qualifier, null).text();
    }
  }

  private RecordRows(
      RecordSource source,
      Layout layout,
      KeyColumns key,
      Map<String, CellColumn> named,
      String family,
      List<String> families) {
    this.source = source;
    this.layout = layout;
    this.key = key;
    this.named = named;
    this.family = family;
    this.families = families;
    this.everyColumn = named.isEmpty();
    this.longestKey = HConstants.MAX_ROW_LENGTH - layout.spread().width();
  }

  /**
   * Rows of a layout.
   *
   * @param columns which columns of the source go where; if none are named, all that are not part
   *     of the key, under their own names, as text or with the type that the source's schema gives
   * @param family the family of columns for which no other is given; empty if there is none
   * @param families the families with which names of columns may begin, as {@link CellName} writes
   *     them; none, if a name is always a qualifier
   * @param times what whole numbers are for fields of type timestamp; null for milliseconds
   * @throws InputException if a field of the layout, or a column that is named, is none of the
   *     source's; if one that would be loaded cannot be read
   */
  public static RecordRows of(
      RecordSource source,
      Layout layout,
      List<CellColumn> columns,
      String family,
      List<String> families,
      @Nullable WrittenTimes times)
      throws InputException {
    Map<String, CellColumn> named = new HashMap<>();
    for (CellColumn column : columns) {
      if (source.hasFixedColumns()) {
        source.column(column.name());
        source.type(column.name());
      }
      if (named.put(column.name(), column) != null) {
        throw InputException.file(
            source.name() + " column=" + column.name(),
            "column of the file for two columns of the table",
            "load the file twice, or leave one out");
      }
    }
    RecordRows rows =
        new RecordRows(
            source, layout, KeyColumns.of(source, layout, times), named, family, families);
    if (source.hasFixedColumns()) {
      rows.learn(source.columns());
    }
    return rows;
  }

  /**
   * Starts at the first record, of which only the columns that are loaded are read.
   *
   * @throws InputException if it cannot be read
   */
  public RecordCursor open() throws InputException {
    return everyColumn ? source.open() : source.open(wanted(layout, List.copyOf(named.values())));
  }

  /** The columns of the source that rows of a layout with these cells are made of. */
  public static Set<String> wanted(Layout layout, List<CellColumn> columns) {
    Set<String> wanted = new HashSet<>();
    layout.fields().forEach(field -> wanted.add(field.name()));
    columns.forEach(column -> wanted.add(column.name()));
    return wanted;
  }

  /**
   * The logical key of the current record.
   *
   * @throws InputException of this record, if it has no key that HBase can store
   */
  public byte[] logicalKey(RecordCursor record) throws InputException {
    byte[] logical = key.logicalKey(record);
    if (logical.length > longestKey || logical.length == 0) {
      throw InputException.value(
          source,
          record,
          layout.fields().get(0).name(),
          logical.length == 0
              ? "key without a byte, which HBase cannot store"
              : "key of " + logical.length + " bytes, longer than HBase's " + longestKey);
    }
    return logical;
  }

  /**
   * The row in which a record is stored: always the same one, also where the layout would take any
   * bucket, so that a record written twice is there once.
   *
   * @param number the record's place in the source
   */
  public byte[] row(byte[] logicalKey, long number) {
    byte[] row = layout.physical(logicalKey);
    Prefix prefix = layout.spread().prefix();
    if (prefix != null && prefix.isRandom()) {
      byte[] chosen = prefix.nth(number % prefix.count());
      System.arraycopy(chosen, 0, row, 0, chosen.length);
    }
    return row;
  }

  /**
   * The cells of the current record, without a timestamp.
   *
   * @throws InputException of this record, if one of its values is none of its column's type
   */
  public List<Value> values(RecordCursor record) throws InputException {
    learn(record.columns());
    List<Value> values = new ArrayList<>(targets.size());
    Set<String> met = mayMeet ? new HashSet<>() : Set.of();
    for (int i = 0; i < targets.size(); i++) {
      Target target = targets.get(i);
      if (target != null && record.has(i)) {
        String text = record.value(i);
        if (!text.isEmpty() || source.hasEmptyText() && isText(target)) {
          values.add(new Value(target.family, target.qualifier, encoded(record, target, text)));
          if (mayMeet && !met.add(target.cell())) {
            throw InputException.value(
                source, record, target.name, "two values of one cell: cell=" + target.cell());
          }
        }
      }
    }
    if (values.isEmpty() && family.isEmpty()) {
      throw InputException.value(
          source,
          record,
          "",
          "record without values, and no family to write its row to; " + Remedy.NAME_FAMILY);
    }
    return values;
  }

  private static boolean isText(Target target) {
    CellType type = target.type;
    return type == CellType.STRING || type == CellType.BYTES;
  }

  private byte[] encoded(RecordCursor record, Target target, String text) throws InputException {
    try {
      return target.type.encode(text);
    } catch (IllegalArgumentException e) {
      throw InputException.value(
          source,
          record,
          target.name,
          "value "
              + e.getMessage()
              + ": value="
              + (text.length() > 40 ? text.substring(0, 40) + "…" : text));
    }
  }

  private void learn(List<String> columns) throws InputException {
    for (int i = targets.size(); i < columns.size(); i++) {
      String name = columns.get(i);
      CellColumn asked = named.get(name);
      Target target =
          asked != null
              ? new Target(name, asked.type(), asked.familyBytes(), asked.qualifierBytes())
              : everyColumn && !key.contains(name) ? target(name) : null;
      mayMeet |= target != null && !filled.add(target.cell());
      targets.add(target);
    }
  }

  /** The column that its own name says. */
  private Target target(String name) throws InputException {
    CellName whole = CellName.parse(name, families);
    if (whole != null) {
      CellType type = whole.type() == null ? source.type(name) : whole.type();
      return new Target(name, type, whole.family(), whole.qualifier());
    }
    if (family.isEmpty()) {
      throw InputException.file(
          source.name() + " column=" + name,
          "column without a family, in a table with several: families="
              + String.join(",", families),
          Remedy.NAME_FAMILY + ", or call the column family:qualifier");
    }
    try {
      return new Target(
          name, source.type(name), Bytes.toBytes(family), CellType.STRING.encode(name));
    } catch (IllegalArgumentException e) {
      throw InputException.file(
          source.name() + " column=" + Quoted.name(name), "name " + e.getMessage(), "correct it");
    }
  }

  /** The times that are hardly what they were taken for. */
  public OddTimes oddTimes() {
    return key.oddTimes();
  }

  /**
   * Rejects a record with a cell that HBase would not take.
   *
   * @param most the most bytes of a cell with its key
   * @throws InputException of this record
   */
  public void checkSizes(RecordCursor record, Put put, long most) throws InputException {
    for (List<Cell> cells : put.getFamilyCellMap().values()) {
      for (Cell cell : cells) {
        // HBase counts the length of the cell's own length, too.
        long bytes = (long) cell.getSerializedSize() + Integer.BYTES;
        if (most > 0 && bytes > most) {
          throw InputException.value(
              source,
              record,
              new CellName(CellUtil.cloneFamily(cell), CellUtil.cloneQualifier(cell), null).text(),
              "cell of " + bytes + " bytes, more than HBase takes (" + LARGEST + "=" + most + ")");
        }
      }
    }
  }

  /** One cell to be. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Value(byte[] family, byte[] qualifier, byte[] bytes) {}

  /** A row with these cells, all of one timestamp; with an empty cell if there are none. */
  public Put put(byte[] row, List<Value> values, long timestamp) {
    Put put = new Put(row, timestamp);
    for (Value value : values) {
      put.addColumn(value.family, value.qualifier, timestamp, value.bytes);
    }
    return put.isEmpty() ? put.addColumn(Bytes.toBytes(family), EMPTY, timestamp, EMPTY) : put;
  }
}
