/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.report.json;

import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.annotation.JsonNaming;
import io.evenkey.client.internal.verify.FittingRows;
import io.evenkey.client.internal.verify.TableCheck;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether the rows of a table are of its layout, as JSON. Immutable.
 *
 * @param sound whether descriptor and registry agree and all rows fit
 * @param usable whether clients use the table as it is
 * @param rows the number of rows that were read
 * @param foreign the number of those that do not fit the layout of the descriptor
 * @param descriptor how the layout in the table's descriptor fits; null if it has none
 * @param registry how the layout in the registry fits; null if it has none
 */
public record TableCheckJson(
    String table,
    boolean sound,
    boolean usable,
    int rows,
    int foreign,
    List<String> doubts,
    @Nullable LayoutFit descriptor,
    @Nullable LayoutFit registry) {
  /** Copies the list. */
  public TableCheckJson {
    doubts = List.copyOf(doubts);
  }

  /**
   * How a layout fits the rows that were read.
   *
   * @param misfits some of the rows that do not fit
   */
  @JsonNaming(SnakeCaseStrategy.class)
  public record LayoutFit(String layout, int rowsFitting, List<String> misfits) {
    /** Copies the list. */
    public LayoutFit {
      misfits = List.copyOf(misfits);
    }

    private static @Nullable LayoutFit of(@Nullable FittingRows fit) {
      return fit == null
          ? null
          : new LayoutFit(fit.layout().toString(), fit.fitting(), fit.misfits());
    }
  }

  /**
   * A check.
   *
   * @param doubts what is odd about the values that the layout reads
   */
  public static TableCheckJson of(TableCheck check, boolean usable, List<String> doubts) {
    FittingRows inDescriptor = check.inDescriptor();
    return new TableCheckJson(
        check.name().getNameAsString(),
        check.isSound(),
        usable,
        check.rows().rows().size(),
        inDescriptor == null ? 0 : inDescriptor.foreign(),
        doubts,
        LayoutFit.of(inDescriptor),
        LayoutFit.of(check.inRegistry()));
  }
}
