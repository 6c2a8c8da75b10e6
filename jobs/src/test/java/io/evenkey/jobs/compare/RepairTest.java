/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.jobs.compare;

import static io.evenkey.jobs.compare.RowOfCells.KEY;
import static io.evenkey.jobs.compare.RowOfCells.row;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;

class RepairTest {
  private static Repair repair(Result rawRight, Result right, Result rawHas, Result has) {
    return Repair.of(rawRight, right, rawHas, has);
  }

  /** Of rows without deletions. */
  private static Repair repair(Result right, Result has) {
    return repair(right, right, has, has);
  }

  private static List<String> cells(Mutation mutation) {
    return mutation.getFamilyCellMap().entrySet().stream()
        .map(Map.Entry::getValue)
        .flatMap(List::stream)
        .map(RepairTest::text)
        .toList();
  }

  private static String text(Cell cell) {
    return cell.getType()
        + " "
        + Bytes.toString(CellUtil.cloneFamily(cell))
        + ":"
        + Bytes.toString(CellUtil.cloneQualifier(cell))
        + "@"
        + cell.getTimestamp()
        + "="
        + Bytes.toString(CellUtil.cloneValue(cell));
  }

  @Test
  void rowsThatAreAlikeNeedNothing() throws IOException {
    Repair repair = repair(row("Put f:q@5=x #t"), row("Put f:q@5=x #t"));
    assertThat(repair.put(KEY).isEmpty()).isTrue();
    assertThat(repair.delete(KEY).isEmpty()).isTrue();
  }

  @Test
  void aMissingCellIsWrittenWithItsTimestamp() throws IOException {
    Repair repair = repair(row("Put f:q@5=x", "Put f:r@6=y"), row("Put f:q@5=x"));
    assertThat(cells(repair.put(KEY))).containsExactly("Put f:r@6=y");
    assertThat(repair.delete(KEY).isEmpty()).isTrue();
  }

  @Test
  void anExtraCellIsDeletedAtItsTimestampOnly() throws IOException {
    Repair repair = repair(row("Put f:q@5=x"), row("Put f:q@5=x", "Put f:q@4=y"));
    assertThat(cells(repair.delete(KEY))).containsExactly("Delete f:q@4=");
    assertThat(repair.put(KEY).isEmpty()).isTrue();
  }

  @Test
  void anotherValueOrTagInTheSamePlaceIsReplacedWithoutATombstone() throws IOException {
    for (String other : new String[] {"Put f:q@5=y", "Put f:q@5=x #t"}) {
      Repair repair = repair(row("Put f:q@5=x"), row(other));
      assertThat(cells(repair.put(KEY))).containsExactly("Put f:q@5=x");
      assertThat(repair.delete(KEY).isEmpty()).as(other).isTrue();
    }
  }

  @Test
  void aDeletionThatIsMissingIsWrittenAndHidesWhatItHides() throws IOException {
    Repair repair =
        repair(row("DeleteColumn f:q@5"), row(), row("Put f:q@4=x"), row("Put f:q@4=x"));
    assertThat(cells(repair.delete(KEY))).containsExactly("DeleteColumn f:q@5=");
    assertThat(repair.put(KEY).isEmpty()).isTrue();
  }

  @Test
  void aDeletionThatIsThereIsNotWrittenAgain() throws IOException {
    Repair repair =
        repair(
            row("DeleteColumn f:q@5", "Put f:q@6=x"),
            row("Put f:q@6=x"),
            row("DeleteColumn f:q@5"),
            row());
    assertThat(repair.delete(KEY).isEmpty()).isTrue();
    assertThat(cells(repair.put(KEY))).containsExactly("Put f:q@6=x");
  }
}
