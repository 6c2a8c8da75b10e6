/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import static io.evenkey.jobs.compare.RowOfCells.cell;
import static io.evenkey.jobs.compare.RowOfCells.row;
import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.Result;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CellsTest {
  @ParameterizedTest
  @CsvSource({
    "Put f:q@5=x,     Put f:q@5=x,     true",
    "Put f:q@5=x,     Put f:q@5=y,     false",
    "Put f:q@5=x,     Put f:q@6=x,     false",
    "Put f:q@5=x,     Put f:r@5=x,     false",
    "Put f:q@5=x,     Put g:q@5=x,     false",
    "Put f:q@5,       Delete f:q@5,    false",
    "Put f:q@5=x #t,  Put f:q@5=x #t,  true",
    "Put f:q@5=x #t,  Put f:q@5=x #u,  false",
    "Put f:q@5=x #t,  Put f:q@5=x,     false"
  })
  void cellsAreTheSameInEveryPart(String a, String b, boolean same) {
    assertThat(Cells.same(cell(a), cell(b))).isEqualTo(same);
    assertThat(Cells.same(row(a), row(b))).isEqualTo(same);
  }

  @Test
  void rowsAreTheSameIfAllCellsAre() {
    Result one = row("Put f:q@5=x");
    assertThat(Cells.same(one, row("Put f:q@5=x", "Put f:r@5=x"))).isFalse();
    assertThat(Cells.same(row("Put f:q@5=x", "Put f:r@5=x"), one)).isFalse();
    assertThat(Cells.same(row("Put f:q@5=x", "Put f:r@5=y"), row("Put f:q@5=x", "Put f:r@5=x")))
        .isFalse();
    assertThat(Cells.same(one, row())).isFalse();
    assertThat(Cells.same(row(), row())).isTrue();
    assertThat(Cells.of(new Result())).isEmpty();
    assertThat(Cells.of(one)).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({
    "DeleteFamily f:@5,        Put f:q@5=x, true",
    "DeleteFamily f:@5,        Put f:q@4=x, true",
    "DeleteFamily f:@5,        Put f:q@6=x, false",
    "DeleteFamily f:@5,        Put g:q@4=x, false",
    "DeleteFamilyVersion f:@5, Put f:q@5=x, true",
    "DeleteFamilyVersion f:@5, Put f:q@4=x, false",
    "DeleteFamilyVersion f:@5, Put f:q@6=x, false",
    "DeleteColumn f:q@5,       Put f:q@5=x, true",
    "DeleteColumn f:q@5,       Put f:q@4=x, true",
    "DeleteColumn f:q@5,       Put f:q@6=x, false",
    "DeleteColumn f:q@5,       Put f:r@5=x, false",
    "Delete f:q@5,             Put f:q@5=x, true",
    "Delete f:q@5,             Put f:q@4=x, false",
    "Delete f:q@5,             Put f:q@6=x, false",
    "Delete f:q@5,             Put f:r@5=x, false",
    "Put f:q@5,                Put f:q@4=x, false"
  })
  void eachKindOfDeletionHidesWhatHBaseHidesByIt(String deletion, String put, boolean hidden) {
    assertThat(Cells.hides(cell(deletion), cell(put))).isEqualTo(hidden);
    Cell[] among = {cell("Delete f:z@1"), cell(deletion)};
    assertThat(Cells.isHidden(cell(put), among)).isEqualTo(hidden);
    assertThat(Cells.isDeleted(row(deletion, put)))
        .isEqualTo(hidden && !deletion.startsWith("Put"));
  }

  @Test
  void aRowIsDeletedIfNoCellOfItIsSeen() {
    assertThat(Cells.isDeleted(row())).isTrue();
    assertThat(Cells.isDeleted(row("Delete f:q@5"))).isTrue();
    assertThat(Cells.isDeleted(row("Delete f:q@5", "Put f:q@5=x", "Put f:r@5=x"))).isFalse();
  }
}
