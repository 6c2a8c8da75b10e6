/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout;

import static org.assertj.core.api.Assertions.assertThat;

import io.evenkey.layout.bytes.KeyRange;
import io.evenkey.layout.field.Field;
import io.evenkey.layout.message.Quoted;
import io.evenkey.layout.scatter.Condition;
import io.evenkey.layout.scatter.ConditionField;
import io.evenkey.layout.scatter.Scatter;
import io.evenkey.layout.scatter.Where;
import io.evenkey.layout.spread.Prefix;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** The laws of every layout that the grammar can make, not only of hand-picked ones. */
class LayoutLawsTest {
  private static final int CASES = 2500;

  @Test
  void aPrintedLayoutReadsBackAsItself() {
    Property.holds(
        CASES,
        (random, size) -> {
          Layout layout = new RandomLayout(random, size).layout();
          assertThat(Layout.parse(layout.toString()))
              .isEqualTo(layout)
              .hasToString(layout.toString());
        });
  }

  @Test
  void aRowDecodesToTheRecordItWasMadeOf() {
    Property.holds(
        CASES,
        (random, size) -> {
          RandomLayout make = new RandomLayout(random, size);
          Layout layout = make.layout();
          Values values = make.acceptedValues(layout);
          byte[] row = layout.encode(values);
          assertThat(layout.decode(row)).as("%s", layout).isEqualTo(withNulls(layout, values));
          assertThat(layout.logical(row)).as("%s", layout).isEqualTo(layout.logicalKey(values));
        });
  }

  private static boolean isNull(Object value) {
    return value == null || value.equals("");
  }

  /** To Phoenix, the empty text is a null. */
  private static Values withNulls(Layout layout, Values values) {
    if (!layout.key().allowsNull()) {
      return values;
    }
    Values read = Values.of(Map.of());
    for (Field field : layout.fields()) {
      Object value = values.get(field.name());
      read = read.and(field.name(), isNull(value) ? null : value);
    }
    return read;
  }

  @Test
  void valuesThatAreWrittenAndReadOneByOneAreTheSame() {
    Property.holds(
        CASES,
        (random, size) -> {
          RandomLayout make = new RandomLayout(random, size);
          Layout layout = make.layout();
          if (layout.key().allowsNull()) {
            return;
          }
          RowWriter writer = layout.writer();
          RowReader reader = layout.reader();
          for (int i = 0; i < 3; i++) {
            Values values = make.acceptedValues(layout);
            writer.start();
            for (Field field : layout.fields()) {
              Object value = values.get(field.name());
              if (value instanceof Long number) {
                writer.put(number.longValue());
              } else if (value instanceof String text) {
                writer.put((CharSequence) text);
              } else {
                writer.put(value);
              }
            }
            byte[] row = writer.row();
            assertThat(layout.logical(row)).as("%s", layout).isEqualTo(layout.logicalKey(values));
            reader.open(row);
            for (int f = 0; f < layout.fields().size(); f++) {
              Object value = values.get(layout.fields().get(f).name());
              assertThat(reader.get(f)).as("%s", layout).isEqualTo(value);
              if (value instanceof Long number) {
                assertThat(reader.getLong(f)).as("%s", layout).isEqualTo(number);
              }
            }
          }
        });
  }

  @Test
  void logicalKeysSortAsTheirValuesDo() {
    Property.holds(
        CASES,
        (random, size) -> {
          RandomLayout make = new RandomLayout(random, size);
          Layout layout = make.layout();
          Values a = make.acceptedValues(layout);
          Values b = make.acceptedValues(layout);
          int byBytes = Arrays.compareUnsigned(layout.logicalKey(a), layout.logicalKey(b));
          int byValues = RandomLayout.compare(layout, a, b);
          assertThat(Integer.signum(byBytes))
              .as("%s: %s and %s", layout, a, b)
              .isEqualTo(Integer.signum(byValues));
        });
  }

  @Test
  void thePiecesOfAnExplanationAreTheRow() {
    Property.holds(
        CASES,
        (random, size) -> {
          RandomLayout make = new RandomLayout(random, size);
          Layout layout = make.layout();
          Explanation explained = layout.explain(make.acceptedValues(layout));
          byte[] joined = new byte[0];
          for (Explanation.Piece piece : explained.pieces()) {
            int at = joined.length;
            joined = Arrays.copyOf(joined, at + piece.bytes().length);
            System.arraycopy(piece.bytes(), 0, joined, at, piece.bytes().length);
          }
          assertThat(joined).as("%s", layout).isEqualTo(explained.physical());
        });
  }

  @Test
  void scatterHoldsExactlyTheRowsOfTheRange() {
    Property.holds(
        CASES,
        (random, size) -> {
          RandomLayout make = new RandomLayout(random, size);
          Layout layout = make.layout();
          List<byte[]> keys = keys(make, layout);
          KeyRange range = range(random, keys);
          Scatter scatter = layout.scatter(range);
          for (byte[] key : keys) {
            long holding = holding(scatter, layout.physical(key));
            assertThat(holding).as("ranges of %s are disjoint", layout).isLessThanOrEqualTo(1);
            if (range.contains(key)) {
              assertThat(holding).as("%s %s holds %s", layout, range, hex(key)).isEqualTo(1);
            } else if (scatter.exact()) {
              assertThat(holding).as("%s %s without %s", layout, range, hex(key)).isZero();
            }
          }
          checkOrder(layout, scatter, keys);
        });
  }

  private static void checkOrder(Layout layout, Scatter scatter, List<byte[]> keys) {
    if (!scatter.ordered()) {
      return;
    }
    for (KeyRange range : scatter.ranges()) {
      List<byte[]> rows = new ArrayList<>();
      keys.stream().map(layout::physical).filter(range::contains).forEach(rows::add);
      rows.sort(Arrays::compareUnsigned);
      List<byte[]> logical = rows.stream().map(layout::logical).toList();
      for (int i = 1; i < logical.size(); i++) {
        assertThat(Arrays.compareUnsigned(logical.get(i - 1), logical.get(i)))
            .as("%s in %s is in logical order", layout, range)
            .isLessThanOrEqualTo(0);
      }
    }
  }

  @Test
  void aConditionSelectsTheRowsThatFulfilIt() {
    Property.holds(
        CASES,
        (random, size) -> {
          RandomLayout make = new RandomLayout(random, size);
          Layout layout = make.layout();
          List<Values> records = new ArrayList<>();
          for (int i = 0; i < 30; i++) {
            records.add(make.acceptedValues(layout));
          }
          List<Comparison> comparisons = comparisons(random, layout, records);
          if (comparisons.isEmpty()) {
            return;
          }
          Where where = layout.where(text(comparisons));
          Where made = layout.where(condition(comparisons));
          assertThat(made.ranges()).as(text(comparisons)).isEqualTo(where.ranges());
          assertThat(made.residual(true)).isEqualTo(where.residual(true));
          assertThat(made.residual(false)).isEqualTo(where.residual(false));
          Scatter scatter = layout.scatter(where);
          boolean complete = where.residual(scatter.exact()).isEmpty();
          for (Values record : records) {
            boolean fulfils = comparisons.stream().allMatch(c -> c.holds(record));
            assertThat(where.matches(record::get))
                .as("%s where %s: %s", layout, text(comparisons), record)
                .isEqualTo(fulfils);
            byte[] row = layout.encode(record);
            byte[] other = layout.logicalKey(records.get(random.nextInt(records.size())));
            boolean before = Arrays.compareUnsigned(layout.logicalKey(record), other) < 0;
            // No key is before the empty one; as a bound it would stand for the end.
            KeyRange within = other.length == 0 ? KeyRange.none() : KeyRange.of(new byte[0], other);
            Scatter below = layout.scatter(where, within);
            if (before && fulfils) {
              assertThat(holding(below, row)).isOne();
            } else if (!before && below.exact()) {
              assertThat(holding(below, row))
                  .as("%s where %s: %s", layout, text(comparisons), record)
                  .isZero();
            }
            long holding = holding(scatter, row);
            assertThat(holding).as("ranges of %s are disjoint", layout).isLessThanOrEqualTo(1);
            if (fulfils || complete) {
              assertThat(holding)
                  .as("%s where %s: %s", layout, text(comparisons), record)
                  .isEqualTo(fulfils ? 1 : 0);
            }
          }
        });
  }

  @Test
  void aConditionThatFixesTheHashedFieldsOpensOneRange() {
    Property.holds(
        CASES,
        (random, size) -> {
          RandomLayout make = new RandomLayout(random, size);
          Layout layout = make.layout();
          Prefix prefix = layout.spread().prefix();
          Values record = make.acceptedValues(layout);
          if (layout.fields().stream().anyMatch(f -> isNull(record.get(f.name())))
              && layout.key().allowsNull()) {
            return;
          }
          List<Comparison> fixed = new ArrayList<>();
          int last = layout.fields().size() - 1;
          if (prefix != null && !prefix.fields().isEmpty()) {
            last = layout.key().indexOf(prefix.fields().get(0));
          }
          for (Field field : layout.fields().subList(0, last + 1)) {
            fixed.add(
                new Comparison(
                    field, false, "=", Collections.singletonList(record.get(field.name()))));
          }
          int variants =
              prefix == null || !prefix.isRandom() && last + 1 == layout.fields().size()
                  ? 1
                  : prefix.variants();
          int steps =
              prefix == null || last + 1 == layout.fields().size() ? 1 : prefix.steps().count();
          assertThat(layout.scatter(layout.where(text(fixed))).fanOut())
              .as("%s where %s", layout, text(fixed))
              .isBetween(variants, variants * steps);
        });
  }

  private static Condition condition(List<Comparison> comparisons) {
    return comparisons.stream().map(Comparison::condition).reduce(Condition::and).orElseThrow();
  }

  private record Comparison(Field field, boolean nullable, String operator, List<Object> values) {
    Condition condition() {
      ConditionField named = Condition.field(field.name());
      Object value = values.get(0);
      return switch (operator) {
        case "=" -> named.eq(value);
        case "!=" -> named.ne(value);
        case "<" -> named.lessThan(value);
        case "<=" -> named.atMost(value);
        case ">" -> named.greaterThan(value);
        case ">=" -> named.atLeast(value);
        case "between" -> named.between(value, values.get(1));
        case "starts with" -> named.startsWith((String) value);
        default -> named.in(values.toArray());
      };
    }

    boolean holds(Values record) {
      Object value = record.get(field.name());
      if (value == null || value.equals("") && nullable) {
        return false;
      }
      int order = RandomLayout.compareValues(field, value, values.get(0));
      return switch (operator) {
        case "=" -> order == 0;
        case "!=" -> order != 0;
        case "<" -> order < 0;
        case "<=" -> order <= 0;
        case ">" -> order > 0;
        case ">=" -> order >= 0;
        case "between" ->
            order >= 0 && RandomLayout.compareValues(field, value, values.get(1)) <= 0;
        case "starts with" -> field.type().format(value).startsWith((String) values.get(0));
        default -> values.stream().anyMatch(v -> RandomLayout.compareValues(field, value, v) == 0);
      };
    }

    @Override
    public String toString() {
      List<String> quoted =
          values.stream()
              .map(v -> v instanceof String s ? s : field.type().format(v))
              .map(Quoted::literal)
              .toList();
      return field.name()
          + " "
          + operator
          + " "
          + switch (operator) {
            case "in" -> "(" + String.join(", ", quoted) + ")";
            case "between" -> String.join(" and ", quoted.subList(0, 2));
            default -> quoted.get(0);
          };
    }
  }

  private static List<Comparison> comparisons(
      SplittableRandom random, Layout layout, List<Values> records) {
    String[] operators = {"=", "=", "=", "in", "in", "between", "!=", "<", "<=", ">", ">="};
    List<Comparison> chosen = new ArrayList<>();
    Values like = records.get(random.nextInt(records.size()));
    for (Field field : layout.fields()) {
      if (random.nextInt(4) == 0 && !chosen.isEmpty()) {
        continue;
      }
      List<Object> values = new ArrayList<>();
      values.add(like.get(field.name()));
      for (int i = 0; i < 2; i++) {
        values.add(records.get(random.nextInt(records.size())).get(field.name()));
      }
      Collections.rotate(values, random.nextInt(3));
      if (layout.key().allowsNull() && values.stream().anyMatch(LayoutLawsTest::isNull)) {
        continue;
      }
      String operator = operators[random.nextInt(operators.length)];
      String type = field.type().toString();
      if ((type.startsWith("string") || type.startsWith("digits")) && random.nextInt(3) == 0) {
        String text = (String) values.get(0);
        operator = "starts with";
        values.set(
            0,
            text.substring(
                0, text.offsetByCodePoints(0, text.codePointCount(0, text.length()) / 2)));
      }
      chosen.add(new Comparison(field, layout.key().allowsNull(), operator, values));
    }
    return chosen;
  }

  private static String text(List<Comparison> comparisons) {
    return String.join(" and ", comparisons.stream().map(Comparison::toString).toList());
  }

  private static List<byte[]> keys(RandomLayout make, Layout layout) {
    List<byte[]> keys = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      keys.add(layout.logicalKey(make.acceptedValues(layout)));
    }
    return keys;
  }

  /** From a key, or the beginning of one, to another, to its own successor, or without end. */
  private static KeyRange range(SplittableRandom random, List<byte[]> keys) {
    byte[] from = keys.get(random.nextInt(keys.size()));
    byte[] to = keys.get(random.nextInt(keys.size()));
    byte[] cut = Arrays.copyOf(from, random.nextInt(from.length + 1));
    return switch (random.nextInt(6)) {
      case 0 -> KeyRange.point(from);
      case 1 -> KeyRange.prefix(cut);
      case 2 -> KeyRange.of(cut, to);
      case 3 -> KeyRange.of(from, new byte[0]);
      case 4 -> KeyRange.of(to, KeyRange.afterPrefix(cut));
      default -> KeyRange.of(from, to);
    };
  }

  private static long holding(Scatter scatter, byte[] row) {
    return scatter.ranges().stream().filter(range -> range.contains(row)).count();
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
