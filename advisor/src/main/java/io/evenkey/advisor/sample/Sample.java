/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.advisor.sample;

import io.evenkey.layout.Layout;
import io.evenkey.layout.failure.EvenkeyArgumentException;
import io.evenkey.layout.message.Quoted;
import java.util.ArrayList;
import java.util.List;

/**
 * Records in the order in which they arrived: all of them, or every n-th. Immutable.
 *
 * @param columns by name, in the order of the source
 * @param size the number of records that are held
 * @param records the number of records of the data
 */
public record Sample(List<Column> columns, int size, long records) {
  /** More records are not held: every second one is left out until they fit. */
  public static final int MOST = 1_000_000;

  /** Copies the list. */
  public Sample {
    columns = List.copyOf(columns);
  }

  /** One record of how many is held. */
  public double every() {
    return size == 0 ? 1 : (double) records / size;
  }

  /** Whether all records are held. */
  public boolean isWhole() {
    return records == size;
  }

  /** The column that {@link #numbered} adds. */
  public static final String RECORD_NUMBER = "record_number";

  /**
   * Returns this sample with one more column: the number of each record, which a writer would have
   * to add to the data where nothing else tells records apart.
   */
  public Sample numbered() {
    if (columns.stream().anyMatch(column -> column.name().equals(RECORD_NUMBER))) {
      return this;
    }
    List<String> numbers = new ArrayList<>();
    int[] codes = new int[size];
    for (int i = 0; i < size; i++) {
      numbers.add(String.valueOf(i));
      codes[i] = i;
    }
    List<Column> more = new ArrayList<>(columns);
    more.add(new Column(RECORD_NUMBER, "int64", "int64", numbers, codes));
    return new Sample(more, size, records);
  }

  /** The column of this name; there has to be one. */
  public Column column(String name) {
    return columns.stream()
        .filter(column -> column.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new EvenkeyArgumentException("no such column: " + name));
  }

  /**
   * Warns of each column of times that are none in a key: as they are written, no key should begin
   * with them, or they are numbers.
   */
  public List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    for (Column column : columns) {
      if (column.isUnsortedTime()) {
        warnings.add(UnsortedTime.warning(column, "so that no key has them in front"));
      } else if (column.isNumberedTime()) {
        String unit = column.type().substring(ColumnType.NUMBERED_TIME.length());
        warnings.add(
            "times that are not in milliseconds since 1970, and numbers in a key: column="
                + column.name()
                + " value="
                + column.values().get(0)
                + "; for a field "
                + Quoted.name(column.name())
                + ":timestamp, name their unit when they are imported: unit="
                + unit);
      }
    }
    return warnings;
  }

  /** Warns of each field of a key that orders rows by the text of such times. */
  public List<String> unsortedTimes(Layout key) {
    return columns.stream()
        .filter(Column::isUnsortedTime)
        .filter(
            column -> key.fields().stream().anyMatch(field -> field.name().equals(column.name())))
        .map(column -> UnsortedTime.warning(column, "by which the key orders its rows"))
        .toList();
  }

  /** Every n-th record of this sample, so that at most this many are left. */
  public Sample thinned(int most) {
    if (size <= most) {
      return this;
    }
    int stride = (size + most - 1) / most;
    int left = (size + stride - 1) / stride;
    List<Column> thinned = new ArrayList<>();
    for (Column column : columns) {
      int[] codes = new int[left];
      for (int i = 0; i < left; i++) {
        codes[i] = column.codes()[i * stride];
      }
      thinned.add(
          new Column(column.name(), column.type(), column.keyType(), column.values(), codes));
    }
    return new Sample(thinned, left, records);
  }

  /** Takes records in. Not thread-safe. */
  public static final class Builder {
    private final List<ColumnBuilder> columns = new ArrayList<>();
    private final int most;
    private long records;
    private long stride = 1;
    private int size;

    /** A sample of these columns, of at most {@link #MOST} records. */
    public Builder(List<String> names) {
      this(names, MOST);
    }

    Builder(List<String> names, int most) {
      names.forEach(name -> columns.add(new ColumnBuilder(name)));
      this.most = most;
    }

    /**
     * Says of what type a column is in the key that the data have, so that advised keys have the
     * same bytes. Otherwise its values tell the type.
     *
     * @param type of a field, in the layout language
     */
    public Builder keyType(String name, String type) {
      columns.stream()
          .filter(column -> column.name().equals(name))
          .forEach(column -> column.keyType(type));
      return this;
    }

    /** Whether the next record is one of those that are held; otherwise it is only counted. */
    public boolean wants() {
      return records % stride == 0;
    }

    /** Counts a record that is not held. */
    public void skip() {
      records++;
    }

    /** Takes the next record in, its values in the order of the columns. */
    public void add(List<String> values) {
      for (int i = 0; i < values.size(); i++) {
        columns.get(i).add(values.get(i));
      }
      records++;
      if (++size == most) {
        columns.forEach(ColumnBuilder::thin);
        size = (size + 1) / 2;
        stride *= 2;
      }
    }

    /** The sample. */
    public Sample build() {
      return new Sample(columns.stream().map(ColumnBuilder::build).toList(), size, records);
    }
  }
}
