/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.verify;

import io.evenkey.layout.Layout;
import io.evenkey.layout.RowReader;
import io.evenkey.layout.bytes.ByteText;
import io.evenkey.layout.text.RowException;
import java.util.ArrayList;
import java.util.List;

/**
 * The fit of a layout with rows. A row fits if it decodes, and the layout puts the record that
 * comes out into this very row again. Immutable.
 *
 * @param layout the layout
 * @param rows the number of rows that were read
 * @param fitting the number of those that fit
 * @param misfits some of the others, and why
 */
public record FittingRows(Layout layout, int rows, int fitting, List<String> misfits) {
  private static final int SHOWN = 10;

  /** Copies the list. */
  public FittingRows {
    misfits = List.copyOf(misfits);
  }

  /** Tries a layout on rows. */
  public static FittingRows of(Layout layout, List<byte[]> rows) {
    int fitting = 0;
    List<String> misfits = new ArrayList<>();
    RowReader reader = layout.reader();
    for (byte[] row : rows) {
      String problem = problem(reader, row);
      if (problem.isEmpty()) {
        fitting++;
      } else if (misfits.size() < SHOWN) {
        misfits.add(ByteText.printable(row) + ": " + problem);
      }
    }
    return new FittingRows(layout, rows.size(), fitting, misfits);
  }

  /** The number of rows that do not fit. */
  public int foreign() {
    return rows - fitting;
  }

  /** Whether every row fits, and there were any. */
  public boolean isComplete() {
    return rows > 0 && fitting == rows;
  }

  public static boolean fits(Layout layout, byte[] row) {
    return problem(layout.reader(), row).isEmpty();
  }

  private static String problem(RowReader reader, byte[] row) {
    try {
      reader.check(row);
      return "";
    } catch (RowException e) {
      return String.valueOf(e.getMessage());
    }
  }
}
