package io.evenkey.app.heat.history;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Time × key space. Columns are of equal length; rows are spans of the key space, those of a table
 * together, in the order of keys. Immutable, but for the arrays.
 *
 * @param from when the first column begins, in milliseconds since 1970
 * @param step milliseconds of a column
 * @param columns how many
 * @param rows the spans
 * @param tables what the rows belong to
 * @param marks what happened, each at a row
 * @param values by column, then by row: a second, or megabytes; NaN where nothing is known
 * @param flags by column, then by row: 1 a share of a longer span's, 2 counters began again
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HeatMatrix(
    long from,
    double step,
    int columns,
    List<HeatRow> rows,
    List<HeatTable> tables,
    List<HeatMark> marks,
    float[] values,
    byte[] flags) {
  /**
   * A span of the key space.
   *
   * @param start its first key, physical or logical as the table is shown
   * @param label the same for people
   */
  public record HeatRow(byte[] start, String label) {}

  /**
   * A table.
   *
   * @param name its name
   * @param layout its layout line, or null
   * @param first its first row
   * @param rows how many rows it has
   * @param logical whether its rows are in logical order
   * @param note why they are not, though asked for; or empty
   */
  public record HeatTable(
      String name, @Nullable String layout, int first, int rows, boolean logical, String note) {}

  /** Something that happened, at a row. */
  public record HeatMark(long at, int row, String kind, String table, String text) {}
}
