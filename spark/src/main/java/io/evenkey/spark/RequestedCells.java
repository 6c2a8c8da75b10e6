/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.spark;

import io.evenkey.client.cell.CellColumn;
import io.evenkey.spark.TableColumns.CellField;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.QualifierFilter;

/**
 * The cells that region servers send for a query. Immutable.
 *
 * <p><b>What a row is.</b> As in HBase: a key with at least one cell, in whatever family. It does
 * not depend on the columns that a query names: {@code count(*)} has a row that has none of the
 * mapped columns, and its columns are null. HBase leaves out rows without a requested column, so
 * the first cell of each row is requested, too.
 *
 * @param columns the columns that the query needs
 * @param present whether Spark drops rows without one of these columns in any case, so that HBase
 *     may leave them out
 */
record RequestedCells(List<CellColumn> columns, boolean present) {
  RequestedCells {
    columns = List.copyOf(columns);
  }

  /**
   * The cells of a query.
   *
   * @param needed the columns that it needs
   * @param present the columns without which rows are dropped
   */
  static RequestedCells of(List<CellField> needed, List<CellField> present) {
    List<String> names = present.stream().map(CellField::name).toList();
    return new RequestedCells(
        needed.stream().map(CellField::column).toList(),
        needed.stream().anyMatch(cell -> names.contains(cell.name())));
  }

  /** Restricts a scan to these cells. */
  void addTo(Scan scan) {
    if (present) {
      columns.forEach(column -> scan.addColumn(column.familyBytes(), column.qualifierBytes()));
    } else if (columns.isEmpty()) {
      scan.setFilter(new FilterList(new FirstKeyOnlyFilter(), new KeyOnlyFilter()));
    } else {
      List<Filter> either = new ArrayList<>(List.of(new FirstKeyOnlyFilter()));
      columns.forEach(column -> either.add(cell(column)));
      scan.setFilter(new FilterList(FilterList.Operator.MUST_PASS_ONE, either));
    }
  }

  private static Filter cell(CellColumn column) {
    return new FilterList(
        new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(column.familyBytes())),
        new QualifierFilter(CompareOperator.EQUAL, new BinaryComparator(column.qualifierBytes())));
  }

  @Override
  public String toString() {
    String named =
        String.join(",", columns.stream().map(c -> c.family() + ":" + c.qualifier()).toList());
    return present ? named : named.isEmpty() ? "first key only" : named + " or first cell";
  }
}
