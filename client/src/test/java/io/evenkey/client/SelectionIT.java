/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.evenkey.client.failure.TableLayoutException;
import io.evenkey.client.select.KeyedRow;
import io.evenkey.client.select.KeyedRows;
import io.evenkey.client.select.ReadCursor;
import io.evenkey.client.select.Selection;
import io.evenkey.embedded.EmbeddedHBase;
import io.evenkey.embedded.EmbeddedHBaseExtension;
import io.evenkey.layout.Layout;
import io.evenkey.layout.Values;
import io.evenkey.layout.split.SplitAlgorithm;
import io.evenkey.layout.split.SplitPlan;
import io.evenkey.layout.text.SyntaxException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records by conditions, against the same conditions applied to all records by hand. */
@ExtendWith(EmbeddedHBaseExtension.class)
class SelectionIT {
  private static final long SEED = Long.getLong("evenkey.seed", 20261121L);
  private static final byte[] FAMILY = Bytes.toBytes("d");
  private static final byte[] QUALIFIER = Bytes.toBytes("q");
  private static final String FIELDS = "device:string + ts:int64";
  private static final int DEVICES = 20;
  private static final int PER_DEVICE = 60;

  private SpreadTables tables;

  @BeforeEach
  void connect(EmbeddedHBase hbase) throws IOException {
    tables = SpreadTables.on(hbase.connection());
  }

  @AfterEach
  void close() throws IOException {
    tables.close();
  }

  private static String name(int device) {
    return "d" + (char) ('a' + device);
  }

  private SpreadTable filled(String line) throws IOException {
    Layout layout = Layout.parse(line);
    TableName name = TableName.valueOf("select_" + Integer.toHexString(line.hashCode()));
    SplitPlan splits =
        layout.buckets().isPresent()
            ? layout.splits(layout.buckets().getAsInt())
            : SplitAlgorithm.UNIFORM.splits(3);
    SpreadTable table = tables.create(name, layout, splits, List.of("d"));
    try (SpreadMutator mutator = table.mutator()) {
      for (int device = 0; device < DEVICES; device++) {
        for (long ts = 0; ts < PER_DEVICE; ts++) {
          byte[] key = layout.logicalKey(Values.of("device", name(device)).and("ts", ts));
          mutator.put(new Put(key).addColumn(FAMILY, QUALIFIER, Bytes.toBytes(ts)));
        }
      }
    }
    return table;
  }

  private static List<String> texts(Selection selection) throws IOException {
    List<String> texts = new ArrayList<>();
    try (KeyedRows rows = selection.open()) {
      for (KeyedRow row : rows) {
        assertThat(row.value(FAMILY, QUALIFIER)).isEqualTo(Bytes.toBytes((Long) row.get("ts")));
        texts.add(row.get("device") + "/" + row.get("ts"));
      }
    }
    return texts;
  }

  @ParameterizedTest
  @ValueSource(strings = "salt(8, device) + " + FIELDS)
  void conditionsSelectWhatTheySayInOrder(String line) throws Exception {
    SpreadTable table = filled(line);
    SplittableRandom random = new SplittableRandom(SEED);
    for (int i = 0; i < 40; i++) {
      int first = random.nextInt(DEVICES);
      int last = Math.min(DEVICES - 1, first + random.nextInt(4));
      long from = random.nextInt(PER_DEVICE);
      long to = from + random.nextInt(20);
      boolean reversed = random.nextBoolean();
      int limit = random.nextInt(3) == 0 ? 1 + random.nextInt(50) : 0;
      String where =
          "device between %s and %s and ts between %d and %d"
              .formatted(name(first), name(last), from, to);
      List<String> expected = new ArrayList<>();
      for (int device = first; device <= last; device++) {
        for (long ts = from; ts <= Math.min(to, PER_DEVICE - 1); ts++) {
          expected.add(name(device) + "/" + ts);
        }
      }
      if (reversed) {
        Collections.reverse(expected);
      }
      if (limit > 0) {
        expected = expected.subList(0, Math.min(limit, expected.size()));
      }
      Selection selection = table.select().where(where);
      selection = reversed ? selection.reversed() : selection;
      selection = limit > 0 ? selection.limit(limit) : selection;
      String what = line + " where " + where + " reversed=" + reversed + " limit=" + limit;
      assertThat(texts(selection)).as(what).isEqualTo(expected);
      assertThat(published(selection, 1 + random.nextInt(7))).as(what).isEqualTo(expected);
      assertThat(inPages(selection, limit, 1 + random.nextInt(30))).as(what).isEqualTo(expected);
    }
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {FIELDS, "salt(8) + " + FIELDS, "salt(5, ts) + " + FIELDS})
  void conditionsSelectTheSameOnOtherSpreads(String line) throws Exception {
    conditionsSelectWhatTheySayInOrder(line);
  }

  /** Page by page, each begun behind the cursor that the last one left. */
  private static List<String> inPages(Selection selection, int limit, int size) throws IOException {
    List<String> texts = new ArrayList<>();
    ReadCursor cursor = null;
    while (limit == 0 || texts.size() < limit) {
      int most = limit == 0 ? size : Math.min(size, limit - texts.size());
      Selection page = selection.limit(most);
      page = cursor == null ? page : page.after(ReadCursor.parse(cursor.toString()));
      int before = texts.size();
      try (KeyedRows rows = page.open()) {
        for (KeyedRow row = rows.next(); row != null; row = rows.next()) {
          texts.add(row.get("device") + "/" + row.get("ts"));
        }
        cursor = rows.cursor() == null ? cursor : rows.cursor();
      }
      if (texts.size() - before < most) {
        break;
      }
    }
    return texts;
  }

  /** By a subscriber that asks for a few rows at a time. */
  private static List<String> published(Selection selection, int atATime) throws Exception {
    return PublishedRows.of(
        selection.publisher(), atATime, row -> row.get("device") + "/" + row.get("ts"));
  }

  @Test
  void streamsIteratesAndReportsItsProgress() throws IOException {
    SpreadTable table = filled("salt(3) + " + FIELDS);
    List<Long> reported = new ArrayList<>();
    try (Stream<KeyedRow> rows = table.select().onProgress(reported::add).stream()) {
      assertThat(rows.map(row -> row.get("device")).distinct()).hasSize(DEVICES);
    }
    assertThat(reported).containsExactly(1024L, (long) DEVICES * PER_DEVICE);
    KeyedRows closed;
    try (KeyedRows rows = table.select().open()) {
      assertThat(rows.cursor()).isNull();
      KeyedRow first = rows.next();
      assertThat(first.values()).isEqualTo(Values.of("device", "da").and("ts", 0L));
      assertThat(rows.cursor()).isEqualTo(first.cursor());
      assertThat(first.cursor().key()).isEqualTo(first.key());
      closed = rows;
    }
    assertThat(closed.next()).isNull();
  }

  @Test
  void aMistakeInAConditionIsShownWhereItIs() throws IOException {
    SpreadTable table = filled("salt(2) + " + FIELDS);
    assertThatThrownBy(() -> table.select().where("devise = 'd1'"))
        .isInstanceOf(SyntaxException.class)
        .hasMessageContaining("devise")
        .hasMessageContaining("^");
    assertThatThrownBy(() -> table.select().limit(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 or more");
  }

  @Test
  void aCursorIsRefusedWhereTheTableHasAnotherRowKey() throws Exception {
    SpreadTable table = filled("salt(9) + " + FIELDS);
    String cursor;
    try (KeyedRows rows = table.select().open()) {
      cursor = rows.next().cursor().toString();
    }
    ReadCursor parsed = ReadCursor.parse(cursor);
    assertThat(parsed).hasToString(cursor);
    assertThat(parsed.index()).isNull();
    SpreadTable respread = filled("salt(6) + " + FIELDS);
    assertThat(respread.select().after(parsed).stream()).hasSize(DEVICES * PER_DEVICE - 1);
    SpreadTable other = filled("salt(3) + ts:int64 + device:string");
    assertThatThrownBy(() -> other.select().after(parsed).open())
        .isInstanceOf(TableLayoutException.class)
        .hasMessageContaining("key=ts:int64 + device:string;");
    // A key that the application has made is taken for one of the table.
    assertThat(other.select().after(ReadCursor.of(parsed.key())).limit(1).stream()).hasSize(1);
  }
}
