/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.protocol.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.Layout;
import io.evenkey.layout.Property;
import io.evenkey.layout.RandomLayout;
import io.evenkey.layout.Values;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.field.ValueException;
import io.evenkey.layout.text.SyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The laws of every index of every table that the grammars can make. */
class IndexLawsTest {
  private static final int CASES = 4000;

  @Test
  void anEntryNamesItsRow() {
    Property.holds(
        CASES,
        0.3,
        0.95,
        (random, size) -> {
          Case test = Case.of(random, size);
          Row row = test == null ? null : test.row();
          if (row == null) {
            return false;
          }
          byte[] entry = row.entry(test.key);
          assertThat(test.key.row(entry)).as("%s", test).isEqualTo(row.key);
          assertThat(test.key.index().layout().logical(test.key.index().layout().physical(entry)))
              .as("%s", test)
              .isEqualTo(entry);
          return true;
        });
  }

  @Test
  void twoRowsHaveTwoEntries() {
    Property.holds(
        CASES,
        0.2,
        0.95,
        (random, size) -> {
          Case test = Case.of(random, size);
          Row one = test == null ? null : test.row();
          Row other = one == null ? null : test.row();
          if (other == null) {
            return false;
          }
          boolean sameValues = one.values.equals(other.values);
          assertThat(Arrays.equals(one.entry(test.key), other.entry(test.key)))
              .as("%s: %s, %s", test, one.values, other.values)
              .isEqualTo(sameValues);
          return true;
        });
  }

  @Test
  void entriesSortByTheFieldsOfTheIndex() {
    Property.holds(
        CASES,
        0.2,
        0.95,
        (random, size) -> {
          Case test = Case.of(random, size);
          Row one = test == null ? null : test.row();
          Row other = one == null ? null : test.row();
          if (other == null) {
            return false;
          }
          Layout layout = test.key.index().layout();
          int byBytes = Arrays.compareUnsigned(one.entry(test.key), other.entry(test.key));
          assertThat(Integer.signum(byBytes))
              .as("%s: %s, %s", test, one.values, other.values)
              .isEqualTo(Integer.signum(RandomLayout.compare(layout, one.values, other.values)));
          return true;
        });
  }

  @Test
  void aRowWithoutAnIndexedColumnHasNoEntry() {
    Property.holds(
        CASES,
        0.1,
        0.9,
        (random, size) -> {
          Case test = Case.of(random, size);
          Row row = test == null ? null : test.row();
          if (row == null || row.columns.isEmpty()) {
            return false;
          }
          row.columns.remove(row.columns.keySet().iterator().next());
          assertThat(test.key.entry(row.key, row.columns::get)).as("%s", test).isEmpty();
          return true;
        });
  }

  @Test
  void aTextReadsBackAsItsIndexes() {
    Property.holds(
        CASES,
        0.3,
        0.95,
        (random, size) -> {
          Case test = Case.of(random, size);
          if (test == null) {
            return false;
          }
          TableIndexes indexes =
              TableIndexes.NONE.with(test.given).with(test.key.index().in(IndexState.PUBLIC));
          assertThat(TableIndexes.parse(indexes.toString()))
              .isEqualTo(indexes)
              .hasToString(indexes.toString());
          assertThat(indexes.list()).hasSize(1);
          assertThat(TableIndex.parse(test.given.toString())).isEqualTo(test.given);
          assertThat(IndexFit.complete(test.table, test.key.index())).isSameAs(test.key.index());
          return true;
        });
  }

  /** A row of the table: its values, its key, and the columns that the index takes from it. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(Values values, byte[] key, Map<ColumnName, byte[]> columns) {
    byte[] entry(IndexKey of) {
      return of.entry(key, columns::get).orElseThrow();
    }
  }

  /** A table and an index that fits it. */
  private record Case(RandomLayout make, Layout table, TableIndex given, IndexKey key) {
    private static final String[] PREFIXES = {"", "", "salt(7) + ", "salt(300) + "};
    private static final String[] COLUMN_TYPES = {
      "string", "int64", "bytes", "decimal", "timestamp", "uint8", "uuid", "digits", "date"
    };

    /** Null if the table cannot have the index. */
    static Case of(SplittableRandom random, int size) {
      RandomLayout make = new RandomLayout(random, size);
      Layout table = make.layout();
      List<String> parts = new ArrayList<>();
      List<IndexColumn> columns = new ArrayList<>();
      for (Field field : table.fields()) {
        if (random.nextBoolean()) {
          parts.add(new Field(field.name(), field.type(), random.nextBoolean()).toString());
        }
      }
      for (int i = random.nextInt(3); i > 0; i--) {
        String type = COLUMN_TYPES[random.nextInt(COLUMN_TYPES.length)];
        parts.add("c" + i + ":" + type + (random.nextBoolean() ? " desc" : ""));
        columns.add(new IndexColumn("c" + i, new ColumnName("d", "ü " + i), ColumnForm.TEXT));
      }
      if (parts.isEmpty()) {
        return null;
      }
      Collections.shuffle(parts, new Random(random.nextLong()));
      String line = PREFIXES[random.nextInt(PREFIXES.length)] + String.join(" + ", parts);
      List<ColumnName> covering =
          random.nextBoolean() ? List.of() : List.of(new ColumnName("d", "x`y"));
      try {
        TableIndex index =
            TableIndex.of("by_x", IndexProtocol.EVENTS, Layout.parse(line), columns, covering);
        return new Case(make, table, index, IndexKey.of(table, index));
      } catch (SyntaxException | IndexException e) {
        return null;
      }
    }

    /** Null if one of its values cannot stand in the index, such as text with NUL. */
    Row row() {
      Values values = make.acceptedValues(table);
      Map<ColumnName, byte[]> columns = new HashMap<>();
      for (Field field : key.index().layout().fields()) {
        IndexColumn column = key.index().column(field.name()).orElse(null);
        if (column != null) {
          Object value = make.value(field);
          values = values.and(field.name(), value);
          String text = field.type().format(value);
          columns.put(column.column(), text.getBytes(StandardCharsets.UTF_8));
        }
      }
      try {
        Row row = new Row(values, table.logicalKey(values), columns);
        row.entry(key);
        return row;
      } catch (ValueException e) {
        return null;
      }
    }

    @Override
    public String toString() {
      return "table " + table + ", index " + key;
    }
  }
}
