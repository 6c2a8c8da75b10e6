/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client.internal.filter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.UnsupportedFilterException;
import io.evenkey.layout.Layout;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnCountGetFilter;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterBase;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;
import org.apache.hadoop.hbase.filter.InclusiveStopFilter;
import org.apache.hadoop.hbase.filter.KeyOnlyFilter;
import org.apache.hadoop.hbase.filter.PageFilter;
import org.apache.hadoop.hbase.filter.PrefixFilter;
import org.apache.hadoop.hbase.filter.RowFilter;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.WhileMatchFilter;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class FilterMappingTest {
  private static final Layout LAYOUT = Layout.parse("salt(4) + key:bytes");
  private static final byte[] ROW = {3, 'k'};

  /** An application's filter that passes rows by something of its own. */
  private static final class OwnPrefixFilter extends PrefixFilter {
    OwnPrefixFilter(byte[] prefix) {
      super(prefix);
    }
  }

  /** An application's comparator that compares in a way of its own. */
  private static final class OwnComparator extends BinaryComparator {
    OwnComparator(byte[] value) {
      super(value);
    }
  }

  private static Filter mapped(Filter filter, FilteredRows rows) {
    return FilterMapping.of(LAYOUT.spread(), ROW, Set.of(), rows).physical(filter);
  }

  private static void assertRejected(Filter filter, FilteredRows rows) {
    assertThatThrownBy(() -> mapped(filter, rows)).isInstanceOf(UnsupportedFilterException.class);
  }

  @ParameterizedTest
  @EnumSource(FilteredRows.class)
  void aClassDerivedFromOneOfHBasesIsRejectedUnlessItIsNamed(FilteredRows rows) {
    Filter own = new OwnPrefixFilter(ROW);
    assertRejected(own, rows);
    assertRejected(new FilterList(own), rows);
    assertRejected(new RowFilter(CompareOperator.EQUAL, new OwnComparator(ROW)), rows);
    Set<String> named = Set.of(OwnPrefixFilter.class.getName());
    assertThat(FilterMapping.of(LAYOUT.spread(), ROW, named, rows).physical(own)).isSameAs(own);
  }

  @Test
  void allOfHBasesFiltersPassWhereTheyDecideOnOneRange() {
    for (Filter filter :
        List.of(
            new ColumnCountGetFilter(1),
            new PageFilter(1),
            new FilterList(
                FilterList.Operator.MUST_PASS_ONE, new PageFilter(1), new KeyOnlyFilter()),
            new WhileMatchFilter(new KeyOnlyFilter()))) {
      assertThat(mapped(filter, FilteredRows.ONE_RANGE)).hasSameClassAs(filter);
    }
    WhileMatchFilter prefixed =
        (WhileMatchFilter)
            mapped(new WhileMatchFilter(new PrefixFilter(new byte[] {7})), FilteredRows.ONE_RANGE);
    assertThat(((PrefixFilter) prefixed.getFilter()).getPrefix()).containsExactly(3, 7);
  }

  @Test
  void aRowThatMayBeInSeveralBucketsHasNoFilterThatNeedsAllOfItsCells() {
    for (Filter filter :
        List.of(
            new ColumnCountGetFilter(1),
            new ColumnPaginationFilter(1, 0),
            new FirstKeyOnlyFilter(),
            new PageFilter(1),
            new SkipFilter(new KeyOnlyFilter()),
            new FilterList(new KeyOnlyFilter(), new FirstKeyOnlyFilter()))) {
      assertRejected(filter, FilteredRows.PARTS_OF_A_ROW);
    }
    mapped(new FilterList(new KeyOnlyFilter()), FilteredRows.PARTS_OF_A_ROW);
  }

  @Test
  void aRowFilterEndsAScanOnlyInTheDirectionInWhichItFailsForGood() {
    BinaryComparator key = new BinaryComparator(Bytes.toBytes("k"));
    Filter below = new WhileMatchFilter(new RowFilter(CompareOperator.LESS, key));
    Filter above = new WhileMatchFilter(new RowFilter(CompareOperator.GREATER_OR_EQUAL, key));
    mapped(below, FilteredRows.ASCENDING);
    mapped(above, FilteredRows.DESCENDING);
    assertRejected(below, FilteredRows.DESCENDING);
    assertRejected(above, FilteredRows.ASCENDING);
  }

  // HBase passes no row by the first, and by the third, and fails at the server with the others.
  @ParameterizedTest
  @EnumSource(value = FilteredRows.class, mode = Mode.EXCLUDE, names = "PARTS_OF_A_ROW")
  void aFilterWithNothingToCompareWithStaysAsItIs(FilteredRows rows) {
    for (Filter filter :
        List.of(
            new PrefixFilter(null),
            new InclusiveStopFilter(null),
            new RowFilter(CompareOperator.NO_OP, null),
            new RowFilter(CompareOperator.EQUAL, null))) {
      assertThat(mapped(filter, rows)).isSameAs(filter);
    }
  }

  /** A filter of an application's own, which may look at rows. */
  private static final class OwnFilter extends FilterBase {}

  @Test
  void aFilterOfAnUnknownClassMayCompareRows() {
    Filter own = new OwnFilter();
    Filter prefix = new PrefixFilter(new byte[] {1});
    for (Filter filter :
        List.of(
            own,
            prefix,
            new SkipFilter(own),
            new WhileMatchFilter(prefix),
            new FilterList(new PageFilter(1), own))) {
      assertThat(FilterMapping.comparesRows(filter, Set.of())).as("%s", filter).isTrue();
    }
    for (Filter filter :
        List.of(
            own,
            new SkipFilter(own),
            new WhileMatchFilter(new KeyOnlyFilter()),
            new FilterList(new PageFilter(1), new FilterList(new FirstKeyOnlyFilter())))) {
      assertThat(FilterMapping.comparesRows(filter, Set.of(OwnFilter.class.getName())))
          .as("%s", filter)
          .isFalse();
    }
  }
}
